"""sin, cos, tan, atan, atan2, asin and acos.

x = k pi / 2 + r with whole k and small r: by pi / 2 as a sum of parts that k times are exact (Cody
and Waite, 1980), and for large x by ``large_arguments.py``.  k says which of sin r and cos r it is.
Inverse angles are taken from pi / 4 or pi / 2, so that the tangent of the rest is at most that of
pi / 8.  Beyond 1 / 2, asin comes from the half angle: if cos y = x, then
sin(y / 2) = sqrt((1 - x) / 2).
"""

from __future__ import annotations

import math

from autograph.named_tuples import NamedTuple
from runtime.engine.llvm import kernel_ir as ir
from runtime.engine.llvm.text import llvm_type
from runtime.engine.llvm.values import LaneValue
from runtime.engine.llvm.vector_math import large_arguments
from runtime.engine.llvm.vector_math.pairs import (
    Pair,
    exact_sum,
    if_any,
    ordered_sum,
    polynomial,
    quotient,
)

TWO_OVER_PI = 0.6366197723675814
HALF_PI = {
    32: (1.5707963705062866, -4.371138828673793e-08, -1.7151245100058819e-15),
    64: (1.5707963267341256, 6.077100506303966e-11, 2.0222662487959506e-21),
}
LARGE = {32: 1e5, 64: 1e5}
"""Beyond this, the parts are no longer exact enough."""

# sin r = r + r z P(z), cos r = 1 - z / 2 + z z P(z), z = r r
SIN = {
    32: (-0.16666655242443085, 0.008332177996635437, -0.0001951729936990887),
    64: (
        -0.16666666666666632, 0.008333333333322424, -0.00019841269829816582,
        2.7557313695129372e-06, -2.505075864136439e-08, 1.5896827377995015e-10,
    ),
}  # fmt: skip
COS = {
    32: (0.04166664555668831, -0.001388736767694354, 2.4438488253508694e-05),
    64: (
        0.0416666666666666, -0.001388888888887414, 2.4801587289492e-05,
        -2.755731435528728e-07, 2.0875723690228553e-09, -1.1359670155397816e-11,
    ),
}  # fmt: skip


class Angle(NamedTuple):
    """An angle as so many quadrants and a remainder; ``low`` is what that rounds away."""

    quadrant: LaneValue
    remainder: LaneValue
    low: LaneValue


def reduce_angle(x: LaneValue) -> Angle:
    """Return the quadrant and the rest of any number."""
    form = x.format
    first, second, third = HALF_PI[form.bits]
    shifted = x.times_plus(TWO_OVER_PI, form.magic)
    k = shifted - form.magic
    if form.bits == 32:
        exact = k.times_plus(-first, x)
        remainder = k.times_plus(-second, exact)
        low = k * -third
    else:
        difference = exact_sum(x - k * first, -(k * second))  # both exact
        remainder, low = ordered_sum(difference.high, difference.low - k * third)
    large = ~(abs(x) <= LARGE[form.bits])
    usual = (shifted.bits().floats(), remainder, low)
    selected = if_any(large, usual, lambda: _reduce_large(x, large, usual))
    return Angle(selected[0].bits(), selected[1], selected[2])


def _reduce_large(x: LaneValue, large: LaneValue, usual: tuple[LaneValue, ...]) -> list[LaneValue]:
    """Return the quadrant, as bits, and the rest: exact for large numbers, the usual for others."""
    wide = large.choose(x, 1.0).to(ir.FLOAT64)
    rows = [_lane_of_rest(wide, lane) for lane in range(x.type.lanes)]
    quadrant, remainder, low = (
        _gather_lanes(x, type, [row[k] for row in rows]) for k, type in enumerate(_TYPES)
    )
    if x.format.bits == 32:
        quadrant = quadrant.to(ir.INT32)
        low = remainder - remainder.to(x.type).to(ir.FLOAT64)
    remainders = (remainder.to(x.type), low.to(x.type))
    return [large.choose(new, old) for new, old in zip((quadrant.floats(), *remainders), usual)]


_TYPES = (ir.INT64, ir.FLOAT64, ir.FLOAT64)


def _lane_of_rest(x: LaneValue, lane: int) -> list[str]:
    """Call the function of one lane; return its results."""
    text, item = x.text, x.name
    if x.type.lanes > 1:
        item = text.value(f"extractelement {x.kind} {x}, i32 {lane}")
    gives = "{" + ", ".join(map(llvm_type, _TYPES)) + "}"
    results = text.value(f"call {gives} @{large_arguments.NAME}(double {item})")
    return [text.value(f"extractvalue {gives} {results}, {k}") for k in range(3)]


def _gather_lanes(x: LaneValue, type: ir.Scalar, items: list[str]) -> LaneValue:
    """Return the vector of these numbers, which has as many lanes as another."""
    vector = LaneValue(x.writer, type.with_lanes(x.type.lanes), "undef")
    if len(items) == 1:
        return LaneValue(x.writer, type, items[0])
    for lane, item in enumerate(items):
        vector = vector.emit(
            f"insertelement {vector.kind} {vector}, {llvm_type(type)} {item}, i32 {lane}"
        )
    return vector


def _sin_and_cos(angle: Angle) -> tuple[Pair, Pair]:
    """Return sin and cos of the rest."""
    r, low = angle.remainder, angle.low
    bits = r.format.bits
    z = r * r
    half = z * 0.5
    sin_tail = polynomial(z, SIN[bits])
    cos_tail = polynomial(z, COS[bits])
    near = 1.0 - half
    sin = ordered_sum(r, (r * z).times_plus(sin_tail, low * near))
    cos = ordered_sum(near, 1.0 - near - half + (z * z).times_plus(cos_tail, -(r * low)))
    return sin, cos


def _sine_of_rotated(angle: Angle, quadrants: int) -> LaneValue:
    """Return the sine of the angle and so many quadrants more."""
    sin, cos = _sin_and_cos(angle)
    quadrant = angle.quadrant + quadrants if quadrants else angle.quadrant
    magnitude = (quadrant & 1 == 0).choose(sin.high, cos.high)
    sign = (quadrant & 2) << quadrant.format.bits - 2
    return (magnitude.bits() ^ sign).floats()


def sin(x: LaneValue) -> LaneValue:
    """Return the sine."""
    return (x == 0.0).choose(x, _sine_of_rotated(reduce_angle(x), 0))


def cos(x: LaneValue) -> LaneValue:
    """Return the cosine."""
    return _sine_of_rotated(reduce_angle(x), 1)


def tan(x: LaneValue) -> LaneValue:
    """Return the tangent, the quotient of the sine and the cosine."""
    angle = reduce_angle(x)
    sin, cos = _sin_and_cos(angle)
    even = angle.quadrant & 1 == 0
    top = Pair(even.choose(sin.high, cos.high), even.choose(sin.low, cos.low))
    bottom = Pair(even.choose(cos.high, -sin.high), even.choose(cos.low, -sin.low))
    return (x == 0.0).choose(x, quotient(top, bottom))


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
