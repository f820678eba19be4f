"""Element-wise functions of the array API standard: thin ones over rows of the op table."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from runtime.array_api.creation import asarray
from runtime.array_api.promotion import cast, is_scalar, of_kind, promoted
from runtime.ops.array import where as where_ops
from runtime.ops.array.constants import constant
from runtime.ops.array.creation import ones_like, zeros_like
from runtime.ops.math import comparison, elementary, elementwise, floating, logical
from runtime.types.dtypes import as_dtype

INTEGER, REAL, NUMERIC, FLOATING = "iu", "iuf", "iufc", "fc"

Unary = Callable[[Any], Any]


def _unary(name: str, row: Any, kinds: str, doc: str) -> Any:
    """``name(x)``: the row, of arrays of these kinds."""

    def function(x: Any, /) -> Any:
        return row(of_kind(x, kinds, name))

    function.__name__ = function.__qualname__ = name
    function.__doc__ = doc
    return function


def _binary(name: str, row: Any, kinds: str, doc: str) -> Any:
    """``name(x1, x2)``: the row, of arrays of these kinds in their common dtype."""

    def function(x1: Any, x2: Any, /) -> Any:
        return row(*promoted((x1, x2), name, kinds))

    function.__name__ = function.__qualname__ = name
    function.__doc__ = doc
    return function


def _whole(row: Any) -> Unary:
    """Rounding: integers stay as they are."""
    return lambda x: x if x.dtype.is_integer else row(x)


def _parts(row: Any, otherwise: Any, joined: Any) -> Unary:
    """A question to floating-point numbers, asked of both parts of complex ones."""

    def ask(x: Any) -> Any:
        if x.dtype.is_complex:
            return joined(row(elementary.real(x)), row(elementary.imag(x)))
        return row(x) if x.dtype.is_floating else otherwise(x, as_dtype("bool"))

    return ask


def _round(x: Any) -> Any:
    if x.dtype.is_complex:
        parts = elementwise.round(elementary.real(x)), elementwise.round(elementary.imag(x))
        return elementary.complex(*parts)
    return elementwise.round(x)


abs = _unary("abs", elementwise.abs, NUMERIC, "The absolute values, real.")
acos = _unary("acos", elementary.acos, FLOATING, "The inverse cosine.")
acosh = _unary("acosh", elementary.acosh, FLOATING, "The inverse hyperbolic cosine.")
asin = _unary("asin", elementary.asin, FLOATING, "The inverse sine.")
asinh = _unary("asinh", elementary.asinh, FLOATING, "The inverse hyperbolic sine.")
atan = _unary("atan", elementary.atan, FLOATING, "The inverse tangent.")
atanh = _unary("atanh", elementary.atanh, FLOATING, "The inverse hyperbolic tangent.")
bitwise_invert = _unary("bitwise_invert", logical.invert, "biu", "Each bit turned.")
ceil = _unary("ceil", _whole(elementwise.ceil), REAL, "Rounded up.")
conj = _unary("conj", elementary.conj, NUMERIC, "The complex conjugates.")
cos = _unary("cos", elementary.cos, FLOATING, "The cosine.")
cosh = _unary("cosh", elementary.cosh, FLOATING, "The hyperbolic cosine.")
exp = _unary("exp", elementary.exp, FLOATING, "``e ** x``.")
expm1 = _unary("expm1", elementary.expm1, FLOATING, "``exp(x) - 1``, exact near 0.")
floor = _unary("floor", _whole(elementwise.floor), REAL, "Rounded down.")
imag = _unary("imag", elementary.imag, NUMERIC, "The imaginary parts.")
isfinite = _unary(
    "isfinite", _parts(elementwise.is_finite, ones_like, logical.logical_and), NUMERIC,
    "Whether neither inf nor NaN.",
)
isinf = _unary(
    "isinf", _parts(elementwise.is_inf, zeros_like, logical.logical_or), NUMERIC,
    "Whether infinite.",
)  # fmt: skip
isnan = _unary(
    "isnan", _parts(elementwise.is_nan, zeros_like, logical.logical_or), NUMERIC, "Whether NaN."
)
log = _unary("log", elementary.log, FLOATING, "The natural logarithm.")
log10 = _unary("log10", floating.log10, FLOATING, "The logarithm to base 10.")
log1p = _unary("log1p", elementary.log1p, FLOATING, "``log(1 + x)``, exact near 0.")
log2 = _unary("log2", floating.log2, FLOATING, "The logarithm to base 2.")
logical_not = _unary("logical_not", logical.logical_not, "b", "Whether false.")
negative = _unary("negative", elementwise.negative, NUMERIC, "``-x``.")
positive = _unary("positive", elementwise.positive, NUMERIC, "``+x``.")
real = _unary("real", elementary.real, NUMERIC, "The real parts.")
reciprocal = _unary("reciprocal", elementwise.reciprocal, FLOATING, "``1 / x``.")
round = _unary("round", _round, NUMERIC, "The nearest whole numbers, halves to even.")
sign = _unary("sign", elementwise.sign, NUMERIC, "-1, 0 or 1; of complex numbers ``x / abs(x)``.")
signbit = _unary("signbit", floating.signbit, "f", "Whether the sign bit is set.")
sin = _unary("sin", elementary.sin, FLOATING, "The sine.")
sinh = _unary("sinh", elementary.sinh, FLOATING, "The hyperbolic sine.")
sqrt = _unary("sqrt", elementwise.sqrt, FLOATING, "The square root.")
square = _unary("square", elementwise.square, NUMERIC, "``x * x``.")
tan = _unary("tan", elementary.tan, FLOATING, "The tangent.")
tanh = _unary("tanh", elementary.tanh, FLOATING, "The hyperbolic tangent.")
trunc = _unary("trunc", _whole(floating.trunc), REAL, "Rounded towards zero.")


def _floor_divide(x: Any, y: Any) -> Any:
    quotient = elementwise.floordiv(x, y)
    if not x.dtype.is_floating:
        return quotient
    # Python's way, but for infinities, where Python has NaN and -1 for what the quotient says
    infinite = logical.logical_or(elementwise.is_inf(x), elementwise.is_inf(y))
    return where_ops.where(infinite, elementwise.floor(elementwise.truediv(x, y)), quotient)


add = _binary("add", elementwise.add, NUMERIC, "``x1 + x2``.")
atan2 = _binary("atan2", elementary.atan2, "f", "The angle of the point ``(x2, x1)``.")
bitwise_and = _binary("bitwise_and", logical.bitwise_and, "biu", "``x1 & x2``.")
bitwise_left_shift = _binary(
    "bitwise_left_shift", logical.left_shift, INTEGER, "``x1 << x2``; ``x2`` is not negative."
)
bitwise_or = _binary("bitwise_or", logical.bitwise_or, "biu", "``x1 | x2``.")
bitwise_right_shift = _binary(
    "bitwise_right_shift", logical.right_shift, INTEGER, "``x1 >> x2``; ``x2`` is not negative."
)
bitwise_xor = _binary("bitwise_xor", logical.bitwise_xor, "biu", "``x1 ^ x2``.")
copysign = _binary("copysign", floating.copysign, "f", "``x1`` with the sign of ``x2``.")
divide = _binary("divide", elementwise.truediv, FLOATING, "``x1 / x2``.")
equal = _binary("equal", comparison.equal, "", "``x1 == x2``.")
floor_divide = _binary("floor_divide", _floor_divide, REAL, "``x1 // x2``.")
greater = _binary("greater", comparison.greater, REAL, "``x1 > x2``.")
greater_equal = _binary("greater_equal", comparison.greater_equal, REAL, "``x1 >= x2``.")
hypot = _binary("hypot", floating.hypot, "f", "``sqrt(x1 ** 2 + x2 ** 2)``.")
less = _binary("less", comparison.less, REAL, "``x1 < x2``.")
less_equal = _binary("less_equal", comparison.less_equal, REAL, "``x1 <= x2``.")
logaddexp = _binary("logaddexp", floating.logaddexp, "f", "``log(exp(x1) + exp(x2))``.")
logical_and = _binary("logical_and", logical.logical_and, "b", "Whether both are true.")
logical_or = _binary("logical_or", logical.logical_or, "b", "Whether either is true.")
logical_xor = _binary("logical_xor", logical.logical_xor, "b", "Whether just one is true.")
maximum = _binary("maximum", elementwise.maximum, REAL, "The greater of both.")
minimum = _binary("minimum", elementwise.minimum, REAL, "The lesser of both.")
multiply = _binary("multiply", elementwise.multiply, NUMERIC, "``x1 * x2``.")
nextafter = _binary("nextafter", floating.nextafter, "f", "The number after ``x1`` towards ``x2``.")
not_equal = _binary("not_equal", comparison.not_equal, "", "``x1 != x2``.")
pow = _binary("pow", elementwise.pow, NUMERIC, "``x1 ** x2``.")
remainder = _binary("remainder", elementwise.floormod, REAL, "``x1 % x2``, signed as ``x2``.")
subtract = _binary("subtract", elementwise.subtract, NUMERIC, "``x1 - x2``.")


def clip(x: Any, /, min: Any = None, max: Any = None) -> Any:
    """``x`` moved into the interval from ``min`` to ``max``, either of which may be left out."""
    x = of_kind(x, REAL, "clip")
    y = x
    for bound, row in ((min, elementwise.maximum), (max, elementwise.minimum)):
        if bound is None:
            continue
        if is_scalar(bound):
            if x.dtype.is_integer:
                if not isinstance(bound, int):
                    raise TypeError(f"clip: {x.dtype.name} cannot be clipped to {bound!r}")
                low, high = x.dtype.limits
                bound = low if bound < low else high if bound > high else bound
            bound = constant(bound, x.dtype)
        y = row(y, cast(of_kind(bound, REAL, "clip"), x.dtype))
    return y


def where(condition: Any, x1: Any, x2: Any, /) -> Any:
    """Elements of ``x1`` where ``condition`` holds, of ``x2`` elsewhere."""
    test = of_kind(condition, "b", "where")
    if is_scalar(x1) and is_scalar(x2):
        x1 = asarray(x1)
    return where_ops.where(test, *promoted((x1, x2), "where"))
