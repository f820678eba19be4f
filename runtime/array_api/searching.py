"""Searching, sorting, sets and picking by position, as the array API standard has them."""

from __future__ import annotations

from typing import Any, NamedTuple

from runtime.array_api import elementwise as functions
from runtime.array_api.checks import some_elements
from runtime.array_api.promotion import DEFAULT_INDEX, cast, of_kind, promoted, tensor
from runtime.array_api.reductions import axes_given
from runtime.array_api.shapes import broadcast_arrays, flip, one_axis, rank_of
from runtime.ops.array import concat_split, gather_scatter, partitions
from runtime.ops.array import sorting as rows
from runtime.ops.array import where as where_ops
from runtime.ops.array.creation import range as range_op
from runtime.ops.array.creation import zeros_like
from runtime.ops.array.shape import expand_dims, reshape
from runtime.ops.array.shape import shape as shape_op
from runtime.ops.math import comparison, logical, reduction, scans
from runtime.types.dtypes import bool_, int8, int64


def _extreme(row: Any, name: str, x: Any, axis: Any, keepdims: bool) -> Any:
    x = of_kind(x, "iuf", name)
    rank = rank_of(x, name)
    x = some_elements(x, None if axis is None else [one_axis(axis, rank, name)], name)
    if axis is None:
        found = row(reshape(x, [-1]), 0, DEFAULT_INDEX)
        return reshape(found, [1] * rank) if keepdims else found
    at = one_axis(axis, rank, name)
    found = row(x, at, DEFAULT_INDEX)
    return expand_dims(found, at) if keepdims else found


def argmax(x: Any, /, *, axis: int | None = None, keepdims: bool = False) -> Any:
    """The positions of the greatest elements; the first of equal ones."""
    return _extreme(reduction.argmax, "argmax", x, axis, keepdims)


def argmin(x: Any, /, *, axis: int | None = None, keepdims: bool = False) -> Any:
    """The positions of the least elements; the first of equal ones."""
    return _extreme(reduction.argmin, "argmin", x, axis, keepdims)


def count_nonzero(x: Any, /, *, axis: Any = None, keepdims: bool = False) -> Any:
    """How many elements along the axes are not zero."""
    x = tensor(x, "count_nonzero")
    axes = axes_given(x, axis, "count_nonzero")
    return cast(reduction.count_nonzero(x, axes, keepdims), DEFAULT_INDEX)


def nonzero(x: Any, /) -> tuple[Any, ...]:
    """The positions of the elements that are not zero, one array an axis."""
    x = tensor(x, "nonzero")
    rank = rank_of(x, "nonzero")
    if not rank:
        raise ValueError("nonzero takes arrays of rank 1 or more, got a scalar")
    truth = x if x.dtype is bool_ else comparison.not_equal(x, zeros_like(x))
    places = where_ops.where(truth)
    return tuple(cast(places[:, i], DEFAULT_INDEX) for i in range(rank))


def searchsorted(x1: Any, x2: Any, /, *, side: str = "left", sorter: Any = None) -> Any:
    """Where ``x2`` would stand in the sorted vector ``x1``."""
    if side not in ("left", "right"):
        raise ValueError(f"side must be 'left' or 'right', got {side!r}")
    x1, x2 = promoted((x1, x2), "searchsorted", "iuf")
    if sorter is not None:
        x1 = gather_scatter.gather(x1, sorter)
    found = rows.searchsorted(x1, reshape(x2, [-1]), side, DEFAULT_INDEX)
    return reshape(found, shape_op(x2))


def argsort(x: Any, /, *, axis: int = -1, descending: bool = False, stable: bool = True) -> Any:
    """The positions in order of the elements along an axis."""
    x = of_kind(x, "iuf", "argsort")
    at = one_axis(axis, rank_of(x, "argsort"), "argsort")
    if not descending:
        return cast(rows.argsort(x, at, stable=True), DEFAULT_INDEX)
    # from the far end, so that equal elements keep their order
    order = rows.argsort(flip(x, axis=at), at, stable=True)
    last = cast(shape_op(x)[at] - 1, order.dtype)
    return cast(last - flip(order, axis=at), DEFAULT_INDEX)


def sort(x: Any, /, *, axis: int = -1, descending: bool = False, stable: bool = True) -> Any:
    """The elements in order along an axis."""
    x = of_kind(x, "iuf", "sort")
    at = one_axis(axis, rank_of(x, "sort"), "sort")
    ordered = rows.sort(x, at)
    return flip(ordered, axis=at) if descending else ordered


class unique_all_result(NamedTuple):
    """What ``unique_all`` gives."""

    values: Any
    indices: Any
    inverse_indices: Any
    counts: Any


class unique_counts_result(NamedTuple):
    """What ``unique_counts`` gives."""

    values: Any
    counts: Any


class unique_inverse_result(NamedTuple):
    """What ``unique_inverse`` gives."""

    values: Any
    inverse_indices: Any


def _order(flat: Any) -> Any:
    """The positions of the elements in order, equal ones side by side and in their order."""
    if flat.dtype is bool_:
        flat = cast(flat, int8)
    if not flat.dtype.is_complex:
        return rows.argsort(flat, stable=True)
    order = rows.argsort(functions.imag(flat), stable=True)
    by_real = rows.argsort(gather_scatter.gather(functions.real(flat), order), stable=True)
    return gather_scatter.gather(order, by_real)


def unique_all(x: Any, /) -> unique_all_result:
    """The different elements: values, first positions, which is where, and how often.

    Each NaN counts as different from all others.
    """
    x = tensor(x, "unique_all")
    flat = reshape(x, [-1])
    order = cast(_order(flat), int64)
    ordered = gather_scatter.gather(flat, order)
    changes = comparison.not_equal(ordered[1:], ordered[:-1])
    size = shape_op(flat, int64)[0]
    first = concat_split.concat([range_op(size)[:1] > -1, changes], 0)
    values = where_ops.boolean_mask(ordered, first)
    indices = where_ops.boolean_mask(order, first)
    group = scans.cumsum(cast(first, int64)) - 1
    inverse = gather_scatter.gather(group, cast(rows.invert_permutation(order), int64))
    counts = partitions.bincount(group, dtype=int64)
    indices, counts = cast(indices, DEFAULT_INDEX), cast(counts, DEFAULT_INDEX)
    inverse = cast(reshape(inverse, shape_op(x)), DEFAULT_INDEX)
    return unique_all_result(values, indices, inverse, counts)


def unique_counts(x: Any, /) -> unique_counts_result:
    """The different elements, and how often each occurs."""
    found = unique_all(x)
    return unique_counts_result(found.values, found.counts)


def unique_inverse(x: Any, /) -> unique_inverse_result:
    """The different elements, and which of them stands where."""
    found = unique_all(x)
    return unique_inverse_result(found.values, found.inverse_indices)


def unique_values(x: Any, /) -> Any:
    """The different elements."""
    return unique_all(x).values


def isin(x1: Any, x2: Any, /, *, invert: bool = False) -> Any:
    """Which elements of ``x1`` are among those of ``x2``; with ``invert`` which are not.

    Of version 2025.12 of the standard.  NaN is among nothing.
    """
    x1, x2 = promoted((x1, x2), "isin", "iuf")
    order = sort(reshape(x2, [-1]))
    first, last = (searchsorted(order, x1, side=side) for side in ("left", "right"))
    found = logical.logical_and(last > first, comparison.equal(x1, x1))
    return logical.logical_not(found) if invert else found


def _counted_from_front(indices: Any, size: Any) -> Any:
    size = cast(size, indices.dtype)
    return where_ops.where(indices < 0, indices + size, indices)


def take(x: Any, indices: Any, /, *, axis: int | None = None) -> Any:
    """The elements at the positions ``indices`` (a vector) along an axis."""
    x, places = tensor(x, "take"), of_kind(indices, "iu", "take")
    rank = rank_of(x, "take")
    if axis is None:
        if rank != 1:
            raise ValueError(f"take needs axis= for an array of rank {rank}")
        axis = 0
    at = one_axis(axis, rank, "take")
    places = cast(places, int64)
    return gather_scatter.gather(x, _counted_from_front(places, shape_op(x)[at]), axis=at)


def take_along_axis(x: Any, indices: Any, /, *, axis: int = -1) -> Any:
    """The elements at positions along an axis that ``indices`` gives for each place."""
    x, places = tensor(x, "take_along_axis"), of_kind(indices, "iu", "take_along_axis")
    rank = rank_of(x, "take_along_axis")
    at = one_axis(axis, rank, "take_along_axis")
    places = _counted_from_front(cast(places, int64), shape_op(x)[at])
    coordinates = []
    for i in range(rank):
        if i == at:
            coordinates.append(places)
            continue
        # an axis of size 1 on either side broadcasts
        own = range_op(shape_op(x, int64)[i])
        coordinates.append(reshape(own, [-1 if j == i else 1 for j in range(rank)]))
    return gather_scatter.gather_nd(x, concat_split.stack(list(broadcast_arrays(*coordinates)), -1))
