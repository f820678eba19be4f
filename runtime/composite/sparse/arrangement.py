"""Where the values of sparse tensors are: parts of them, joined, reshaped, and of which rows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from runtime.composite.sparse.conversions import places_of, rank_of, reorder, sparse_of
from runtime.composite.sparse.sparse_tensor import SparseTensor
from runtime.graph.default_graph import control_dependencies
from runtime.ops import dispatch
from runtime.ops.array.concat_split import concat as concat_of
from runtime.ops.array.concat_split import stack
from runtime.ops.array.constants import cast, constant, convert_to_tensor
from runtime.ops.array.creation import fill
from runtime.ops.array.creation import range as range_of
from runtime.ops.array.gather_scatter import gather, scatter_nd
from runtime.ops.array.shape import reshape as reshape_of
from runtime.ops.array.shape import shape as shape_of
from runtime.ops.array.where import boolean_mask, where
from runtime.ops.control_flow.print_assert import assert_op
from runtime.ops.math.comparison import equal
from runtime.ops.math.elementwise import floordiv, floormod, maximum, minimum
from runtime.ops.math.reduction import reduce_all, reduce_max, reduce_prod
from runtime.ops.math.scans import cumprod
from runtime.ops.rules.static_arguments import known_value
from runtime.types.aliases import TensorLike
from runtime.types.dtypes import int64
from runtime.types.errors import InvalidArgumentError
from runtime.types.shapes import TensorShape

__all__ = [
    "concat", "expand_dims", "fill_empty_rows", "reset_shape", "reshape", "retain", "slice",
    "split", "transpose",
]  # fmt: skip


def axis_of(axis: Any, rank: int, caller: str) -> int:
    """Return the number of an axis; ValueError where there is none of that number."""
    number = int(axis)
    if not -rank <= number < rank:
        raise ValueError(f"{caller}: axis {number} is out of range for {rank} axes")
    return number % rank


def retain(sp_input: Any, to_retain: TensorLike) -> SparseTensor:
    """Keep some values of a sparse tensor.

    Args:
        sp_input: SparseTensor.
        to_retain: bool vector, which says of each value whether it stays.
    Returns:
        SparseTensor of the same shape and dtype.
    Raises:
        TypeError: ``sp_input`` is no SparseTensor.
    """
    sparse = sparse_of(sp_input, "sparse.retain")
    stays = convert_to_tensor(to_retain)
    parts = (boolean_mask(sparse.indices, stays), boolean_mask(sparse.values, stays))
    return SparseTensor(*parts, sparse.dense_shape).with_shape(sparse.shape)


def concat(axis: int, sp_inputs: Sequence[Any], expand_nonconcat_dims: bool = False,
           name: str | None = None) -> SparseTensor:  # fmt: skip
    """Join sparse tensors along an axis.

    Args:
        axis: number of the axis, an int.
        sp_inputs: list of SparseTensors of one rank and dtype.
        expand_nonconcat_dims: whether other sizes may differ; the largest is taken.
    Returns:
        SparseTensor, its values in order.
    Raises:
        TypeError: an input is no SparseTensor.
        ValueError: there is no input, the ranks differ, or sizes that must be equal.
    """
    several = sp_inputs if isinstance(sp_inputs, list | tuple) else [sp_inputs]
    sparse = [sparse_of(value, "sparse.concat") for value in several]
    if not sparse:
        raise ValueError("sparse.concat: no tensors to join")
    ranks = {rank_of(value, "sparse.concat") for value in sparse}
    if len(ranks) > 1:
        raise ValueError(f"sparse.concat: the ranks differ: {sorted(ranks)}")
    number = axis_of(axis, ranks.pop(), "sparse.concat")
    _check_sizes(sparse, number, expand_nonconcat_dims)
    sizes = stack([value.dense_shape for value in sparse])
    offset: Any = constant(0, int64)
    indices = []
    for value in sparse:
        columns = [value.indices[:, k] for k in range(sizes.shape[1] or 0)]
        columns[number] = columns[number] + offset
        indices.append(stack(columns, 1))
        offset = offset + value.dense_shape[number]
    largest = reduce_max(sizes, 0)
    whole = concat_of([largest[:number], reshape_of(offset, [1]), largest[number + 1 :]], 0)
    values = concat_of([value.values for value in sparse], 0)
    return reorder(SparseTensor(concat_of(indices, 0), values, whole))


def _check_sizes(sparse: Sequence[SparseTensor], axis: int, may_differ: bool) -> None:
    if may_differ:
        return
    first = sparse[0].shape.as_list()
    for value in sparse[1:]:
        for number, (mine, other) in enumerate(zip(first, value.shape.as_list())):
            if number != axis and None not in (mine, other) and mine != other:
                raise ValueError(
                    f"sparse.concat: sizes {mine} and {other} along axis {number} differ; "
                    "expand_nonconcat_dims=True takes the largest"
                )


def slice(sp_input: Any, start: TensorLike, size: TensorLike,
          name: str | None = None) -> SparseTensor:  # fmt: skip
    """Cut a block out of a sparse tensor.

    Args:
        sp_input: SparseTensor.
        start: first index along each axis, a vector of integers.
        size: number of indices along each axis; the block ends with the tensor.
    Returns:
        SparseTensor of the size of the block.
    Raises:
        TypeError: ``sp_input`` is no SparseTensor.
    """
    sparse = sparse_of(sp_input, "sparse.slice")
    first = cast(convert_to_tensor(start, int64) if isinstance(start, list) else start, int64)
    count = cast(convert_to_tensor(size, int64) if isinstance(size, list) else size, int64)
    sizes = maximum(minimum(count, sparse.dense_shape - first), constant(0, int64))
    inside = reduce_all((sparse.indices >= first) & (sparse.indices < first + sizes), 1)
    indices = boolean_mask(sparse.indices, inside) - first
    return SparseTensor(indices, boolean_mask(sparse.values, inside), sizes)


def split(sp_input: Any = None, num_split: int | None = None, axis: int | None = None,
          name: str | None = None) -> list[SparseTensor]:  # fmt: skip
    """Divide a sparse tensor along an axis; the first parts are larger by one where it must be.

    Args:
        sp_input: SparseTensor.
        num_split: number of parts, an int.
        axis: number of the axis.
    Returns:
        A list of SparseTensors.
    Raises:
        ValueError: ``num_split`` or ``axis`` is not given, or the size is not known.
        TypeError: ``sp_input`` is no SparseTensor.
    """
    sparse = sparse_of(sp_input, "sparse.split")
    if num_split is None or axis is None:
        raise ValueError("sparse.split: num_split and axis are required")
    number = axis_of(axis, rank_of(sparse, "sparse.split"), "sparse.split")
    size, dims = sparse.shape[number], sparse.dense_shape
    if size is None or not 0 < num_split <= size:
        raise ValueError(f"sparse.split: {num_split} parts of an axis of size {size}")
    parts = []
    begin = 0
    for part in range(num_split):
        width = size // num_split + (part < size % num_split)
        first = np.zeros(dims.shape[0], np.int64)
        first[number] = begin
        block = concat_of([dims[:number], [np.int64(width)], dims[number + 1 :]], 0)
        parts.append(slice(sparse, first, block))
        begin += width
    return parts


def reshape(sp_input: Any, shape: TensorLike, name: str | None = None) -> SparseTensor:
    """Reshape a sparse tensor, as the dense one would be.

    Args:
        sp_input: SparseTensor.
        shape: the new shape, a vector of integers; one may be -1.
    Returns:
        SparseTensor.
    Raises:
        TypeError: ``sp_input`` is no SparseTensor.
        InvalidArgumentError: the shapes have different numbers of entries.
    """
    sparse = sparse_of(sp_input, "sparse.reshape")
    sizes = cast(convert_to_tensor(shape), int64)
    total = reduce_prod(sparse.dense_shape)
    open_size = equal(sizes, -1)
    others = reduce_prod(where(open_size, constant(1, int64), sizes))
    new = where(open_size, floordiv(total, maximum(others, constant(1, int64))), sizes)
    fits = assert_op(equal(reduce_prod(new), total), sparse.dense_shape, sizes, fail=_misfit)
    with control_dependencies([fits]):
        places = places_of(sparse.indices, sparse.dense_shape)[:, None]
    strides = cumprod(new, exclusive=True, reverse=True)
    indices = floormod(floordiv(places, maximum(strides, constant(1, int64))), new)
    return SparseTensor(indices, sparse.values, new)


def _misfit(old: Any, new: Any) -> BaseException:
    return InvalidArgumentError(
        f"sparse.reshape: a sparse tensor of shape {old.tolist()} has another number of entries "
        f"than shape {new.tolist()}"
    )


def transpose(sp_input: Any, perm: Any = None, name: str | None = None) -> SparseTensor:
    """Permute the axes of a sparse tensor.

    Args:
        sp_input: SparseTensor.
        perm: the axes in their new order; by default they are reversed.
    Returns:
        SparseTensor, its values in order.
    Raises:
        TypeError: ``sp_input`` is no SparseTensor.
    """
    sparse = sparse_of(sp_input, "sparse.transpose")
    rank = rank_of(sparse, "sparse.transpose")
    order = list(range(rank))[::-1] if perm is None else [int(k) for k in perm]
    indices = gather(sparse.indices, order, axis=1)
    turned = SparseTensor(indices, sparse.values, gather(sparse.dense_shape, order))
    return reorder(turned.with_shape(TensorShape([sparse.shape[k] for k in order])))


def expand_dims(sp_input: Any, axis: int | None = None, name: str | None = None) -> SparseTensor:
    """Insert an axis of size 1.

    Args:
        sp_input: SparseTensor.
        axis: number of the new axis; by default the last.
    Returns:
        SparseTensor.
    Raises:
        TypeError: ``sp_input`` is no SparseTensor.
        ValueError: the axis is out of range.
    """
    sparse = sparse_of(sp_input, "sparse.expand_dims")
    rank = rank_of(sparse, "sparse.expand_dims")
    number = axis_of(-1 if axis is None else axis, rank + 1, "sparse.expand_dims")
    zeros = sparse.indices[:, :1] * 0
    indices = concat_of([sparse.indices[:, :number], zeros, sparse.indices[:, number:]], 1)
    sizes = concat_of([sparse.dense_shape[:number], [np.int64(1)], sparse.dense_shape[number:]], 0)
    dims = sparse.shape.as_list()
    static = TensorShape([*dims[:number], 1, *dims[number:]])
    return SparseTensor(indices, sparse.values, sizes).with_shape(static)


def reset_shape(sp_input: Any, new_shape: TensorLike | None = None) -> SparseTensor:
    """Give a sparse tensor another shape, its indices being the same.

    Args:
        sp_input: SparseTensor.
        new_shape: vector of integers, each at least as large as now; by default the smallest shape
            that holds the values.
    Returns:
        SparseTensor.
    Raises:
        TypeError: ``sp_input`` is no SparseTensor.
        ValueError: the rank is another one, or a size is smaller.
    """
    sparse = sparse_of(sp_input, "sparse.reset_shape")
    if new_shape is None:
        start = sparse.indices[:1] * 0 - 1
        sizes = reduce_max(concat_of([start, sparse.indices], 0), 0) + 1
        return SparseTensor(sparse.indices, sparse.values, sizes)
    sizes = cast(convert_to_tensor(new_shape), int64)
    old, new = known_value(sparse.dense_shape), known_value(sizes)
    if old is not None and new is not None and (len(old) != len(new) or (new < old).any()):
        raise ValueError(
            f"sparse.reset_shape: shape {new.tolist()} for a sparse tensor of shape {old.tolist()}"
        )
    return SparseTensor(sparse.indices, sparse.values, sizes)


def fill_empty_rows(sp_input: Any, default_value: TensorLike,
                    name: str | None = None) -> tuple[SparseTensor, Any]:  # fmt: skip
    """Give the rows of a sparse matrix without values one, in their first column.

    Args:
        sp_input: SparseTensor of rank 2.
        default_value: scalar of its dtype.
    Returns:
        SparseTensor, its values in order, and a bool vector of the rows that were empty.
    Raises:
        TypeError: ``sp_input`` is no SparseTensor.
    """
    sparse = sparse_of(sp_input, "sparse.fill_empty_rows")
    rows, count = sparse.indices[:, 0], sparse.dense_shape[:1]
    counts = scatter_nd(rows[:, None], rows * 0 + 1, count)
    is_empty = equal(counts, 0)
    empty = boolean_mask(range_of(count[0]), is_empty)
    places = stack([empty, empty * 0], 1)
    default = fill(shape_of(empty), dispatch.convert(default_value, sparse.dtype))
    indices = concat_of([sparse.indices, places], 0)
    values = concat_of([sparse.values, default], 0)
    whole = SparseTensor(indices, values, sparse.dense_shape).with_shape(sparse.shape)
    return reorder(whole), is_empty

