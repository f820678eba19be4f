"""Derivatives of scans and segment reductions; exact where factors are zero."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.ops.array.backprop import recurrence
from runtime.ops.array.concat_split import concat_op
from runtime.ops.array.constants import cast
from runtime.ops.array.creation import fill_op, ones_like_op, zeros_like_op
from runtime.ops.array.gather_scatter import gather_op
from runtime.ops.array.indexing import getitem, getitem_op
from runtime.ops.array.shape import rank_op, reshape_op
from runtime.ops.array.sorting import argsort_op
from runtime.ops.array.where import where_op
from runtime.ops.gradients.backprop import shifted
from runtime.ops.gradients.dynamic_shapes import sizes
from runtime.ops.gradients.elementwise import chosen
from runtime.ops.math.comparison import equal, less
from runtime.ops.math.elementary import exp
from runtime.ops.math.elementwise import divide_no_nan, is_inf, maximum
from runtime.ops.math.scans import cumlogsumexp_op, cumprod_op, cumsum_op
from runtime.ops.math.scans import segment_sum as segment_sum_op
from runtime.ops.math.scans import unsorted_segment_sum as sum_by_segment
from runtime.types.dtypes import int64


def cumsum(
    x: Any, y: Any, dy: Any, *, axis: int, exclusive: bool, reverse: bool
) -> tuple[Any, ...]:
    """The sums the other way round."""
    return (cumsum_op(dy, axis=axis, exclusive=exclusive, reverse=not reverse),)


def cumprod(
    x: Any, y: Any, dy: Any, *, axis: int, exclusive: bool, reverse: bool
) -> tuple[Any, ...]:
    """What came before, times what the later products make of the gradient; never divides."""
    before = y if exclusive else cumprod_op(x, axis=axis, exclusive=True, reverse=reverse)
    later = recurrence(x, dy, axis=axis, reverse=not reverse, lagged=not exclusive)
    return (before * (shifted(later, axis, reverse) if exclusive else later),)


def cumulative_logsumexp(
    x: Any, y: Any, dy: Any, *, axis: int, exclusive: bool, reverse: bool
) -> tuple[Any, ...]:
    """Weights ``exp(x[k] - y[i])``, each a product of factors that are at most 1."""
    if exclusive:
        base = following = cumlogsumexp_op(x, axis=axis, exclusive=False, reverse=reverse)
    else:
        base, following = y, shifted(y, axis, reverse, edge=True)
    zeros = zeros_like_op(y, dtype=y.dtype)
    factor = exp(where_op(is_inf(following), zeros, y - following))
    later = recurrence(factor, dy, axis=axis, reverse=not reverse, lagged=False)
    if exclusive:
        later = shifted(later, axis, reverse)
    nothing = is_inf(base)  # only minus infinities so far
    weight = exp(where_op(nothing, zeros, x - base))
    return (where_op(nothing, zeros, weight * later),)


def aligned(x: Any, data: Any) -> Any:
    """``x``, which belongs to the first axes of ``data``, with as many axes as that."""
    if x.shape.rank is not None and data.shape.rank is not None:
        return getitem_op(x, key=(..., *[None] * (data.shape.rank - x.shape.rank)))
    added_axes = rank_op(data, out_type=int64) - rank_op(x, out_type=int64)
    ones = fill_op(getitem_op(added_axes, key=(None,)), np.int64(1))
    return reshape_op(x, concat_op(sizes(x), ones, axis=0))


def of_segments(values: Any, ids: Any) -> Any:
    """For each entry the value of its segment; zero for those left out by a negative id."""
    shape = sizes(values)
    margin = concat_op(np.array([1]), getitem_op(shape, key=(slice(1, None),)), axis=0)
    zero = fill_op(margin, np.zeros((), values.dtype.as_numpy_dtype))
    places = cast(ids, int64)
    places = where_op(less(places, np.int64(0)), getitem_op(shape, key=(0,)), places)
    return gather_op(concat_op(values, zero, axis=0), places, axis=0, batch_dims=0)


def segment_sum(data: Any, ids: Any, y: Any, dy: Any) -> tuple[Any, ...]:
    """Each entry gets the gradient of its segment."""
    return gather_op(dy, ids, axis=0, batch_dims=0), None


def unsorted_segment_sum(data: Any, ids: Any, number: Any, y: Any, dy: Any) -> tuple[Any, ...]:
    """Each entry gets the gradient of its segment."""
    return of_segments(dy, ids), None, None


def segment_mean(data: Any, ids: Any, y: Any, dy: Any) -> tuple[Any, ...]:
    """As of a sum, divided by how many they were."""
    number = maximum(segment_sum_op(ones_like_op(ids, dtype=data.dtype.real_dtype), ids), 1)
    share = dy / aligned(cast(number, dy.dtype), dy)
    return gather_op(share, ids, axis=0, batch_dims=0), None


def _extremes(data: Any, ids: Any, y: Any, dy: Any) -> Any:
    """The entries that are the greatest (least) of their segment share its gradient equally."""
    top = equal(data, of_segments(y, ids))
    number = sum_by_segment(cast(top, data.dtype), ids, getitem_op(sizes(y), key=(0,)))
    return chosen(top, of_segments(divide_no_nan(dy, number), ids))


def segment_extreme(data: Any, ids: Any, y: Any, dy: Any) -> tuple[Any, ...]:
    """The entries that are the greatest (least) share the gradient equally."""
    return _extremes(data, ids, y, dy), None


def unsorted_segment_extreme(
    data: Any, ids: Any, number: Any, y: Any, dy: Any
) -> tuple[Any, ...]:
    """The entries that are the greatest (least) share the gradient equally."""
    return _extremes(data, ids, y, dy), None, None


def _other_entries(data: Any, ids: Any) -> Any:
    """For each entry the product of the others of its segment; exact, whatever is zero.

    In the order of the segments it is what came before times what comes after, two recurrences
    that start anew with each segment.
    """
    flat = reshape_op(ids, np.array([-1]))
    row_sizes = getitem(sizes(data), slice(rank_op(ids, out_type=int64), None))
    entries = reshape_op(data, concat_op(np.array([-1]), row_sizes, axis=0))
    order = argsort_op(flat, axis=0, descending=False)
    segments = gather_op(flat, order, axis=0, batch_dims=0)
    x = gather_op(entries, order, axis=0, batch_dims=0)
    key = slice(1, None), slice(None, -1)
    inner = equal(*[getitem_op(segments, key=(k,)) for k in key])
    length = getitem_op(sizes(flat), key=(0,))  # may be 0: one less than the edge makes it
    edge = np.array([False])
    ones = ones_like_op(x, dtype=x.dtype)
    product = None
    for forwards in (True, False):
        joined = concat_op(*((edge, inner) if forwards else (inner, edge)), axis=0)
        goes_on = aligned(cast(getitem(joined, slice(None, length)), x.dtype), x)
        neighbour = shifted(x, 0, forwards) * goes_on
        product_of_side = recurrence(
            neighbour, ones - ones * goes_on, axis=0, reverse=not forwards, lagged=False
        )
        product = product_of_side if product is None else product * product_of_side
    back = gather_op(product, argsort_op(order, axis=0, descending=False), axis=0, batch_dims=0)
    return reshape_op(back, sizes(data))


def segment_prod(data: Any, ids: Any, y: Any, dy: Any) -> tuple[Any, ...]:
    """The product of all other entries of the segment."""
    return _other_entries(data, ids) * gather_op(dy, ids, axis=0, batch_dims=0), None


def unsorted_segment_prod(
    data: Any, ids: Any, number: Any, y: Any, dy: Any
) -> tuple[Any, ...]:
    """The product of all other entries of the segment."""
    return _other_entries(data, ids) * of_segments(dy, ids), None, None
