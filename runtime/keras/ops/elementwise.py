"""Element-wise functions of ``keras.ops``, with NumPy's names."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from runtime.keras.ops.promotion import as_float, promoted
from runtime.keras.ops.shapes import nonzero
from runtime.ops.array.constants import cast, convert_to_tensor
from runtime.ops.array.where import where as where_op
from runtime.ops.math import comparison, elementary, elementwise, logical
from runtime.ops.math.clipping import clip_by_value
from runtime.ops.math.special_statistics import erfinv as erfinv_op
from runtime.types.dtypes import bool_

UNARY = """{doc}

Args:
    x: tensor, array or number.
Returns:
    Tensor of the shape of ``x``{dtype}.
"""
BINARY = """{doc}

Args:
    x1: tensor, array or number.
    x2: tensor, array or number; the shapes broadcast, the dtypes promote.
Returns:
    Tensor of the broadcast shape and {dtype}.
"""
_FLOATS = "; ints become floats"
_COMMON = "of the common dtype"


def _unary(name: str, op: Callable[[Any], Any], doc: str, floats: bool = True) -> Any:
    """Make ``name(x)``; with ``floats``, ints become floats first."""

    def function(x: Any) -> Any:
        return op(as_float(x) if floats else convert_to_tensor(x))

    function.__name__ = function.__qualname__ = name
    function.__doc__ = UNARY.format(doc=doc, dtype=_FLOATS if floats else "")
    return function


def _binary(name: str, op: Callable[[Any, Any], Any], doc: str, dtype: str = _COMMON,
            floats: bool = False) -> Any:  # fmt: skip
    """Make ``name(x1, x2)`` on tensors of the common dtype."""

    def function(x1: Any, x2: Any) -> Any:
        one, other = promoted(x1, x2)
        return op(as_float(one), as_float(other)) if floats else op(one, other)

    function.__name__ = function.__qualname__ = name
    function.__doc__ = BINARY.format(doc=doc, dtype=dtype)
    return function


def _truth(name: str, op: Callable[..., Any], doc: str, arity: int = 2) -> Any:
    """Make a logical function of bools."""
    if arity == 1:
        return _unary(name, lambda x: op(cast(x, bool_)), doc, floats=False)

    def function(x1: Any, x2: Any) -> Any:
        return op(cast(convert_to_tensor(x1), bool_), cast(convert_to_tensor(x2), bool_))

    function.__name__ = function.__qualname__ = name
    function.__doc__ = BINARY.format(doc=doc, dtype="of dtype bool")
    return function


def _tested(op: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Return a test of floats that holds for ints, too."""
    return lambda x: op(x if x.dtype.is_floating else as_float(x))


absolute = _unary("absolute", elementwise.abs, "Compute absolute values.", floats=False)
arccos = _unary("arccos", elementary.acos, "Compute the arc cosine.")
arccosh = _unary("arccosh", elementary.acosh, "Compute the inverse hyperbolic cosine.")
arcsin = _unary("arcsin", elementary.asin, "Compute the arc sine.")
arcsinh = _unary("arcsinh", elementary.asinh, "Compute the inverse hyperbolic sine.")
arctan = _unary("arctan", elementary.atan, "Compute the arc tangent.")
arctanh = _unary("arctanh", elementary.atanh, "Compute the inverse hyperbolic tangent.")
ceil = _unary("ceil", elementwise.ceil, "Round up.")
conjugate = _unary("conjugate", elementary.conj, "Conjugate complex numbers.", floats=False)
cos = _unary("cos", elementary.cos, "Compute the cosine.")
cosh = _unary("cosh", elementary.cosh, "Compute the hyperbolic cosine.")
erf = _unary("erf", elementary.erf, "Compute the error function.")
erfc = _unary("erfc", elementary.erfc, "Compute one minus the error function.")
erfinv = _unary("erfinv", erfinv_op, "Compute the inverse error function.")
exp = _unary("exp", elementary.exp, "Compute the exponential function.")
exp2 = _unary("exp2", lambda x: elementwise.pow(2.0, x), "Compute powers of two.")
expm1 = _unary("expm1", elementary.expm1, "Compute ``exp(x) - 1`` precisely near zero.")
floor = _unary("floor", elementwise.floor, "Round down.")
imag = _unary("imag", elementary.imag, "Return imaginary parts.", floats=False)
isfinite = _unary(
    "isfinite", _tested(elementwise.is_finite), "Test for finite numbers.", floats=False
)
isinf = _unary("isinf", _tested(elementwise.is_inf), "Test for infinities.", floats=False)
isnan = _unary("isnan", _tested(elementwise.is_nan), "Test for NaN.", floats=False)
log = _unary("log", elementary.log, "Compute the natural logarithm.")
log10 = _unary("log10", lambda x: elementary.log(x) * 0.4342944819032518, "Compute decadic logs.")
log1p = _unary("log1p", elementary.log1p, "Compute ``log(1 + x)`` precisely near zero.")
log2 = _unary("log2", lambda x: elementary.log(x) * 1.4426950408889634, "Compute binary logs.")
logical_not = _truth("logical_not", logical.logical_not, "Negate truth values.", 1)
negative = _unary("negative", elementwise.negative, "Negate numbers.", floats=False)
real = _unary("real", elementary.real, "Return real parts.", floats=False)
reciprocal = _unary("reciprocal", elementwise.reciprocal, "Compute ``1 / x``.")
rsqrt = _unary("rsqrt", elementwise.rsqrt, "Compute ``1 / sqrt(x)``.")
sign = _unary("sign", elementwise.sign, "Return -1, 0 or 1 by the sign.", floats=False)
sin = _unary("sin", elementary.sin, "Compute the sine.")
sinh = _unary("sinh", elementary.sinh, "Compute the hyperbolic sine.")
sqrt = _unary("sqrt", elementwise.sqrt, "Compute square roots.")
square = _unary("square", elementwise.square, "Compute squares.", floats=False)
tan = _unary("tan", elementary.tan, "Compute the tangent.")
tanh = _unary("tanh", elementary.tanh, "Compute the hyperbolic tangent.")

add = _binary("add", elementwise.add, "Add numbers.")
arctan2 = _binary("arctan2", elementary.atan2, "Compute the angle of points (x2, x1).", floats=True)
divide = _binary("divide", elementwise.truediv, "Divide numbers.", "of floats", floats=True)
equal = _binary("equal", comparison.equal, "Test for equality.", "of dtype bool")
floor_divide = _binary("floor_divide", elementwise.floordiv, "Divide and round down.")
greater = _binary("greater", comparison.greater, "Test ``x1 > x2``.", "of dtype bool")
greater_equal = _binary(
    "greater_equal", comparison.greater_equal, "Test ``x1 >= x2``.", "of dtype bool"
)
less = _binary("less", comparison.less, "Test ``x1 < x2``.", "of dtype bool")
less_equal = _binary("less_equal", comparison.less_equal, "Test ``x1 <= x2``.", "of dtype bool")
logical_and = _truth("logical_and", logical.logical_and, "Test whether both hold.")
logical_or = _truth("logical_or", logical.logical_or, "Test whether one holds.")
logical_xor = _truth("logical_xor", logical.logical_xor, "Test whether exactly one holds.")
maximum = _binary("maximum", elementwise.maximum, "Return the greater elements.")
minimum = _binary("minimum", elementwise.minimum, "Return the lesser elements.")
mod = _binary("mod", elementwise.floormod, "Compute the remainder, with the sign of ``x2``.")
multiply = _binary("multiply", elementwise.multiply, "Multiply numbers.")
not_equal = _binary("not_equal", comparison.not_equal, "Test for inequality.", "of dtype bool")
power = _binary("power", elementwise.pow, "Compute powers.")
subtract = _binary("subtract", elementwise.subtract, "Subtract numbers.")
logaddexp = _binary(
    "logaddexp",
    lambda x, y: elementwise.maximum(x, y) + elementary.softplus(-elementwise.abs(x - y)),
    "Compute ``log(exp(x1) + exp(x2))``.", floats=True,
)  # fmt: skip

abs, conj, true_divide = absolute, conjugate, divide


def clip(x: Any, x_min: Any, x_max: Any) -> Any:
    """Limit values to an interval.

    Args:
        x: tensor, array or number.
        x_min: lower bound.
        x_max: upper bound.
    Returns:
        Tensor of the shape of ``x``.
    """
    x, low, high = promoted(x, x_min, x_max)
    return clip_by_value(x, low, high)


def round(x: Any, decimals: int = 0) -> Any:
    """Round to the nearest number, halves to even ones.

    Args:
        x: tensor, array or number.
        decimals: number of decimals.
    Returns:
        Tensor of the shape and dtype of ``x``.
    """
    x = convert_to_tensor(x)
    if not decimals:
        return elementwise.round(x) if x.dtype.is_floating else x
    factor = 10.0**decimals
    return cast(elementwise.round(as_float(x) * factor) / factor, x.dtype)


def where(condition: Any, x1: Any = None, x2: Any = None) -> Any:
    """Choose elements of two tensors; with a condition alone, return where it holds.

    Args:
        condition: tensor, of which what is not zero holds.
        x1: elements where it holds.
        x2: elements where it does not.
    Returns:
        Tensor of the broadcast shape and the common dtype; for a condition alone a tuple of index
        vectors, one for each axis.
    Raises:
        ValueError: only one of ``x1`` and ``x2`` is given.
    """
    condition = cast(convert_to_tensor(condition), bool_)
    if x1 is None and x2 is None:
        return nonzero(condition)
    if x1 is None or x2 is None:
        raise ValueError("`x1` and `x2` either both should be `None` or both should have values.")
    one, other = promoted(x1, x2)
    return where_op(condition, one, other)
