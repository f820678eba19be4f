"""Shapes as derivatives need them, for unknown sizes and ranks, too."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

from runtime.ops import dispatch
from runtime.ops.array.backprop import expand_reduced, sum_to_shape
from runtime.ops.array.creation import range_op
from runtime.ops.array.shape import reshape_op, shape_op, size_op
from runtime.ops.math.scans import unsorted_segment_sum
from runtime.types.dtypes import int64


def sizes(x: Any) -> Any:
    """The shape of ``x`` as an int64 vector: a constant where it is known, so ``x`` is not kept."""
    dims = x.shape.dims
    if dims is None or None in dims:
        return shape_op(x, out_type=int64)
    if dispatch.executing_eagerly():
        device: Any = dispatch.current()
        return _eager_sizes(dims, device)
    return dispatch.convert(np.array(dims, np.int64))


@functools.lru_cache(1024)
def _eager_sizes(dims: tuple[int, ...], device: Any) -> Any:
    """Return a constant on the device whose interpreter is the current one."""
    return dispatch.convert(np.array(dims, np.int64))


def count(x: Any) -> Any:
    """The number of elements of ``x`` as an int64 scalar."""
    number = x.shape.num_elements()
    if number is None:
        return size_op(x, out_type=int64)
    return dispatch.convert(np.array(number, np.int64))


def same_static_shape(x: Any, y: Any) -> bool:
    """Whether two tensors are known to have one shape."""
    dims = x.shape.dims
    return dims is not None and None not in dims and dims == y.shape.dims


def summed_to(gradient: Any, x: Any) -> Any:
    """``gradient`` summed over the axes along which ``x`` was broadcast."""
    if same_static_shape(gradient, x):
        return gradient
    return sum_to_shape(gradient, sizes(x))


def shaped_as(gradient: Any, x: Any) -> Any:
    """The elements of ``gradient`` in the shape of ``x``."""
    return gradient if same_static_shape(gradient, x) else reshape_op(gradient, sizes(x))


def expanded(y: Any, x: Any, axis: Any, keepdims: bool) -> Any:
    """What a reduction of ``x`` gave, repeated for each of the elements that went into it."""
    return expand_reduced(y, sizes(x), axis=axis, keepdims=keepdims)


def numbered(x: Any) -> Any:
    """The places of the elements of ``x``, 0 and on, in its shape.

    An op that only moves elements about, applied to these, tells where each element went.
    """
    zero, step = np.int64(0), np.int64(1)
    return reshape_op(range_op(zero, count(x), step), sizes(x))


def moved_back(gradient: Any, places: Any, x: Any) -> Any:
    """The gradient of ``x``, from the gradient of elements that came from these places of it."""
    flat = np.array([-1])
    total = unsorted_segment_sum(
        reshape_op(gradient, flat), reshape_op(places, flat), count(x)
    )
    return reshape_op(total, sizes(x))
