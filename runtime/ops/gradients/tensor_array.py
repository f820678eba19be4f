"""Derivatives of tensor arrays: gradients of entries belong to the entries."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.ops.array.creation import range_op
from runtime.ops.array.indexing import getitem_op
from runtime.ops.gradients.dynamic_shapes import sizes
from runtime.ops.resource.list_gradients import (
    add_lists,
    differentiable,
    entry,
    of_entry,
    without_entry,
)
from runtime.ops.resource.tensor_array import array_size
from runtime.ops.resource.tensor_array_gradients import (
    array_lengths,
    divided,
    joined,
    of_rows,
    rows_of,
    without_rows,
)


def write(handle: Any, index: Any, value: Any, y: Any, dy: Any, **attrs: Any) -> tuple[Any, ...]:
    """What was written gets the gradient of its entry; what was there before, nothing."""
    length = array_size(y)
    dvalue = None
    if differentiable(value):
        (dvalue,) = entry(dy, length, index, [value])
    return without_entry(dy, length, index), None, dvalue


def read(
    handle: Any, index: Any, value: Any, after: Any, dvalue: Any, dafter: Any, **attrs: Any
) -> tuple[Any, ...]:
    """The entry gets what was read of it, besides what is made of the array later."""
    if dvalue is None:
        return dafter, None
    return add_lists(dafter, of_entry(array_size(handle), index, dvalue)), None


def stack(handle: Any, y: Any, dy: Any, **attrs: Any) -> tuple[Any, ...]:
    """The rows of the gradient."""
    return (of_rows(dy, _numbers(sizes(y))),)


def _numbers(shape: Any) -> Any:
    return range_op(np.int64(0), getitem_op(shape, key=(0,)), np.int64(1))


def gather(handle: Any, indices: Any, y: Any, dy: Any, **attrs: Any) -> tuple[Any, ...]:
    """The rows of the gradient, added up where an entry was read twice."""
    return of_rows(dy, indices), None


def concat(handle: Any, y: Any, dy: Any, **attrs: Any) -> tuple[Any, ...]:
    """The parts of the gradient."""
    return (divided(dy, array_lengths(handle)),)


def unstack(handle: Any, value: Any, y: Any, dy: Any, **attrs: Any) -> tuple[Any, ...]:
    """The gradients of the entries; what was there before gets nothing."""
    if not differentiable(value):
        return None, None
    shape = sizes(value)
    return None, rows_of(dy, _numbers(shape), shape, dtype=value.dtype)


def scatter(
    handle: Any, indices: Any, value: Any, y: Any, dy: Any, **attrs: Any
) -> tuple[Any, ...]:
    """What was written gets the gradients of its entries."""
    dvalue = None
    if differentiable(value):
        dvalue = rows_of(dy, indices, sizes(value), dtype=value.dtype)
    return without_rows(dy, indices), None, dvalue


def split(handle: Any, value: Any, lengths: Any, y: Any, dy: Any) -> tuple[Any, ...]:
    """The gradients of the entries, one behind the other."""
    if not differentiable(value):
        return None, None, None
    return None, joined(dy, lengths, sizes(value), dtype=value.dtype), None
