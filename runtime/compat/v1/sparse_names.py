"""TensorFlow 1's flat names of sparse tensors, as ``sparse_add``, and ``sparse_placeholder``."""

from __future__ import annotations

from typing import Any

from runtime.composite.sparse.arithmetic import (
    add,
    mask,
    maximum,
    minimum,
    reduce_max,
    reduce_sum,
    segment_mean,
    segment_sqrt_n,
    segment_sum,
    softmax,
    sparse_dense_matmul,
)
from runtime.composite.sparse.arrangement import (
    concat,
    fill_empty_rows,
    reset_shape,
    reshape,
    retain,
    slice,
    split,
    transpose,
)
from runtime.composite.sparse.conversions import reorder, to_dense, to_indicator
from runtime.composite.sparse.sparse_tensor import SparseTensor
from runtime.graph.default_graph import placeholder, placeholder_with_default
from runtime.ops.array.constants import convert_to_tensor
from runtime.ops.array.creation import fill
from runtime.ops.array.shape import shape as shape_of
from runtime.types.aliases import DTypeLike, ShapeLike, TensorLike
from runtime.types.dtypes import int64
from runtime.types.shapes import TensorShape

__all__ = [
    "sparse_add", "sparse_concat", "sparse_fill_empty_rows", "sparse_mask", "sparse_maximum",
    "sparse_minimum", "sparse_placeholder", "sparse_reduce_max", "sparse_reduce_sum",
    "sparse_reorder", "sparse_reset_shape", "sparse_reshape", "sparse_retain",
    "sparse_segment_mean", "sparse_segment_sqrt_n", "sparse_segment_sum", "sparse_slice",
    "sparse_softmax", "sparse_split", "sparse_tensor_dense_matmul", "sparse_tensor_to_dense",
    "sparse_to_dense", "sparse_to_indicator", "sparse_transpose",
]  # fmt: skip

sparse_add = add
sparse_concat = concat
sparse_fill_empty_rows = fill_empty_rows
sparse_mask = mask
sparse_maximum = maximum
sparse_minimum = minimum
sparse_reduce_max = reduce_max
sparse_reduce_sum = reduce_sum
sparse_reorder = reorder
sparse_reset_shape = reset_shape
sparse_reshape = reshape
sparse_retain = retain
sparse_segment_mean = segment_mean
sparse_segment_sqrt_n = segment_sqrt_n
sparse_segment_sum = segment_sum
sparse_slice = slice
sparse_softmax = softmax
sparse_split = split
sparse_tensor_dense_matmul = sparse_dense_matmul
sparse_tensor_to_dense = to_dense
sparse_to_indicator = to_indicator
sparse_transpose = transpose


def sparse_placeholder(dtype: DTypeLike, shape: ShapeLike | None = None,
                       name: str | None = None) -> SparseTensor:  # fmt: skip
    """Record a sparse tensor whose values are fed when the graph runs: a SparseTensorValue.

    Args:
        dtype: dtype of the values.
        shape: static shape; None for any.
    Returns:
        SparseTensor of three placeholders; where all sizes are known the shape need not be fed.
    Raises:
        RuntimeError: eager execution is enabled.
    """
    static = TensorShape(shape)
    base = name or "Placeholder"
    values = placeholder(dtype, [None], f"{base}/values")
    indices = placeholder(int64, [None, static.rank], f"{base}/indices")
    sizes: Any = (
        placeholder_with_default(
            convert_to_tensor(static.as_list(), int64), [static.rank], f"{base}/shape"
        )
        if static.is_fully_defined()
        else placeholder(int64, [static.rank], f"{base}/shape")
    )
    return SparseTensor(indices, values, sizes).with_shape(static)


def sparse_to_dense(
    sparse_indices: TensorLike, output_shape: TensorLike, sparse_values: TensorLike,
    default_value: TensorLike = 0, validate_indices: bool = True, name: str | None = None,
) -> Any:
    """Write values at their indices into a tensor of a default.

    Args:
        sparse_indices: index of a value, vector of them, or matrix with a row for each value.
        output_shape: shape of the result, a vector.
        sparse_values: scalar for all indices, or vector.
        default_value: scalar of the dtype of the values.
        validate_indices: whether the indices must be in ascending order and none repeated.
    Returns:
        Tensor of shape ``output_shape``.
    Raises:
        InvalidArgumentError: an index is out of bounds, out of order or repeated.
    """
    indices = convert_to_tensor(sparse_indices)
    if indices.shape.rank == 0:
        indices = indices[None, None]
    elif indices.shape.rank == 1:
        indices = indices[:, None]
    values = convert_to_tensor(sparse_values)
    if values.shape.rank == 0:
        values = fill(shape_of(indices)[:1], values)
    whole = SparseTensor(indices, values, output_shape)
    return to_dense(whole, default_value, validate_indices)
