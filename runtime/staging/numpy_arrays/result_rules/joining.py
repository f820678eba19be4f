"""Functions that join and repeat arrays."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from runtime.staging.numpy_arrays.result_rules.operands import (
    ArrayType,
    Dims,
    NoRuleError,
    arrays_in,
    axis_of,
    common,
    dtype_or,
    has_open_count,
    product,
    replaced,
    same_size,
    sizes_of,
    total,
    typed,
    whole,
)
from runtime.staging.numpy_arrays.result_rules.shapes import atleast, ravel


def joined(
    arrays: Sequence[ArrayType], axis: Any, dtype: Any = None, is_open: bool = False
) -> ArrayType:
    """Arrays one after the other along an axis; ``is_open``: one stands for unknown many."""
    if not arrays or any(x.rank != arrays[0].rank for x in arrays):
        raise NoRuleError
    place = axis_of(axis, arrays[0].rank)
    dims = [
        (None if is_open else total(*column)) if n == place else same_size(*column)
        for n, column in enumerate(zip(*[x.dims for x in arrays], strict=True))
    ]  # fmt: skip
    return ArrayType(tuple(dims), dtype_or(dtype, common(*[x.dtype for x in arrays])))


def concatenate(arrays: Any, /, axis: Any = 0, out: None = None, *, dtype: Any = None) -> ArrayType:
    """Arrays one after the other along an axis, or all in a row."""
    operands, is_open = [*arrays_in(arrays)], has_open_count(arrays)
    if axis is None:
        return joined([ravel(x) for x in operands], 0, dtype, is_open)
    return joined(operands, axis, dtype, is_open)


def stack(arrays: Any, axis: Any = 0, out: None = None, *, dtype: Any = None) -> ArrayType:
    """Arrays side by side along a new axis."""
    operands = [*arrays_in(arrays)]
    if not operands:
        raise NoRuleError
    place = axis_of(axis, operands[0].rank + 1)
    expanded = [x.with_dims((*x.dims[:place], 1, *x.dims[place:])) for x in operands]
    return joined(expanded, place, dtype, has_open_count(arrays))


def stacked_along(place: int, least_rank: int) -> Callable[..., ArrayType]:
    """Rule of ``vstack`` and ``dstack``."""

    def rule(tup: Any, *, dtype: Any = None) -> ArrayType:
        arrays = [atleast(least_rank)(x) for x in arrays_in(tup)]
        return joined(arrays, place, dtype, has_open_count(tup))

    return rule


def hstack(tup: Any, *, dtype: Any = None) -> ArrayType:
    """Side by side: vectors one after the other."""
    operands = [atleast(1)(x) for x in arrays_in(tup)]
    place = 0 if operands and operands[0].rank == 1 else 1
    return joined(operands, place, dtype, has_open_count(tup))


def column_stack(tup: Any) -> ArrayType:
    """Vectors as columns of a matrix."""
    operands = [*arrays_in(tup)]
    columns = [x if x.rank > 1 else x.with_dims((*(x.dims or (1,)), 1)) for x in operands]
    return joined(columns, 1, is_open=has_open_count(tup))


def columns(key: Any) -> ArrayType:
    """``c_[key]``."""
    parts = [typed(part) for part in (key if type(key) is tuple else (key,))]
    if any(part.python for part in parts):
        raise NoRuleError
    return joined([x if x.rank > 1 else x.with_dims((*(x.dims or (1,)), 1)) for x in parts], -1)


def block(arrays: Any) -> ArrayType:
    """An array of nested rows of arrays."""
    depth = _depth(arrays)
    rank = max(depth, *[typed(leaf).rank for leaf in _leaves(arrays)])

    def assembled(part: Any, level: int) -> ArrayType:
        if type(part) is not tuple:
            return atleast_rank(typed(part), rank)
        return joined([assembled(item, level - 1) for item in part], -level)

    return assembled(arrays, depth)._replace(is_array=True)


def _depth(nested: Any) -> int:
    if type(nested) is not tuple:
        return 0
    depths = {_depth(item) for item in nested}
    if len(depths) != 1:
        raise NoRuleError
    return 1 + depths.pop()


def _leaves(nested: Any) -> list[Any]:
    return [leaf for x in nested for leaf in _leaves(x)] if type(nested) is tuple else [nested]


def atleast_rank(array: ArrayType, rank: int) -> ArrayType:
    """With axes of size 1 before the others."""
    return array.with_dims((1,) * (rank - array.rank) + array.dims)


def append(arr: Any, values: Any, axis: Any = None) -> ArrayType:
    """Values at the end of an array."""
    return concatenate((typed(arr), typed(values)), axis)


def tile(A: Any, reps: Any) -> ArrayType:
    """An array repeated along its axes."""
    array = typed(A)
    counts = _counts(reps)
    rank = max(array.rank, len(counts))
    counts = (1,) * (rank - len(counts)) + counts
    dims = (1,) * (rank - array.rank) + array.dims
    sizes = [product(pair) for pair in zip(dims, counts, strict=True)]
    return array.with_dims(sizes)._replace(is_array=True)


def _counts(reps: Any) -> Dims:
    if isinstance(reps, ArrayType) and reps.rank == 1 and reps.dims[0] is not None:
        return (None,) * reps.dims[0]
    return sizes_of(reps)


def repeat(a: Any, repeats: Any, axis: Any = None) -> ArrayType:
    """Elements repeated."""
    array = typed(a)
    if axis is None:
        array, place = array.with_dims((product(array.dims),)), 0
    else:
        place = axis_of(axis, array.rank)
    count = whole(repeats) if not typed(repeats).rank else None
    return array.with_dims(replaced(array.dims, place, product((array.dims[place], count))))


def pad(array: Any, pad_width: Any, mode: Any = "constant", **options: Any) -> ArrayType:
    """With elements around."""
    operand = typed(array)
    if isinstance(pad_width, ArrayType) or type(pad_width) in (tuple, int):
        widths = _pad_widths(pad_width, operand.rank)
    else:
        raise NoRuleError
    dims = [total(size, *pair) for size, pair in zip(operand.dims, widths, strict=True)]
    return operand.with_dims(dims)._replace(is_array=True)


def _pad_widths(widths: Any, rank: int) -> Sequence[tuple[int | None, int | None]]:
    if type(widths) is not tuple:
        return [(whole(widths),) * 2] * rank if not typed(widths).rank else [(None, None)] * rank
    if all(type(pair) is not tuple for pair in widths):
        if len(widths) == 1:
            return [(whole(widths[0]),) * 2] * rank
        if len(widths) != 2:
            raise NoRuleError
        return [(whole(widths[0]), whole(widths[1]))] * rank
    pairs = [(whole(pair[0]), whole(pair[-1])) for pair in widths]
    return pairs * rank if len(pairs) == 1 else pairs
