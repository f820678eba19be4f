"""Sums, extremes, products and reductions of sparse tensors."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.composite.ragged_tensor import RaggedTensor
from runtime.composite.sparse.arrangement import axis_of, retain
from runtime.composite.sparse.conversions import (
    places_of,
    rank_of,
    sparse_of,
    to_dense,
)
from runtime.composite.sparse.sparse_kernels import matmul_op
from runtime.composite.sparse.sparse_tensor import SparseTensor
from runtime.ops.array.concat_split import concat
from runtime.ops.array.constants import cast, constant, convert_to_tensor
from runtime.ops.array.creation import ones, zeros_like
from runtime.ops.array.creation import range as range_of
from runtime.ops.array.gather_scatter import gather
from runtime.ops.array.shape import reshape, shape, transpose
from runtime.ops.array.sorting import argsort
from runtime.ops.array.where import boolean_mask, where
from runtime.ops.linalg.matrices import adjoint_of as adjoint
from runtime.ops.math import elementwise
from runtime.ops.math.comparison import greater, not_equal
from runtime.ops.math.elementary import exp
from runtime.ops.math.elementwise import abs as absolute
from runtime.ops.math.reduction import reduce_max as largest_of
from runtime.ops.math.reduction import reduce_prod
from runtime.ops.math.scans import cumprod, cumsum, unsorted_segment_max, unsorted_segment_sum
from runtime.state.indexed_slices import IndexedSlices
from runtime.types.aliases import TensorLike
from runtime.types.dtypes import bool_, int64

__all__ = [
    "add", "bincount", "mask", "maximum", "minimum", "reduce_max", "reduce_sum", "segment_mean",
    "segment_sqrt_n", "segment_sum", "softmax", "sparse_dense_matmul",
]  # fmt: skip


def _merged(indices: Any, sizes: Any, *several: Any) -> tuple[Any, ...]:
    """Rows of indices in order, each once, and sums of values that have one row."""
    places = places_of(indices, sizes)
    order = argsort(places, stable=True)
    ordered = gather(places, order)
    is_new = concat([ones(shape(ordered[:1]), bool_), not_equal(ordered[1:], ordered[:-1])], 0)
    groups = cumsum(cast(is_new, int64)) - 1
    rows = boolean_mask(gather(indices, order), is_new)
    count = shape(rows, int64)[0]
    return rows, *[unsorted_segment_sum(gather(v, order), groups, count) for v in several]


def add(a: Any, b: Any, threshold: TensorLike = 0) -> Any:
    """Add tensors of which one at least is sparse.

    Args:
        a: SparseTensor or tensor.
        b: SparseTensor or tensor of the same shape and dtype.
        threshold: sums of two values whose magnitude is smaller are left out.
    Returns:
        SparseTensor if both are sparse, else a tensor.
    Raises:
        TypeError: neither is sparse.
    """
    if not isinstance(a, SparseTensor) and not isinstance(b, SparseTensor):
        raise TypeError("sparse.add: At least one input should be SparseTensor; do you mean add()?")
    if not (isinstance(a, SparseTensor) and isinstance(b, SparseTensor)):
        dense = [to_dense(x, validate_indices=False) if isinstance(x, SparseTensor) else x
                 for x in (a, b)]  # fmt: skip
        return elementwise.add(*dense)
    _check_shapes(a, b, "sparse.add")
    values = concat([a.values, b.values], 0)
    ones_of = concat([a.indices[:, 0], b.indices[:, 0]], 0) * 0 + 1
    places = concat([a.indices, b.indices], 0)
    indices, sums, counts = _merged(places, a.dense_shape, values, ones_of)
    result = SparseTensor(indices, sums, a.dense_shape).with_shape(a.shape)
    if isinstance(threshold, int | float) and not threshold:
        return result
    return retain(result, (counts < 2) | (absolute(sums) >= threshold))


def _check_shapes(a: SparseTensor, b: SparseTensor, caller: str) -> None:
    if not a.shape.is_compatible_with(b.shape):
        raise ValueError(f"{caller}: the shapes {a.shape} and {b.shape} differ")


def _extreme(op: Any, sp_a: Any, sp_b: Any, caller: str) -> SparseTensor:
    a, b = sparse_of(sp_a, caller), sparse_of(sp_b, caller)
    _check_shapes(a, b, caller)
    of_a = concat([a.values, zeros_like(b.values)], 0)
    of_b = concat([zeros_like(a.values), b.values], 0)
    indices = concat([a.indices, b.indices], 0)
    rows, first, second = _merged(indices, a.dense_shape, of_a, of_b)
    return SparseTensor(rows, op(first, second), a.dense_shape).with_shape(a.shape)


def maximum(sp_a: Any, sp_b: Any, name: str | None = None) -> SparseTensor:
    """Take the larger one of each two entries; where one has no value, 0 stands for it.

    Args:
        sp_a: SparseTensor.
        sp_b: SparseTensor of the same shape and dtype.
    Returns:
        SparseTensor with the indices of both.
    Raises:
        TypeError: an input is no SparseTensor.
        ValueError: the shapes differ.
    """
    return _extreme(elementwise.maximum, sp_a, sp_b, "sparse.maximum")


def minimum(sp_a: Any, sp_b: Any, name: str | None = None) -> SparseTensor:
    """Take the smaller one of each two entries; where one has no value, 0 stands for it.

    Args:
        sp_a: SparseTensor.
        sp_b: SparseTensor of the same shape and dtype.
    Returns:
        SparseTensor with the indices of both.
    Raises:
        TypeError: an input is no SparseTensor.
        ValueError: the shapes differ.
    """
    return _extreme(elementwise.minimum, sp_a, sp_b, "sparse.minimum")


# -- reductions -----------------------------------------------------------------------------------


def _reduced(segments: Any, sp_input: Any, axis: Any, keepdims: Any, sparse_result: bool,
             caller: str) -> Any:  # fmt: skip
    sparse = sparse_of(sp_input, caller)
    rank = rank_of(sparse, caller)
    axes = range(rank) if axis is None else [axis] if isinstance(axis, int) else list(axis)
    reduced = {axis_of(number, rank, caller) for number in axes}
    kept = [k for k in range(rank) if k not in reduced]
    indices = gather(sparse.indices, np.array(kept, np.int64), axis=1)
    sizes = gather(sparse.dense_shape, np.array(kept, np.int64))
    places = places_of(indices, sizes)
    total = reduce_prod(sizes)
    flat = segments(sparse.values, places, total)
    counts = unsorted_segment_sum(places * 0 + 1, places, total)
    flat = where(greater(counts, 0), flat, zeros_like(flat))
    new_sizes = sizes
    if keepdims:
        is_kept = np.array([k in kept for k in range(rank)])
        new_sizes = where(is_kept, sparse.dense_shape, constant(1, int64))
    if not sparse_result:
        return reshape(flat, new_sizes)
    there = boolean_mask(range_of(total), greater(counts, 0))
    strides = cumprod(new_sizes, exclusive=True, reverse=True)
    strides = elementwise.maximum(strides, constant(1, int64))
    rows = (there[:, None] // strides) % new_sizes
    return SparseTensor(rows, gather(flat, there), new_sizes)


def reduce_sum(sp_input: Any, axis: Any = None, keepdims: bool | None = None,
               output_is_sparse: bool = False, name: str | None = None) -> Any:  # fmt: skip
    """Sum the values of a sparse tensor along axes.

    Args:
        sp_input: SparseTensor.
        axis: number of an axis, several, or None for all.
        keepdims: whether the axes stay, of size 1.
        output_is_sparse: whether the result is a SparseTensor.
    Returns:
        Tensor or SparseTensor.
    Raises:
        TypeError: ``sp_input`` is no SparseTensor.
        ValueError: an axis is out of range.
    """
    return _reduced(unsorted_segment_sum, sp_input, axis, keepdims, output_is_sparse,
                    "sparse.reduce_sum")  # fmt: skip


def reduce_max(sp_input: Any, axis: Any = None, keepdims: bool | None = None,
               output_is_sparse: bool = False, name: str | None = None) -> Any:  # fmt: skip
    """Find the largest values of a sparse tensor along axes, 0 where there are none.

    Args:
        sp_input: SparseTensor.
        axis: number of an axis, several, or None for all.
        keepdims: whether the axes stay, of size 1.
        output_is_sparse: whether the result is a SparseTensor.
    Returns:
        Tensor or SparseTensor.
    Raises:
        TypeError: ``sp_input`` is no SparseTensor.
        ValueError: an axis is out of range.
    """
    return _reduced(unsorted_segment_max, sp_input, axis, keepdims, output_is_sparse,
                    "sparse.reduce_max")  # fmt: skip


def softmax(sp_input: Any, name: str | None = None) -> SparseTensor:
    """Compute the softmax of the values in each row of the last axis.

    Args:
        sp_input: SparseTensor of rank 2 or more and a floating dtype.
    Returns:
        SparseTensor with the same indices; what has no value counts as minus infinity.
    Raises:
        TypeError: ``sp_input`` is no SparseTensor.
    """
    sparse = sparse_of(sp_input, "sparse.softmax")
    outer = sparse.dense_shape[:-1]
    rows, count = places_of(sparse.indices[:, :-1], outer), reduce_prod(outer)
    shifted = sparse.values - gather(unsorted_segment_max(sparse.values, rows, count), rows)
    powers = exp(shifted)
    return sparse.with_values(powers / gather(unsorted_segment_sum(powers, rows, count), rows))


# -- products -------------------------------------------------------------------------------------


def sparse_dense_matmul(sp_a: Any, b: Any, adjoint_a: bool = False, adjoint_b: bool = False,
                        name: str | None = None) -> Any:  # fmt: skip
    """Multiply a sparse and a dense matrix.

    With the extra ``special`` SciPy multiplies larger ones.

    Args:
        sp_a: SparseTensor or tensor of rank 2.
        b: tensor or SparseTensor of rank 2.
        adjoint_a: whether the first one is conjugated and transposed before.
        adjoint_b: whether the second one is.
    Returns:
        Tensor.
    Raises:
        TypeError: not just one of the two is sparse, or the dtypes differ.
        InvalidArgumentError: the sizes do not fit.
    """
    if isinstance(sp_a, SparseTensor) == isinstance(b, SparseTensor):
        raise TypeError("sparse.sparse_dense_matmul: one of the two must be sparse")
    if isinstance(b, SparseTensor):  # (a b)^H = b^H a^H
        product = sparse_dense_matmul(b, sp_a, not adjoint_b, not adjoint_a)
        return adjoint(product) if b.dtype.is_complex else transpose(product)
    dense = convert_to_tensor(b)
    if adjoint_b:
        dense = adjoint(dense) if dense.dtype.is_complex else transpose(dense)
    parts = (sp_a.values, dense, sp_a.indices, sp_a.dense_shape)
    product = matmul_op(*parts, adjoint=bool(adjoint_a), name=name)
    rows = sp_a.shape[1 if adjoint_a else 0] if sp_a.shape.rank == 2 else None
    product.set_shape([rows, None])
    return product


def mask(a: IndexedSlices, mask_indices: TensorLike, name: str | None = None) -> IndexedSlices:
    """Leave rows of IndexedSlices out.

    Args:
        a: IndexedSlices.
        mask_indices: indices of the rows that are left out, a vector.
    Returns:
        IndexedSlices.
    """
    left_out = convert_to_tensor(mask_indices)
    indices = convert_to_tensor(a.indices)
    hits = cast(indices[:, None] == cast(left_out, indices.dtype), int64)
    stays = largest_of(concat([hits, zeros_like(hits[:, :1])], 1), 1) < 1
    rows = boolean_mask(convert_to_tensor(a.values), stays)
    return IndexedSlices(rows, boolean_mask(indices, stays), a.dense_shape)


def _segments(data: Any, indices: Any, segment_ids: Any, num_segments: Any) -> tuple[Any, Any, Any]:
    rows = gather(convert_to_tensor(data), convert_to_tensor(indices))
    ids = cast(convert_to_tensor(segment_ids), int64)
    count = ids[-1] + 1 if num_segments is None else cast(convert_to_tensor(num_segments), int64)
    counts = unsorted_segment_sum(cast(ids * 0 + 1, rows.dtype), ids, count)
    return unsorted_segment_sum(rows, ids, count), counts, rows


def segment_sum(data: TensorLike, indices: TensorLike, segment_ids: TensorLike,
                num_segments: TensorLike | None = None, name: str | None = None,
                sparse_gradient: bool = False) -> Any:  # fmt: skip
    """Sum chosen rows of a tensor by segments.

    Args:
        data: tensor of a numeric dtype.
        indices: vector of numbers of rows.
        segment_ids: the segment of each, in ascending order.
        num_segments: number of segments; by default one more than the last id.
        sparse_gradient: not used.
    Returns:
        Tensor with a row for each segment.
    """
    return _segments(data, indices, segment_ids, num_segments)[0]


def _by_counts(sums: Any, counts: Any) -> Any:
    divisor = elementwise.maximum(counts, constant(1, counts.dtype))
    return sums / reshape(divisor, [-1] + [1] * (sums.shape.rank - 1))


def segment_mean(data: TensorLike, indices: TensorLike, segment_ids: TensorLike,
                 num_segments: TensorLike | None = None, name: str | None = None,
                 sparse_gradient: bool = False) -> Any:  # fmt: skip
    """Compute the mean of chosen rows of a tensor by segments, 0 for segments without any.

    Args:
        data: tensor of a floating dtype.
        indices: vector of numbers of rows.
        segment_ids: the segment of each, in ascending order.
        num_segments: number of segments; by default one more than the last id.
        sparse_gradient: not used.
    Returns:
        Tensor with a row for each segment.
    """
    sums, counts, _ = _segments(data, indices, segment_ids, num_segments)
    return _by_counts(sums, counts)


def segment_sqrt_n(data: TensorLike, indices: TensorLike, segment_ids: TensorLike,
                   num_segments: TensorLike | None = None, name: str | None = None,
                   sparse_gradient: bool = False) -> Any:  # fmt: skip
    """Sum chosen rows of a tensor by segments, divided by the square root of their number.

    Args:
        data: tensor of a floating dtype.
        indices: vector of numbers of rows.
        segment_ids: the segment of each, in ascending order.
        num_segments: number of segments; by default one more than the last id.
        sparse_gradient: not used.
    Returns:
        Tensor with a row for each segment.
    """
    sums, counts, _ = _segments(data, indices, segment_ids, num_segments)
    return _by_counts(sums, elementwise.sqrt(counts))


def bincount(values: Any, weights: Any = None, axis: int = 0, minlength: int | None = None,
             maxlength: int | None = None, binary_output: bool = False,
             name: str | None = None) -> SparseTensor:  # fmt: skip
    """Count the values of a tensor, or of each of its rows, into a sparse tensor.

    Args:
        values: tensor, SparseTensor or RaggedTensor of an integer dtype, of rank 1 or 2.
        weights: what each value counts, of the type and shape of ``values``; by default 1.
        axis: 0 counts all values, -1 those of each row.
        minlength: least size of the last axis of the result.
        maxlength: greatest size; values beyond it do not count.
        binary_output: whether the result says 1 where a value is there.
    Returns:
        SparseTensor of the counts, of the dtype of ``weights`` or else of ``values``.
    Raises:
        ValueError: the axis is another one.
    """
    if axis not in (0, -1):
        raise ValueError(f"sparse.bincount: axis must be 0 or -1, got {axis}")
    if not isinstance(values, SparseTensor | RaggedTensor):
        values = convert_to_tensor(values)
    flat, rows, count = _rows_of_values(values, by_rows=axis == -1)
    if weights is None:
        amounts = cast(flat * 0 + 1, values.dtype)
    else:
        is_composite = isinstance(weights, SparseTensor | RaggedTensor)
        amounts = weights.values if is_composite else weights
        amounts = reshape(convert_to_tensor(amounts), [-1])
    if maxlength is not None:
        inside = flat < maxlength
        flat, amounts = boolean_mask(flat, inside), boolean_mask(amounts, inside)
        rows = None if rows is None else boolean_mask(rows, inside)
    width = largest_of(concat([[np.int64(-1)], flat], 0)) + 1
    if minlength is not None:
        width = elementwise.maximum(width, constant(minlength, int64))
    columns = [flat] if rows is None else [rows, flat]
    sizes = [reshape(width, [1])] if rows is None else [reshape(count, [1]), reshape(width, [1])]
    indices = concat([column[:, None] for column in columns], 1)
    whole = concat(sizes, 0)
    places, sums = _merged(indices, whole, amounts)
    return SparseTensor(places, sums * 0 + 1 if binary_output else sums, whole)


def _rows_of_values(values: Any, by_rows: bool) -> tuple[Any, Any, Any]:
    """All values, the row of each, and the number of rows; no rows where they do not count."""
    if isinstance(values, SparseTensor):
        flat = cast(values.values, int64)
        by_rows = by_rows and values.shape.rank == 2
        rows = values.indices[:, 0] if by_rows else None
        return flat, rows, values.dense_shape[0]
    if isinstance(values, RaggedTensor):
        rows = values.value_rowids() if by_rows else None
        return cast(values.values, int64), rows, values.nrows()
    dense = cast(values, int64)
    flat = reshape(dense, [-1])
    if not by_rows or dense.shape.rank == 1:
        return flat, None, None
    count = shape(dense, int64)[0]
    return flat, reshape(dense * 0 + range_of(count)[:, None], [-1]), count
