"""Rows of functions of statistics: incomplete gamma and beta, Bessel, inverse error functions.

NumPy has none of them.  Each is computed in float64 from a series, an asymptotic expansion or a
continued fraction where that converges, and rounded to the dtype of the inputs.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from typing import Any

import numpy as np

from runtime.ops import dispatch as interpreter
from runtime.ops.array.constants import cast
from runtime.ops.math.elementary import exp, lgamma
from runtime.ops.math.elementwise import divide_no_nan, sign, square
from runtime.ops.math.polygamma import digamma
from runtime.ops.math.reduction import reduce_sum
from runtime.ops.op import ELEMENTWISE, Op, define
from runtime.ops.rules.inference import broadcast, same
from runtime.ops.rules.lazy_gradient import written
from runtime.ops.rules.samples import case, unary
from runtime.types.aliases import TensorLike
from runtime.types.dtypes import Array

__all__ = [
    "bessel_i0", "bessel_i0e", "bessel_i1", "bessel_i1e", "betainc", "erfcinv", "erfinv", "igamma",
    "igammac", "lbeta", "ndtri",
]  # fmt: skip

_EPSILON = 2.0**-53


def _each(function: Callable[..., float]) -> Callable[..., Any]:
    """A kernel from a function of Python floats, one element at a time."""
    ufunc = None

    def kernel(*arrays: Array) -> Any:
        nonlocal ufunc
        ufunc = ufunc or np.frompyfunc(function, len(arrays), 1)
        wide = [np.asarray(a, np.float64) for a in arrays]
        with np.errstate(all="ignore"):
            return np.asarray(ufunc(*wide)).astype(arrays[0].dtype)

    return kernel


def _gamma_front(a: float, x: float) -> float:
    """``x ** a * exp(-x) / gamma(a)``."""
    return math.exp(a * math.log(x) - x - math.lgamma(a))


def _gamma_series(a: float, x: float) -> float:
    """The lower regularised incomplete gamma function; converges well for x < a + 1."""
    term = total = 1 / a
    n = a
    while abs(term) > abs(total) * _EPSILON:
        n += 1
        term *= x / n
        total += term
    return total * _gamma_front(a, x)


def _gamma_fraction(a: float, x: float) -> float:
    """The upper one by Lentz' continued fraction; converges well for x > a + 1."""
    tiny = 1e-300
    b = x + 1 - a
    c, d = 1 / tiny, 1 / b
    result = d
    for i in range(1, 10_000):
        step = -i * (i - a)
        b += 2
        d = 1 / (step * d + b or tiny)
        c = b + step / c or tiny
        result *= c * d
        if abs(c * d - 1) < _EPSILON * 2:
            break
    return result * _gamma_front(a, x)


def _gamma_uniform(a: float, x: float, upper: bool) -> float:
    """Both for large a, by the first terms of Temme's expansion around the normal distribution."""
    mu = (x - a) / a
    if math.isinf(mu) or x / a == 0:
        return float((mu > 0) != upper)
    log = math.log(x / a) if abs(mu) > 0.5 else math.log1p(mu)
    eta = math.copysign(math.sqrt(2 * max(mu - log, 0.0)), mu)
    first = mu / 12 - 1 / 3 if abs(mu) < 1e-4 else 1 / mu - 1 / eta
    rest = math.exp(-a * eta * eta / 2) / math.sqrt(2 * math.pi * a) * first
    sign = 1 if upper else -1
    return math.erfc(sign * eta * math.sqrt(a / 2)) / 2 + sign * rest


def _igamma(a: float, x: float, upper: bool = False) -> float:
    if math.isnan(a) or math.isnan(x) or a <= 0 or x < 0:
        return math.nan if not (a == 0 and x > 0) else float(not upper)
    if x == 0 or a == math.inf:
        return math.nan if x == math.inf else float(upper)
    if x == math.inf:
        return float(not upper)
    if a > 1e5:
        return _gamma_uniform(a, x, upper)
    if x < a + 1:
        lower = _gamma_series(a, x)
        return 1 - lower if upper else lower
    rest = _gamma_fraction(a, x)
    return rest if upper else 1 - rest


@functools.cache
def _laguerre() -> tuple[Array, Array]:
    """Places and weights to integrate what falls like ``exp(-x)``."""
    places, weights = np.polynomial.laguerre.laggauss(64)
    return places, weights


def _psi(a: float) -> float:
    return float(digamma.kernel(np.float64(a)))


def _igamma_by_a(a: float, x: float) -> float:
    """The derivative of the lower one by a: of its series' terms, or an integral of the rest."""
    if math.isnan(a) or math.isnan(x) or a <= 0 or x < 0:
        return math.nan
    if x == 0 or math.isinf(a) or math.isinf(x):
        return 0.0
    if a > 1e5:
        step = math.sqrt(a) * (-1e-4 if x > a else 1e-4)
        above, below = (_gamma_uniform(b, x, upper=x > a) for b in (a + step, a - step))
        return (above - below) / (2 * abs(step))
    if x > a + 6 * math.sqrt(a) + 10:
        places, weights = _laguerre()
        fall = 1 - (a - 1) / x
        beyond = places / fall
        heights = np.exp(places - beyond + (a - 1) * np.log1p(beyond / x))
        slopes = np.log(x + beyond) - _psi(a)
        return -_gamma_front(a, x) / (x * fall) * float(np.sum(weights * heights * slopes))
    term = _gamma_front(a, x) / a
    slope = math.log(x) - _psi(a + 1)
    total, size, n = 0.0, 0.0, a
    while n <= x or term * (1 + abs(slope)) > size * _EPSILON:
        total += term * slope
        size += term * abs(slope)
        n += 1
        term *= x / n
        slope -= 1 / n
    return total


def _beta_fraction(a: float, b: float, x: float) -> float:
    """The continued fraction of the incomplete beta function, by Lentz' method."""
    tiny = 1e-300
    c, d = 1.0, 1 / (1 - (a + b) * x / (a + 1) or tiny)
    result = d
    for m in range(1, 10_000):
        even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        before = result
        for step in (even, odd):
            d = 1 / (1 + step * d or tiny)
            c = 1 + step / c or tiny
            result *= c * d
        if abs(result - before) <= abs(result) * _EPSILON:
            break
    return result


def _betainc(a: float, b: float, x: float) -> float:
    if not (a > 0 and b > 0 and 0 <= x <= 1):
        return math.nan
    if x in (0, 1):
        return x
    if a + b > 1e300:  # all of it lies at the mean
        return math.nan if math.isinf(a + b) else float(x > a / (a + b))
    front = math.exp(
        math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b)
        + a * math.log(x) + b * math.log1p(-x)
    )  # fmt: skip
    if x < (a + 1) / (a + b + 2):
        return front * _beta_fraction(a, b, x) / a
    return 1 - front * _beta_fraction(b, a, 1 - x) / b


def _bessel(order: int, scaled: bool) -> Callable[[float], float]:
    """The modified Bessel function of the first kind; ``scaled`` by ``exp(-abs(x))``."""

    def value(x: float) -> float:
        if math.isnan(x):
            return x
        size, sign = abs(x), -1.0 if order and x < 0 else 1.0
        if size == math.inf:
            return 0.0 if scaled else sign * math.inf
        if size < 30:
            term = total = (size / 2) ** order
            k = 0
            while term > total * _EPSILON:
                k += 1
                term *= (size / 2) ** 2 / (k * (k + order))
                total += term
            return sign * total * (math.exp(-size) if scaled else 1.0)
        term = total = 1.0
        for k in range(1, 30):
            term *= -(4 * order * order - (2 * k - 1) ** 2) / (8 * k * size)
            total += term
        total /= math.sqrt(2 * math.pi * size)
        if scaled:
            return sign * total
        try:
            return sign * total * math.exp(size)
        except OverflowError:
            return sign * math.inf

    return value


def _ndtri(p: float) -> float:
    if not 0 < p < 1:
        return {0.0: -math.inf, 1.0: math.inf}.get(p, math.nan)
    if p > 0.5:
        return -_ndtri(1 - p)
    t = math.sqrt(-2 * math.log(p))
    above = 2.515517 + t * (0.802853 + t * 0.010328)
    below = 1 + t * (1.432788 + t * (0.189269 + t * 0.001308))
    x = above / below - t  # good to three digits (Hastings); each step triples them (Halley)
    for _ in range(3):
        density = math.exp(-x * x / 2) / math.sqrt(2 * math.pi)
        if not density:
            break
        u = (math.erfc(-x / math.sqrt(2)) / 2 - p) / density
        x -= u / (1 + x * u / 2)
    return x


def _erfcinv(x: float) -> float:
    return -_ndtri(x / 2) / math.sqrt(2)


def _erfinv(x: float) -> float:
    if abs(x) < 1e-3:  # where (x + 1) / 2 would lose digits
        c = math.sqrt(math.pi) / 2
        return c * x * (1 + math.pi * x * x / 12 + 7 * math.pi**2 * x**4 / 480)
    return math.copysign(_erfcinv(1 - abs(x)), x) if abs(x) <= 1 else math.nan


def _one(name: str, function: Any, samples: Any, doc: str, grad: Any = None) -> Op:
    more = {} if grad is None else {"grad": grad}
    return define(
        name, kernel=_each(function), infer=same, kinds="f", traits=(ELEMENTWISE,),
        samples=samples, doc=doc, **more,
    )  # fmt: skip


def _several(name: str, inputs: str, function: Any, samples: Any, doc: str) -> Op:
    return define(
        name, inputs=inputs, kernel=_each(function), infer=broadcast, kinds="f",
        traits=(ELEMENTWISE,), samples=samples, grad=written(f"floating.{name}"), doc=doc,
    )  # fmt: skip


igamma = _several(
    "igamma", "a x", _igamma, lambda: [case([0.5, 2.0, 9.0], [[0.1], [2.0], [30.0]])],
    "The lower regularised incomplete gamma function.",
)  # fmt: skip
igammac = _several(
    "igammac", "a x", lambda a, x: _igamma(a, x, upper=True),
    lambda: [case([0.5, 2.0, 9.0], [[0.1], [2.0], [30.0]])],
    "The upper regularised incomplete gamma function, ``1 - igamma(a, x)``.",
)  # fmt: skip
igamma_by_a = _several(
    "igamma_by_a", "a x", _igamma_by_a, lambda: [case([0.5, 2.0, 9.0], [[0.1], [2.0], [30.0]])],
    "The derivative of ``igamma`` by its first argument.",
)  # fmt: skip
betainc = _several(
    "betainc", "a b x", _betainc, lambda: [case([0.5, 2.0], [3.0, 1.5], [[0.0], [0.2], [0.9]])],
    "The regularised incomplete beta function.",
)  # fmt: skip
def _over(y: Any, x: Any) -> Any:
    """``bessel_i1(x) / x``, which is a half at 0."""
    return divide_no_nan(y, x) + cast(x == 0, x.dtype) * 0.5


bessel_i0: Op = _one(
    "bessel_i0", _bessel(0, False), unary(-5, 40, 100.0),
    "The modified Bessel function of order 0.",
    lambda x, y, dy: (dy * bessel_i1(x),),
)  # fmt: skip
bessel_i0e: Op = _one(
    "bessel_i0e", _bessel(0, True), unary(-5, 40, 1e4), "``exp(-abs(x)) * bessel_i0(x)``.",
    lambda x, y, dy: (dy * (bessel_i1e(x) - sign(x) * y),),
)  # fmt: skip
bessel_i1: Op = _one(
    "bessel_i1", _bessel(1, False), unary(-5, 40, 100.0),
    "The modified Bessel function of order 1.",
    lambda x, y, dy: (dy * (bessel_i0(x) - _over(y, x)),),
)  # fmt: skip
bessel_i1e: Op = _one(
    "bessel_i1e", _bessel(1, True), unary(-5, 40, 1e4), "``exp(-abs(x)) * bessel_i1(x)``.",
    lambda x, y, dy: (dy * (bessel_i0e(x) - _over(y, x) - sign(x) * y),),
)  # fmt: skip
ndtri = _one(
    "ndtri", _ndtri, unary(0.01, 0.99, 0.0, 1.0, 2.0),
    "The quantile of the standard normal distribution.",
    lambda x, y, dy: (dy * exp(square(y) * 0.5) * math.sqrt(2 * math.pi),),
)  # fmt: skip
erfinv = _one(
    "erfinv", _erfinv, unary(-0.9, 0.9, 1.0, -1.0, 2.0, 1e-4), "The inverse of ``erf``.",
    lambda x, y, dy: (dy * exp(square(y)) * (math.sqrt(math.pi) / 2),),
)  # fmt: skip
erfcinv = _one(
    "erfcinv", _erfcinv, unary(0.1, 1.9, 0.0, 2.0), "The inverse of ``erfc``.",
    lambda x, y, dy: (-(dy * exp(square(y)) * (math.sqrt(math.pi) / 2)),),
)  # fmt: skip


def lbeta(x: TensorLike, name: str | None = None) -> Any:
    """The logarithm of the absolute value of the beta function of the last axis."""
    x = interpreter.convert(x)
    return reduce_sum(lgamma(x), -1) - lgamma(reduce_sum(x, -1), name=name)
