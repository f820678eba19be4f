"""Operators of staged Python numbers where tensors' operators are not Python's.

    ~flag                  an int, as of Python's bools
    n * np.int64(2)        NumPy's dtype rules (array_operators.py)
    n + Decimal(1)         ConcreteValueError: the library needs the number itself
    n + None               TypeError, as in Python

The room ``staging`` installs them; other tensors keep theirs.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np

from autograph.staging import StagedUnion, StagedValue, kind_of, raise_as_python
from runtime.graph.array_operators import (
    COMPARISONS,
    FUNCTIONS,
    check_library,
    result_of_operator,
)
from runtime.graph.operation import SymbolicTensor
from runtime.graph.python_scalar import as_python_value
from runtime.ops.array.constants import cast_op
from runtime.types.dtypes import bool_, complex128, float64, int64, string
from runtime.types.promotion import KINDS
from runtime.types.value import Value

_SIGNS = {
    "add": "+", "sub": "-", "mul": "*", "truediv": "/", "floordiv": "//", "mod": "%",
    "pow": "** or pow()", "matmul": "@", "and": "&", "or": "|", "xor": "^", "lshift": "<<",
    "rshift": ">>", "divmod": "divmod()", "lt": "<", "le": "<=", "gt": ">", "ge": ">=",
    "eq": "==", "ne": "!=",
}  # fmt: skip
_CLASSES = {int64: "an int", float64: "a float", bool_: "a bool", complex128: "a complex"}
_PLAIN = frozenset((int, float, bool, complex, str, list, tuple, SymbolicTensor))
_OF_TEXTS = ("eq", "ne", "mul")
"""Operators that a number and a text have; ``text % number`` is another."""

_KNOWN = (Value, StagedUnion, StagedValue, np.ndarray, np.generic, str, list, tuple, int, float,
          complex)  # fmt: skip


def install() -> None:
    """Give symbolic tensors these operators."""
    for name in FUNCTIONS:
        reflected = [] if name in COMPARISONS else [f"__r{name}__"]
        for spelled in (f"__{name}__", *reflected):
            plain = getattr(SymbolicTensor, spelled, None)
            if plain is not None:
                setattr(SymbolicTensor, spelled, _operator(plain, name, bool(reflected), spelled))
    SymbolicTensor.__invert__ = _inverted(SymbolicTensor.__invert__)  # type: ignore[method-assign]
    SymbolicTensor.__hash__ = _hash  # type: ignore[method-assign]


_hash = SymbolicTensor.__hash__


def _operator(
    plain: Callable[..., Any], name: str, has_reflected: bool, spelled: str
) -> Callable[..., Any]:
    reflected = has_reflected and spelled == f"__r{name}__"
    function = FUNCTIONS[name]

    @functools.wraps(plain)
    def method(self: SymbolicTensor, other: Any) -> Any:
        if type(other) is str and self.weak and self.dtype is not string:
            if name not in _OF_TEXTS and (name, reflected) != ("mod", True):
                _check_operand(self, other, name, reflected)
        if type(other) in _PLAIN or not self.weak or self.dtype is string:
            return plain(self, other)
        if isinstance(other, np.ndarray | np.generic):
            operands = (other, self) if reflected else (self, other)
            found = result_of_operator(function, other, self, operands)
            if found is not None:
                return found
        if not isinstance(other, _KNOWN):
            check_library(other, _CLASSES[self.dtype], name)
            if _answers(other, name, reflected):
                return NotImplemented
            _check_operand(self, other, name, reflected)
        return plain(self, other)

    return method


def _answers(other: Any, name: str, reflected: bool) -> bool:
    """Whether Python asks the other operand, an object of a class with such a method."""
    if name in ("eq", "ne"):
        return True  # else it compares identities
    kind = type(other)
    method = f"__{COMPARISONS.get(name, f'r{name}')}__"
    defined = any(method in vars(base) for base in kind.__mro__[:-1])
    return defined and not reflected and kind.__module__ != "builtins"


def _check_operand(number: SymbolicTensor, other: Any, name: str, reflected: bool) -> None:
    """Raise Python's TypeError for an object that is no number."""
    if hasattr(type(other), "__array__"):
        return
    names = [KINDS[number.dtype], kind_of(other).__name__]
    left, right = reversed(names) if reflected else names
    text = "unsupported operand type(s) for {0}: {1!r} and {2!r}"
    if name in COMPARISONS:
        text = "{0!r} not supported between instances of {1!r} and {2!r}"
    elif name == "add" and left == "str":
        text = 'can only concatenate str (not "{2}") to str'
    raise_as_python(TypeError(text.format(_SIGNS[name], left, right)))


def _inverted(plain: Callable[[Any], Any]) -> Callable[[Any], Any]:
    @functools.wraps(plain)
    def method(self: SymbolicTensor) -> Any:
        if self.weak and self.dtype is bool_:
            self = as_python_value(cast_op(self, dtype=int64))
        return plain(self)

    return method
