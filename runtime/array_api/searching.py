"""Searching, sorting, sets and picking by position, as the array API standard has them."""

from __future__ import annotations

from typing import Any, NamedTuple

from runtime.array_api import elementwise as functions
from runtime.array_api.promotion import DEFAULT_INDEX, cast, of_kind, promoted, tensor
from runtime.array_api.reductions import axes_given
from runtime.array_api.shapes import broadcast_arrays, flip, one_axis, rank_of
from runtime.ops.array import concat_split, gather_scatter, partitions
from runtime.ops.array import sorting as sorting_ops
from runtime.ops.array import where as where_ops
from runtime.ops.array.creation import range as range_op
from runtime.ops.array.creation import zeros_like
from runtime.ops.array.shape import reshape
from runtime.ops.array.shape import shape as shape_op
from runtime.ops.math import comparison, logical, reduction, scans
from runtime.ops.numpy_functions import from_front
from runtime.types.dtypes import bool_, int8, int64


def count_nonzero(x: Any, /, *, axis: Any = None, keepdims: bool = False) -> Any:
    """Count the elements along axes that are not zero.

    Args:
        x: array.
        axis: an axis, a tuple of them, or None for all.
        keepdims: whether the axes stay, with size 1.
    Returns:
        Array of int64 without the axes ``axis``, unless ``keepdims``.
    """
    x = tensor(x, "count_nonzero")
    axes = axes_given(x, axis, "count_nonzero")
    return cast(reduction.count_nonzero(x, axes, keepdims), DEFAULT_INDEX)


def nonzero(x: Any, /) -> tuple[Any, ...]:
    """Find the positions of the elements that are not zero.

    Args:
        x: array of rank 1 or more.
    Returns:
        Tuple of vectors of int64, one for each axis.
    Raises:
        ValueError: ``x`` is a scalar.
    """
    x = tensor(x, "nonzero")
    rank = rank_of(x, "nonzero")
    if not rank:
        raise ValueError("nonzero takes arrays of rank 1 or more, got a scalar")
    truth = x if x.dtype is bool_ else comparison.not_equal(x, zeros_like(x))
    places = where_ops.where(truth)
    return tuple(cast(places[:, i], DEFAULT_INDEX) for i in range(rank))


def searchsorted(x1: Any, x2: Any, /, *, side: str = "left", sorter: Any = None) -> Any:
    """Find where values would have to be inserted in a sorted vector to keep it sorted.

    Args:
        x1: vector of a real dtype in ascending order, or in the order that ``sorter`` gives.
        x2: array of values, or a Python number.
        side: 'left' for the position in front of equal elements, 'right' for that behind them.
        sorter: vector of positions that sort ``x1``, such as ``argsort`` gives.
    Returns:
        Array of int64 in the shape of ``x2``.
    Raises:
        ValueError: ``side`` is another text.
        TypeError: a dtype is not real, or the dtypes do not promote.
    """
    if side not in ("left", "right"):
        raise ValueError(f"side must be 'left' or 'right', got {side!r}")
    x1, x2 = promoted((x1, x2), "searchsorted", "iuf")
    if sorter is not None:
        x1 = gather_scatter.gather(x1, sorter)
    positions = sorting_ops.searchsorted(x1, reshape(x2, [-1]), side, DEFAULT_INDEX)
    return reshape(positions, shape_op(x2))


def argsort(x: Any, /, *, axis: int = -1, descending: bool = False, stable: bool = True) -> Any:
    """Find the positions that sort the elements along an axis.

    Args:
        x: array of a real dtype.
        axis: the axis.
        descending: whether the greatest element comes first.
        stable: without effect; equal elements always keep their order.
    Returns:
        Array of int64 in the shape of ``x``.
    Raises:
        TypeError: ``x`` has another dtype.
    """
    x = of_kind(x, "iuf", "argsort")
    at = one_axis(axis, rank_of(x, "argsort"), "argsort")
    if not descending:
        return cast(sorting_ops.argsort(x, at, stable=True), DEFAULT_INDEX)
    # from the far end, so that equal elements keep their order
    order = sorting_ops.argsort(flip(x, axis=at), at, stable=True)
    last_index = cast(shape_op(x)[at] - 1, order.dtype)
    return cast(last_index - flip(order, axis=at), DEFAULT_INDEX)


def sort(x: Any, /, *, axis: int = -1, descending: bool = False, stable: bool = True) -> Any:
    """Sort the elements along an axis.

    Args:
        x: array of a real dtype.
        axis: the axis.
        descending: whether the greatest element comes first.
        stable: without effect; equal elements always keep their order.
    Returns:
        Array of the shape and dtype of ``x``.
    Raises:
        TypeError: ``x`` has another dtype.
    """
    x = of_kind(x, "iuf", "sort")
    at = one_axis(axis, rank_of(x, "sort"), "sort")
    ordered = sorting_ops.sort(x, at)
    return flip(ordered, axis=at) if descending else ordered


class unique_all_result(NamedTuple):
    """Result of ``unique_all``."""

    values: Any
    indices: Any
    inverse_indices: Any
    counts: Any


class unique_counts_result(NamedTuple):
    """Result of ``unique_counts``."""

    values: Any
    counts: Any


class unique_inverse_result(NamedTuple):
    """Result of ``unique_inverse``."""

    values: Any
    inverse_indices: Any


def _order(flat: Any) -> Any:
    """The positions of the elements in order, equal ones side by side and in their order."""
    if flat.dtype is bool_:
        flat = cast(flat, int8)
    if not flat.dtype.is_complex:
        return sorting_ops.argsort(flat, stable=True)
    order = sorting_ops.argsort(functions.imag(flat), stable=True)
    by_real = sorting_ops.argsort(gather_scatter.gather(functions.real(flat), order), stable=True)
    return gather_scatter.gather(order, by_real)


def unique_all(x: Any, /) -> unique_all_result:
    """Find the distinct elements, their first positions, their inverse positions and their counts.

    Each NaN is distinct from all others.

    Args:
        x: array.
    Returns:
        Named tuple of ``values`` and ``indices`` and ``counts``, vectors of one size, and
        ``inverse_indices`` in the shape of ``x``, with which ``values`` give ``x`` again.
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
    inverse = gather_scatter.gather(group, cast(sorting_ops.invert_permutation(order), int64))
    counts = partitions.bincount(group, dtype=int64)
    indices, counts = cast(indices, DEFAULT_INDEX), cast(counts, DEFAULT_INDEX)
    inverse = cast(reshape(inverse, shape_op(x)), DEFAULT_INDEX)
    return unique_all_result(values, indices, inverse, counts)


def unique_counts(x: Any, /) -> unique_counts_result:
    """Find the distinct elements and how often each occurs.

    Args:
        x: array.
    Returns:
        Named tuple of ``values`` and ``counts``, vectors of one size.
    """
    result = unique_all(x)
    return unique_counts_result(result.values, result.counts)


def unique_inverse(x: Any, /) -> unique_inverse_result:
    """Find the distinct elements and, for each element of an array, its number among them.

    Args:
        x: array.
    Returns:
        Named tuple of the vector ``values``, and ``inverse_indices`` in the shape of ``x``.
    """
    result = unique_all(x)
    return unique_inverse_result(result.values, result.inverse_indices)


def unique_values(x: Any, /) -> Any:
    """Find the distinct elements.

    Args:
        x: array.
    Returns:
        Vector of the dtype of ``x``.
    """
    return unique_all(x).values


def isin(x1: Any, x2: Any, /, *, invert: bool = False) -> Any:
    """Test which elements of one array are among those of another; NaN is among nothing.

    The function is of version 2025.12 of the standard.

    Args:
        x1: array of a real dtype, or a Python number.
        x2: array of a dtype that promotes with it, or a Python number.
        invert: whether to test which are not.
    Returns:
        Array of bools in the shape of ``x1``.
    Raises:
        TypeError: a dtype is not real, or the dtypes do not promote.
    """
    x1, x2 = promoted((x1, x2), "isin", "iuf")
    order = sort(reshape(x2, [-1]))
    first, end = (searchsorted(order, x1, side=side) for side in ("left", "right"))
    is_present = logical.logical_and(end > first, comparison.equal(x1, x1))
    return logical.logical_not(is_present) if invert else is_present


def take(x: Any, indices: Any, /, *, axis: int | None = None) -> Any:
    """Pick elements by their positions along an axis.

    Args:
        x: array.
        indices: vector of integers; negative ones count from the end.
        axis: the axis; may be left out for a vector.
    Returns:
        Array whose axis has the size of ``indices``.
    Raises:
        ValueError: ``axis`` is missing.
        TypeError: ``indices`` has another dtype.
    """
    x, places = tensor(x, "take"), of_kind(indices, "iu", "take")
    rank = rank_of(x, "take")
    if axis is None:
        if rank != 1:
            raise ValueError(f"take needs axis= for an array of rank {rank}")
        axis = 0
    at = one_axis(axis, rank, "take")
    places = cast(places, int64)
    return gather_scatter.gather(x, from_front(places, shape_op(x)[at]), axis=at)


def take_along_axis(x: Any, indices: Any, /, *, axis: int = -1) -> Any:
    """Pick elements along an axis, at other positions for each coordinate of the other axes.

    Args:
        x: array.
        indices: array of integers, whose other axes broadcast with those of ``x``; negative ones
            count from the end.
        axis: the axis.
    Returns:
        Array of the shape of ``indices``, broadcast.
    Raises:
        TypeError: ``indices`` has another dtype.
    """
    x, places = tensor(x, "take_along_axis"), of_kind(indices, "iu", "take_along_axis")
    rank = rank_of(x, "take_along_axis")
    at = one_axis(axis, rank, "take_along_axis")
    places = from_front(cast(places, int64), shape_op(x)[at])
    coordinates = []
    for i in range(rank):
        if i == at:
            coordinates.append(places)
            continue
        # an axis of size 1 on either side broadcasts
        positions = range_op(shape_op(x, int64)[i])
        coordinates.append(reshape(positions, [-1 if j == i else 1 for j in range(rank)]))
    return gather_scatter.gather_nd(x, concat_split.stack(list(broadcast_arrays(*coordinates)), -1))
