"""atan, atan2, asin and acos.

Angles are taken from pi / 4 or pi / 2, so that the tangent of the rest is at most that of pi / 8.
Beyond 1 / 2, asin comes from the half angle: if cos y = x, then sin(y / 2) = sqrt((1 - x) / 2).
"""

from __future__ import annotations

import math

from runtime.engine.llvm.values import LaneValue
from runtime.engine.llvm.vector_math.building_blocks import polynomial
from runtime.engine.llvm.vector_math.pairs import Pair, ordered_sum

PI = {
    32: (3.1415927410125732, -8.742277657347586e-08),
    64: (3.141592653589793, 1.2246467991473532e-16),
}
# atan t = t + t z P(z), z = t t, up to tan(pi / 8)
ATAN = {
    32: (
        -0.33333316445350647, 0.19998489320278168, -0.14243848621845245, 0.10595999658107758,
        -0.060834478586912155,
    ),
    64: (
        -0.333333333333332, 0.19999999999954085, -0.14285714280248987, 0.11111110786162764,
        -0.0909089783718091, 0.07692061650274888, -0.06663120534324665, 0.058480100145001684,
        -0.05039850471467651, 0.03807844721590633, -0.01792241778787248,
    ),
}  # fmt: skip
# asin s = s + s z P(z), z = s s, up to 1 / 2
ASIN = {
    32: (
        0.16666753590106964, 0.07495241612195969, 0.04547709971666336, 0.024147577583789825,
        0.04221862554550171,
    ),
    64: (
        0.16666666666666763, 0.07499999999970275, 0.04464285717510848, 0.03038194268419261,
        0.022372215644413766, 0.017351600372478997, 0.013980958140054817, 0.011397802652130588,
        0.010786382042372958, 0.003683587928084759, 0.021762193622113526, -0.021075476740293166,
        0.03267577413870918,
    ),
}  # fmt: skip
TAN_EIGHTH = math.sqrt(2) - 1


def _angle(rise: LaneValue, run: LaneValue) -> Pair:
    """Return atan(rise / run) of numbers that are not negative, as a sum that is not rounded."""
    high, low = PI[rise.format.bits]
    steep, middle = rise > run * (1 / TAN_EIGHTH), rise > run * TAN_EIGHTH
    top = steep.choose(-run, middle.choose(rise - run, rise))
    t = top / steep.choose(rise, middle.choose(rise + run, run))
    start = steep.choose(high / 2, middle.choose(rise.constant(high / 4), 0.0))
    start_low = steep.choose(low / 2, middle.choose(rise.constant(low / 4), 0.0))
    z = t * t
    total = ordered_sum(start, t)
    tail = (t * z).times_plus(polynomial(z, ATAN[rise.format.bits]), start_low)
    return Pair(total.high, total.low + tail)


def atan(x: LaneValue) -> LaneValue:
    """Return the inverse of the tangent."""
    angle = _angle(abs(x), x.constant(1.0))
    return (angle.high + angle.low).with_sign_of(x)


def atan2(y: LaneValue, x: LaneValue) -> LaneValue:
    """Return the angle of the point (x, y)."""
    rise, run = abs(y), abs(x)
    most = 2.0 ** (x.format.bias - 1)
    large = (rise > most) | (run > most)
    rise, run = large.choose(rise * 0.25, rise), large.choose(run * 0.25, run)
    same = rise == run  # also 0 / 0 and infinity / infinity
    rise, run = (same & (rise > 0.0)).choose(1.0, rise), same.choose(1.0, run)
    acute = _angle(rise, run)
    high, low = PI[x.format.bits]
    back = ordered_sum(x.constant(high), -acute.high)
    is_negative = x.bits() < 0
    angle = is_negative.choose(back.high + (back.low - acute.low + low), acute.high + acute.low)
    return angle.with_sign_of(y)


def _half_angle(x: LaneValue) -> tuple[LaneValue, LaneValue]:
    """Return s and the rest of asin s; s is x, or sqrt((1 - x) / 2) if x is beyond 1 / 2."""
    far = (1.0 - x) * 0.5
    beyond = x > 0.5
    z = beyond.choose(far, x * x)
    s = beyond.choose(far.sqrt(), x)
    return s, s * z * polynomial(z, ASIN[x.format.bits])


def asin(x: LaneValue) -> LaneValue:
    """Return the inverse of the sine."""
    size = abs(x)
    high, low = PI[x.format.bits]
    s, s_low = _half_angle(size)
    start = ordered_sum(x.constant(high / 2), s * -2.0)
    far = start.high + (start.low - (s_low + s_low) + low / 2)
    return (size > 0.5).choose(far, s + s_low).with_sign_of(x)


def acos(x: LaneValue) -> LaneValue:
    """Return the inverse of the cosine."""
    size = abs(x)
    high, low = PI[x.format.bits]
    s, s_low = _half_angle(size)
    right = ~(x.bits() < 0)
    near = ordered_sum(x.constant(high / 2), -s.with_sign_of(x))
    near_angle = near.high + (near.low - s_low.with_sign_of(x) + low / 2)
    opposite = ordered_sum(x.constant(high), s * -2.0)
    opposite_angle = opposite.high + (opposite.low - (s_low + s_low) + low)
    far = right.choose((s + s_low) * 2.0, opposite_angle)
    return (size > 0.5).choose(far, near_angle)
