"""Derivatives of joining, splitting and repeating tensors."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.ops.array.concat_split import (
    concat_op,
    pad_op,
    repeat_op,
    split_op,
    stack_op,
    tile_op,
    unstack_op,
)
from runtime.ops.array.constants import cast
from runtime.ops.array.creation import zeros_like_op
from runtime.ops.array.gather_scatter import slice_op
from runtime.ops.array.indexing import getitem, getitem_op
from runtime.ops.array.shape import reshape_op
from runtime.ops.gradients.backprop import along
from runtime.ops.gradients.dynamic_shapes import moved_back, numbered, shaped_as, sizes
from runtime.ops.math.reduction import sum_op
from runtime.types.dtypes import int64


def stack(*values: Any, axis: int) -> tuple[Any, ...]:
    """The slices of the gradient."""
    return tuple(unstack_op(values[-1], num=len(values) - 2, axis=axis))


def unstack(value: Any, *values: Any, num: int, axis: int) -> tuple[Any, ...]:
    """The gradients of the slices, stacked."""
    return (stack_op(*values[num:], axis=axis) if num else zeros_like_op(value, dtype=value.dtype),)


def concat(*values: Any, axis: int) -> tuple[Any, ...]:
    """The parts of the gradient."""
    inputs, dy = values[:-2], values[-1]
    lengths = [None if x.shape.dims is None else x.shape.dims[axis] for x in inputs]
    if None not in lengths:
        return tuple(split_op(dy, sizes=tuple(lengths), num=len(lengths), axis=axis))
    gradients: list[Any] = []
    start: Any = 0
    for x in inputs:
        end = start + sizes(x)[axis]
        gradients.append(getitem(dy, along(axis, slice(start, end))))
        start = end
    return tuple(gradients)


def split(value: Any, *values: Any, sizes: Any, num: int, axis: int) -> tuple[Any, ...]:
    """The gradients of the parts, joined."""
    return (
        concat_op(*values[num:], axis=axis) if num else zeros_like_op(value, dtype=value.dtype),
    )


def split_by_sizes(value: Any, lengths: Any, *values: Any, num: int, axis: int) -> tuple[Any, ...]:
    """The gradients of the parts, joined."""
    return *split(value, *values, sizes=None, num=num, axis=axis), None


def tile(x: Any, multiples: Any, y: Any, dy: Any) -> tuple[Any, ...]:
    """Each element gets the sum over its copies."""
    rank = x.shape.rank
    if rank is None:
        return moved_back(dy, tile_op(numbered(x), multiples), x), None
    if not rank:
        return dy, None
    # [copies, size, copies, size ...]: sum over the copies
    pairs = stack_op(cast(multiples, int64), sizes(x), axis=1)
    apart = reshape_op(dy, reshape_op(pairs, np.array([-1])))
    return shaped_as(sum_op(apart, axis=tuple(range(0, 2 * rank, 2)), keepdims=False), x), None


def pad(
    x: Any, paddings: Any, value: Any, y: Any, dy: Any, *, mode: str
) -> tuple[Any, ...]:
    """The gradient without its margins, which go to the value, or to what was mirrored."""
    if mode != "CONSTANT":
        return moved_back(dy, pad_op(numbered(x), paddings, np.int64(0), mode=mode), x), None, None
    begin = getitem_op(cast(paddings, int64), key=(slice(None), 0))
    dx = slice_op(dy, begin, sizes(x))

    def dvalue() -> Any:
        zero = zeros_like_op(value, dtype=value.dtype)
        return sum_op(dy - pad_op(dx, paddings, zero, mode=mode), axis=None, keepdims=False)

    return dx, None, dvalue


def repeat(x: Any, repeats: Any, y: Any, dy: Any, *, axis: int | None) -> tuple[Any, ...]:
    """Each entry gets the sum over its copies."""
    return moved_back(dy, repeat_op(numbered(x), repeats, axis=axis), x), None
