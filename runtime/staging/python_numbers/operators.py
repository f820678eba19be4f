"""Operators of staged Python numbers where tensors' operators are not Python's.

    ~flag                  an int, as of Python's bools
    n * np.int64(2)        NumPy's dtype rules (numpy_arrays/operators.py)
    n + Decimal(1)         ConcreteValueError: the library needs the number itself
    n + None, n < [1]      TypeError, as in Python (unsupported.py)
    n < 2**64              True; n + 2**64 is a NumberSizeError where it is reached

staging/builtins.py installs them; other tensors keep theirs.
"""

from __future__ import annotations

import functools
import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from autograph import staging
from autograph.diagnostics.runtime_exceptions import raise_as_python
from autograph.staging import (
    NUMBER_KINDS,
    FormattedPart,
    JoinedNumber,
    StagedList,
    StagedMap,
    StagedText,
    StagedUnion,
    StagedValue,
    StagedVariant,
    check_supported,
    kind_of,
    tracing_backend,
)
from runtime.eager.operators import REFLECTED
from runtime.graph.graph import graph_of
from runtime.graph.operation import SymbolicTensor
from runtime.graph.python_values import as_python_value
from runtime.graph.trace import too_large
from runtime.ops import dispatch
from runtime.ops.array.constants import cast_op
from runtime.staging.python_numbers.operator_functions import COMPARISONS, FUNCTIONS
from runtime.staging.python_numbers.unsupported import check_library, check_operator, checked
from runtime.types.dtypes import bool_, complex128, float64, int64, string
from runtime.types.value import Value

_CLASSES = {int64: "an int", float64: "a float", bool_: "a bool", complex128: "a complex",
            string: "a text"}  # fmt: skip
_ASKED: dict[Any, tuple[type, ...]] = {
    bool_: (float, complex), int64: (int, float, complex), float64: (float, complex),
    complex128: (complex,), string: (str,),
}  # fmt: skip
"""By dtype of a left operand: the classes of right operands whose subclasses are asked."""
_NUMBERS = frozenset((int, float, bool, complex, SymbolicTensor))
_COLLECTIONS = (StagedList, StagedMap)
_STAGED = (Value, StagedText, StagedUnion, StagedValue)
_KNOWN = (*_STAGED, np.ndarray, np.generic, str, list, tuple, int, float, complex)
_CONSTANTS = frozenset((int, float, bool, complex, str, bytes, type(None)))
_UNARY = ("__neg__", "__pos__", "__abs__", "__invert__", "__round__")


def install(beside_arrays: Callable[..., Any]) -> None:
    """Give symbolic tensors these operators.

    ``beside_arrays(function, array, number, operands)`` is the result of one of NumPy's functions
    on its operands, an array and a number; None where tensors' operator gives the same.
    """
    tensor: Any = SymbolicTensor
    tensor.__invert__ = _inverted(tensor.__invert__)
    for spelled in _UNARY:
        setattr(tensor, spelled, _of_numbers(getattr(tensor, spelled)))
    for name in FUNCTIONS:
        reflected = [] if name in COMPARISONS else [f"__r{name}__"]
        for spelled in (f"__{name}__", *reflected):
            plain = getattr(tensor, spelled, None)
            if plain is not None:
                operator_ = _operator(plain, name, bool(reflected), spelled, beside_arrays)
                setattr(tensor, spelled, operator_)
        if hasattr(tensor, f"__i{name}__"):
            setattr(tensor, f"__i{name}__", _in_place(name))
    tensor.__delitem__ = lambda self, key: check_supported(
        operator.delitem, self, key, raised=(TypeError, ValueError)
    )
    tensor.__hash__ = _hash
    REFLECTED.add(JoinedNumber)


_hash = SymbolicTensor.__hash__


def _of_numbers(plain: Callable[..., Any]) -> Callable[..., Any]:
    """An operator that fails as Python's does where the tensor stands for a number or text."""
    as_python = checked(plain, plain.__name__)

    @functools.wraps(plain)
    def method(self: SymbolicTensor, *operands: Any) -> Any:
        return (as_python if self.weak else plain)(self, *operands)

    return method


def _operator(
    plain: Callable[..., Any], name: str, has_reflected: bool, spelled: str,
    beside_arrays: Callable[..., Any],
) -> Callable[..., Any]:
    reflected = has_reflected and spelled == f"__r{name}__"
    function, as_python = FUNCTIONS[name], checked(plain, spelled)

    @functools.wraps(plain)
    def method(self: SymbolicTensor, operand: Any) -> Any:
        if not self.weak:
            return plain(self, operand)
        if type(operand) is StagedVariant:
            return NotImplemented  # its own operators do it for each kind
        if name == "mod" and self.dtype is string and type(operand) in _CONSTANTS:
            return StagedText((FormattedPart(operator.mod, (self, operand)),))
        is_large = type(operand) is int and not int64.min <= operand <= int64.max
        if is_large and self.dtype is not string:
            return _with_large(as_python, self, operand, name)
        if type(operand) in _NUMBERS:
            if name == "pow":
                base, exponent = (operand, self) if reflected else (self, operand)
                of_ints = (lambda x, y: as_python(y, x)) if reflected else as_python
                result = _power_of_ints(base, exponent, of_ints)
                if result is not None:
                    return result
            return as_python(self, operand)
        if type(operand) in (list, tuple) and name in ("eq", "ne"):
            return NotImplemented
        if not reflected and _comes_first(operand, self, name):
            return NotImplemented
        if isinstance(operand, np.ndarray | np.generic) and self.dtype is not string:
            operands = (operand, self) if reflected else (self, operand)
            result = beside_arrays(function, operand, self, operands)
            if result is not None:
                return result
        if not isinstance(operand, _KNOWN):
            check_library(operand, _CLASSES[self.dtype], name)
            if _answers(operand, name, reflected):
                return NotImplemented
        is_array = hasattr(type(operand), "__array__") and not isinstance(operand, _COLLECTIONS)
        if not (isinstance(operand, _STAGED) or is_array):
            check_operator(spelled, self, operand)
        return as_python(self, operand)

    return method


def _power_of_ints(base: Any, exponent: Any, of_ints: Callable[..., Any]) -> Any:
    """Return the power of an int that may be a float, by a negative exponent; else None.

    For a staged exponent only where a run met a negative one: ints alone are faster.
    """
    if not _is_int(base) or not _is_int(exponent):
        return None
    if type(exponent) is int:
        return None if exponent >= 0 else (base * 1.0) ** exponent
    backend, loops = tracing_backend(), staging.staging_long_loops.value
    if exponent.dtype is bool_ or backend is None or loops is None or not loops.joins_powers:
        return None
    negative = exponent < 0
    int_power = of_ints(base, exponent * (1 - negative))
    float_power = (base * 1.0) ** (exponent * negative)
    whole_kind, float_kind = NUMBER_KINDS.index(int), NUMBER_KINDS.index(float)
    place = whole_kind + (float_kind - whole_kind) * negative
    return JoinedNumber(place, {int: int_power, float: float_power}, backend)


def _is_int(value: Any) -> bool:
    if isinstance(value, SymbolicTensor):
        return bool(value.weak) and value.dtype in (int64, bool_)
    return type(value) is int


def _in_place(name: str) -> Callable[..., Any]:
    """``x += y``: as ``x + y``, but for the text of an error."""
    of_tensors = getattr(SymbolicTensor, f"__i{name}__")
    binary = checked(getattr(operator, f"__{name}__"), f"__i{name}__")

    @functools.wraps(of_tensors)
    def method(self: SymbolicTensor, operand: Any) -> Any:
        return (binary if self.weak else of_tensors)(self, operand)

    return method


def _with_large(plain: Callable[..., Any], number: SymbolicTensor, large: int, name: str) -> Any:
    """Return the result for an int of more than 64 bits, which no staged int has.

    A NumberSizeError at run time where it may need as many.
    """
    if number.dtype in (int64, bool_) and name in COMPARISONS:
        return getattr(operator, name)(0, large)
    if number.dtype in (float64, complex128):
        try:
            near = float(large)
        except OverflowError as error:
            raise_as_python(error)
        if name not in COMPARISONS or near == large:
            return plain(number, near)
    current: Any = dispatch.current()
    return plain(number, too_large(graph_of(number) if current.eager else current, large))


def _answers(operand: Any, name: str, reflected: bool) -> bool:
    """Whether Python asks the other operand, an object of a class with such a method."""
    if name in ("eq", "ne"):
        return True  # else it compares identities
    kind = kind_of(operand)
    method = f"__{COMPARISONS.get(name, f'r{name}')}__"
    defined = any(method in vars(base) for base in kind.__mro__[:-1])
    return defined and not reflected and kind.__module__ != "builtins"


def _comes_first(operand: Any, number: SymbolicTensor, name: str) -> bool:
    """Whether Python asks a right operand: its class derives from that of the left one, or of
    numbers that the left one does not know, and has a method of its own.
    """
    kind = type(operand)
    base = next((cls for cls in _ASKED.get(number.dtype, ()) if issubclass(kind, cls)), None)
    if base is None or isinstance(operand, np.generic):
        return False
    method = f"__{COMPARISONS.get(name, f'r{name}')}__"
    return getattr(kind, method, None) is not getattr(base, method, None)


def _inverted(plain: Callable[[Any], Any]) -> Callable[[Any], Any]:
    @functools.wraps(plain)
    def method(self: SymbolicTensor) -> Any:
        if self.weak and self.dtype is bool_:
            self = as_python_value(cast_op(self, dtype=int64))
        return plain(self)

    return method
