"""pow and cbrt.  pow is exp of the exponent times the logarithm, which a pair of floats holds.

float32 is computed in float64, where the polynomials may be shorter.  Signs, zeros, infinities and
NaN follow C99 (annex F); lanes with them take a branch of their own.
"""

from __future__ import annotations

import math

from runtime.engine.llvm import kernel_ir as ir
from runtime.engine.llvm.values import LaneValue
from runtime.engine.llvm.vector_math.exponentials import (
    EXP_SHORT,
    LN2,
    ReducedArgument,
    exp_exactly,
    exp_of_reduced,
    ldexp,
    power_of_two,
    reduce_argument,
    within_range,
)
from runtime.engine.llvm.vector_math.logarithms import taken_apart
from runtime.engine.llvm.vector_math.pairs import (
    Pair,
    at_least,
    at_most,
    exact_product,
    exact_sum,
    if_any,
    ordered_sum,
    polynomial,
    product,
)

THIRD = (0.3333333333333333, 1.850371707708594e-17)
# artanh s = s + s z (1 / 3 + z P(z)), z = s s
LOG_TAIL = (
    0.1999999999999999, 0.14285714285722548, 0.11111111108769903, 0.09090909434953608,
    0.07692278449337299, 0.06668158178910309, 0.05837419995536661, 0.05994417316200812,
)  # fmt: skip
# log((1 + s) / (1 - s)) = 2 s + s z P(z), for powers of float32
LOG_SHORT = (
    0.6666666667579947, 0.39999995622502454, 0.2857210906298434, 0.22176193718621476,
    0.19584065106239412,
)  # fmt: skip

FAR = 2.0**100
"""Powers with larger exponents are 0, 1 or infinite; halves of their bits might overflow."""

# the root of m, between the roots of 1/2 and 2: a first guess
CBRT = {
    32: (0.4925096929073334, 0.739717423915863, -0.2903785705566406, 0.05822070315480232),
    64: (
        0.4516671708735798, 0.9048176410227278, -0.535629386948431, 0.21693686790203248,
        -0.03778804607073723,
    ),
}  # fmt: skip
ROOT_BITS = {32: 8, 64: 17}
"""So many bits of a guess have a cube without rounding."""


def pow(x: LaneValue, y: LaneValue) -> LaneValue:
    """Return x**y."""
    size = abs(x)
    if x.format.bits == 32:
        usual = _short_power(size.to(ir.FLOAT64), y.to(ir.FLOAT64)).to(x.type)
    else:
        usual = _power(size, y)
    plain = (x > 0.0) & (x < math.inf) & (abs(y) < math.inf)
    return if_any(~plain, [usual], lambda: [_with_limits(x, y, size, usual)])[0]


def _short_power(x: LaneValue, y: LaneValue) -> LaneValue:
    """Return the power of floats of 32 bits, which float64 holds."""
    e, f = taken_apart(x)
    s = f / (f + 2.0)
    z = s * s
    log = (s * z).times_plus(polynomial(z, LOG_SHORT), e.times_plus(math.log(2), s + s))
    argument = reduce_argument(within_range(y * log))
    return ldexp(exp_of_reduced(argument.r, EXP_SHORT), argument.k)


def _power(x: LaneValue, y: LaneValue) -> LaneValue:
    """Return the power of a positive number."""
    log = _log(*taken_apart(x))
    y = at_least(at_most(y, FAR), -FAR)
    scaled_log = exact_product(log.high, y)
    low = log.low.times_plus(y, scaled_log.low)
    argument = reduce_argument(within_range(scaled_log.high))
    low = (abs(scaled_log.high) < 1024.0).choose(low, 0.0)  # others are infinite or 0 anyway
    return ldexp(
        exp_exactly(ReducedArgument(argument.k, *exact_sum(argument.r, argument.low + low))),
        argument.k,
    )


def _log(e: LaneValue, f: LaneValue) -> Pair:
    """Return the logarithm of 2**e (1 + f) to about 66 bits."""
    d = f + 2.0
    inverse = 1.0 / d
    s = f * inverse
    exact = exact_product(s, d)
    residual = (f - exact.high) - exact.low - s * (f - (d - 2.0))
    ratio = Pair(s, residual * inverse)
    z = product(ratio, ratio)
    third = ordered_sum(f.constant(THIRD[0]), z.high * polynomial(z.high, LOG_TAIL))
    factor = product(z, Pair(third.high, third.low + THIRD[1]))
    tail = product(ratio, factor)
    log = ordered_sum(s, tail.high)
    low = log.low + (tail.low + ratio.low)
    high_ln2, low_ln2 = LN2[64]
    total = ordered_sum(e * high_ln2, log.high + log.high)
    return ordered_sum(total.high, e.times_plus(low_ln2, low + low + total.low))


def _with_limits(x: LaneValue, y: LaneValue, size: LaneValue, usual: LaneValue) -> LaneValue:
    """Return the power of any numbers; ``usual`` is that of the size of x."""
    is_whole, is_even = _is_whole(abs(y)), _is_whole(abs(y) * 0.5)
    negative = x.bits() < 0
    power = ((size < 1.0) & (y > 0.0) | (size > 1.0) & (y < 0.0)).choose(0.0, x.constant(math.inf))
    power = (size == 1.0).choose(1.0, power)
    to_limit = (size == 0.0) | (size == math.inf) | (abs(y) == math.inf)
    power = to_limit.choose(power, usual)
    power = (negative & is_whole & ~is_even).choose(-power, power)
    undefined = (x < 0.0) & (x > -math.inf) & ~is_whole
    power = (undefined | x.is_nan() | y.is_nan()).choose(math.nan, power)
    return ((x == 1.0) | (y == 0.0)).choose(1.0, power)


def _is_whole(size: LaneValue) -> LaneValue:
    """Return whether floats that are not negative are integers; infinity is one."""
    step = 2.0**size.format.fraction
    return (size + step - step == size) | (size >= step)


def cbrt(x: LaneValue) -> LaneValue:
    """Return the cube root: guess * (1 - residual)**(-1/3).

    ``residual`` is 1 - guess**3 / number.
    """
    form, size = x.format, abs(x)
    e, f = taken_apart(size)
    shifted = e.times_plus(1 / 3, form.magic)
    remainder = (shifted - form.magic).times_plus(-3.0, e)  # -1, 0 or 1
    m = f + 1.0
    guess = polynomial(m, CBRT[form.bits])
    double, half = remainder > 0.5, remainder < -0.5
    guess = double.choose(guess * 2.0 ** (1 / 3), half.choose(guess * 0.5 ** (1 / 3), guess))
    m = double.choose(m + m, half.choose(m * 0.5, m))
    cut = form.fraction + 1 - ROOT_BITS[form.bits]
    guess = ((guess.bits() >> cut) << cut).floats()
    residual = (m - guess * guess * guess) / m
    factor = residual * (residual * (residual * (14 / 81) + 2 / 9) + 1 / 3)
    root = guess.times_plus(factor, guess) * power_of_two(shifted.bits())
    return ((size > 0.0) & (size < math.inf)).choose(root.with_sign_of(x), x)


def sqrt(x: LaneValue) -> LaneValue:
    """Return the square root, correctly rounded."""
    return x.sqrt()


def rsqrt(x: LaneValue) -> LaneValue:
    """Return one over the square root."""
    return 1.0 / x.sqrt()
