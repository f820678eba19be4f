"""Rules of lists of arrays: sequences, one for each value of an entry.

The entries of a sequence have one dtype and any shapes.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from runtime.export.onnx_models.columns import Columns, columns_of_new
from runtime.export.onnx_models.graph_writer import GraphWriter, rule
from runtime.export.onnx_models.node_writer import number_or_refusal
from runtime.export.onnx_models.onnx_gap import OnnxGap
from runtime.graph.operation import Operation
from runtime.types.dtypes import int64, variant


def _each(writer: GraphWriter, operator: str, handle: Columns, *inputs: str) -> Columns:
    """Apply an operator to all sequences of a list."""
    return handle.replaced([writer.emit(operator, name, *inputs) for name in handle.names])


def _check_width(handle: Columns, tensors: Sequence[Any]) -> None:
    dtypes = tuple(tensor.dtype for tensor in tensors)
    if variant in dtypes:
        raise OnnxGap("ONNX has no lists of lists")
    if dtypes != handle.dtypes:
        raise OnnxGap("the entries of a list must have the same types in ONNX")


@rule("list_new")
def _new(writer: GraphWriter, node: Operation, *values: str) -> Columns:
    width, count = node.attrs["width"], node.attrs["count"]
    if not count:
        dtypes = columns_of_new(writer.model, node.outputs[0])
        empty = [writer.emit("SequenceEmpty", dtype=number_or_refusal(d)) for d in dtypes]
        return Columns(tuple(empty), dtypes)
    if not width:
        raise OnnxGap("the entries of this list hold nothing")
    dtypes = tuple(tensor.dtype for tensor in node.inputs[:width])
    if variant in dtypes:
        raise OnnxGap("ONNX has no lists of lists")
    for k in range(count):
        _check_width(Columns((), dtypes), node.inputs[k * width : (k + 1) * width])
    names = [writer.emit("SequenceConstruct", *values[column::width]) for column in range(width)]
    return Columns(tuple(names), dtypes)


@rule("list_len")
def _len(writer: GraphWriter, node: Operation, handle: Columns) -> str:
    return str(writer.emit("SequenceLength", handle.names[0]))


@rule("list_push")
def _push(writer: GraphWriter, node: Operation, handle: Columns, *values: str) -> Columns:
    _check_width(handle, node.inputs[1:])
    pairs = zip(handle.names, values, strict=True)
    return handle.replaced([writer.emit("SequenceInsert", name, value) for name, value in pairs])


def index_of(writer: GraphWriter, tensor: Any, index: str) -> str:
    """Return an index, which ONNX counts from the end if it is negative, and checks."""
    at = writer.scope.cast(index, tensor.dtype, int64)
    if tensor.shape.rank:
        at = writer.emit("Reshape", at, writer.scope.constant(np.zeros(0, np.int64)))
    return at


@rule("list_item")
def _item(writer: GraphWriter, node: Operation, handle: Columns, index: str) -> list[str]:
    _check_width(handle, node.outputs)
    at = index_of(writer, node.inputs[1], index)
    return [writer.emit("SequenceAt", name, at) for name in handle.names]


@rule("list_set")
def _set(
    writer: GraphWriter, node: Operation, handle: Columns, index: str, *values: str
) -> Columns:
    _check_width(handle, node.inputs[2:])
    at = index_of(writer, node.inputs[1], index)
    zero = writer.scope.constant(0, int64)
    from_start = writer.emit("Add", at, _len(writer, node, handle))
    place = writer.emit("Where", writer.emit("Less", at, zero), from_start, at)
    place = writer.scope.require(writer.emit("GreaterOrEqual", place, zero), place)
    pairs = zip(handle.names, values, strict=True)
    return handle.replaced([replaced(writer, name, place, value) for name, value in pairs])


def replaced(writer: GraphWriter, sequence: str, at: str, value: str) -> str:
    """Return a sequence with another entry at an index that is not negative.

    The entry is put in before the old one, which is then taken out: the evaluator of ONNX puts an
    entry that is to be the last one first.
    """
    longer = writer.emit("SequenceInsert", sequence, value, at)
    behind = writer.emit("Add", at, writer.scope.constant(1, int64))
    return str(writer.emit("SequenceErase", longer, behind))


@rule("list_without")
def _without(writer: GraphWriter, node: Operation, handle: Columns, index: str) -> Columns:
    return _each(writer, "SequenceErase", handle, index_of(writer, node.inputs[1], index))


@rule("list_pop")
def _pop(writer: GraphWriter, node: Operation, handle: Columns) -> list[Any]:
    _check_width(handle, node.outputs[1:])
    last = writer.scope.constant(-1, int64)
    items = [writer.emit("SequenceAt", name, last) for name in handle.names]
    return [_each(writer, "SequenceErase", handle), *items]


@rule("list_stack")
def _stack(writer: GraphWriter, node: Operation, handle: Columns) -> str:
    """Write the entries as one array; of an empty list the sizes have to be known."""
    _check_width(handle, node.outputs)
    spec = node.attrs["spec"]
    return stacked(writer, handle.names[0], spec.shape.dims, spec.dtype)


def stacked(writer: GraphWriter, sequence: str, dims: Any, dtype: Any) -> str:
    """Return the entries along a new first axis.

    ConcatFromSequence fails for no entries: where the sizes are known, one more stands behind them.
    """
    if dims is None or None in dims:
        return str(writer.emit("ConcatFromSequence", sequence, axis=0, new_axis=1))
    zeros = writer.scope.constant(np.zeros(tuple(dims), dtype.as_numpy_dtype))
    longer = writer.emit("SequenceInsert", sequence, zeros)
    rows = writer.emit("ConcatFromSequence", longer, axis=0, new_axis=1)
    first, last = writer.scope.ints(0), writer.scope.ints(-1)
    return str(writer.emit("Slice", rows, first, last, first))
