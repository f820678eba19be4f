"""Rules of tensor arrays: a sequence of their entries, with zeros where nothing was written.

Where the shape of the entries is not known, what stands there has nine axes of size 0: it fits no
entry, so that stacking it fails, and it is not read.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.export.onnx_models.columns import Columns
from runtime.export.onnx_models.graph_writer import GraphWriter, known_value, rule
from runtime.export.onnx_models.node_writer import number_or_refusal
from runtime.export.onnx_models.rules.control import choice
from runtime.export.onnx_models.rules.indexing import as_indices
from runtime.export.onnx_models.rules.lists import index_of, replaced, stacked
from runtime.graph.operation import Operation
from runtime.ops.resource.tensor_array import element_of
from runtime.types.dtypes import int32, int64

_NO_ENTRY = (0,) * 9


@rule("tensor_array")
def _new(writer: GraphWriter, node: Operation, size: str) -> Columns:
    config, element = node.attrs["config"], node.attrs["element"]
    number_or_refusal(config.dtype)
    shape = tuple(element.as_list()) if element.is_fully_defined() else _NO_ENTRY
    empty = np.zeros(shape, config.dtype.as_numpy_dtype)
    count = writer.scope.cast(size, node.inputs[0].dtype, int64)
    count = writer.emit("Reshape", count, writer.scope.ints(1))
    sizes = writer.emit("Concat", count, writer.scope.ints(*shape), axis=0) if shape else count
    rows = writer.emit("Expand", writer.scope.constant(empty), sizes)
    grows = bool(config.dynamic)
    if known_value(node.inputs[0]) is not None and not int(known_value(node.inputs[0])):
        sequence = writer.emit("SequenceEmpty", dtype=number_or_refusal(config.dtype))
        return Columns((sequence,), (config.dtype,), grows)
    sequence = writer.emit("SplitToSequence", rows, axis=0, keepdims=0)
    return Columns((sequence,), (config.dtype,), grows)


def _is_known(tensor: Any) -> bool:
    """Whether empty entries of a tensor array are zeros of a known shape."""
    return bool(element_of(tensor.spec).is_fully_defined())


def _at(writer: GraphWriter, node: Operation, index: str) -> str:
    """Return an index that is not negative."""
    at = index_of(writer, node.inputs[1], index)
    zero = writer.scope.constant(0, int64)
    return writer.scope.require(writer.emit("GreaterOrEqual", at, zero), at)


@rule("tensor_array_write")
def _write(
    writer: GraphWriter, node: Operation, handle: Columns, index: str, value: str
) -> Columns:
    at = _at(writer, node, index)
    if handle.grows:
        return _write_or_append(writer, node, handle, at, value)
    return handle.replaced([replaced(writer, handle.names[0], at, value)])


def _write_or_append(
    writer: GraphWriter, node: Operation, handle: Columns, at: str, value: str
) -> Columns:
    """Replace an entry, or append one; a run fails if that would leave others empty before it."""
    length = writer.emit("SequenceLength", handle.names[0])
    is_there = writer.emit("Less", at, length)
    bodies = []
    for label in ("there", "new"):
        inner = writer.inner(node.graph, node)
        inner.scope.label = f"{node.name}/{label}"
        if label == "there":
            name = replaced(inner, handle.names[0], at, value)
        else:
            is_next = inner.emit("Equal", at, length)
            entry = inner.scope.require(is_next, value)
            name = inner.emit("SequenceInsert", handle.names[0], entry)
        bodies.append((inner, [handle.replaced([name])]))
    (result,) = choice(writer, node, is_there, bodies)
    return result


@rule("tensor_array_read")
def _read(writer: GraphWriter, node: Operation, handle: Columns, index: str) -> list[Any]:
    at = _at(writer, node, index)
    value = writer.emit("SequenceAt", handle.names[0], at)
    if not _is_known(node.inputs[0]):
        axes = writer.emit("Size", writer.emit("Shape", value))
        limit = writer.scope.constant(len(_NO_ENTRY), int64)
        value = writer.scope.require(writer.emit("Not", writer.emit("Equal", axes, limit)), value)
    return [value, handle]


@rule("tensor_array_size")
def _size(writer: GraphWriter, node: Operation, handle: Columns) -> str:
    length = writer.emit("SequenceLength", handle.names[0])
    result = writer.scope.cast(length, int64, int32)
    writer.scope.note_cast(result, length, int64)
    return result


@rule("tensor_array_stack")
def _stack(writer: GraphWriter, node: Operation, handle: Columns) -> str:
    dims = node.outputs[0].shape.dims
    rest = None if dims is None else dims[1:]
    return stacked(writer, handle.names[0], rest, node.attrs["dtype"])


@rule("tensor_array_gather")
def _gather(writer: GraphWriter, node: Operation, handle: Columns, indices: str) -> str:
    dims = node.outputs[0].shape.dims
    rows = stacked(writer, handle.names[0], None if dims is None else dims[1:], node.attrs["dtype"])
    return str(writer.emit("Gather", rows, as_indices(writer, node.inputs[1], indices), axis=0))


@rule("tensor_array_concat")
def _concat(writer: GraphWriter, node: Operation, handle: Columns) -> str:
    return str(writer.emit("ConcatFromSequence", handle.names[0], axis=0, new_axis=0))


@rule("tensor_array_unstack")
def _unstack(writer: GraphWriter, node: Operation, handle: Columns, value: str) -> Columns:
    return handle.replaced([writer.emit("SplitToSequence", value, axis=0, keepdims=0)])
