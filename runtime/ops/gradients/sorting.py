"""Derivatives of ops that order elements: gradients return to the elements' positions."""

from __future__ import annotations

from typing import Any

from runtime.ops.array.backprop import take_along
from runtime.ops.array.sorting import argsort_op
from runtime.ops.gradients.dynamic_shapes import count, moved_back, numbered
from runtime.ops.math.scans import unsorted_segment_min


def sort(values: Any, y: Any, dy: Any, *, axis: int, descending: bool) -> tuple[Any, ...]:
    """The gradient in the order that the elements had."""
    order = argsort_op(values, axis=axis, descending=descending)
    back = argsort_op(order, axis=axis, descending=False)
    return (take_along(dy, back, axis=axis),)


def top_k(
    x: Any, k: Any, y: Any, places: Any, dy: Any, dplaces: Any, *, index_type: Any
) -> tuple[Any, ...]:
    """The greatest elements get the gradient, the others nothing."""
    return moved_back(dy, take_along(numbered(x), places, axis=-1), x), None


def unique(x: Any, *values: Any, out_idx: Any) -> tuple[Any, ...]:
    """Of equal elements the first is the one that was taken."""
    y, idx, _, dy, *_ = values
    return (moved_back(dy, unsorted_segment_min(numbered(x), idx, count(y)), x),)
