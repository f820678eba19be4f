"""Derivatives of Fourier transforms: transforms the other way, without their normalisation."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.ops.array.backprop import scatter_item
from runtime.ops.array.constants import cast
from runtime.ops.array.creation import range_op
from runtime.ops.array.indexing import KeyInput, getitem, getitem_op, setitem
from runtime.ops.array.shape import known_rank
from runtime.ops.array.where import where_op
from runtime.ops.gradients.backprop import along
from runtime.ops.gradients.dynamic_shapes import sizes
from runtime.ops.math.comparison import equal
from runtime.ops.math.elementary import real
from runtime.ops.math.elementwise import floordiv
from runtime.ops.math.fft import fft_op, ifft_op, rfft_op
from runtime.ops.math.logical import logical_or

ADJOINT = {"backward": "forward", "forward": "backward", "ortho": "ortho"}
"""The normalisation of the inverse that makes it the adjoint."""

Axes = tuple[int, ...]


def _fitted(gradient: Any, x: Any, axes: Axes, lengths: Any) -> Any:
    """The gradient of ``x``, which was cut or filled up with zeros to the lengths, if given."""
    if lengths is None:
        return gradient
    target_sizes = sizes(x)
    for axis in axes:
        size = getitem_op(target_sizes, key=(axis,))
        gradient = getitem(gradient, along(axis, slice(None, size)))
        shape = setitem(sizes(gradient), axis, size)
        gradient_size = getitem_op(sizes(gradient), key=(axis,))
        gradient = _into(gradient, shape, axis, gradient_size)
    return gradient


def _into(x: Any, shape: Any, axis: int, size: Any) -> Any:
    """The first entries along an axis of zeros of the shape."""
    return scatter_item(x, shape, size, key=along(axis, slice(None, KeyInput(0))))


def fftn(x: Any, y: Any, dy: Any, *, axes: Axes, lengths: Any, norm: str) -> tuple[Any, ...]:
    """The inverse transform."""
    transformed = ifft_op(dy, axes=axes, lengths=None, norm=ADJOINT[norm])
    return (_fitted(transformed, x, axes, lengths),)


def ifftn(x: Any, y: Any, dy: Any, *, axes: Axes, lengths: Any, norm: str) -> tuple[Any, ...]:
    """The transform."""
    transformed = fft_op(dy, axes=axes, lengths=None, norm=ADJOINT[norm])
    return (_fitted(transformed, x, axes, lengths),)


def rfftn(x: Any, y: Any, dy: Any, *, axes: Axes, lengths: Any, norm: str) -> tuple[Any, ...]:
    """The inverse transform of the half that is there, and zeros for the other."""
    last_axis = axes[-1]
    size = getitem_op(sizes(x), key=(last_axis,)) if lengths is None else np.int64(lengths[-1])
    shape = sizes(dy)
    padded = _into(
        dy, setitem(shape, last_axis, size), last_axis, getitem_op(shape, key=(last_axis,))
    )
    transformed = real(ifft_op(padded, axes=axes, lengths=None, norm=ADJOINT[norm]))
    return (_fitted(transformed, x, axes, lengths),)


def irfftn(x: Any, y: Any, dy: Any, *, axes: Axes, lengths: Any, norm: str) -> tuple[Any, ...]:
    """The transform; what stands for two mirrored numbers counts twice."""
    last_axis = axes[-1]
    size = getitem_op(sizes(y), key=(last_axis,))
    half = floordiv(size, np.int64(2)) + 1
    places = range_op(np.int64(0), half, np.int64(1))
    alone = logical_or(equal(places, np.int64(0)), equal(places * 2, size))
    weights = where_op(alone, np.ones(()), np.full((), 2.0))
    behind = (
        -1 - last_axis if last_axis < 0 else known_rank(x, "the gradient of irfft") - 1 - last_axis
    )
    weights = getitem_op(weights, key=(slice(None), *[None] * behind))
    transformed = rfft_op(dy, axes=axes, lengths=None, norm=ADJOINT[norm])
    return (_fitted(transformed * cast(weights, x.dtype), x, axes, lengths),)
