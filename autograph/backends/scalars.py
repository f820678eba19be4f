"""Python numbers, bools and texts that are known only at run time, of libraries without such.

A ``Scalar`` has Python's type and arithmetic: ``7 / 2`` is a float, a division by zero raises
ZeroDivisionError, at run time.  Where it meets a value of the library it takes that value's dtype,
as a Python number does.  The library computes: ``ComputesScalars`` says what of a backend does.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from typing import Any

from autograph import staging
from autograph.diagnostics.user_frame import user_line
from autograph.errors import ConcreteValueError, UnconvertedError
from autograph.staging import StagedText, StagedUnion

KINDS: tuple[type, ...] = (bool, int, float)
"""The types of numbers, from the narrowest to the widest."""


class StagedScalar:
    """A Python number, bool or text: its type, and the value of the library that holds it."""

    __slots__ = ("__weakref__", "backend", "kind", "value")

    def __init__(self, backend: ComputesScalars, kind: type, value: Any) -> None:
        self.backend = backend
        self.kind = kind
        self.value = value

    def __bool__(self) -> bool:
        raise self._unknown("the truth value")

    def __index__(self) -> int:
        raise self._unknown("the number")

    __int__ = __index__

    def __float__(self) -> float:
        raise self._unknown("the number")

    def __len__(self) -> int:
        staging.check_supported(len, self)
        raise self._unknown("the length")

    def __iter__(self) -> Any:
        staging.check_supported(iter, self)
        raise self._unknown("the characters")

    def __getitem__(self, key: Any) -> Any:
        staging.check_supported(operator.getitem, self, key)
        return self.backend.call_python(operator.getitem, str, self, key, raises=(IndexError,))

    def __hash__(self) -> int:
        raise self._unknown("the hash")

    def __repr__(self) -> str:
        return f"<{self.kind.__name__} known at run time>"

    def _unknown(self, need: str) -> Exception:
        return staging.explain_unconverted(UnconvertedError(f"{need} of {self!r} is not known yet"))

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") or not hasattr(self.kind, name):
            raise AttributeError(f"{self.kind.__name__!r} object has no attribute {name!r}")
        if self.kind is str:
            return lambda *args: self.backend.call_method(self, name, *args)
        if name in ("real", "numerator"):
            return self
        if name in ("imag", "denominator"):
            return self.backend.scalar(self.kind(name == "denominator"))
        if name == "conjugate":
            return lambda: self
        if name == "is_integer":
            whole: Any = self
            return lambda: whole == whole // 1
        kind = int if name.startswith("bit_") else self.kind
        return lambda *args: self.backend.call_python(getattr(self.kind, name), kind, self, *args)


class ComputesScalars:
    """What a backend does for its ``Scalar``s; base of backends."""

    # mypy: mixin of staging.Backend
    specs: Any
    check: Any
    owns: Any
    name: str

    def compute(self, name: str, kind: type, *values: Any) -> Any:
        """Compute an operation of :mod:`operator`, or ``cast``, on values of ``kind``'s dtype."""
        raise NotImplementedError

    def constant(self, value: Any) -> Any:
        """Return a Python number or text as a value of the library, of 64 bits."""
        raise NotImplementedError

    def cast(self, value: Any, kind: type) -> Any:
        """Return a value of the library in the dtype that holds numbers of a type."""
        raise NotImplementedError

    def like(self, scalar: StagedScalar, other: Any) -> Any:
        """Return the value of a scalar in the dtype that it takes where it meets ``other``."""
        raise NotImplementedError

    def call_python(
        self, function: Callable[..., Any], kind: type, *args: Any,
        raises: tuple[type[BaseException], ...] = (),
    ) -> Any:
        """Return what a Python function gives at run time; ``kind`` is the type of the result."""
        raise ConcreteValueError(
            f"{getattr(function, '__qualname__', function)} of a staged value is not staged by "
            f"the backend of {self.name}",
            where=user_line(),
            help=f"call a function of {self.name}, or compute it outside of the traced function",
        )

    def scalar(self, value: Any) -> StagedScalar:
        """Return a Python number, or a scalar value of the library, as a ``Scalar``."""
        if isinstance(value, StagedScalar):
            return value
        if isinstance(value, StagedText):
            return self.scalar(self.text(value))  # type: ignore[attr-defined]
        if type(value) in (*KINDS, str):
            return StagedScalar(self, type(value), self.constant(value))
        kind = self.kind_of_value(value)
        return StagedScalar(self, kind, self.cast(value, kind))

    def kind_of_value(self, value: Any) -> type:
        """Return the type of Python's numbers that holds a scalar value of the library."""
        raise NotImplementedError

    def call_method(self, text: StagedScalar, name: str, *args: Any) -> Any:
        """Call a method of a text."""
        kind = METHODS.get(name)
        if kind is None:
            raise ConcreteValueError(
                f"str.{name} of a staged text is not staged by the backend of {self.name}",
                where=user_line(), help="compute it outside of the traced function",
            )  # fmt: skip
        return self.call_python(getattr(str, name), kind, text, *args, raises=(ValueError,))


METHODS: dict[str, type] = {
    name: kind for kind, names in {
        str: "upper lower strip lstrip rstrip replace title capitalize swapcase casefold zfill "
             "ljust rjust center removeprefix removesuffix expandtabs",
        int: "find rfind index rindex count",
        bool: "startswith endswith isdigit isalpha isalnum isspace isupper islower",
    }.items() for name in names.split()
}  # fmt: skip
"""What methods of texts give."""

_MATH: dict[type, str] = {
    int: "floor ceil trunc isqrt gcd lcm comb perm factorial",
    bool: "isnan isinf isfinite isclose",
    float: "sqrt cbrt exp exp2 log log2 log10 log1p expm1 sin cos tan asin acos atan atan2 sinh "
           "cosh tanh asinh acosh atanh erf erfc gamma lgamma fabs fmod remainder hypot copysign "
           "degrees radians pow ldexp nextafter ulp",
}  # fmt: skip
"""What functions of :mod:`math` give."""


def kind_of(value: Any) -> type | None:
    """Return the type of a Python number, bool or text, be it staged or not, else None."""
    if isinstance(value, StagedScalar):
        return value.kind
    if isinstance(value, StagedText):
        return str
    return type(value) if type(value) in (*KINDS, str) else None


_DIVISIONS = ("truediv", "floordiv", "mod")
_BITWISE = ("and_", "or_", "xor", "lshift", "rshift")
_COMPARISONS = ("lt", "le", "gt", "ge", "eq", "ne")


def binary(name: str, left: Any, right: Any) -> Any:
    """Compute a binary operation, of which one side is a ``Scalar``."""
    scalar = left if isinstance(left, StagedScalar) else right
    backend = scalar.backend
    function: Callable[..., Any] = getattr(operator, name)
    left_kind, right_kind = kind_of(left), kind_of(right)
    if left_kind is None or right_kind is None:
        met = right if left_kind is not None else left
        if isinstance(met, StagedUnion) or not backend.owns(met):
            return NotImplemented
        sides = [backend.like(side, met) if isinstance(side, StagedScalar) else side
                 for side in (left, right)]  # fmt: skip
        return function(*sides)
    if str in (left_kind, right_kind):
        return _of_texts(backend, function, name, left, right, left_kind, right_kind)
    if name in _BITWISE:
        staging.check_supported(function, left, right)
    kind = max(left_kind, right_kind, key=KINDS.index)
    if name == "pow":
        return _power(backend, left, right, kind)
    if name in _DIVISIONS:
        return _division(backend, function, name, left, right, kind)
    if name in _COMPARISONS:
        kind = int if kind is bool else kind
        values = [backend.cast(backend.scalar(side).value, kind) for side in (left, right)]
        return StagedScalar(backend, bool, backend.compute(name, kind, *values))
    if kind is bool and name not in ("and_", "or_", "xor"):
        kind = int
    values = [backend.cast(backend.scalar(side).value, kind) for side in (left, right)]
    return StagedScalar(backend, kind, backend.compute(name, kind, *values))


def _division(
    backend: Any, function: Any, name: str, left: Any, right: Any, kind: type
) -> StagedScalar:
    kind = float if kind is float or name == "truediv" else int
    if isinstance(right, StagedScalar) or right == 0:
        example = kind(1) if name != "truediv" or kind_of(left) is float else 1

        def error() -> BaseException:
            try:
                function(example, type(example)(0))
            except ZeroDivisionError as raised:
                return raised.with_traceback(None)
            raise AssertionError("it divides by zero")

        backend.check(backend.scalar(right) != 0, error)
    values = [backend.cast(backend.scalar(side).value, kind) for side in (left, right)]
    return StagedScalar(backend, kind, backend.compute(name, kind, *values))


def _power(backend: Any, left: Any, right: Any, kind: type) -> StagedScalar:
    if kind is bool:
        kind = int
    if kind is int and not isinstance(right, StagedScalar) and right < 0:
        kind = float
    elif kind is int and isinstance(right, StagedScalar):
        nonnegative: Any = binary("ge", right, 0)
        backend.check(nonnegative, _not_known(
            "an int to the power of an int below 0 is a float", "write float(x) ** n"
        ))  # fmt: skip
    if kind is float:
        _check_power(backend, left, right)
    values = [backend.cast(backend.scalar(side).value, kind) for side in (left, right)]
    return StagedScalar(backend, kind, backend.compute("pow", kind, *values))


def _check_power(backend: Any, left: Any, right: Any) -> None:
    """Check at run time that a power of floats is a float."""
    base, exponent = backend.scalar(left), backend.scalar(right)
    if isinstance(left, StagedScalar) or left <= 0:
        if isinstance(right, StagedScalar) or right < 0:
            message = "0.0 cannot be raised to a negative power"
            is_zero = (base == 0) & (exponent < 0)
            backend.check(is_zero ^ True, lambda: ZeroDivisionError(message))
        if isinstance(right, StagedScalar) or right != right // 1:
            is_complex = (base < 0) & (exponent != exponent // 1)
            backend.check(is_complex ^ True, _not_known(
                "a fractional power of a number below 0 is complex",
                "write abs(x) ** n, or test x first",
            ))  # fmt: skip


def _not_known(what: str, remedy: str) -> Callable[[], BaseException]:
    """Return what makes the error for a power, on the user's current line."""
    where = user_line()
    message = f"{what}: the type of the result is not known before it is run"
    return lambda: ConcreteValueError(message, where=where, help=remedy)


def _of_texts(
    backend: Any, function: Any, name: str, left: Any, right: Any, left_kind: type, right_kind: type
) -> Any:
    if name in ("eq", "ne") and left_kind is not right_kind:
        return name == "ne"
    staging.check_supported(function, left, right)
    kind = bool if name in _COMPARISONS else str
    return backend.call_python(function, kind, left, right)


def _method(name: str, swapped: bool = False) -> Callable[..., Any]:
    def method(self: StagedScalar, other: Any) -> Any:
        result = binary(name, other, self) if swapped else binary(name, self, other)
        return result

    return method


def _unary(name: str) -> Callable[..., Any]:
    def method(self: StagedScalar) -> Any:
        staging.check_supported(getattr(operator, name), self)
        kind = int if self.kind is bool else self.kind
        value = self.backend.cast(self.value, kind)
        return StagedScalar(self.backend, kind, self.backend.compute(name, kind, value))

    return method


for _name in ("add", "sub", "mul", "pow", *_DIVISIONS, *_BITWISE):
    setattr(StagedScalar, f"__{_name.strip('_')}__", _method(_name))
    setattr(StagedScalar, f"__r{_name.strip('_')}__", _method(_name, swapped=True))
for _name in _COMPARISONS:
    setattr(StagedScalar, f"__{_name}__", _method(_name))
for _name in ("neg", "pos", "abs", "invert"):
    setattr(StagedScalar, f"__{_name}__", _unary(_name))
for _name, _divided in (("divmod", lambda x, y: (x // y, x % y)),
                        ("rdivmod", lambda x, y: (y // x, y % x))):  # fmt: skip
    setattr(StagedScalar, f"__{_name}__", _divided)


# -- Python's builtins -----------------------------------------------------------------------------


def builtins_of(backend: Any) -> dict[Callable[..., Any], Callable[..., Any]]:
    """Return Python's builtins and functions of :mod:`math` on scalars and values of a backend."""

    def convert(kind: type) -> Callable[..., Any]:
        def converted(x: Any = 0, *base: Any) -> Any:
            if isinstance(x, StagedUnion):
                x = x.ag__operand()
            if kind_of(x) is str or base:
                return backend.call_python(kind, kind, x, *base, raises=(ValueError,))
            if kind_of(x) is None and not backend.owns(x):
                staging.check_supported(kind, x)
            number = backend.scalar(x)
            if number.kind is kind:
                return number
            return StagedScalar(backend, kind, backend.cast(number.value, kind))

        return converted

    def round_(x: Any, digits: Any = None) -> Any:
        number = backend.scalar(x)
        if digits is not None or number.kind is not float:
            kind = number.kind if digits is not None else int
            return number if kind is int else backend.call_python(round, kind, number, digits)
        rounded = backend.compute("round", float, number.value)
        return StagedScalar(backend, int, backend.cast(rounded, int))

    def pow_(x: Any, y: Any, modulus: Any = None) -> Any:
        return x**y if modulus is None else backend.call_python(pow, int, x, y, modulus)

    def of_math(function: Callable[..., Any], kind: type) -> Callable[..., Any]:
        def staged(*args: Any) -> Any:
            numbers = [backend.scalar(arg) for arg in args]
            raises = (ValueError, OverflowError, ZeroDivisionError)
            return backend.call_python(function, kind, *numbers, raises=raises)

        return staged

    return {
        **{getattr(math, name): of_math(getattr(math, name), kind)
           for kind, names in _MATH.items() for name in names.split()},
        abs: abs, bool: convert(bool), int: convert(int), float: convert(float), divmod: divmod,
        round: round_, pow: pow_, operator.index: lambda x: backend.number(x),
        operator.truth: convert(bool), chr: of_math(chr, str), ord: lambda x: backend.call_python(
            ord, int, x
        ),
    }  # fmt: skip
