"""Rules of element-wise operations; division of integers fails where the runtime raises."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.export.onnx_models.graph_writer import RULES, GraphWriter, known_value, rule
from runtime.export.onnx_models.node_writer import number_or_refusal
from runtime.export.onnx_models.onnx_gap import OnnxGap
from runtime.export.onnx_models.operators import OPERATORS, Operator
from runtime.graph.operation import Operation
from runtime.types.dtypes import bool_, float32, float64, int32, int64


def _enter(row: Operator) -> None:
    def write(writer: GraphWriter, node: Operation, *inputs: str) -> Any:
        number_or_refusal(node.inputs[-1].dtype)
        if np.dtype(node.inputs[-1].dtype.as_numpy_dtype).kind not in _kinds_of(row):
            return NotImplemented
        return writer.emit(row.onnx, *inputs)

    RULES[row.op] = write


def _kinds_of(row: Operator) -> str:
    """The kinds of a row; bfloat16 is of NumPy's kind of raw bytes."""
    return f"{row.kinds}V" if "f" in row.kinds else row.kinds


for _row in OPERATORS:
    _enter(_row)


@rule("identity", "stop_gradient", "positive")
def _same(writer: GraphWriter, node: Operation, x: str) -> str:
    return x


@rule("cast")
def _cast(writer: GraphWriter, node: Operation, x: str) -> str:
    old, new = node.inputs[0].dtype, node.attrs["dtype"]
    number_or_refusal(old)
    return writer.scope.cast(x, old, new)


@rule("strengthen")
def _strengthen(writer: GraphWriter, node: Operation, x: str) -> str:
    old, new = node.inputs[0].dtype, node.attrs["dtype"]
    result = writer.scope.cast(x, old, new)
    if not (old.is_integer and new.is_integer and new.size < old.size) or result == x:
        return result
    low, high = (writer.scope.constant(limit, old) for limit in (new.min, new.max))
    fits = writer.emit(
        "And", writer.emit("LessOrEqual", low, x), writer.emit("LessOrEqual", x, high)
    )
    return required(writer, node, fits, result)


def required(writer: GraphWriter, node: Operation, holds: str, value: str) -> str:
    """Return a value; running the model fails unless a condition holds for all elements."""
    is_scalar = all(t.shape.rank == 0 for t in node.inputs)
    return writer.scope.require(writer.scope.all_true(holds, is_scalar), value)


def divisor(writer: GraphWriter, node: Operation, y: str, raises_for_floats: bool = False) -> str:
    """Return the divisor of a division of integers, which fails if an element is 0.

    ONNX does not say what a division by 0 gives, and a processor stops the program.
    """
    tensor = node.inputs[1]
    value = known_value(tensor)
    if value is not None and np.all(value):
        return y
    if value is not None and np.ndim(value) == 0:
        raise OnnxGap("it always divides by zero")
    zero = writer.scope.constant(0, tensor.dtype)
    nonzero = writer.emit("Not", writer.emit("Equal", y, zero))
    holds = writer.scope.all_true(nonzero, tensor.shape.rank == 0)
    return writer.scope.require(holds, y)


def quotient(writer: GraphWriter, node: Operation, x: str, y: str) -> str:
    """Return the quotient of integers, rounded towards zero.

    The least integer divided by -1 has none: it wraps around as in NumPy, and is not divided, which
    would stop the program.
    """
    tensor = node.inputs[1]
    value = known_value(tensor)
    if tensor.dtype.is_unsigned or (value is not None and not np.any(value == -1)):
        return str(writer.emit("Div", x, y))
    minus_one, one = (writer.scope.constant(n, tensor.dtype) for n in (-1, 1))
    is_minus_one = writer.emit("Equal", y, minus_one)
    safe = writer.emit("Where", is_minus_one, one, y)
    negated, divided = writer.emit("Neg", x), writer.emit("Div", x, safe)
    return str(writer.emit("Where", is_minus_one, negated, divided))


def _safe_modulus(writer: GraphWriter, node: Operation, y: str) -> str:
    """Return a divisor with 1 in place of -1, which leaves the same remainder."""
    tensor = node.inputs[1]
    value = known_value(tensor)
    if tensor.dtype.is_unsigned or (value is not None and not np.any(value == -1)):
        return y
    minus_one, one = (writer.scope.constant(n, tensor.dtype) for n in (-1, 1))
    return str(writer.emit("Where", writer.emit("Equal", y, minus_one), one, y))


@rule("floordiv")
def floordiv(writer: GraphWriter, node: Operation, x: str, y: str) -> Any:
    """Write Python's division of integers: rounded down."""
    dtype = node.inputs[0].dtype
    if not dtype.is_integer:
        return NotImplemented
    y = divisor(writer, node, y)
    towards_zero = quotient(writer, node, x, y)
    if dtype.is_unsigned:
        return towards_zero
    rest = writer.emit("Sub", x, writer.emit("Mul", towards_zero, y))
    zero = writer.scope.constant(0, dtype)
    is_negative = writer.emit("Less", rest, zero)
    value = known_value(node.inputs[1])
    if value is None or not np.all(value > 0):
        opposite = writer.emit("Xor", is_negative, writer.emit("Less", y, zero))
        has_rest = writer.emit("Not", writer.emit("Equal", rest, zero))
        is_negative = writer.emit("And", opposite, has_rest)
    less = writer.emit("Cast", is_negative, to=number_or_refusal(dtype))
    return writer.emit("Sub", towards_zero, less)


@rule("floormod")
def floormod(writer: GraphWriter, node: Operation, x: str, y: str) -> Any:
    """Write Python's remainder of integers, which has the sign of the divisor."""
    if not node.inputs[0].dtype.is_integer:
        return NotImplemented
    y = divisor(writer, node, y)
    return writer.emit("Mod", x, _safe_modulus(writer, node, y), fmod=0)


@rule("truncatediv")
def _truncatediv(writer: GraphWriter, node: Operation, x: str, y: str) -> Any:
    if not node.inputs[0].dtype.is_integer:
        return NotImplemented
    return quotient(writer, node, x, divisor(writer, node, y))


@rule("truncatemod")
def _truncatemod(writer: GraphWriter, node: Operation, x: str, y: str) -> Any:
    if node.inputs[0].dtype.is_integer:
        y = _safe_modulus(writer, node, divisor(writer, node, y))
    return writer.emit("Mod", x, y, fmod=1)


_plain_add = RULES["add"]


@rule("add")
def _add(writer: GraphWriter, node: Operation, x: str, y: str) -> Any:
    if node.inputs[0].dtype.name == "string":
        return writer.emit("StringConcat", x, y)
    return _plain_add(writer, node, x, y)


@rule("truediv")
def _truediv(writer: GraphWriter, node: Operation, x: str, y: str) -> str:
    dtype = node.inputs[0].dtype
    if dtype.is_integer:
        wide = float32 if dtype.size <= 2 else float64
        x, y = (writer.scope.cast(value, dtype, wide) for value in (x, y))
    number_or_refusal(dtype)
    return str(writer.emit("Div", x, y))


_float_pow = RULES["pow"]


@rule("pow")
def _pow(writer: GraphWriter, node: Operation, x: str, y: str) -> Any:
    base, exponent = node.inputs
    if not base.dtype.is_integer:
        return _float_pow(writer, node, x, y)
    value = known_value(exponent)
    if value is None or np.any(value < 0) or np.size(value) != 1 or np.max(value) > 8:
        raise OnnxGap(
            "ONNX' power of integers may be computed with floats, which round: raise floats, or "
            "multiply"
        )
    return _product(writer, node, x, int(np.max(value)))


def _product(writer: GraphWriter, node: Operation, x: str, count: int) -> str:
    """Return a power as a product; of no factors ones."""
    if not count:
        one = writer.scope.constant(1, node.inputs[0].dtype)
        return str(writer.emit("Expand", one, writer.emit("Shape", x)))
    result = x
    for _ in range(count - 1):
        result = writer.emit("Mul", result, x)
    return result


@rule("not_equal")
def _not_equal(writer: GraphWriter, node: Operation, x: str, y: str) -> str:
    number_or_refusal(node.inputs[0].dtype)
    return str(writer.emit("Not", writer.emit("Equal", x, y)))


def _bits(name: str, of_bools: str, of_ints: str) -> None:
    @rule(name)
    def write(writer: GraphWriter, node: Operation, *inputs: str) -> Any:
        return writer.emit(of_bools if node.inputs[0].dtype is bool_ else of_ints, *inputs)


_bits("bitwise_and", "And", "BitwiseAnd")
_bits("bitwise_or", "Or", "BitwiseOr")
_bits("bitwise_xor", "Xor", "BitwiseXor")
_bits("invert", "Not", "BitwiseNot")


@rule("increment")
def _increment(writer: GraphWriter, node: Operation, x: str) -> str:
    return str(writer.emit("Add", x, writer.scope.constant(1, node.inputs[0].dtype)))


@rule("truth")
def _truth(writer: GraphWriter, node: Operation, x: str) -> str:
    if node.inputs[0].shape.num_elements() != 1:
        raise OnnxGap("an array has one truth only if it has one element, which is not known")
    if node.inputs[0].dtype.name == "string":
        empty = writer.scope.constant(np.array(b"", object))
        result = writer.emit("Not", writer.emit("Equal", x, empty))
    else:
        result = writer.scope.cast(x, node.inputs[0].dtype, bool_)
    if node.inputs[0].shape.rank:
        result = writer.emit("Reshape", result, writer.scope.constant(np.zeros(0, np.int64)))
    return result


@rule("relu6")
def _relu6(writer: GraphWriter, node: Operation, x: str) -> Any:
    if not node.inputs[0].dtype.is_floating:
        return NotImplemented
    zero, six = (writer.scope.constant(n, node.inputs[0].dtype) for n in (0, 6))
    return writer.emit("Clip", x, zero, six)


@rule("leaky_relu")
def _leaky_relu(writer: GraphWriter, node: Operation, x: str) -> Any:
    return writer.emit("LeakyRelu", x, alpha=float(node.attrs["alpha"]))


@rule("gelu")
def _gelu(writer: GraphWriter, node: Operation, x: str) -> Any:
    approximate = "tanh" if node.attrs["approximate"] else "none"
    return writer.emit("Gelu", x, approximate=approximate)


@rule("is_inf")
def _is_inf(writer: GraphWriter, node: Operation, x: str) -> Any:
    dtype = node.inputs[0].dtype
    if not dtype.is_floating:
        return NotImplemented
    return writer.emit("IsInf", x)


@rule("compare_numbers")
def _compare_numbers(writer: GraphWriter, node: Operation, x: str, y: str) -> str:
    """Write a comparison of Python's numbers: exact where an int meets a float."""
    left, right = node.inputs
    wide = float64 if left.dtype.is_floating or right.dtype.is_floating else int64
    sides = []
    for tensor, value in ((left, x), (right, y)):
        result = writer.scope.cast(value, tensor.dtype, wide)
        if wide is float64 and tensor.dtype is int64 and known_value(tensor) is None:
            limit = writer.scope.constant(2**53, int64)
            exact = writer.emit("LessOrEqual", writer.emit("Abs", value), limit)
            result = writer.scope.require(exact, result)
        sides.append(result)
    operators = {"<": "Less", "<=": "LessOrEqual", ">": "Greater", ">=": "GreaterOrEqual",
                 "==": "Equal", "!=": "Equal"}  # fmt: skip
    result = writer.emit(operators[node.attrs["sign"]], *sides)
    return str(writer.emit("Not", result) if node.attrs["sign"] == "!=" else result)


@rule("range_size")
def range_size(writer: GraphWriter, node: Operation, start: str, limit: str, delta: str) -> str:
    """Write the number of items of a range; floats are divided in their own dtype."""
    dtype = node.inputs[0].dtype
    step = known_value(node.inputs[2])
    if step is None or not step:
        raise OnnxGap("the step of a range is not known before the run")
    if dtype.is_integer:
        start, limit, delta = (writer.scope.cast(v, dtype, int64) for v in (start, limit, delta))
        distance = writer.emit("Sub", limit, start)
        if step < 0:
            distance = writer.emit("Neg", distance)
        size = abs(int(step))
        if size != 1:
            rest = writer.scope.constant(size - 1, int64)
            distance = writer.emit("Add", distance, rest)
            distance = writer.emit("Div", distance, writer.scope.constant(size, int64))
        return str(writer.emit("Max", distance, writer.scope.constant(0, int64)))
    steps = writer.emit("Div", writer.emit("Sub", limit, start), delta)  # in its own dtype
    count = writer.emit("Ceil", writer.scope.cast(steps, dtype, float64))
    return str(writer.emit("Max", writer.scope.cast(count, float64, int64),
                           writer.scope.constant(0, int64)))  # fmt: skip


@rule("range_item")
def _range_item(writer: GraphWriter, node: Operation, k: str, start: str, delta: str) -> str:
    dtype = node.inputs[1].dtype
    wide = int64 if dtype.is_integer else float64
    number = writer.scope.cast(k, node.inputs[0].dtype, wide)
    start, delta = (writer.scope.cast(value, dtype, wide) for value in (start, delta))
    step, first = (known_value(t) for t in (node.inputs[2], node.inputs[1]))
    item = number if step is not None and step == 1 else writer.emit("Mul", number, delta)
    if first is None or first:
        item = writer.emit("Add", item, start)
    result = writer.scope.cast(item, wide, dtype)
    if dtype is int32:
        writer.scope.note_cast(result, item, wide)
    return result
