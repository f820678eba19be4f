"""Op definitions that read and write entries by tensors of indices: gather, scatter, slice."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from runtime.ops import dispatch
from runtime.ops.array import dynamic_axes
from runtime.ops.array.concat_split import unstack
from runtime.ops.array.indexing import getitem
from runtime.ops.op import NUMERIC, OpDef, define
from runtime.ops.rules import elements, loops
from runtime.ops.rules.inference import merged, normal_axis, same, shape_from
from runtime.ops.rules.kernels import add_rows, checked
from runtime.ops.rules.lazy_gradient import lazy_gradient
from runtime.ops.rules.lowering import OnArrays
from runtime.ops.rules.samples import array, case, spread
from runtime.ops.rules.static_arguments import dims_of, static_int, whole_numbers
from runtime.types.aliases import AxisLike, ShapeLike, TensorLike
from runtime.types.dtypes import Array
from runtime.types.errors import (
    IncompatibleShapesError,
    IndexOutOfBoundsError,
    InvalidArgumentError,
    RefusedArgumentError,
)
from runtime.types.shapes import UNKNOWN_SHAPE, TensorShape, TensorSpec
from runtime.types.value import Value

__all__ = [
    "batch_gather", "gather", "gather_nd", "scatter_nd", "slice", "strided_slice",
    "tensor_scatter_add", "tensor_scatter_nd_add", "tensor_scatter_nd_max", "tensor_scatter_nd_min",
    "tensor_scatter_nd_sub", "tensor_scatter_nd_update", "tensor_scatter_sub",
    "tensor_scatter_update",
]  # fmt: skip


def check_bounds(indices: Array, size: int, role: str) -> None:
    """IndexOutOfBoundsError unless all indices are in ``0 .. size - 1``."""
    wrong = (indices < 0) | (indices >= size)
    if np.any(wrong):
        at = [int(i) for i in np.argwhere(wrong)[0]]
        place = f"indices{at}" if at else "indices"
        raise IndexOutOfBoundsError(
            f"{place} = {indices[tuple(at)]} is not in [0, {size}) ({role})"
        )


def _gather(params: Array, indices: Array, *, axis: int, batch_dims: int) -> Any:
    if batch_dims:
        return _gather_batches(params, indices, axis=axis, batch_dims=batch_dims)
    at = normal_axis(axis, params.ndim)
    check_bounds(indices, params.shape[at], f"axis {at} of the tensor of shape {params.shape}")
    return np.take(params, indices, at)


def _gather_infer(
    params: TensorSpec, indices: TensorSpec, *, axis: int, batch_dims: int
) -> TensorSpec:
    p, n = params.shape.dims, indices.shape.dims
    if p is None or n is None:
        return TensorSpec(UNKNOWN_SHAPE, params.dtype)
    at = normal_axis(axis, len(p), "gather: axis")
    requirement = f"gather: the first {batch_dims} dimensions of params and indices must be equal"
    batch = merged(TensorShape(p[:batch_dims]), n[:batch_dims], requirement)
    dims = (*batch, *p[batch_dims:at], *n[batch_dims:], *p[at + 1 :])
    return TensorSpec(dims, params.dtype)


def _one_by_one(params: Array, indices: Array, *, axis: int, batch_dims: int) -> Any:
    at, batch = normal_axis(axis, params.ndim), params.shape[:batch_dims]
    check_bounds(indices, params.shape[at], f"axis {at} of the tensor of shape {params.shape}")
    pairs = [(params[i], indices[i]) for i in np.ndindex(batch)]
    rows = [np.take(p, n, at - batch_dims) for p, n in pairs]
    if not rows:
        return np.zeros((*batch, *params.shape[batch_dims:at], *indices.shape[batch_dims:],
                         *params.shape[at + 1 :]), params.dtype)  # fmt: skip
    return np.stack(rows).reshape(*batch, *rows[0].shape)


_gather_batches = checked(_one_by_one, _gather_infer)

gather_op = define(
    "gather",
    inputs="params indices",
    same_dtype_inputs=None,
    kernel=_gather,
    infer=_gather_infer,
    grad=lazy_gradient("indexing.gather"),
    node_name="GatherV2", lower=OnArrays(element=elements.gathered),
    overloads=(np.take,),
    samples=lambda: [
        case(spread(0, 1, 3, 2), [2, 0], axis=0, batch_dims=0),
        case(spread(0, 1, 3, 2), [[1]], axis=-1, batch_dims=0),
        case(spread(0, 1, 2, 3), [[1], [2]], axis=1, batch_dims=1),
        case(["a", "b"], 1, axis=0, batch_dims=0),
    ],
    doc="Gather entries along an axis at indices.",
)


def gather(params: TensorLike, indices: TensorLike, validate_indices: Any = None,
           axis: AxisLike | None = None, batch_dims: int = 0,
           name: str | None = None) -> Any:  # fmt: skip
    """Gather entries along an axis.

    Args:
        params: tensor of any dtype.
        indices: tensor of an integer dtype, from 0 to before the size of the axis.
        validate_indices: ignored; indices are always checked.
        axis: axis of the entries, ``batch_dims`` by default; it may be a tensor.
        batch_dims: number of leading axes that ``params`` and ``indices`` share.
    Returns:
        Tensor of the dtype of ``params`` and of shape ``params.shape[:axis] +
        indices.shape[batch_dims:] + params.shape[axis + 1:]``.
    Raises:
        InvalidArgumentError: an index is out of bounds (also an IndexError), or an axis is (also a
            ValueError).
    """
    places = whole_numbers(indices, "indices")
    batch = static_int(batch_dims, "batch_dims")
    if dynamic_axes.is_computed(axis) and not batch and places.shape.rank in (0, 1):
        move = dynamic_axes.along if places.shape.rank else dynamic_axes.without
        return move(
            params, axis, lambda x: gather_op(x, places, axis=-1, batch_dims=0, name=name)
        )
    if batch < 0 and places.shape.rank is not None:
        batch += places.shape.rank
    at = batch if axis is None else static_int(axis, "axis")
    return gather_op(params, places, axis=at, batch_dims=batch, name=name)


def batch_gather(params: TensorLike, indices: TensorLike, name: str | None = None) -> Any:
    """Gather entries along the last axis of the indices; the axes before it are a batch.

    Args:
        params: tensor of any dtype, whose leading axes are those of the batch.
        indices: tensor of an integer dtype, of known rank.
    Returns:
        Tensor of the dtype of ``params``.
    Raises:
        ValueError: the rank of ``indices`` is unknown.
        InvalidArgumentError: an index is out of bounds (also an IndexError).
    """
    places = dispatch.convert(whole_numbers(indices, "indices"))
    if places.shape.dims is None:
        raise ValueError("batch_gather needs indices of known rank; use ensure_shape or set_shape")
    return gather(params, places, batch_dims=len(places.shape) - 1, name=name)


def _places(indices: Array, shape: tuple[int, ...]) -> tuple[Array, ...]:
    """The last axis of the indices as a NumPy index; each is checked."""
    depth = indices.shape[-1] if indices.ndim else 0
    if not indices.ndim or depth > len(shape):
        raise IncompatibleShapesError(
            f"indices must have rank 1 or more and a last dimension of at most {len(shape)}, "
            f"got shape {list(indices.shape)}"
        )
    for i in range(depth):
        check_bounds(indices[..., i], shape[i], f"axis {i} of the tensor of shape {shape}")
    return tuple(np.moveaxis(indices, -1, 0))


def _gather_nd(params: Array, indices: Array, *, batch_dims: int) -> Any:
    if not batch_dims:
        places = _places(indices, params.shape)
        if not places:
            return np.broadcast_to(params, indices.shape[:-1] + params.shape)
        return np.asarray(params[places], params.dtype)
    batch = params.shape[:batch_dims]
    rows = [_gather_nd(params[i], indices[i], batch_dims=0) for i in np.ndindex(batch)]
    return np.stack(rows).reshape(*batch, *np.shape(rows[0]))


def _gather_nd_infer(params: TensorSpec, indices: TensorSpec, *, batch_dims: int) -> TensorSpec:
    p, n = params.shape.dims, indices.shape.dims
    if p is None or n is None or not n or n[-1] is None:
        return TensorSpec(UNKNOWN_SHAPE, params.dtype)
    if n[-1] + batch_dims > len(p):
        raise IncompatibleShapesError(
            f"gather_nd: the last dimension of indices, {n[-1]}, is more than the "
            f"{len(p) - batch_dims} axes of params of shape {params.shape}"
        )
    requirement = (
        f"gather_nd: the first {batch_dims} dimensions of params and indices must be equal"
    )
    batch = merged(TensorShape(p[:batch_dims]), n[:batch_dims], requirement)
    row_dims = n[batch_dims:-1] + p[batch_dims + n[-1] :]
    return TensorSpec(batch + TensorShape(row_dims), params.dtype)


gather_nd_op = define(
    "gather_nd",
    inputs="params indices",
    same_dtype_inputs=None,
    kernel=checked(_gather_nd, _gather_nd_infer),
    infer=_gather_nd_infer,
    grad=lazy_gradient("indexing.gather_nd"),
    node_name="GatherNd", lower=OnArrays(element=elements.gathered_by_tuples),
    samples=lambda: [
        case(spread(0, 1, 3, 2), [[2, 0], [0, 1]], batch_dims=0),
        case(spread(0, 1, 3, 2), [[1]], batch_dims=0),
        case(spread(0, 1, 2, 3), [[1], [2]], batch_dims=1),
    ],
    doc="Gather slices at multi-dimensional indices.",
)


def gather_nd(
    params: TensorLike, indices: TensorLike, batch_dims: int = 0, name: str | None = None
) -> Any:
    """Gather slices at multi-dimensional indices.

    Args:
        params: tensor of any dtype.
        indices: tensor of an integer dtype; its last axis holds an index into the leading axes of
            ``params`` after the batch.
        batch_dims: number of leading axes that ``params`` and ``indices`` share.
    Returns:
        Tensor of the dtype of ``params`` and of shape ``indices.shape[:-1] +
        params.shape[batch_dims + indices.shape[-1]:]``.
    Raises:
        InvalidArgumentError: an index is out of bounds (also an IndexError), or longer than the
            rank of ``params``.
    """
    batch = static_int(batch_dims, "batch_dims")
    return gather_nd_op(params, whole_numbers(indices, "indices"), batch_dims=batch, name=name)


UFUNCS = {"add": np.add, "sub": np.subtract, "max": np.maximum, "min": np.minimum}


def _written(how: str, target: Array, indices: Array, updates: Array) -> Any:
    """``target``, which is ours to change, with the updates written into it."""
    places = _places(indices, target.shape)
    update_shape = indices.shape[:-1] + target.shape[len(places) :]
    if updates.shape != update_shape:
        raise IncompatibleShapesError(
            f"updates must have shape {list(update_shape)} for indices of shape "
            f"{list(indices.shape)} "
            f"and a tensor of shape {list(target.shape)}, got {list(updates.shape)}"
        )
    if how == "update":
        target[places] = updates
    elif how == "add" and places:
        rows = np.ravel_multi_index(places, target.shape[: len(places)])
        add_rows(target, np.asarray(rows).reshape(-1), updates)
    else:
        UFUNCS[how].at(target, places, updates)
    return target


def _scatter_nd(indices: Array, updates: Array, shape: Array) -> Any:
    if updates.dtype.kind == "O":  # of texts the last one counts
        empty = np.full(dims_of(shape), b"", object)
        return _written("update", empty, indices, updates)
    return _written("add", np.zeros(dims_of(shape), updates.dtype), indices, updates)


scatter_nd_op = define(
    "scatter_nd",
    inputs="indices updates shape",
    same_dtype_inputs=np.s_[1:2],
    kernel=_scatter_nd,
    infer=lambda indices, updates, shape: TensorSpec(shape_from(shape), updates.dtype),
    grad=lazy_gradient("indexing.scatter_nd"), lower=OnArrays(plan=loops.added_to_zeros),
    node_name="ScatterNd",
    samples=lambda: [
        case([[1], [3], [1]], [5, 6, 7], [5]),
        case([[0, 1]], [2.5], [2, 2]),
        case([[1]], [[1, 2]], [2, 2]),
    ],
    doc="Add updates to zeros at multi-dimensional indices.",
)


def scatter_nd(
    indices: TensorLike, updates: TensorLike, shape: ShapeLike, name: str | None = None
) -> Any:
    """Scatter slices into a tensor of zeros; slices of equal indices are added.

    Args:
        indices: tensor of an integer dtype; its last axis holds an index into the result.
        updates: tensor of shape ``indices.shape[:-1] + shape[indices.shape[-1]:]``.
        shape: shape of the result; it may be a tensor.
    Returns:
        Tensor of shape ``shape`` and of the dtype of ``updates``.
    Raises:
        InvalidArgumentError: an index is out of bounds (also an IndexError), or the shapes do not
            fit (also a ValueError).
    """
    return scatter_nd_op(
        whole_numbers(indices, "indices"), updates, whole_numbers(shape), name=name
    )


def _tensor_scatter(how: str, node_name: str, doc: str) -> OpDef:
    return define(
        f"tensor_scatter_nd_{how}",
        inputs="tensor updates indices",
        same_dtype_inputs=np.s_[0:2],
        kernel=lambda tensor, updates, indices: _written(how, tensor.copy(), indices, updates),
        infer=same,
        grad=lazy_gradient(f"indexing.scatter_{'extreme' if how in ('max', 'min') else how}"),
        dtype_kinds={"update": "", "add": NUMERIC, "sub": NUMERIC}.get(how, "iuf"),
        node_name=node_name, lower=OnArrays(plan=loops.changed_at_tuples(how)),
        samples=lambda: [
            case([1, 2, 3], [9, 8], [[0], [2]]),
            case(spread(0, 1, 2, 3), spread(0, 1, 1, 3), [[1]]),
            case(array([[1, 5]]), [3], [[0, 1]]),
        ],
        doc=doc,
    )


update_op = _tensor_scatter("update", "TensorScatterUpdate", "Replace slices of a tensor.")
add_op = _tensor_scatter("add", "TensorScatterAdd", "Add updates to slices of a tensor.")
sub_op = _tensor_scatter("sub", "TensorScatterSub", "Subtract updates from slices of a tensor.")
max_op = _tensor_scatter("max", "TensorScatterMax", "Raise slices of a tensor to updates at least.")
min_op = _tensor_scatter("min", "TensorScatterMin", "Lower slices of a tensor to updates at most.")


SCATTER = """{}

Args:
    tensor: tensor of any dtype; of a numeric one to add or subtract, a real one to compare.
    indices: tensor of an integer dtype; its last axis holds an index into ``tensor``.
    updates: tensor of the dtype of ``tensor``, of shape
        ``indices.shape[:-1] + tensor.shape[indices.shape[-1]:]``.
Returns:
    Tensor of the shape and dtype of ``tensor``.
Raises:
    InvalidArgumentError: an index is out of bounds (also an IndexError), the shapes do not fit
        (also a ValueError), or the dtypes do not (also a TypeError).
"""


def _public_scatter(op: OpDef) -> Callable[..., Any]:
    def scatter(
        tensor: TensorLike, indices: TensorLike, updates: TensorLike, name: str | None = None
    ) -> Any:
        return op(tensor, updates, whole_numbers(indices, "indices"), name=name)

    scatter.__name__ = scatter.__qualname__ = op.name
    scatter.__doc__ = SCATTER.format(op.__doc__)
    return scatter


tensor_scatter_nd_update = _public_scatter(update_op)
tensor_scatter_nd_add = _public_scatter(add_op)
tensor_scatter_nd_sub = _public_scatter(sub_op)
tensor_scatter_nd_max = _public_scatter(max_op)
tensor_scatter_nd_min = _public_scatter(min_op)


# TensorFlow 1's names
tensor_scatter_add = tensor_scatter_nd_add
tensor_scatter_sub = tensor_scatter_nd_sub
tensor_scatter_update = tensor_scatter_nd_update


def _slice_dims(dims: Any, begin: Array, size: Array) -> list[tuple[int, int | None]]:
    """The begin and size along each axis; size -1 takes the rest."""
    if begin.shape != (len(dims),) or size.shape != (len(dims),):
        raise IncompatibleShapesError(
            f"slice: begin and size must be vectors of {len(dims)} numbers, one for each axis, "
            f"got shapes {list(begin.shape)} and {list(size.shape)}"
        )
    result: list[tuple[int, int | None]] = []
    for d, b, s in zip(dims, begin.tolist(), size.tolist(), strict=True):
        if b < 0 or s < -1 or (d is not None and b + max(s, 0) > d):
            raise InvalidArgumentError(
                f"slice: begin {begin.tolist()} and size {size.tolist()} do not fit into the "
                f"shape {TensorShape(dims)}"
            )
        result.append((b, s if s >= 0 else None if d is None else d - b))
    return result


def _slice(x: Array, begin: Array, size: Array) -> Any:
    spans = _slice_dims(x.shape, begin, size)
    return x[tuple(np.s_[b : b + (s or 0)] for b, s in spans)]


def _slice_infer(x: TensorSpec, begin: TensorSpec, size: TensorSpec) -> TensorSpec:
    dims = x.shape.dims
    if dims is None and begin.value is not None and size.value is not None:
        dims = (None,) * np.size(begin.value)  # as many as there are numbers
    if dims is None:
        return TensorSpec(TensorShape(shape_from(TensorSpec(size.shape))), x.dtype)
    if begin.value is None or size.value is None:
        return TensorSpec([None] * len(dims), x.dtype)
    return TensorSpec([s for _, s in _slice_dims(dims, begin.value, size.value)], x.dtype)


slice_op = define(
    "slice",
    inputs="input_ begin size",
    same_dtype_inputs=np.s_[0:1],
    kernel=_slice,
    infer=_slice_infer,
    grad=lazy_gradient("indexing.slice_of"),
    node_name="Slice",
    samples=lambda: [
        case(spread(0, 1, 3, 4), [1, 0], [2, -1]),
        case([1, 2, 3], [3], [0]),
        case(["a", "b"], [1], [1]),
    ],
    doc="Extract the block of shape ``size`` that begins at ``begin``.",
)


def _vector(numbers: Any, role: str) -> list[Any]:
    if isinstance(numbers, Value):
        return unstack(numbers)
    if not np.ndim(numbers):
        raise RefusedArgumentError(f"strided_slice: {role} must be a vector, got {numbers!r}")
    return list(numbers)


def strided_slice(input_: TensorLike, begin: TensorLike, end: TensorLike, strides: Any = None,
                  begin_mask: int = 0, end_mask: int = 0, ellipsis_mask: int = 0,
                  new_axis_mask: int = 0, shrink_axis_mask: int = 0, var: Any = None,
                  name: str | None = None) -> Any:  # fmt: skip
    """Slice a tensor along each axis, as ``input_[begin:end:strides]``.

    Bit i of a mask changes entry i of the three vectors.

    Args:
        input_: tensor of any dtype.
        begin: vector of integers: the first index of each axis.
        end: vector of integers: the index after the last one.
        strides: vector of integers other than 0: the steps; ones by default.
        begin_mask: bits of the entries whose ``begin`` is ignored.
        end_mask: bits of the entries whose ``end`` is ignored.
        ellipsis_mask: bit of the entry that stands for ``...``.
        new_axis_mask: bits of the entries that insert an axis of size 1.
        shrink_axis_mask: bits of the entries that take the index ``begin`` alone and remove the
            axis.
        var: ignored.
    Returns:
        Tensor of the dtype of ``input_``.
    Raises:
        InvalidArgumentError: the vectors differ in length (also a ValueError), or an index is out
            of bounds (also an IndexError).
    """
    columns = [_vector(begin, "begin"), _vector(end, "end")]
    columns.append([1] * len(columns[0]) if strides is None else _vector(strides, "strides"))
    if len({len(column) for column in columns}) > 1:
        raise RefusedArgumentError(
            "strided_slice: begin, end and strides must be vectors of one size, got "
            f"{[len(column) for column in columns]} numbers"
        )
    key: list[Any] = []
    for i, (start, stop, step) in enumerate(zip(*columns, strict=True)):
        bit = 1 << i
        if ellipsis_mask & bit:
            key.append(...)
        elif new_axis_mask & bit:
            key.append(None)
        elif shrink_axis_mask & bit:
            key.append(start)
        else:
            first = None if begin_mask & bit else start
            key.append(np.s_[first : None if end_mask & bit else stop : step])
    return getitem(dispatch.convert(input_), tuple(key))


def slice(input_: TensorLike, begin: TensorLike, size: TensorLike, name: str | None = None) -> Any:
    """Extract a block of a tensor.

    Args:
        input_: tensor of any dtype, of rank R.
        begin: R integers: where the block begins.
        size: R integers: the shape of the block; -1 takes the rest of the axis.
    Returns:
        Tensor of shape ``size`` and of the dtype of ``input_``.
    Raises:
        InvalidArgumentError: the block does not lie within the tensor (also a ValueError).
    """
    return slice_op(input_, whole_numbers(begin, "begin"), whole_numbers(size, "size"), name=name)
