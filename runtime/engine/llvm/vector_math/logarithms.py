"""log and what is made of it.

x = 2**e m with m between the roots of 1/2 and 2; log m is a polynomial in f = m - 1.  For float64,
where that would be long, it is one in s = f / (2 + f): log m = 2 artanh s.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from runtime.engine.llvm.vector_math.exponentials import LN2
from runtime.engine.llvm.vector_math.values import Floats, polynomial, where

ROOT_HALF = {32: 0x3F3504F3, 64: 0x3FE6A09E667F3BCD}
"""The bits of the root of 1/2."""

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

    exponent: Floats
    f: Floats


def taken_apart(x: Floats) -> Binary:
    """Return the parts of a positive finite number; anything for others."""
    form = x.format
    tiny = x < form.least_normal
    bits = where(tiny, x * 2.0 ** (form.fraction + 1), x).bits()
    root = ROOT_HALF[form.bits]
    moved = bits + (form.one - root)
    m = ((moved & form.mask) + root).floats()
    bias = form.magic + form.bias
    biased = ((moved >> form.fraction) | form.magic_bits).floats()
    exponent = biased - where(tiny, x.constant(bias + form.fraction + 1), bias)
    return Binary(exponent, m - 1.0)


def with_limits(x: Floats, found: Floats) -> Floats:
    """Return a logarithm that is right where x is not positive and finite, too."""
    limit = where(x.equals(0.0), -math.inf, where(x > 0.0, x, math.nan))
    return where((x > 0.0) & (x < math.inf), found, limit)


def log(x: Floats) -> Floats:
    """Return the natural logarithm."""
    e, f = taken_apart(x)
    high, low = LN2[x.format.bits]
    square = f * f
    if x.format.bits == 32:
        rest = square.times_plus(f * polynomial(f, LOG), e * low)
        return with_limits(x, e.times_plus(high, square.times_plus(-0.5, rest) + f))
    s = f / (f + 2.0)
    z = s * s
    half = square * 0.5
    rest = s.times_plus(z.times_plus(polynomial(z, LOG_QUOTIENT), half), e * low)
    return with_limits(x, e.times_plus(high, f - (half - rest)))
