"""exp and what is made of it: expm1, exp2, sigmoid, tanh, sinh, cosh.

x = k ln 2 + r with whole k and small r (Cody and Waite, 1980); exp(r) is a polynomial.
"""

from __future__ import annotations

from runtime.engine.llvm.vector_math.values import (
    Floats,
    Ints,
    at_least,
    at_most,
    polynomial,
    where,
)

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
OVERFLOW = {32: 89.0, 64: 710.0}
"""exp is infinite from here on."""
UNDERFLOW = {32: -104.0, 64: -746.0}
"""exp is 0 up to here."""


def reduced(x: Floats) -> tuple[Ints, Floats]:
    """Return the k and r of x; k as the bits of k plus the magic number."""
    high, low = LN2[x.format.bits]
    shifted = x.times_plus(LOG2_E, x.format.magic)
    k = shifted - x.format.magic
    return shifted.bits(), k.times_plus(-low, k.times_plus(-high, x))


def expm1_of_rest(r: Floats, table: dict[int, tuple[float, ...]]) -> Floats:
    """Return exp(r) - 1 of a rest."""
    return (r * r).times_plus(polynomial(r, table[r.format.bits]), r)


def power_of_two(k: Ints, offset: int = 0) -> Floats:
    """Return 2 ** (k + offset), for k from ``reduced`` and normal results."""
    f = k.format
    return (k + (f.bias + offset - f.magic_bits) << f.fraction).floats()


def scaled(y: Floats, k: Ints) -> Floats:
    """Return y 2**k in two steps, so that only the last one rounds, to a subnormal or infinity."""
    f = k.format
    both = k + (2 * f.bias - f.magic_bits)
    half = both >> 1
    return y * (half << f.fraction).floats() * (both - half << f.fraction).floats()


def exp(x: Floats) -> Floats:
    """Return e**x."""
    bits = x.format.bits
    x = at_least(at_most(x, OVERFLOW[bits]), UNDERFLOW[bits])
    k, r = reduced(x)
    return scaled(expm1_of_rest(r, EXP) + 1.0, k)


def sigmoid(x: Floats) -> Floats:
    """Return 1 / (1 + exp(-x)), as z / (1 + z) with z = exp(x) for negative x."""
    k, r = reduced(at_least(-abs(x), UNDERFLOW[x.format.bits]))
    z = scaled(expm1_of_rest(r, EXP) + 1.0, k)
    return where(x < 0.0, z, 1.0) / (z + 1.0)


TANH_IS_ONE = {32: 10.0, 64: 20.0}


def tanh(x: Floats) -> Floats:
    """Return the hyperbolic tangent: t / (t + 2) with t = exp(2 x) - 1."""
    k, r = reduced(at_most(abs(x), TANH_IS_ONE[x.format.bits]) * 2.0)
    power = power_of_two(k)
    t = expm1_of_rest(r, EXPM1).times_plus(power, power - 1.0)
    return (t / (t + 2.0)).with_sign_of(x)


def expm1(x: Floats) -> Floats:
    """Return e**x - 1; half of it is computed first, which does not overflow too early."""
    bits = x.format.bits
    k, r = reduced(at_least(at_most(x, OVERFLOW[bits]), -x.format.fraction - 2.0))
    half = power_of_two(k, -1)
    found = expm1_of_rest(r, EXPM1).times_plus(half, half - 0.5) * 2.0
    return where(abs(x) < 2.0 ** -(x.format.fraction + 2), x, found)
