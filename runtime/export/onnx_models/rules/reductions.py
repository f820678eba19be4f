"""Rules of reductions: one for all ops that declare ``Reduces``, and the weights of softmax."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.export.onnx_models.graph_writer import KIND_RULES, GraphWriter, known_dims, rule
from runtime.export.onnx_models.node_writer import number_or_refusal
from runtime.export.onnx_models.onnx_gap import OnnxGap
from runtime.graph.operation import Operation
from runtime.ops.rules.lowering import Composes, Reduces, composition
from runtime.types.dtypes import bool_, float64, int32

_OPERATORS = {"add": "ReduceSum", "mul": "ReduceProd", "max": "ReduceMax", "min": "ReduceMin"}
"""Native opcode of two elements -> operator that reduces by it."""


def _reduces(writer: GraphWriter, node: Operation, x: str) -> str:
    kind: Any = node.op_def.lower
    tensor, result = node.inputs[0], node.outputs[0]
    number_or_refusal(tensor.dtype)
    if kind.opcode in ("or", "and"):
        return _of_truths(writer, node, x, kind.opcode)
    if np.dtype(tensor.dtype.as_numpy_dtype).kind not in f"{kind.kinds}V":
        raise OnnxGap("ONNX divides the sum of integers otherwise: cast them to floats before")
    if node.op_def.name.startswith("numpy_") and not tensor.shape.num_elements():
        raise OnnxGap("NumPy raises for an empty array, and the sizes are not known")
    axis, keepdims = node.attrs["axis"], node.attrs["keepdims"]
    if tensor.dtype.is_integer and tensor.dtype.size < 4 and result.dtype is tensor.dtype:
        # ONNX reduces integers of 32 bits or more; narrowing wraps around as in NumPy.
        wide = writer.emit("Cast", x, to=7)
        total = reduced(writer, _OPERATORS[kind.opcode], wide, axis, keepdims)
        return str(writer.emit("Cast", total, to=number_or_refusal(tensor.dtype)))
    x = writer.scope.cast(x, tensor.dtype, result.dtype)
    if kind.mean and not _has_elements(tensor, axis):
        return _mean(writer, node, x, result.dtype)
    operator = "ReduceMean" if kind.mean else _OPERATORS[kind.opcode]
    extreme = reduced(writer, operator, x, axis, keepdims)
    if kind.opcode not in ("max", "min") or not result.dtype.is_floating:
        return extreme
    # Of NaN and others the extreme is NaN here; ONNX leaves it open.
    numbers = writer.emit("Cast", writer.emit("IsNaN", x), to=6)
    count = reduced(writer, "ReduceSum", numbers, axis, keepdims)
    is_nan = writer.emit("Greater", count, writer.scope.constant(0, int32))
    nan = writer.scope.constant(np.nan, result.dtype)
    return str(writer.emit("Where", is_nan, nan, extreme))


def _has_elements(tensor: Any, axis: Any) -> bool:
    """Whether a reduction along axes is known to combine elements: no sizes are 0."""
    dims = tensor.shape.dims
    if dims is None:
        return False
    axes = range(len(dims)) if axis is None else (axis,) if isinstance(axis, int) else axis
    return all(dims[a] for a in axes)


def _mean(writer: GraphWriter, node: Operation, x: str, dtype: Any) -> str:
    """Return the sum by the count: of no elements NaN, where ONNX leaves the mean open."""
    axis, keepdims = node.attrs["axis"], node.attrs["keepdims"]
    total = reduced(writer, "ReduceSum", x, axis, keepdims)
    ones = writer.emit("Expand", writer.scope.constant(1, float64), writer.emit("Shape", x))
    count = reduced(writer, "ReduceSum", ones, axis, keepdims)
    return str(writer.emit("Div", total, writer.scope.cast(count, float64, dtype)))


def reduced(writer: GraphWriter, operator: str, x: str, axis: Any, keepdims: bool) -> str:
    """Write a reduction along axes, all of them if ``axis`` is None."""
    axes = [axis] if isinstance(axis, int) else axis
    if axes is None:
        return str(writer.emit(operator, x, keepdims=int(keepdims)))
    if not len(axes):
        return x
    return str(writer.emit(operator, x, writer.scope.ints(*axes), keepdims=int(keepdims)))


def _of_truths(writer: GraphWriter, node: Operation, x: str, opcode: str) -> str:
    """Count the true elements, or for ``and`` the false ones: of no elements that is right, too."""
    counted = writer.emit("Not", x) if opcode == "and" else x
    numbers = writer.emit("Cast", counted, to=6)
    count = reduced(writer, "ReduceSum", numbers, node.attrs["axis"], node.attrs["keepdims"])
    zero = writer.scope.constant(0, int32)
    return str(writer.emit("Equal" if opcode == "and" else "Greater", count, zero))


KIND_RULES[Reduces] = _reduces


def _composes(writer: GraphWriter, node: Operation, *inputs: str) -> Any:
    kind: Any = node.op_def.lower
    for tensor in node.inputs:
        number_or_refusal(tensor.dtype)
        if tensor.dtype.name == "string":
            raise OnnxGap("ONNX has no such operator on texts")
        known_dims(tensor)
    return writer.composed(node, inputs, composition(kind.name))


KIND_RULES[Composes] = _composes


@rule("softmax")
def _softmax(writer: GraphWriter, node: Operation, x: str) -> str:
    number_or_refusal(node.inputs[0].dtype)
    return str(writer.emit("Softmax", x, axis=int(node.attrs["axis"])))


@rule("log_softmax")
def _log_softmax(writer: GraphWriter, node: Operation, x: str) -> str:
    number_or_refusal(node.inputs[0].dtype)
    return str(writer.emit("LogSoftmax", x, axis=int(node.attrs["axis"])))


@rule("reduce_any", "reduce_all")
def _truths(writer: GraphWriter, node: Operation, x: str) -> str:
    if node.inputs[0].dtype is not bool_:
        raise OnnxGap("its input is no bool")
    kind: Any = node.op_def.lower
    return _of_truths(writer, node, x, kind.opcode)
