"""Derivatives of the ops that derivatives are made of."""

from __future__ import annotations

from typing import Any

from runtime.ops.array.backprop import recurrence as recurrence_op
from runtime.ops.array.backprop import take_along as take_along_op
from runtime.ops.array.concat_split import concat_op
from runtime.ops.array.creation import zeros_like_op
from runtime.ops.array.indexing import getitem_op
from runtime.ops.array.shape import broadcast_to_op
from runtime.ops.gradients.dynamic_shapes import moved_back, numbered, sizes
from runtime.ops.math.reduction import sum_op


def sum_to_shape(x: Any, shape: Any, y: Any, dy: Any) -> tuple[Any, ...]:
    """A sum passes its gradient to each of its elements."""
    return broadcast_to_op(dy, sizes(x)), None


def expand_reduced(
    y: Any, shape: Any, x: Any, dx: Any, *, axis: Any, keepdims: bool
) -> tuple[Any, ...]:
    """What was repeated gets the sum."""
    return sum_op(dx, axis=axis, keepdims=keepdims), None


def scatter_item(
    value: Any, shape: Any, *values: Any, key: tuple[Any, ...]
) -> tuple[Any, ...]:
    """The elements come from their places."""
    *indices, _, dy = values
    return getitem_op(dy, *indices, key=key), *[None] * (1 + len(indices))


def along(axis: int, item: Any) -> tuple[Any, ...]:
    """The key of a part along one axis of a tensor of any rank."""
    if axis >= 0:
        return (*[slice(None)] * axis, item)
    return (..., item, *[slice(None)] * (-1 - axis))


def shifted(x: Any, axis: int, forwards: bool, edge: bool = False) -> Any:
    """The elements moved one place along an axis; a zero enters, or the edge once more."""
    ends = slice(None, 1) if forwards else slice(-1, None)
    enters = getitem_op(x, key=along(axis, ends))
    if not edge:
        enters = zeros_like_op(enters, dtype=x.dtype)
    if forwards:
        return concat_op(enters, getitem_op(x, key=along(axis, slice(None, -1))), axis=axis)
    return concat_op(getitem_op(x, key=along(axis, slice(1, None))), enters, axis=axis)


def recurrence(
    a: Any, b: Any, y: Any, dy: Any, *, axis: int, reverse: bool, lagged: bool
) -> tuple[Any, ...]:
    """The gradients run through the recurrence the other way."""
    db = recurrence_op(a, dy, axis=axis, reverse=not reverse, lagged=not lagged)
    if lagged:
        return shifted(db, axis, reverse) * y, db
    return db * shifted(y, axis, not reverse), db


def take_along(x: Any, indices: Any, y: Any, dy: Any, *, axis: int) -> tuple[Any, ...]:
    """The elements go back to where they were taken from."""
    return moved_back(dy, take_along_op(numbered(x), indices, axis=axis), x), None
