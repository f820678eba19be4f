"""Other forms of ragged tensors: sparse ones, fewer axes, masks, segments; methods and functions.

``runtime.ragged`` has the functions; the methods become RaggedTensor's here.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from runtime.composite.ragged_ops import rows_of
from runtime.composite.ragged_rules import as_ragged, coordinates, rank_of, stacked
from runtime.composite.ragged_tensor import RaggedTensor, ragged_constant
from runtime.composite.sparse.conversions import sparse_of
from runtime.composite.sparse.sparse_tensor import SparseTensor
from runtime.ops.array.concat_split import concat, repeat
from runtime.ops.array.constants import cast, convert_to_tensor
from runtime.ops.array.creation import range as range_of
from runtime.ops.array.gather_scatter import gather
from runtime.ops.array.partitions import dynamic_partition
from runtime.ops.array.shape import reshape, shape
from runtime.ops.array.where import boolean_mask as masked
from runtime.ops.math.reduction import reduce_max
from runtime.ops.math.scans import unsorted_segment_sum
from runtime.types.aliases import DTypeLike, TensorLike
from runtime.types.dtypes import as_dtype, int64

__all__ = [
    "boolean_mask", "row_splits_to_segment_ids", "segment_ids_to_row_splits", "stack",
    "stack_dynamic_partitions",
]  # fmt: skip


def boolean_mask(data: Any, mask: Any, name: str | None = None) -> Any:
    """Keep the entries of a tensor where a mask is true, each row for itself.

    Args:
        data: tensor or RaggedTensor.
        mask: bools, a tensor or RaggedTensor, whose axes are the first ones of ``data``.
    Returns:
        Tensor if the mask is a vector and ``data`` a tensor, else RaggedTensor.
    """
    if isinstance(mask, list) and any(isinstance(row, list) for row in mask):
        mask = ragged_constant(mask)
    mask = mask if isinstance(mask, RaggedTensor) else convert_to_tensor(mask)
    if isinstance(data, list) and any(isinstance(row, list) for row in data):
        data = ragged_constant(data)
    data = data if isinstance(data, RaggedTensor) else convert_to_tensor(data)
    if not isinstance(mask, RaggedTensor) and mask.shape.rank == 1:
        return rows_of(data, masked(range_of(shape(mask, int64)[0]), mask))
    rows, marks = as_ragged(data), as_ragged(mask)
    if rank_of(marks) == 2:
        counts = unsorted_segment_sum(cast(marks.values, int64), marks.value_rowids(),
                                      marks.nrows())  # fmt: skip
        places = masked(range_of(shape(marks.values, int64)[0]), marks.values)
        return RaggedTensor.from_row_lengths(rows_of(rows.values, places), counts)
    return rows.with_values(boolean_mask(rows.values, marks.values))


def stack(values: Sequence[Any], axis: int = 0, name: str | None = None) -> Any:
    """Stack tensors, whose sizes may differ, along a new axis.

    Args:
        values: list of tensors and RaggedTensors of one rank.
        axis: number of the new axis.
    Returns:
        RaggedTensor.
    """
    tensors = [
        value if isinstance(value, RaggedTensor) else convert_to_tensor(value) for value in values
    ]
    if rank_of(tensors[0]) > 1:
        return stacked([as_ragged(value) for value in tensors], axis)
    lengths = concat([shape(value, int64) for value in tensors], 0)
    rows = RaggedTensor.from_row_lengths(concat(tensors, 0), lengths)
    if axis % 2 == 0:
        return rows
    return stacked([RaggedTensor.from_uniform_row_length(value, 1) for value in tensors], 1)


def segment_ids_to_row_splits(segment_ids: TensorLike, num_segments: TensorLike | None = None,
                              out_type: DTypeLike = int64,
                              name: str | None = None) -> Any:  # fmt: skip
    """Find where rows begin and end from the number of the row of each value.

    Args:
        segment_ids: vector of integers, in ascending order.
        num_segments: number of rows; by default one more than the last id.
        out_type: dtype of the result.
    Returns:
        Vector of dtype ``out_type``.
    """
    ids = cast(convert_to_tensor(segment_ids), int64)
    rows = RaggedTensor.from_value_rowids(ids, ids, num_segments)
    return cast(rows.row_splits, as_dtype(out_type))


def row_splits_to_segment_ids(splits: TensorLike, name: str | None = None,
                              out_type: DTypeLike = int64) -> Any:  # fmt: skip
    """Find the number of the row of each value from where rows begin and end.

    Args:
        splits: vector of integers.
        out_type: dtype of the result.
    Returns:
        Vector of dtype ``out_type``.
    """
    ends = cast(convert_to_tensor(splits), int64)
    return cast(repeat(range_of(shape(ends, int64)[0] - 1), ends[1:] - ends[:-1]),
                as_dtype(out_type))  # fmt: skip


def stack_dynamic_partitions(data: Any, partitions: TensorLike, num_partitions: int,
                             name: str | None = None) -> Any:  # fmt: skip
    """Divide the rows of a tensor by numbers, each number a row of the result.

    Args:
        data: tensor or RaggedTensor.
        partitions: the number of the part of each row, a vector.
        num_partitions: number of parts.
    Returns:
        RaggedTensor.
    """
    return stack(dynamic_partition(data, partitions, num_partitions))


# -- methods --------------------------------------------------------------------------------------


def _to_sparse(self: RaggedTensor, name: str | None = None) -> SparseTensor:
    """The values with their indices, as a SparseTensor."""
    return SparseTensor(coordinates(self), self.flat_values, _bounding_shape(self))


def _from_sparse(cls: Any, st_input: Any, name: str | None = None,
                 row_splits_dtype: DTypeLike = int64) -> RaggedTensor:  # fmt: skip
    """Rows of a SparseTensor of two axes, whose rows have values at their beginning only."""
    sparse = sparse_of(st_input, "RaggedTensor.from_sparse")
    if sparse.shape.rank != 2:
        raise ValueError(f"from_sparse: the sparse tensor must have rank 2, got {sparse.shape}")
    rows: RaggedTensor = cls.from_value_rowids(
        sparse.values, sparse.indices[:, 0], sparse.dense_shape[0]
    )
    return rows


def _bounding_shape(self: RaggedTensor, axis: Any = None, name: str | None = None,
                    out_type: DTypeLike = int64) -> Any:  # fmt: skip
    """The number of rows and the greatest length along each axis, as a vector."""
    sizes = [reshape(self.nrows(), [1])]
    level: Any = self
    while isinstance(level, RaggedTensor):
        longest = reduce_max(concat([np.zeros(1, np.int64), level.row_lengths()], 0))
        sizes.append(reshape(longest, [1]))
        level = level.values
    whole = cast(concat([*sizes, shape(level, int64)[1:]], 0), as_dtype(out_type))
    return whole if axis is None else gather(whole, axis)


def _merge_dims(self: RaggedTensor, outer_axis: int, inner_axis: int) -> Any:
    """One axis in place of those from one to another."""
    rank = rank_of(self)
    outer, inner = outer_axis % rank, inner_axis % rank
    if outer > inner:
        raise ValueError(f"merge_dims: outer_axis {outer_axis} is behind inner_axis {inner_axis}")
    if outer == inner:
        return self
    if outer > 0:
        values = self.values
        if isinstance(values, RaggedTensor) and outer > 1:
            return self.with_values(_merge_dims(values, outer - 1, inner - 1))
        if outer > 1:
            sizes = shape(values, int64)
            flat = concat([sizes[: outer - 1], [np.int64(-1)], sizes[inner:]], 0)
            return self.with_values(reshape(values, flat))
        return _merge_inner(self, inner)
    values = self.values
    for _ in range(inner - 1):
        values = values.values if isinstance(values, RaggedTensor) else (
            reshape(values, concat([[np.int64(-1)], shape(values, int64)[2:]], 0))
        )  # fmt: skip
    return values


def _merge_inner(ragged: RaggedTensor, inner: int) -> Any:
    """Rows of the values of the rows inside."""
    for _ in range(inner - 1):
        values = ragged.values
        if isinstance(values, RaggedTensor):
            ragged = RaggedTensor(values.values, gather(values.row_splits, ragged.row_splits))
        else:
            sizes = shape(values, int64)
            flat = reshape(values, concat([[np.int64(-1)], sizes[2:]], 0))
            ragged = RaggedTensor(flat, ragged.row_splits * sizes[1])
    return ragged


def _nested_value_rowids(self: RaggedTensor, name: str | None = None) -> tuple[Any, ...]:
    """The number of the row of each value, of all levels, outermost first."""
    inner = self.values
    deeper = _nested_value_rowids(inner) if isinstance(inner, RaggedTensor) else ()
    return (self.value_rowids(), *deeper)


_one_level = RaggedTensor.from_tensor


def _from_tensor(cls: Any, tensor: TensorLike, lengths: TensorLike | None = None,
                 padding: Any = None, ragged_rank: int = 1, name: str | None = None,
                 row_splits_dtype: DTypeLike = int64) -> RaggedTensor:  # fmt: skip
    """The rows of a tensor: of ``lengths``, or without ``padding`` at their ends."""
    if ragged_rank == 1:
        return _one_level(tensor, lengths, padding)
    if lengths is not None:
        raise ValueError("from_tensor takes lengths with ragged_rank=1 only")
    dense = convert_to_tensor(tensor)
    sizes = shape(dense, int64)
    flat = reshape(dense, concat([[np.int64(-1)], sizes[2:]], 0))
    inner = _from_tensor(cls, flat, None, padding, ragged_rank - 1)
    rows: RaggedTensor = cls.from_uniform_row_length(inner, sizes[1], sizes[0])
    return rows


def _install() -> None:
    for method in (_to_sparse, _bounding_shape, _merge_dims, _nested_value_rowids):
        setattr(RaggedTensor, method.__name__.removeprefix("_"), method)
    for maker in (_from_sparse, _from_tensor):
        setattr(RaggedTensor, maker.__name__.removeprefix("_"), classmethod(maker))


_install()
