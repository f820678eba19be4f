"""Sparse tensors from dense ones and back, and the order of their values."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from runtime.composite.sparse.sparse_kernels import to_dense_op
from runtime.composite.sparse.sparse_tensor import SparseTensor
from runtime.ops import dispatch
from runtime.ops.array.concat_split import stack
from runtime.ops.array.constants import cast, constant, convert_to_tensor
from runtime.ops.array.creation import ones
from runtime.ops.array.creation import range as range_of
from runtime.ops.array.gather_scatter import gather, gather_nd
from runtime.ops.array.shape import shape
from runtime.ops.array.sorting import argsort
from runtime.ops.array.where import where
from runtime.ops.math.comparison import not_equal
from runtime.ops.math.reduction import reduce_sum
from runtime.ops.math.scans import cumprod
from runtime.types.aliases import DTypeLike, TensorLike
from runtime.types.dtypes import as_dtype, bool_, float32, int64, string
from runtime.types.shapes import TensorShape

__all__ = ["eye", "from_dense", "map_values", "reorder", "to_dense", "to_indicator"]


def sparse_of(value: Any, caller: str) -> SparseTensor:
    """Return a SparseTensor, also of a SparseTensorValue; TypeError for anything else."""
    if isinstance(value, SparseTensor):
        return value
    if isinstance(value, tuple) and hasattr(value, "dense_shape"):
        return SparseTensor.from_value(value)
    raise TypeError(
        f"{caller}: Input must be a SparseTensor, got {value!r}; sparse.from_dense makes one"
    )


def rank_of(sparse: SparseTensor, caller: str) -> int:
    """Return the number of axes; ValueError where it is not known."""
    rank = sparse.shape.rank
    if rank is None:
        raise ValueError(f"{caller}: the rank of the sparse tensor must be known")
    return rank


def zero_of(dtype: Any) -> Any:
    """Return what a sparse tensor of this dtype is where it has no value."""
    return constant(b"" if dtype is string else False if dtype is bool_ else 0, dtype)


def from_dense(tensor: TensorLike, name: str | None = None) -> SparseTensor:
    """Make a sparse tensor of the entries of a dense one that are not 0, or not empty.

    Args:
        tensor: tensor of any dtype and shape.
    Returns:
        SparseTensor of the shape and dtype of ``tensor``, its values in order.
    """
    dense = convert_to_tensor(tensor)
    indices = where(dense if dense.dtype is bool_ else not_equal(dense, zero_of(dense.dtype)))
    sparse = SparseTensor(indices, gather_nd(dense, indices), shape(dense, int64))
    return sparse.with_shape(dense.shape)


def to_dense(sp_input: Any, default_value: TensorLike | None = None, validate_indices: bool = True,
             name: str | None = None) -> Any:  # fmt: skip
    """Make a tensor of a sparse one.

    Args:
        sp_input: SparseTensor.
        default_value: scalar that stands where there is no value; by default 0, an empty string
            or false.
        validate_indices: whether the indices must be in ascending order and none repeated.
    Returns:
        Tensor of the shape and dtype of ``sp_input``.
    Raises:
        InvalidArgumentError: an index is out of bounds, out of order or repeated.
        TypeError: ``sp_input`` is no SparseTensor.
    """
    sparse = sparse_of(sp_input, "sparse.to_dense")
    default = zero_of(sparse.dtype) if default_value is None else default_value
    dense = to_dense_op(
        sparse.values, dispatch.convert(default, sparse.dtype), sparse.indices, sparse.dense_shape,
        validate=bool(validate_indices), name=name,
    )  # fmt: skip
    if not dense.shape.is_fully_defined() and sparse.shape.rank is not None:
        dense.set_shape(sparse.shape)
    return dense


def places_of(indices: Any, dense_shape: Any) -> Any:
    """Return the position of each row of indices in the tensor as one row of entries."""
    strides = cumprod(dense_shape, exclusive=True, reverse=True)
    return reduce_sum(indices * strides, 1)


def reorder(sp_input: Any, name: str | None = None) -> SparseTensor:
    """Sort the values of a sparse tensor by their indices.

    Args:
        sp_input: SparseTensor.
    Returns:
        SparseTensor of the same shape and dtype.
    Raises:
        TypeError: ``sp_input`` is no SparseTensor.
    """
    sparse = sparse_of(sp_input, "sparse.reorder")
    order = argsort(places_of(sparse.indices, sparse.dense_shape), stable=True)
    parts = (gather(sparse.indices, order), gather(sparse.values, order), sparse.dense_shape)
    return SparseTensor(*parts).with_shape(sparse.shape)


def map_values(op: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    """Apply a function to the values of sparse arguments.

    Args:
        op: function.
        args: arguments of ``op``; SparseTensors, of equal indices, are replaced by their values.
        kwargs: keyword arguments of ``op``, likewise.
    Returns:
        SparseTensor with the indices of the first sparse argument.
    Raises:
        ValueError: no argument is sparse.
    """
    sparse = [a for a in (*args, *kwargs.values()) if isinstance(a, SparseTensor)]
    if not sparse:
        raise ValueError("sparse.map_values: no argument is a SparseTensor")

    def values(argument: Any) -> Any:
        return argument.values if isinstance(argument, SparseTensor) else argument

    new = op(*map(values, args), **{key: values(argument) for key, argument in kwargs.items()})
    return sparse[0].with_values(new)


def to_indicator(sp_input: Any, vocab_size: int, name: str | None = None) -> Any:
    """Make a bool tensor that is true at the values of a sparse tensor of ids.

    Args:
        sp_input: SparseTensor of an integer dtype; its last axis holds ids.
        vocab_size: number of ids, an int.
    Returns:
        Tensor of dtype bool, whose last axis has the size ``vocab_size``.
    Raises:
        TypeError: ``sp_input`` is no SparseTensor.
    """
    sparse = sparse_of(sp_input, "sparse.to_indicator")
    ids = cast(sparse.values, int64)
    outer = range(rank_of(sparse, "sparse.to_indicator") - 1)
    indices = stack([*[sparse.indices[:, k] for k in outer], ids], 1)
    sizes = [*[sparse.dense_shape[k] for k in outer], np.int64(vocab_size)]
    marks = ones(shape(ids), bool_)
    return to_dense(SparseTensor(indices, marks, stack(sizes)), validate_indices=False)


def eye(num_rows: int, num_columns: int | None = None, dtype: DTypeLike = float32,
        name: str | None = None) -> SparseTensor:  # fmt: skip
    """Make a sparse matrix with ones on its diagonal.

    Args:
        num_rows: number of rows.
        num_columns: number of columns; by default that of rows.
        dtype: dtype of the result.
    Returns:
        SparseTensor of shape (num_rows, num_columns).
    """
    columns = num_rows if num_columns is None else num_columns
    size = min(num_rows, columns)
    diagonal = range_of(np.int64(size))
    sparse = SparseTensor(stack([diagonal, diagonal], 1), ones([size], as_dtype(dtype)),
                          [num_rows, columns])  # fmt: skip
    return sparse.with_shape(TensorShape([num_rows, columns]))
