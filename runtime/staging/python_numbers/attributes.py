"""Attributes and comparisons of Python numbers, for symbolic tensors that stand for one."""

from __future__ import annotations

import math
from typing import Any

from autograph.diagnostics.runtime_exceptions import raise_as_python
from autograph.diagnostics.user_frame import user_line
from autograph.errors import ConcreteValueError
from runtime.graph.python_values import as_python_value, weak_constant
from runtime.ops import dispatch
from runtime.ops.array.constants import cast_op
from runtime.ops.math.comparison import compare_numbers, equal
from runtime.ops.math.elementary import conj, imag, real
from runtime.ops.math.elementwise import floor, is_finite
from runtime.ops.math.logical import logical_and
from runtime.types.dtypes import bool_, complex128, float64, int64, string
from runtime.types.promotion import KINDS, is_weak
from runtime.types.value import Value

_CLASSES = {"bool": bool, "int": int, "float": float, "complex": complex, "str": str}
_NAMES = frozenset(("conjugate", "imag", "is_integer", "real"))
_OF_INTS = ("denominator", "numerator")








def attribute_of(x: Any, name: str) -> Any:
    """Return an attribute of a staged number.

    ConcreteValueError if it has no staged version, AttributeError if Python's numbers and texts
    of that type have none of that name.
    """
    kind = KINDS[x.dtype]
    if name.startswith("_") or not hasattr(_CLASSES[kind], name):
        raise_as_python(AttributeError(f"{kind!r} object has no attribute {name!r}"))
    is_int = x.dtype is int64 or x.dtype is bool_
    has_name = is_int if name in _OF_INTS else name != "is_integer" or x.dtype is float64
    if name == "to_bytes":
        raise ConcreteValueError(
            "int.to_bytes() of a number that is known only at run time has no place in a graph",
            where=user_line(),
            help="compute the bytes as ints, n >> 8 & 255, or call it outside of the function",
        )
    if x.dtype is string or not has_name or name not in (*_NAMES, *_OF_INTS):
        raise ConcreteValueError(
            f"'{kind}.{name}' is not staged, and was asked of a staged value, which is known only "
            "at run time",
            where=user_line(),
            help="write it in Python, with other methods and operators of the value, or call it "
            "outside of the staged function",
        )
    if name == "denominator":
        return 1
    if name == "is_integer":
        return lambda: as_python_value(logical_and(is_finite(x), equal(floor(x), x)))
    if x.dtype is complex128:
        if name == "conjugate":
            return lambda: as_python_value(conj(x))
        return as_python_value(cast_op((real if name == "real" else imag)(x), dtype=float64))
    if name == "imag":
        return 0.0 if x.dtype is float64 else 0
    number = as_python_value(cast_op(x, dtype=int64)) if x.dtype is bool_ else x
    return number if name in ("numerator", "real") else lambda: number


_EXACT = 2.0**53
"""Floats below this one compare with any int as the float next to the int does."""


def compare_exactly(sign: str, left: Any, right: Any) -> Any:
    """Compare a staged int and a staged float, or one of them and a constant, as Python does.

    None where the operation on their common dtype gives the same, or the operands are no such
    numbers.
    """
    kinds = [_kind_to_compare(left), _kind_to_compare(right)]
    if sorted(map(str, kinds)) != ["float", "int"]:
        return None
    graph: Any = dispatch.current()
    operands = [
        operand if isinstance(operand, Value) else weak_constant(graph, operand)
        for operand in (left, right)
    ]
    return as_python_value(compare_numbers(*operands, sign=sign))


def _kind_to_compare(value: Any) -> str | None:
    """Return "int" or "float" for a staged number, and for a constant that is large."""
    if isinstance(value, Value):
        kind = KINDS.get(value.dtype) if is_weak(value) else None  # type: ignore[attr-defined]
        return kind if kind in ("int", "float") else None
    if type(value) is int and _EXACT <= abs(value) < 2**63:
        return "int"
    return "float" if type(value) is float and _EXACT <= abs(value) < math.inf else None
