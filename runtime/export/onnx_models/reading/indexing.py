"""Rules of reading and writing at indices."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.export.onnx_models.interpreter import NeedsValueError, ints, reader
from runtime.export.onnx_models.onnx_graph import OnnxNode
from runtime.export.onnx_models.ops import ops
from runtime.export.onnx_models.reading.shapes import rank_of, sizes
from runtime.ops.array.constants import cast, convert_to_tensor
from runtime.ops.array.indexing import getitem
from runtime.types.dtypes import int64
from runtime.types.errors import UnimplementedError


@reader("Slice")
def _slice(node: OnnxNode, x: Any, starts: Any = None, ends: Any = None, axes: Any = None,
           steps: Any = None) -> Any:  # fmt: skip
    x = convert_to_tensor(x)
    bounds: list[Any] = []
    for name, value in (("starts", starts), ("ends", ends)):
        bounds.append(node.attr(name) if value is None else _numbers(value))
    count = len(bounds[0])
    named = node.attr("axes") if axes is None else ints(axes, "the axes")
    at = list(range(count)) if named is None else named
    strides = [1] * count if steps is None else ints(steps, "the steps")
    rank = rank_of(x)
    key: list[Any] = [slice(None)] * rank
    for axis, start, end, step in zip(at, *bounds, strides or [], strict=True):
        if step < 0 and isinstance(end, int) and end < -(2**31) + 2:
            end = None  # before the first entry
        key[axis % rank] = slice(start, end, step)
    return getitem(x, tuple(key))


def _numbers(value: Any) -> list[Any]:
    """Return the numbers of a vector: ints, or scalars that a run knows."""
    try:
        return ints(value, "") or []
    except UnimplementedError:
        vector = convert_to_tensor(value)
        count = vector.shape.dims[0]
        if count is None:
            raise
        return [getitem(vector, (k,)) for k in range(count)]


def from_start(indices: Any, size: Any) -> Any:
    """Return indices of which negative ones count from the end, counted from the start."""
    wide = cast(indices, int64)
    return ops.where(ops.less(wide, np.int64(0)), wide + size, wide)


@reader("Gather")
def _gather(node: OnnxNode, x: Any, indices: Any) -> Any:
    x = convert_to_tensor(x)
    axis = node.attr("axis", 0) % rank_of(x)
    at = from_start(convert_to_tensor(indices), getitem(sizes(x), (axis,)))
    return ops.gather(x, at, axis=axis, batch_dims=0)


@reader("GatherElements")
def _gather_elements(node: OnnxNode, x: Any, indices: Any) -> Any:
    x, indices = convert_to_tensor(x), convert_to_tensor(indices)
    rank = rank_of(x)
    axis = node.attr("axis", 0) % rank
    dims, places = x.shape.dims, indices.shape.dims
    if places is None:
        raise NeedsValueError("the shape of the indices has to be known before the run")
    if dims[:axis] + dims[axis + 1 :] == places[:axis] + places[axis + 1 :]:
        return ops.take_along(x, indices, axis=axis)
    return ops.gather_nd(x, _tuples(x, indices, axis), batch_dims=0)


def _tuples(x: Any, indices: Any, axis: int) -> Any:
    """Return, for each index along an axis, the indices of all axes."""
    shape = sizes(indices)
    rank = rank_of(indices)
    columns = []
    for k in range(rank):
        if k == axis:
            column = from_start(indices, getitem(sizes(x), (axis,)))
        else:
            numbers = ops.range(np.int64(0), getitem(shape, (k,)), np.int64(1))
            for _ in range(rank - 1 - k):
                numbers = ops.expand_dims(numbers, axis=-1)
            column = ops.broadcast_to(numbers, shape)
        columns.append(column)
    return ops.stack(*columns, axis=-1)


def _nd_indices(x: Any, indices: Any, first: int = 0) -> Any:
    """Return tuples of indices counted from the start."""
    depth = indices.shape.dims[-1]
    if depth is None:
        raise NeedsValueError("the number of axes that indices take is not known")
    return from_start(indices, getitem(sizes(x), (slice(first, first + depth),)))


@reader("GatherND")
def _gather_nd(node: OnnxNode, x: Any, indices: Any) -> Any:
    x, indices = convert_to_tensor(x), convert_to_tensor(indices)
    batch = node.attr("batch_dims", 0)
    return ops.gather_nd(x, _nd_indices(x, indices, batch), batch_dims=batch)


_WRITES = {
    "none": "tensor_scatter_nd_update", "add": "tensor_scatter_nd_add",
    "max": "tensor_scatter_nd_max", "min": "tensor_scatter_nd_min",
}  # fmt: skip


def _written(node: OnnxNode, x: Any, places: Any, updates: Any) -> Any:
    how = node.attr("reduction", "none")
    if how == "mul":
        return _multiplied(x, places, updates)
    if how not in _WRITES:
        raise NeedsValueError(f"the reduction {how!r} is not known")
    return getattr(ops, _WRITES[how])(x, updates, places)


def _multiplied(x: Any, places: Any, updates: Any) -> Any:
    """Multiply elements one update after the other: an index may occur several times."""
    depth, dims = places.shape.dims[-1], places.shape.dims
    if None in dims:
        raise NeedsValueError("the number of updates has to be known before the run")
    count = int(np.prod(dims[:-1]))
    flat_places = ops.reshape(places, np.array([count, depth]))
    rest = list(x.shape.dims[depth:])
    flat = ops.reshape(updates, np.array([count, *rest], np.int64))
    for k in range(count):
        at = getitem(flat_places, (slice(k, k + 1),))
        old = ops.gather_nd(x, at, batch_dims=0)
        x = ops.tensor_scatter_nd_update(x, old * getitem(flat, (slice(k, k + 1),)), at)
    return x


@reader("ScatterND")
def _scatter_nd(node: OnnxNode, x: Any, indices: Any, updates: Any) -> Any:
    x, indices = convert_to_tensor(x), convert_to_tensor(indices)
    return _written(node, x, _nd_indices(x, indices), updates)


@reader("ScatterElements", "Scatter")
def _scatter_elements(node: OnnxNode, x: Any, indices: Any, updates: Any) -> Any:
    x, indices = convert_to_tensor(x), convert_to_tensor(indices)
    axis = node.attr("axis", 0) % rank_of(x)
    return _written(node, x, _tuples(x, indices, axis), updates)


@reader("NonZero")
def _nonzero(node: OnnxNode, x: Any) -> Any:
    x = convert_to_tensor(x)
    truth = x if x.dtype.name == "bool" else ops.not_equal(x, np.zeros((), x.dtype.as_numpy_dtype))
    return ops.transpose(ops.argwhere(truth), np.array([1, 0]))


@reader("Compress")
def _compress(node: OnnxNode, x: Any, condition: Any) -> Any:
    x = convert_to_tensor(x)
    places = getitem(ops.argwhere(condition), (slice(None), 0))
    axis = node.attr("axis")
    if axis is None:
        return ops.gather(ops.reshape(x, np.array([-1])), places, axis=0, batch_dims=0)
    return ops.gather(x, places, axis=axis % rank_of(x), batch_dims=0)


@reader("OneHot")
def _one_hot(node: OnnxNode, indices: Any, depth: Any, values: Any) -> Any:
    indices = cast(convert_to_tensor(indices), int64)
    count = cast(ops.reshape(depth, np.zeros(0, np.int64)), int64)
    indices = ops.where(ops.less(indices, np.int64(0)), indices + count, indices)
    off, on = (getitem(convert_to_tensor(values), (k,)) for k in (0, 1))
    return ops.one_hot(indices, count, on, off, axis=node.attr("axis", -1))


@reader("ReverseSequence")
def _reverse_sequence(node: OnnxNode, x: Any, lengths: Any) -> Any:
    return ops.reverse_sequence(
        x, lengths, seq_axis=node.attr("time_axis", 0), batch_axis=node.attr("batch_axis", 1)
    )
