"""Derivatives of functions about floating-point numbers, and of distributions."""

from __future__ import annotations

from typing import Any, NoReturn

from runtime.ops.array.constants import cast
from runtime.ops.array.where import where_op
from runtime.ops.math.comparison import equal, not_equal
from runtime.ops.math.elementary import exp, lgamma, log, sigmoid, xdivy, xlogy
from runtime.ops.math.elementwise import divide_no_nan
from runtime.ops.math.floating import signbit
from runtime.ops.math.floating import xlog1py as xlog1py_op
from runtime.ops.math.polygamma import digamma
from runtime.ops.math.special_statistics import igamma_by_a as igamma_by_a_op
from runtime.types.errors import MissingGradientError


def copysign(x1: Any, x2: Any, y: Any, dy: Any) -> tuple[Any, ...]:
    """1 where the sign stays, else -1."""
    return where_op(equal(signbit(x1), signbit(y)), dy, -dy), None


def hypot(x1: Any, x2: Any, y: Any, dy: Any) -> tuple[Any, ...]:
    """The direction; at 0 there is none."""
    return lambda: dy * divide_no_nan(x1, y), lambda: dy * divide_no_nan(x2, y)


def logaddexp(x1: Any, x2: Any, y: Any, dy: Any) -> tuple[Any, ...]:
    """The weights."""
    return lambda: dy * sigmoid(x1 - x2), lambda: dy * sigmoid(x2 - x1)


def xlog1py(x: Any, y: Any, z: Any, dz: Any) -> tuple[Any, ...]:
    """``log1p(y)`` and ``x / (1 + y)``; zero where ``x`` is 0."""
    is_nonzero = cast(not_equal(x, 0), x.dtype)
    return lambda: dz * xlog1py_op(is_nonzero, y), lambda: dz * xdivy(x, y + 1)


def _not_by(operand: str) -> NoReturn:
    raise MissingGradientError(
        f"No gradient defined for {operand}: it is not made of functions that are there. Cut it "
        "off "
        "with runtime.stop_gradient."
    )


def gamma_density(a: Any, x: Any) -> Any:
    """Of the gamma distribution."""
    return exp(xlogy(a - 1, x) - x - lgamma(a))


def igamma(a: Any, x: Any, y: Any, dy: Any) -> tuple[Any, ...]:
    """By ``x`` the density of the gamma distribution."""
    return lambda: dy * igamma_by_a_op(a, x), lambda: dy * gamma_density(a, x)


def igammac(a: Any, x: Any, y: Any, dy: Any) -> tuple[Any, ...]:
    """By ``x`` the density of the gamma distribution, turned round."""
    return lambda: -(dy * igamma_by_a_op(a, x)), lambda: -(dy * gamma_density(a, x))


def igamma_by_a(a: Any, x: Any, y: Any, dy: Any) -> tuple[Any, ...]:
    """By ``x`` the derivative of the density by ``a``."""
    return (
        lambda: _not_by("igamma twice by its first argument"),
        lambda: dy * gamma_density(a, x) * (log(x) - digamma(a)),
    )


def betainc(a: Any, b: Any, x: Any, y: Any, dy: Any) -> tuple[Any, ...]:
    """By ``x`` the density of the beta distribution."""
    total = lgamma(a) + lgamma(b) - lgamma(a + b)
    density = exp(xlogy(a - 1, x) + xlog1py_op(b - 1, -x) - total)
    refused = [
        lambda: _not_by("betainc by its first argument"),
        lambda: _not_by("betainc by its second argument"),
    ]
    return *refused, dy * density
