"""Rules of Python's numbers: a run of the model fails where Python raises, or an int is too large.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.export.onnx_models.graph_writer import GraphWriter, known_value, python_rule
from runtime.export.onnx_models.rules import arithmetic
from runtime.graph.operation import Operation
from runtime.types.dtypes import float64, int64

_MAX, _MIN = np.iinfo(np.int64).max, np.iinfo(np.int64).min


def _fails_unless(writer: GraphWriter, holds: str, value: str) -> str:
    """Return a value; a run fails unless a condition holds, also where nothing uses the value."""
    writer.scope.pending.append(holds)
    return writer.scope.require(holds, value)


def _is_int(node: Operation) -> bool:
    return node.outputs[0].dtype is int64


@python_rule("add")
def _add(writer: GraphWriter, node: Operation, x: str, y: str) -> str:
    total = writer.emit("Add", x, y)
    if not _is_int(node):
        return str(total)
    return _fails_unless(writer, _sum_fits(writer, node, x, y, total), total)


def _sum_fits(writer: GraphWriter, node: Operation, x: str, y: str, total: str) -> str:
    """Return whether a sum has not wrapped around."""
    for number, variable in ((known_value(node.inputs[1]), x), (known_value(node.inputs[0]), y)):
        if number is not None:
            number = int(number)
            if number >= 0:
                limit = writer.scope.constant(_MAX - number, int64)
                return str(writer.emit("LessOrEqual", variable, limit))
            limit = writer.scope.constant(_MIN - number, int64)
            return str(writer.emit("GreaterOrEqual", variable, limit))
    zero = writer.scope.constant(0, int64)
    changed = [writer.emit("BitwiseXor", value, total) for value in (x, y)]
    return str(writer.emit("GreaterOrEqual", writer.emit("BitwiseAnd", *changed), zero))


@python_rule("subtract")
def _subtract(writer: GraphWriter, node: Operation, x: str, y: str) -> str:
    total = writer.emit("Sub", x, y)
    if not _is_int(node):
        return str(total)
    number = known_value(node.inputs[1])
    if number is not None and int(number) != _MIN:
        number = int(number)
        limit = writer.scope.constant(_MIN + number if number >= 0 else _MAX + number, int64)
        holds = writer.emit("GreaterOrEqual" if number >= 0 else "LessOrEqual", x, limit)
        return _fails_unless(writer, holds, total)
    zero = writer.scope.constant(0, int64)
    changed = writer.emit("BitwiseXor", x, y), writer.emit("BitwiseXor", x, total)
    holds = writer.emit("GreaterOrEqual", writer.emit("BitwiseAnd", *changed), zero)
    return _fails_unless(writer, holds, total)


@python_rule("multiply")
def _multiply(writer: GraphWriter, node: Operation, x: str, y: str) -> str:
    product = writer.emit("Mul", x, y)
    if not _is_int(node):
        return str(product)
    # The product of floats is off by less than 2**11 there: what is close to the end fails, too.
    size = writer.emit("Abs", writer.emit("Mul", *[writer.emit("Cast", v, to=11) for v in (x, y)]))
    limit = writer.scope.constant(2.0**63 - 2.0**12, float64)
    return _fails_unless(writer, writer.emit("Less", size, limit), product)


def _not_least(writer: GraphWriter, node: Operation, x: str, result: str) -> str:
    if not _is_int(node):
        return result
    least = writer.scope.constant(_MIN, int64)
    return _fails_unless(writer, writer.emit("Greater", x, least), result)


@python_rule("negative")
def _negative(writer: GraphWriter, node: Operation, x: str) -> str:
    return _not_least(writer, node, x, writer.emit("Neg", x))


@python_rule("abs")
def _abs(writer: GraphWriter, node: Operation, x: str) -> str:
    return _not_least(writer, node, x, writer.emit("Abs", x))


def _not_zero(writer: GraphWriter, node: Operation, y: str) -> str:
    """Return a divisor, which fails if it is 0: Python's floats raise for it, too."""
    value = known_value(node.inputs[1])
    if value is not None and value:
        return y
    zero = writer.scope.constant(0, node.inputs[1].dtype)
    return _fails_unless(writer, writer.emit("Not", writer.emit("Equal", y, zero)), y)


@python_rule("truediv")
def _truediv(writer: GraphWriter, node: Operation, x: str, y: str) -> str:
    y = _not_zero(writer, node, y)
    sides = [
        writer.scope.cast(v, t.dtype, float64) for v, t in zip((x, y), node.inputs, strict=True)
    ]
    if node.inputs[0].dtype is int64:
        # Python divides ints exactly: beyond 2**53 a quotient of floats is another one.
        limit = writer.scope.constant(2**53, int64)
        for value, tensor in zip((x, y), node.inputs, strict=True):
            if known_value(tensor) is None or abs(int(known_value(tensor))) > 2**53:
                small = writer.emit("LessOrEqual", writer.emit("Abs", value), limit)
                sides[0] = _fails_unless(writer, small, sides[0])
    return str(writer.emit("Div", *sides))


@python_rule("floordiv")
def _floordiv(writer: GraphWriter, node: Operation, x: str, y: str) -> Any:
    y = _not_zero(writer, node, y)
    if not _is_int(node):
        return NotImplemented
    value = known_value(node.inputs[1])
    if value is None or int(value) == -1:
        both = writer.emit(
            "And", writer.emit("Equal", x, writer.scope.constant(_MIN, int64)),
            writer.emit("Equal", y, writer.scope.constant(-1, int64)),
        )  # fmt: skip
        x = _fails_unless(writer, writer.emit("Not", both), x)
    return arithmetic.floordiv(writer, node, x, y)


@python_rule("floormod")
def _floormod(writer: GraphWriter, node: Operation, x: str, y: str) -> Any:
    y = _not_zero(writer, node, y)
    return arithmetic.floormod(writer, node, x, y) if _is_int(node) else NotImplemented


@python_rule("maximum", "minimum", "identity", "positive")
def _never_raises(writer: GraphWriter, node: Operation, *inputs: str) -> Any:
    return NotImplemented
