"""Functions that choose elements by diagonal, index or condition, and those of indices."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from runtime.staging.numpy_arrays.result_rules.operands import (
    ArrayType,
    NoRuleError,
    arrays_in,
    axes_of,
    axis_of,
    broadcast,
    known,
    product,
    replaced,
    sizes_of,
    total,
    typed,
    whole,
    without,
)
from runtime.staging.numpy_arrays.result_rules.shapes import ravel, view_of


def triangle(m: Any, k: Any = 0) -> ArrayType:
    """Rule of ``tril`` and ``triu``."""
    array = typed(m)
    dims = array.dims * 2 if array.rank == 1 else array.dims
    if not dims:
        raise NoRuleError
    return array.with_dims(dims)


def _diagonal_size(rows: int | None, columns: int | None, offset: Any) -> int | None:
    by = whole(offset)
    if None in (rows, columns, by):
        return None
    assert rows is not None and columns is not None and by is not None
    return max(min(rows, columns - by) if by >= 0 else min(rows + by, columns), 0)


def diagonal(a: Any, offset: Any = 0, axis1: Any = 0, axis2: Any = 1) -> ArrayType:
    """Diagonals, along the last axis."""
    array = typed(a)
    one, two = axes_of((axis1, axis2), array.rank)
    size = _diagonal_size(array.dims[one], array.dims[two], offset)
    return view_of(array, (*without(array.dims, (one, two)), size))


def diag(v: Any, k: Any = 0) -> ArrayType:
    """The diagonal of a matrix, or a matrix of one."""
    array = typed(v)
    if array.rank == 2:
        return diagonal(array, k)
    if array.rank != 1:
        raise NoRuleError
    by = whole(k)
    size = total(array.dims[0], None if by is None else abs(by))
    return array.with_dims((size, size))


def diagflat(v: Any, k: Any = 0) -> ArrayType:
    """A matrix of a diagonal."""
    return diag(ravel(v), k)


def take(
    a: Any, indices: Any, axis: Any = None, out: None = None, mode: Any = "raise"
) -> ArrayType:
    """Elements by their index."""
    array, places = typed(a), typed(indices)
    if axis is None:
        return array.with_dims(places.dims)
    place = axis_of(axis, array.rank)
    return array.with_dims((*array.dims[:place], *places.dims, *array.dims[place + 1 :]))


def take_along_axis(arr: Any, indices: Any, axis: Any = -1) -> ArrayType:
    """Elements by indices of each row."""
    array, places = typed(arr), typed(indices)
    if axis is None:
        return array.with_dims(places.dims)
    place = axis_of(axis, array.rank)
    if places.rank != array.rank:
        raise NoRuleError
    others = broadcast(replaced(array.dims, place, 1), replaced(places.dims, place, 1))
    return array.with_dims(replaced(others, place, places.dims[place]))


def chosen(condition: Any, a: Any, axis: Any = None) -> ArrayType:
    """Rule of ``compress``: as many as a condition holds for."""
    array = typed(a)
    if axis is None:
        return array.with_dims((None,))
    return array.with_dims(replaced(array.dims, axis_of(axis, array.rank), None))


def chosen_method(a: Any, condition: Any, axis: Any = None) -> ArrayType:
    """``a.compress(condition)``."""
    return chosen(condition, a, axis)


def extract(condition: Any, arr: Any) -> ArrayType:
    """The elements for which a condition holds."""
    return typed(arr).with_dims((None,))


def argwhere(a: Any) -> ArrayType:
    """The indices of what is not 0, a row each."""
    return ArrayType((None, typed(a).rank), np.dtype(np.int64))


def nonzero(a: Any) -> tuple[ArrayType, ...]:
    """The indices of what is not 0, an array for each axis."""
    rank = typed(a).rank
    if not rank:
        raise NoRuleError
    return (ArrayType((None,), np.dtype(np.int64)),) * rank


def flatnonzero(a: Any) -> ArrayType:
    """The places of what is not 0."""
    return ArrayType((None,), np.dtype(np.int64))


def delete(arr: Any, obj: Any, axis: Any = None) -> ArrayType:
    """Without elements."""
    return chosen(None, arr, axis)


def insert(arr: Any, obj: Any, values: Any, axis: Any = None) -> ArrayType:
    """With more elements."""
    return chosen(None, arr, axis)


def trim_zeros(filt: Any, trim: Any = "fb", axis: Any = None) -> ArrayType:
    """Without zeros at the ends; of a list NumPy makes a list."""
    array = typed(filt)
    if not array.is_array:
        raise NoRuleError
    return array.with_dims((None,) * array.rank)._replace(source=array.source)


def unravel_index(indices: Any, shape: Any, order: Any = "C") -> tuple[ArrayType, ...]:
    """The indices of places."""
    return (typed(indices).of(np.int64),) * len(sizes_of(shape))


def ravel_multi_index(
    multi_index: Any, dims: Any, mode: Any = "raise", order: Any = "C"
) -> ArrayType:
    """The places of indices."""
    arrays = [*arrays_in(multi_index)]
    return ArrayType(broadcast(*[x.dims for x in arrays]), np.dtype(np.int64))


def lexsort(keys: Any, axis: Any = -1) -> ArrayType:
    """The order by several keys."""
    operands = [*arrays_in(keys)]
    dims = broadcast(*[x.dims for x in operands])
    axis_of(axis, len(dims))
    return ArrayType(dims, np.dtype(np.int64))


def packbits(a: Any, /, axis: Any = None, bitorder: Any = "big") -> ArrayType:
    """Eight bools in a byte."""
    return _bits(typed(a), axis, lambda size: -(-size // 8))


def unpackbits(a: Any, /, axis: Any = None, count: Any = None, bitorder: Any = "big") -> ArrayType:
    """A byte for each bit."""
    number = 0 if count is None else known(count)
    if count is not None and number >= 0:
        return _bits(typed(a), axis, lambda size: number)
    return _bits(typed(a), axis, lambda size: size * 8 + number)


def _bits(array: ArrayType, axis: Any, size_of: Callable[[int], int]) -> ArrayType:
    if axis is None:
        array, place = array.with_dims((product(array.dims),)), 0
    else:
        place = axis_of(axis, array.rank)
    size = array.dims[place]
    dims = replaced(array.dims, place, None if size is None else size_of(size))
    return ArrayType(dims, np.dtype(np.uint8))
