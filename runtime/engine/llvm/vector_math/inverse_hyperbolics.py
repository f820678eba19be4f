"""asinh, acosh and atanh, all as log(1 + t) with t and what it rounds away."""

from __future__ import annotations

import math

from runtime.engine.llvm.values import LaneValue
from runtime.engine.llvm.vector_math.building_blocks import at_most
from runtime.engine.llvm.vector_math.logarithms import log_of_sum
from runtime.engine.llvm.vector_math.pairs import Pair, exact_sum, ordered_sum, quotient

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
