"""exp, exp2 and expm1.

x = k ln 2 + r with whole k and small r (Cody and Waite, 1980); exp(r) is a polynomial.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from autograph.named_tuples import NamedTuple
from runtime.engine.llvm.values import LaneValue
from runtime.engine.llvm.vector_math.pairs import at_least, at_most, polynomial

LOG2_E = 1.4426950408889634
LN2 = {
    32: (0.6931471824645996, -1.9046542121259336e-09),
    64: (0.6931471805598903, 5.497923018708371e-14),
}
"""Parts of ln 2: whole multiples of the first are exact as far as they are needed."""

# exp(r) = 1 + r + r r P(r); those of EXPM1 are exact enough for functions near 0, too
EXP = {
    32: (0.5, 0.166665181517601, 0.04166620224714279, 0.008368953131139278, 0.0013950616121292114),
    64: (
        0.5000000000000013, 0.166666666666667, 0.04166666666651449, 0.008333333333306948,
        0.001388888894729143, 0.0001984126991802881, 2.4801489626425343e-05,
        2.7557215658225134e-06, 2.7631402849182446e-07, 2.5118079875426252e-08,
    ),
}  # fmt: skip
EXPM1 = {
    32: (
        0.5, 0.1666666567325592, 0.04166635870933533, 0.008333390578627586, 0.0013940716162323952,
        0.00019845165661536157,
    ),
    64: (
        0.5, 0.16666666666666677, 0.041666666666666505, 0.008333333333321606,
        0.0013888888888962847, 0.00019841269886211824, 2.4801587171974615e-05,
        2.755724410055964e-06, 2.755740281149902e-07, 2.510908260813675e-08,
        2.0875371520085297e-09,
    ),
}  # fmt: skip
EXP_SHORT = (
    0.5000000078315767, 0.16666666861170162, 0.04166626853656787, 0.008333264262391334,
    0.0013946175047562402, 0.00019918434456848018,
)  # fmt: skip
"""In float64, exact enough for results in float32."""
OVERFLOW = {32: 89.0, 64: 710.0}
"""exp is infinite from here on."""
UNDERFLOW = {32: -104.0, 64: -746.0}
"""exp is 0 up to here."""


class ReducedArgument(NamedTuple):
    """A number as k ln 2 + r + low; k as the bits of k plus the magic number."""

    k: LaneValue
    r: LaneValue
    low: LaneValue
    """What r rounds away."""


def reduce_argument(x: LaneValue) -> ReducedArgument:
    """Return the parts of a number at which exp is finite and not 0, or nearly so."""
    high, low = LN2[x.format.bits]
    shifted = x.times_plus(LOG2_E, x.format.magic)
    k = shifted - x.format.magic
    exact = k.times_plus(-high, x)
    r = k.times_plus(-low, exact)
    return ReducedArgument(shifted.bits(), r, k.times_plus(-low, exact - r))


def power_of_two(k: LaneValue, offset: int = 0) -> LaneValue:
    """Return 2 ** (k + offset), for k from ``reduce_argument`` and normal results."""
    f = k.format
    return (k + (f.bias + offset - f.magic_bits) << f.fraction).floats()


def ldexp(y: LaneValue, k: LaneValue, offset: int = 0) -> LaneValue:
    """Return y 2**(k + offset) in two steps, of which only the last one may round."""
    f = k.format
    exponent = k + (2 * f.bias + offset - f.magic_bits)
    half = exponent >> 1
    return y * (half << f.fraction).floats() * (exponent - half << f.fraction).floats()


def within_range(x: LaneValue) -> LaneValue:
    """Return x, or the nearest number at which exp has the same value."""
    bits = x.format.bits
    return at_least(at_most(x, OVERFLOW[bits]), UNDERFLOW[bits])


def exp_of_reduced(r: LaneValue, table: Sequence[float]) -> LaneValue:
    """Return exp(r)."""
    return (r * r).times_plus(polynomial(r, table), r) + 1.0


def exp_exactly(argument: ReducedArgument) -> LaneValue:
    """Return exp(r + low), in float64 with errors hardly beyond the rounding of the last sum."""
    r, low = argument.r, argument.low
    if r.format.bits == 32:
        return exp_of_reduced(r, EXP[32])
    tail = (r * r).times_plus(polynomial(r, EXP[64]), low)
    near = r + 1.0
    return near + (r - (near - 1.0) + tail)


def expm1_scaled(argument: ReducedArgument, offset: int) -> LaneValue:
    """Return exp(x) - 1 times 2**offset, of x that was reduced.

    In float64, (2**k - 1) + 2**k r is kept with what its sum rounds away: exp(r) - 1 alone would
    have an error that is large beside results of the other sign.
    """
    r = argument.r
    tail = polynomial(r, EXPM1[r.format.bits])
    power = power_of_two(argument.k, offset)
    start = power - 2.0**offset
    if r.format.bits == 32:
        return (r * r).times_plus(tail, r).times_plus(power, start)
    step = power * r
    total = start + step
    return total + power.times_plus((r * r).times_plus(tail, argument.low), step - (total - start))


def exp(x: LaneValue) -> LaneValue:
    """Return e**x."""
    argument = reduce_argument(within_range(x))
    return ldexp(exp_of_reduced(argument.r, EXP[x.format.bits]), argument.k)


def exp2(x: LaneValue) -> LaneValue:
    """Return 2**x."""
    form = x.format
    x = at_least(at_most(x, form.bias + 2.0), -form.bias - form.fraction - 2.0)
    shifted = x + form.magic
    r = (x - (shifted - form.magic)) * math.log(2)
    return ldexp(exp_of_reduced(r, EXP[form.bits]), shifted.bits())


def expm1(x: LaneValue) -> LaneValue:
    """Return e**x - 1; half of it is computed first, which does not overflow too early."""
    form = x.format
    argument = reduce_argument(at_least(at_most(x, OVERFLOW[form.bits]), -form.fraction - 2.0))
    return (abs(x) < 2.0 ** -(form.fraction + 2)).choose(x, expm1_scaled(argument, -1) * 2.0)
