"""Python's own numbers in generated code (python_codegen.py).

A weak tensor stands for a Python number.  In loops generated code holds such values as Python's
ints, floats and bools, and computes with Python's operators, which is several times faster than
NumPy's on single numbers.  Ints are checked to have 64 bits, as the kernels do
(python_scalar_kernels.py).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from runtime.engine.python_scalar_kernels import as_int64, is_pythons
from runtime.graph.operation import Operation
from runtime.ops.op import CAST, COMPARISON
from runtime.types.dtypes import bool_, float64, int64

_LEAST, _MOST = int64.min, int64.max
_NUMBERS = (int64, float64)
_NUMPY = {int64: np.int64, float64: np.float64, bool_: np.bool_}
_KINDS = {int: np.int64, float: np.float64, bool: np.bool_}


def check_size(number: int) -> None:
    """Raise NumberSizeError, as the kernels do, for an int of more than 64 bits."""
    as_int64(number)


def is_number(tensor: Any) -> bool:
    """Return whether a tensor stands for one Python int or float."""
    return tensor.weak and tensor.spec.shape.dims == () and tensor.dtype in _NUMBERS


def is_held(tensor: Any) -> bool:
    """Return whether loops hold a tensor as a Python number or bool."""
    return is_number(tensor) or (
        tensor.weak and tensor.spec.shape.dims == () and tensor.dtype is bool_
    )


def numpy_type(tensor: Any) -> Any:
    """Return the NumPy scalar type of a tensor that is held as a Python number."""
    return _NUMPY[tensor.dtype]


def as_numpy(value: Any) -> Any:
    """Return a value of generated code as a kernel's value, for messages."""
    kind = _KINDS.get(type(value))
    if kind is None or (kind is np.int64 and not _LEAST <= value <= _MOST):
        return value
    return kind(value)


def literal(value: Any) -> str | None:
    """Return the Python literal of a constant of generated code; None if it has none."""
    if not isinstance(value, np.generic | np.ndarray) or value.ndim or value.dtype.kind not in "if":
        return None
    number = value.item()
    if isinstance(number, float) and not np.isfinite(number):
        return None
    return repr(number) if number >= 0 else f"({number!r})"


def expression(node: Operation, operands: Sequence[str]) -> str | None:
    """Return the Python expression of an operation on Python numbers; None if it has none."""
    op_def, inputs = node.op_def, node.inputs
    if CAST in op_def.traits:
        return operands[0] if node.outputs[0].dtype is bool_ is inputs[0].dtype else None
    operator = op_def.python_operator
    if operator is None or not all(is_held(tensor) for tensor in inputs):
        return None
    if operator.on_numbers:
        return operator.on_numbers.format(*operands)
    if not is_pythons(node) and not _are_alike(node):
        return None
    if len(operands) == 1:
        return f"{operator.text}({operands[0]})"
    return f"{operands[0]} {operator.text} {operands[1]}"


def _are_alike(node: Operation) -> bool:
    """Return whether Python's operator treats the inputs as the kernel does: all have one dtype."""
    dtypes = {tensor.dtype for tensor in node.inputs}
    output = node.outputs[0]
    return len(dtypes) == 1 and (
        COMPARISON in node.op_def.traits or (is_held(output) and output.dtype in dtypes)
    )


def too_large(node: Operation, operands: Sequence[str], name: str) -> str:
    """Return the condition that an int result ``name`` needs more than 64 bits; empty if it cannot.

    A constant operand says on which side.
    """
    operator = node.op_def.python_operator
    if operator is None or node.outputs[0].dtype is not int64 or not is_pythons(node):
        return ""
    above, below = f"{name} > {_MOST}", f"{name} < {_LEAST}"
    constant = _constant(operands[-1])
    if operator.text == "%" or (operator.text == "//" and constant not in (None, -1)):
        return ""
    if len(operands) == 1 or operator.text == "//":
        return above
    if operator.text == "+" and constant is None:
        constant = _constant(operands[0])
    if operator.text in "+-" and constant is not None:
        return above if (constant > 0) is (operator.text == "+") else below
    return f"not {_LEAST} <= {name} <= {_MOST}"


def _constant(text: str) -> int | None:
    """Return the value of an int literal."""
    digits = text.strip("()").removeprefix("-")
    return int(text.strip("()")) if digits.isdecimal() else None
