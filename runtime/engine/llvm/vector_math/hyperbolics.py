"""Functions made of exp and expm1: sigmoid, tanh, sinh and cosh."""

from __future__ import annotations

from runtime.engine.llvm.values import LaneValue
from runtime.engine.llvm.vector_math.building_blocks import at_least, at_most
from runtime.engine.llvm.vector_math.exponentials import (
    OVERFLOW,
    UNDERFLOW,
    exp_exactly,
    expm1_scaled,
    ldexp,
    reduce_argument,
)
from runtime.engine.llvm.vector_math.pairs import Pair, ordered_sum, quotient

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
