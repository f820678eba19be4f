"""log, log1p, log2 and log10.

x = 2**e m with m between the roots of 1/2 and 2; log m is a polynomial in f = m - 1.  For float64,
where that would be long, it is one in s = f / (2 + f): log m = 2 artanh s.
"""

from __future__ import annotations

import math

from autograph.named_tuples import NamedTuple
from runtime.engine.llvm.values import LaneValue
from runtime.engine.llvm.vector_math.exponentials import LN2
from runtime.engine.llvm.vector_math.pairs import Pair, exact_sum, polynomial

ROOT_HALF = {32: 0x3F3504F3, 64: 0x3FE6A09E667F3BCD}
"""The bits of the root of 1/2."""

LOG2_E = {
    32: (1.4426950216293335, 1.925963033500011e-08),
    64: (1.4426950408889634, 2.0355273740931033e-17),
}
LOG10_E = {
    32: (0.4342944920063019, -1.0103049952192578e-08),
    64: (0.4342944819032518, 1.098319650216765e-17),
}
LOG10_2 = {
    32: (0.30103302001953125, -3.024355464731343e-06),
    64: (0.30102999566395283, 2.8363394551044964e-14),
}
"""Parts; whole multiples of the first part of log10 2 are exact as far as they are needed."""

# log(1 + f) = f - f f / 2 + f f f P(f)
LOG = (
    0.3333333134651184, -0.2500081956386566, 0.20001229643821716, -0.16623364388942719,
    0.14201699197292328, -0.1316005289554596, 0.12761931121349335, -0.07635267078876495,
)  # fmt: skip
# log((1 + s) / (1 - s)) = 2 s + s z P(z), z = s s
LOG_QUOTIENT = (
    0.6666666666666734, 0.39999999999414654, 0.28571428742391597, 0.22222198572840465,
    0.18183564342221895, 0.15314050162244672, 0.1479595352520824,
)  # fmt: skip


class Binary(NamedTuple):
    """A positive number as 2**exponent * (1 + f)."""

    exponent: LaneValue
    f: LaneValue


def taken_apart(x: LaneValue) -> Binary:
    """Return the parts of a positive finite number; anything for others."""
    form = x.format
    tiny = x < form.least_normal
    bits = tiny.choose(x * 2.0 ** (form.fraction + 1), x).bits()
    root = ROOT_HALF[form.bits]
    moved = bits + (form.one - root)
    m = ((moved & form.mask) + root).floats()
    bias = form.magic + form.bias
    biased = ((moved >> form.fraction) | form.magic_bits).floats()
    exponent = biased - tiny.choose(x.constant(bias + form.fraction + 1), bias)
    return Binary(exponent, m - 1.0)


def with_limits(x: LaneValue, value: LaneValue) -> LaneValue:
    """Return a logarithm that is right where x is not positive and finite, too."""
    limit = (x == 0.0).choose(-math.inf, (x > 0.0).choose(x, math.nan))
    return ((x > 0.0) & (x < math.inf)).choose(value, limit)


def log_of_fraction(f: LaneValue) -> Pair:
    """Return log(1 + f); the sum of the parts is not rounded yet."""
    square = f * f
    if f.format.bits == 32:
        half, tail = square * 0.5, square * (f * polynomial(f, LOG))
    else:
        half = square * 0.5
        s = f / (f + 2.0)
        z = s * s
        tail = s * z.times_plus(polynomial(z, LOG_QUOTIENT), half)
    high = f - half
    return Pair(high, f - high - half + tail)


def log_of_parts(e: LaneValue, f: LaneValue) -> LaneValue:
    """Return the logarithm of 2**e (1 + f)."""
    high, low = LN2[f.format.bits]
    square = f * f
    if f.format.bits == 32:
        correction = square.times_plus(f * polynomial(f, LOG), e * low)
        return e.times_plus(high, square.times_plus(-0.5, correction) + f)
    s = f / (f + 2.0)
    z = s * s
    half = square * 0.5
    correction = s.times_plus(z.times_plus(polynomial(z, LOG_QUOTIENT), half), e * low)
    return e.times_plus(high, f - (half - correction))


def log(x: LaneValue) -> LaneValue:
    """Return the natural logarithm."""
    return with_limits(x, log_of_parts(*taken_apart(x)))


def log_of_sum(u: Pair, doublings: LaneValue | None = None) -> LaneValue:
    """Return log(high + low), of high from 1/2 or more; plus so many times log 2."""
    e, f = taken_apart(u.high)
    # 2**-e, from the difference of the bits of 1 + f and u; half of it stays a normal number
    two_bits = u.high.format.one + (1 << u.high.format.fraction)
    scale = ((f + 1.0).bits() - u.high.bits() + two_bits).floats()
    e = e + doublings if doublings else e
    return with_limits(u.high, log_of_parts(e, u.low.times_plus(scale * 0.5, f)))


def log1p(x: LaneValue) -> LaneValue:
    """Return log(1 + x): what 1 + x rounds away is added to f."""
    value = log_of_sum(exact_sum(x, x.constant(1.0)))
    return (abs(x) < 2.0 ** -(x.format.fraction + 2)).choose(x, value)


def log2(x: LaneValue) -> LaneValue:
    """Return the logarithm to base 2, exact for powers of 2."""
    e, f = taken_apart(x)
    high, low = LOG2_E[x.format.bits]
    log = log_of_fraction(f)
    log_low = log.low.times_plus(high, log.high * low)
    return with_limits(x, log.high.times_plus(high, log_low) + e)


def log10(x: LaneValue) -> LaneValue:
    """Return the logarithm to base 10."""
    e, f = taken_apart(x)
    high, low = LOG10_E[x.format.bits]
    step, step_low = LOG10_2[x.format.bits]
    log = log_of_fraction(f)
    log_low = log.low.times_plus(high, log.high.times_plus(low, e * step_low))
    return with_limits(x, e.times_plus(step, log.high.times_plus(high, log_low)))
