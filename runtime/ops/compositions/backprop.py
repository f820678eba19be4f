"""The adjoints of broadcasting and reductions."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.ops.array.backprop import broadcast_like, repeated_axes, summed_axes
from runtime.ops.array.creation import fill_op
from runtime.ops.array.shape import broadcast_to_op, expand_dims_op, reshape_op, squeeze_op
from runtime.ops.math.reduction import sum_op
from runtime.ops.rules.lowering import Measured


def sum_to_shape(x: Any, shape: Any) -> Any:
    """A sum along the axes that are repeated, if these are known."""
    rank = len(x.shape.dims)
    if isinstance(shape, Measured):
        axes, extra = repeated_axes(shape.first, shape.sizes), rank - len(shape.sizes)
    else:
        axes, extra = summed_axes(x.spec, shape.spec), rank - (shape.shape.dims[0] or 0)
    if axes is None:
        return None
    if not axes:
        return x
    if all(axis < extra for axis in axes):
        return sum_op(x, axis=axes, keepdims=False)
    total = sum_op(x, axis=axes, keepdims=True)
    return squeeze_op(total, axis=tuple(range(extra))) if extra else total


def expand_reduced(y: Any, shape: Any, *, axis: Any, keepdims: bool) -> Any:
    """The number everywhere, or the view that repeats elements."""
    if isinstance(shape, Measured):
        return _expanded_like(y, shape, axis, keepdims)
    dims = shape.spec.value
    if dims is None:
        return None
    if not y.shape.dims:
        return fill_op(dims, y)
    kept_dims = np.array(dims)
    kept_dims[[*_axes(len(dims), axis)]] = 1
    if y.shape.num_elements() != kept_dims.prod():
        return None
    return broadcast_to_op(y if keepdims else reshape_op(y, kept_dims), dims)


def _axes(rank: int, axis: Any) -> list[int]:
    axes = range(rank) if axis is None else (axis,) if isinstance(axis, int) else axis
    return sorted(number % rank for number in axes)


def _expanded_like(y: Any, shape: Measured, axis: Any, keepdims: bool) -> Any:
    if not y.shape.dims:
        return broadcast_like(shape.like, y)
    gone = _axes(len(shape.sizes), axis)
    kept_sizes = [1 if n in gone else size for n, size in enumerate(shape.sizes)]
    result_sizes = [size for n, size in enumerate(kept_sizes) if keepdims or n not in gone]
    if list(shape.first) != result_sizes:
        return None
    for axis_number in () if keepdims else gone:
        y = expand_dims_op(y, axis=axis_number)
    return broadcast_like(shape.like, y)


def broadcast_to(x: Any, shape: Any) -> Any:
    """The elements repeated along the axes of a tensor."""
    if not isinstance(shape, Measured) or repeated_axes(shape.sizes, shape.first) is None:
        return None
    return broadcast_like(shape.like, x)


def filled(shape: Any, value: Any) -> Any:
    """The number in the shape of a tensor."""
    return broadcast_like(shape.like, value) if isinstance(shape, Measured) else None


def zeros_like(x: Any, *, dtype: Any) -> Any:
    """Zeros, where the sizes are not known."""
    return _alike(x, 0, dtype)


def ones_like(x: Any, *, dtype: Any) -> Any:
    """Ones, where the sizes are not known."""
    return _alike(x, 1, dtype)


def _alike(x: Any, number: int, dtype: Any) -> Any:
    if None not in x.shape.dims:
        return None
    return broadcast_like(x, np.array(number, dtype.as_numpy_dtype))
