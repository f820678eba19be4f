"""Rules of element-wise operators: those of the table, and what takes attributes."""

from __future__ import annotations

from functools import reduce
from typing import Any

import numpy as np

from runtime.export.onnx_models.element_types import dtype_of
from runtime.export.onnx_models.interpreter import READERS, reader, static
from runtime.export.onnx_models.onnx_graph import OnnxNode
from runtime.export.onnx_models.operators import OPERATORS
from runtime.export.onnx_models.ops import ops
from runtime.ops.array.constants import cast, convert_to_tensor
from runtime.types.dtypes import bool_, float32, float64
from runtime.types.errors import UnimplementedError


def number(value: Any, like: Any) -> Any:
    """Return a number of the dtype of a tensor."""
    return np.asarray(value, convert_to_tensor(like).dtype.as_numpy_dtype)


def _one_to_one(op: str) -> Any:
    def read(node: OnnxNode, *inputs: Any) -> Any:
        return getattr(ops, op)(*map(_aligned(node, inputs), range(len(inputs))))

    return read


def _aligned(node: OnnxNode, inputs: Any) -> Any:
    """Return operands; before version 7 the second one has the axes from ``axis`` on."""

    def operand(k: int) -> Any:
        axis = node.attr("axis")
        if k == 0 or axis is None or node.version >= 7 or not node.attr("broadcast"):
            return inputs[k]
        x, y = (convert_to_tensor(value) for value in inputs)
        for _ in range(len(x.shape) - axis - len(y.shape)):
            y = ops.expand_dims(y, axis=-1)
        return y

    return operand


for _row in OPERATORS:
    if _row.both:
        READERS[_row.onnx] = _one_to_one(_row.op)


@reader("Div")
def _div(node: OnnxNode, x: Any, y: Any) -> Any:
    x, y = convert_to_tensor(x), _aligned(node, (x, y))(1)
    return ops.truncatediv(x, y) if x.dtype.is_integer else ops.truediv(x, y)


@reader("Mod")
def _mod(node: OnnxNode, x: Any, y: Any) -> Any:
    return ops.truncatemod(x, y) if node.attr("fmod", 0) else ops.floormod(x, y)


@reader("Pow")
def _pow(node: OnnxNode, x: Any, y: Any) -> Any:
    x, y = convert_to_tensor(x), convert_to_tensor(_aligned(node, (x, y))(1))
    if x.dtype is y.dtype:
        return ops.pow(x, y)
    if x.dtype.is_floating:
        return ops.pow(x, cast(y, x.dtype))
    return cast(ops.pow(cast(x, float64), cast(y, float64)), x.dtype)


def _folded(name: str, op: str) -> None:
    @reader(name)
    def read(node: OnnxNode, *inputs: Any) -> Any:
        return reduce(getattr(ops, op), map(convert_to_tensor, inputs))


_folded("Max", "maximum")
_folded("Min", "minimum")
_folded("Sum", "add")


@reader("Mean")
def _mean(node: OnnxNode, *inputs: Any) -> Any:
    total = reduce(ops.add, map(convert_to_tensor, inputs))
    return total / number(len(inputs), total)


@reader("And", "Or", "Xor")
def _logical(node: OnnxNode, x: Any, y: Any) -> Any:
    y = _aligned(node, (x, y))(1)
    names = {"And": "logical_and", "Or": "logical_or", "Xor": "logical_xor"}
    return getattr(ops, names[node.op_type])(x, y)


@reader("BitShift")
def _shift(node: OnnxNode, x: Any, y: Any) -> Any:
    return (ops.left_shift if node.attr("direction") == "LEFT" else ops.right_shift)(x, y)


@reader("Identity")
def _identity(node: OnnxNode, x: Any) -> Any:
    return x if x is None or isinstance(x, list) else ops.identity(x)


@reader("Cast")
def _cast(node: OnnxNode, x: Any) -> Any:
    return _converted(x, dtype_of(node.attr("to")))


def _converted(x: Any, dtype: Any) -> Any:
    x = convert_to_tensor(x)
    if dtype is None:
        raise UnimplementedError("the runtime has no elements of this type")
    if x.dtype.name == "string" and dtype.name != "string":
        return cast(ops.string_to_number(x, out_type=float64), dtype)
    if dtype.name == "string" and x.dtype.name != "string":
        raise UnimplementedError("ONNX does not say how numbers are written as texts")
    return cast(x, dtype)


@reader("CastLike")
def _cast_like(node: OnnxNode, x: Any, like: Any) -> Any:
    return _converted(x, convert_to_tensor(like).dtype)


@reader("BitCast")
def _bitcast(node: OnnxNode, x: Any) -> Any:
    dtype = dtype_of(node.attr("to"))
    if dtype is None:
        raise UnimplementedError("the runtime has no elements of this type")
    return ops.bitcast(x, type=dtype)


@reader("IsInf")
def _is_inf(node: OnnxNode, x: Any) -> Any:
    infinite = ops.is_inf(x)
    zero = number(0, x)
    if not node.attr("detect_negative", 1):
        infinite = ops.logical_and(infinite, ops.greater(x, zero))
    if not node.attr("detect_positive", 1):
        infinite = ops.logical_and(infinite, ops.less(x, zero))
    return infinite


@reader("Clip")
def _clip(node: OnnxNode, x: Any, low: Any = None, high: Any = None) -> Any:
    low = node.attr("min") if low is None else low
    high = node.attr("max") if high is None else high
    if low is not None:
        x = ops.maximum(x, number(low, x) if isinstance(low, float) else low)
    if high is not None:
        x = ops.minimum(x, number(high, x) if isinstance(high, float) else high)
    return ops.identity(x)


@reader("LeakyRelu")
def _leaky_relu(node: OnnxNode, x: Any) -> Any:
    return ops.leaky_relu(x, alpha=float(node.attr("alpha", 0.01)))


@reader("PRelu")
def _prelu(node: OnnxNode, x: Any, slope: Any) -> Any:
    x, slope = convert_to_tensor(x), convert_to_tensor(slope)
    if node.version < 7 and len(slope.shape) == 1 and len(x.shape) > 2:
        for _ in range(len(x.shape) - 2):
            slope = ops.expand_dims(slope, axis=-1)
    return ops.where(ops.less(x, number(0, x)), x * slope, x)


@reader("Elu")
def _elu(node: OnnxNode, x: Any) -> Any:
    alpha = number(node.attr("alpha", 1.0), x)
    return ops.where(ops.less(x, number(0, x)), alpha * ops.expm1(x), x)


@reader("Selu")
def _selu(node: OnnxNode, x: Any) -> Any:
    alpha = number(node.attr("alpha", 1.67326319217681884765625), x)
    gamma = number(node.attr("gamma", 1.05070102214813232421875), x)
    below = alpha * ops.expm1(ops.minimum(x, number(0, x)))
    return gamma * ops.where(ops.greater(x, number(0, x)), x, below)


@reader("Celu")
def _celu(node: OnnxNode, x: Any) -> Any:
    alpha, zero = number(node.attr("alpha", 1.0), x), number(0, x)
    return ops.maximum(x, zero) + ops.minimum(zero, alpha * ops.expm1(x / alpha))


@reader("ThresholdedRelu")
def _thresholded(node: OnnxNode, x: Any) -> Any:
    return ops.where(ops.greater(x, number(node.attr("alpha", 1.0), x)), x, number(0, x))


@reader("HardSigmoid")
def _hard_sigmoid(node: OnnxNode, x: Any) -> Any:
    x = convert_to_tensor(x)
    alpha, beta = number(node.attr("alpha", 0.2), x), number(node.attr("beta", 0.5), x)
    return ops.maximum(number(0, x), ops.minimum(number(1, x), alpha * x + beta))


@reader("Gelu")
def _gelu(node: OnnxNode, x: Any) -> Any:
    return ops.gelu(x, approximate=node.attr("approximate", "none") == "tanh")


@reader("Shrink")
def _shrink(node: OnnxNode, x: Any) -> Any:
    x = convert_to_tensor(x)
    bias, edge = number(node.attr("bias", 0.0), x), number(node.attr("lambd", 0.5), x)
    low = ops.where(ops.less(x, -edge), x + bias, number(0, x))
    return ops.where(ops.greater(x, edge), x - bias, low)


@reader("Dropout")
def _dropout(node: OnnxNode, x: Any, ratio: Any = None, training: Any = None) -> Any:
    if training is not None and bool(static(training, "whether the model is being trained")):
        if ratio is None or float(static(ratio, "the ratio of Dropout")) != 0.0:
            raise UnimplementedError("dropout for training draws numbers that ONNX does not define")
    x = convert_to_tensor(x)
    kind = bool_ if node.version >= 10 else x.dtype
    return ops.identity(x), ops.ones_like(x, dtype=kind)


@reader("StringConcat")
def _string_concat(node: OnnxNode, x: Any, y: Any) -> Any:
    return ops.add(x, y)


@reader("BlackmanWindow", "HannWindow", "HammingWindow")
def _window(node: OnnxNode, size: Any) -> Any:
    size = cast(convert_to_tensor(size), float64)
    dtype = dtype_of(node.attr("output_datatype", 1)) or float32
    count = size if node.attr("periodic", 1) else size - 1.0
    k = ops.range(np.float64(0), size, np.float64(1))
    angle = k * np.float64(2 * np.pi) / count
    factors = {
        "BlackmanWindow": (0.42, 0.5, 0.08), "HannWindow": (0.5, 0.5, 0.0),
        "HammingWindow": (25 / 46, 21 / 46, 0.0),
    }[node.op_type]  # fmt: skip
    terms = [np.float64(f) for f in factors]
    result = terms[0] - terms[1] * ops.cos(angle) + terms[2] * ops.cos(angle * np.float64(2))
    return cast(result, dtype)
