"""Element-wise functions of the array API standard, thin ones over ops."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from runtime.array_api.creation import asarray
from runtime.array_api.promotion import cast, is_scalar, of_kind, promoted
from runtime.ops.array import where as where_ops
from runtime.ops.array.constants import constant
from runtime.ops.array.creation import ones_like, zeros_like
from runtime.ops.docstrings import of_dtype
from runtime.ops.math import comparison, elementary, elementwise, floating, logical
from runtime.types.dtypes import as_dtype

INTEGER, REAL, NUMERIC, FLOATING = "iu", "iuf", "iufc", "fc"

Unary = Callable[[Any], Any]


UNARY = """{doc}

Args:
    x: array of {taken}.
Returns:
    Array of the shape of ``x`` and of {dtype}.
Raises:
    TypeError: ``x`` has another dtype.
"""
BINARY = """{doc}

Args:
    x1: array of {taken}, or a Python number.
    x2: array of a dtype that promotes with it, or a Python number; the shapes broadcast.
Returns:
    Array of the broadcast shape and of {dtype}.
Raises:
    TypeError: a dtype does not fit, or both are Python numbers.
    InvalidArgumentError: the shapes do not broadcast (also a ValueError){fails}.
"""
ZERO, NEGATIVE = "an integer is divided by zero", "an integer has a negative exponent"
BOOL, REAL_PART = "dtype bool", "its dtype, or that of its parts if it is complex"


def _unary(name: str, op: Any, kinds: str, doc: str, dtype: str = "its dtype") -> Any:
    """Make ``name(x)``: the op on arrays of these kinds."""

    def function(x: Any, /) -> Any:
        return op(of_kind(x, kinds, name))

    function.__name__ = function.__qualname__ = name
    function.__doc__ = UNARY.format(doc=doc, taken=of_dtype(kinds), dtype=dtype)
    return function


def _binary(name: str, op: Any, kinds: str, doc: str, dtype: str = "their common dtype",
            fails: str = "") -> Any:  # fmt: skip
    """Make ``name(x1, x2)``: the op on arrays of these kinds in their common dtype."""

    def function(x1: Any, x2: Any, /) -> Any:
        return op(*promoted((x1, x2), name, kinds))

    function.__name__ = function.__qualname__ = name
    fails = f", or {fails}" if fails else ""
    function.__doc__ = BINARY.format(doc=doc, taken=of_dtype(kinds), dtype=dtype, fails=fails)
    return function


def _whole(op: Any) -> Unary:
    """Make a rounding function that leaves integers as they are."""
    return lambda x: x if x.dtype.is_integer else op(x)


def _parts(op: Any, otherwise: Any, joined: Any) -> Unary:
    """Make a test of floating-point numbers apply to both parts of complex ones."""

    def test(x: Any) -> Any:
        if x.dtype.is_complex:
            return joined(op(elementary.real(x)), op(elementary.imag(x)))
        return op(x) if x.dtype.is_floating else otherwise(x, as_dtype("bool"))

    return test


def _round(x: Any) -> Any:
    if x.dtype.is_complex:
        parts = elementwise.round(elementary.real(x)), elementwise.round(elementary.imag(x))
        return elementary.complex(*parts)
    return elementwise.round(x)


def _expm1(x: Any) -> Any:
    """Compute ``exp(x) - 1``, of complex numbers with the standard's values at zero and infinity.
    """
    if not x.dtype.is_complex:
        return elementary.expm1(x)
    a, b, y = elementary.real(x), elementary.imag(x), elementary.expm1(x)
    none, turns = zeros_like(a), logical.logical_not(elementwise.is_finite(b))
    infinite = elementwise.is_inf(a)
    grows = logical.logical_and(infinite, comparison.greater(a, none))
    falls = logical.logical_and(infinite, comparison.less(a, none))
    first = elementary.real(y) + none  # no -0
    first = where_ops.where(falls, where_ops.where(turns, none - 1.0, first), first)
    first = where_ops.where(logical.logical_and(grows, turns), a, first)
    second = where_ops.where(logical.logical_and(falls, turns), none, elementary.imag(y))
    return elementary.complex(first, where_ops.where(comparison.equal(b, none), b, second))


def _tanh(x: Any) -> Any:
    """Compute the hyperbolic tangent; at infinity the imaginary part keeps its sign."""
    y = elementary.tanh(x)
    if not x.dtype.is_complex:
        return y
    a, b = elementary.real(x), elementary.imag(x)
    limit = elementary.complex(elementwise.sign(a), b * zeros_like(b))
    far = logical.logical_and(elementwise.is_inf(a), elementwise.is_finite(b))
    return where_ops.where(far, limit, y)


abs = _unary(
    "abs", elementwise.abs, NUMERIC, "Compute the absolute value of each element.", REAL_PART,
)  # fmt: skip
acos = _unary("acos", elementary.acos, FLOATING, "Compute the inverse cosine of each element.")
acosh = _unary(
    "acosh", elementary.acosh, FLOATING, "Compute the inverse hyperbolic cosine of each element.",
)  # fmt: skip
asin = _unary("asin", elementary.asin, FLOATING, "Compute the inverse sine of each element.")
asinh = _unary(
    "asinh", elementary.asinh, FLOATING, "Compute the inverse hyperbolic sine of each element.",
)  # fmt: skip
atan = _unary("atan", elementary.atan, FLOATING, "Compute the inverse tangent of each element.")
atanh = _unary(
    "atanh", elementary.atanh, FLOATING, "Compute the inverse hyperbolic tangent of each element.",
)  # fmt: skip
bitwise_invert = _unary("bitwise_invert", logical.invert, "biu", "Flip each bit.")
ceil = _unary("ceil", _whole(elementwise.ceil), REAL, "Round each element up.")
conj = _unary("conj", elementary.conj, NUMERIC, "Conjugate each element.")
cos = _unary("cos", elementary.cos, FLOATING, "Compute the cosine of each element.")
cosh = _unary("cosh", elementary.cosh, FLOATING, "Compute the hyperbolic cosine of each element.")
exp = _unary("exp", elementary.exp, FLOATING, "Compute ``e ** x``.")
expm1 = _unary("expm1", _expm1, FLOATING, "Compute ``exp(x) - 1``, exact near 0.")
floor = _unary("floor", _whole(elementwise.floor), REAL, "Round each element down.")
imag = _unary("imag", elementary.imag, NUMERIC, "Return the imaginary parts.", REAL_PART)
isfinite = _unary(
    "isfinite", _parts(elementwise.is_finite, ones_like, logical.logical_and), NUMERIC,
    "Test whether each element is finite.", BOOL,
)
isinf = _unary(
    "isinf", _parts(elementwise.is_inf, zeros_like, logical.logical_or), NUMERIC,
    "Test whether each element is infinite.", BOOL,
)  # fmt: skip
isnan = _unary(
    "isnan", _parts(elementwise.is_nan, zeros_like, logical.logical_or), NUMERIC,
    "Test whether each element is NaN.", BOOL,
)  # fmt: skip
log = _unary("log", elementary.log, FLOATING, "Compute the natural logarithm of each element.")
log10 = _unary(
    "log10", floating.log10, FLOATING, "Compute the logarithm to base 10 of each element.",
)  # fmt: skip
log1p = _unary("log1p", elementary.log1p, FLOATING, "Compute ``log(1 + x)``, exact near 0.")
log2 = _unary("log2", floating.log2, FLOATING, "Compute the logarithm to base 2 of each element.")
logical_not = _unary("logical_not", logical.logical_not, "b", "Negate each element.", BOOL)
negative = _unary("negative", elementwise.negative, NUMERIC, "Compute ``-x``.")
positive = _unary("positive", elementwise.positive, NUMERIC, "Compute ``+x``.")
real = _unary("real", elementary.real, NUMERIC, "Return the real parts.", REAL_PART)
reciprocal = _unary("reciprocal", elementwise.reciprocal, FLOATING, "Compute ``1 / x``.")
round = _unary("round", _round, NUMERIC, "Round to the nearest whole number, halves to even.")
sign = _unary("sign", elementwise.sign, NUMERIC, "Compute the sign of each element.")
signbit = _unary("signbit", floating.signbit, "f", "Test whether the sign bit is set.", BOOL)
sin = _unary("sin", elementary.sin, FLOATING, "Compute the sine of each element.")
sinh = _unary("sinh", elementary.sinh, FLOATING, "Compute the hyperbolic sine of each element.")
sqrt = _unary("sqrt", elementwise.sqrt, FLOATING, "Compute the square root of each element.")
square = _unary("square", elementwise.square, NUMERIC, "Compute ``x * x``.")
tan = _unary("tan", elementary.tan, FLOATING, "Compute the tangent of each element.")
tanh = _unary("tanh", _tanh, FLOATING, "Compute the hyperbolic tangent of each element.")
trunc = _unary("trunc", _whole(floating.trunc), REAL, "Round towards zero.")


def _floor_divide(x: Any, y: Any) -> Any:
    quotient = elementwise.floordiv(x, y)
    if not x.dtype.is_floating:
        return quotient
    # Python's way, but for infinities, where Python has NaN and -1 for what the quotient says
    infinite = logical.logical_or(elementwise.is_inf(x), elementwise.is_inf(y))
    return where_ops.where(infinite, elementwise.floor(elementwise.truediv(x, y)), quotient)


add = _binary("add", elementwise.add, NUMERIC, "Compute ``x1 + x2``.")
atan2 = _binary("atan2", elementary.atan2, "f", "Compute the angle of the point (x2, x1).")
bitwise_and = _binary("bitwise_and", logical.bitwise_and, "biu", "Compute ``x1 & x2``.")
bitwise_left_shift = _binary(
    "bitwise_left_shift", logical.left_shift, INTEGER, "Compute ``x1 << x2``.",
    fails="``x2`` holds a negative number",
)
bitwise_or = _binary("bitwise_or", logical.bitwise_or, "biu", "Compute ``x1 | x2``.")
bitwise_right_shift = _binary(
    "bitwise_right_shift", logical.right_shift, INTEGER, "Compute ``x1 >> x2``.",
    fails="``x2`` holds a negative number",
)
bitwise_xor = _binary("bitwise_xor", logical.bitwise_xor, "biu", "Compute ``x1 ^ x2``.")
copysign = _binary("copysign", floating.copysign, "f", "Give ``x1`` the sign of ``x2``.")
divide = _binary("divide", elementwise.truediv, FLOATING, "Compute ``x1 / x2``.")
equal = _binary("equal", comparison.equal, "", "Test whether ``x1 == x2``.", BOOL)
floor_divide = _binary("floor_divide", _floor_divide, REAL, "Compute ``x1 // x2``.", fails=ZERO)
greater = _binary("greater", comparison.greater, REAL, "Test whether ``x1 > x2``.", BOOL)
greater_equal = _binary(
    "greater_equal", comparison.greater_equal, REAL, "Test whether ``x1 >= x2``.", BOOL,
)  # fmt: skip
hypot = _binary("hypot", floating.hypot, "f", "Compute ``sqrt(x1 ** 2 + x2 ** 2)``.")
less = _binary("less", comparison.less, REAL, "Test whether ``x1 < x2``.", BOOL)
less_equal = _binary("less_equal", comparison.less_equal, REAL, "Test whether ``x1 <= x2``.", BOOL)
logaddexp = _binary("logaddexp", floating.logaddexp, "f", "Compute ``log(exp(x1) + exp(x2))``.")
logical_and = _binary("logical_and", logical.logical_and, "b", "Test whether both are true.", BOOL)
logical_or = _binary("logical_or", logical.logical_or, "b", "Test whether either is true.", BOOL)
logical_xor = _binary(
    "logical_xor", logical.logical_xor, "b", "Test whether just one is true.", BOOL,
)  # fmt: skip
maximum = _binary("maximum", elementwise.maximum, REAL, "Compute the greater of both.")
minimum = _binary("minimum", elementwise.minimum, REAL, "Compute the lesser of both.")
multiply = _binary("multiply", elementwise.multiply, NUMERIC, "Compute ``x1 * x2``.")
nextafter = _binary(
    "nextafter", floating.nextafter, "f", "Find the number after ``x1`` towards ``x2``.",
)  # fmt: skip
not_equal = _binary("not_equal", comparison.not_equal, "", "Test whether ``x1 != x2``.", BOOL)
pow = _binary("pow", elementwise.pow, NUMERIC, "Compute ``x1 ** x2``.", fails=NEGATIVE)
remainder = _binary(
    "remainder", elementwise.floormod, REAL, "Compute ``x1 % x2``, signed as ``x2``.", fails=ZERO,
)  # fmt: skip
subtract = _binary("subtract", elementwise.subtract, NUMERIC, "Compute ``x1 - x2``.")


def clip(x: Any, /, min: Any = None, max: Any = None) -> Any:
    """Clip the elements of an array to an interval.

    Args:
        x: array of an integer or floating dtype.
        min: least value, an array or a Python number; None for none.
        max: greatest value, an array or a Python number; None for none.
    Returns:
        Array of the broadcast shape and of the dtype of ``x``.
    Raises:
        TypeError: a dtype does not fit.
    """
    x = of_kind(x, REAL, "clip")
    y = x
    for bound, op in ((min, elementwise.maximum), (max, elementwise.minimum)):
        if bound is None:
            continue
        if is_scalar(bound):
            if x.dtype.is_integer:
                if not isinstance(bound, int):
                    raise TypeError(f"clip: {x.dtype.name} cannot be clipped to {bound!r}")
                low, high = x.dtype.limits
                bound = low if bound < low else high if bound > high else bound
            bound = constant(bound, x.dtype)
        y = op(y, cast(of_kind(bound, REAL, "clip"), x.dtype))
    return y


def where(condition: Any, x1: Any, x2: Any, /) -> Any:
    """Choose elements of two arrays by a condition.

    Args:
        condition: array of dtype bool.
        x1: array or Python number, for the true elements; the shapes broadcast.
        x2: array or Python number, for the others.
    Returns:
        Array of the broadcast shape and of the common dtype.
    Raises:
        TypeError: ``condition`` is not bool, or the dtypes do not promote.
    """
    test = of_kind(condition, "b", "where")
    if is_scalar(x1) and is_scalar(x2):
        x1 = asarray(x1)
    return where_ops.where(test, *promoted((x1, x2), "where"))
