"""Functions made of exp, expm1 and log1p: sigmoid, tanh, sinh, cosh, asinh, acosh and atanh."""

from __future__ import annotations

import math

from runtime.engine.llvm.values import LaneValue
from runtime.engine.llvm.vector_math.exponentials import (
    OVERFLOW,
    UNDERFLOW,
    exp_exactly,
    expm1_scaled,
    ldexp,
    reduce_argument,
)
from runtime.engine.llvm.vector_math.logarithms import log_of_sum
from runtime.engine.llvm.vector_math.pairs import (
    Pair,
    at_least,
    at_most,
    exact_sum,
    ordered_sum,
    quotient,
)

TANH_IS_ONE = {32: 10.0, 64: 20.0}


def _over_sum(top: LaneValue, large: float, small: LaneValue) -> LaneValue:
    """Return top / (large + small); in float64, with what the sum rounds away."""
    if top.format.bits == 32:
        return top / (small + large)
    return quotient(Pair(top, top.constant(0.0)), ordered_sum(top.constant(large), small))


def sigmoid(x: LaneValue) -> LaneValue:
    """Return 1 / (1 + exp(-x)), as z / (1 + z) with z = exp(x) for negative x."""
    argument = reduce_argument(at_least(-abs(x), UNDERFLOW[x.format.bits]))
    z = ldexp(exp_exactly(argument), argument.k)
    return _over_sum((x < 0.0).choose(z, 1.0), 1.0, z)


def tanh(x: LaneValue) -> LaneValue:
    """Return the hyperbolic tangent: t / (t + 2) with t = exp(2 x) - 1."""
    t = expm1_scaled(reduce_argument(at_most(abs(x), TANH_IS_ONE[x.format.bits]) * 2.0), 0)
    return _over_sum(t, 2.0, t).with_sign_of(x)


def sinh(x: LaneValue) -> LaneValue:
    """Return the hyperbolic sine: t + t / (2 t + 1) with t = (exp(x) - 1) / 2."""
    size = abs(x)
    t = expm1_scaled(reduce_argument(at_most(size, OVERFLOW[x.format.bits] + 0.5)), -2) * 2.0
    finite = at_most(t, 2.0**x.format.bits)
    value = t + _over_sum(finite, 1.0, finite + finite)
    return (size < 2.0 ** -(x.format.fraction // 2 + 2)).choose(x, value.with_sign_of(x))


def cosh(x: LaneValue) -> LaneValue:
    """Return the hyperbolic cosine: t + 1 / (4 t) with t = exp(x) / 2."""
    argument = reduce_argument(at_most(abs(x), OVERFLOW[x.format.bits] + 0.5))
    t = ldexp(exp_exactly(argument), argument.k, -1)
    return t + 0.25 / t


LARGE = 2.0**30
"""From here on, asinh x and acosh x are log 2 x."""


def _log1p_or_double(t: Pair, x: LaneValue) -> LaneValue:
    """Return log(1 + t), or log(2 x) for large x."""
    large = x > LARGE
    u = exact_sum(t.high, x.constant(1.0))
    high, low = large.choose(x, u.high), large.choose(0.0, u.low + t.low)
    return log_of_sum(Pair(high, low), large.choose(x.constant(1.0), 0.0))


def asinh(x: LaneValue) -> LaneValue:
    """Return the inverse of sinh: t = x + x x / (1 + sqrt(1 + x x))."""
    size = abs(x)
    usual = at_most(size, LARGE)
    square = usual * usual
    t = ordered_sum(usual, square / ((square + 1.0).sqrt() + 1.0))
    value = _log1p_or_double(t, size).with_sign_of(x)
    return (size < 2.0 ** -(x.format.fraction // 2 + 2)).choose(x, value)


def acosh(x: LaneValue) -> LaneValue:
    """Return the inverse of cosh: t = d + sqrt(d (d + 2)) with d = x - 1."""
    d = at_most(x, LARGE) - 1.0
    value = _log1p_or_double(ordered_sum((d * (d + 2.0)).sqrt(), d), x)
    return (x < 1.0).choose(math.nan, value)


def atanh(x: LaneValue) -> LaneValue:
    """Return the inverse of tanh: half of log(1 + t) with t = 2 x / (1 - x)."""
    size = abs(x)
    t = quotient(Pair(size + size, x.constant(0.0)), ordered_sum(x.constant(1.0), -size))
    u = exact_sum((size < 1.0).choose(t, 0.0), x.constant(1.0))
    half = (log_of_sum(u, x.constant(0.0)) * 0.5).with_sign_of(x)
    inside = (size < 2.0 ** -(x.format.fraction // 2 + 2)).choose(x, half)
    limit = (size == 1.0).choose(x.constant(math.inf).with_sign_of(x), math.nan)
    return (size < 1.0).choose(inside, limit)
