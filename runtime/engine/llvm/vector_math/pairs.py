"""What the functions are made of: limits, polynomials, branches that few numbers take, and numbers
as the sum of two floats, the second of which is what the first rounds away.

Dekker (1971) and Knuth describe these sums and products; fused multiply-add makes them short.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from autograph.named_tuples import NamedTuple
from runtime.engine.llvm.values import LaneValue


def at_most(x: LaneValue, limit: float) -> LaneValue:
    """Return the lesser of x and the limit; NaN stays NaN."""
    limits = x.constant(limit)
    return (limits < x).choose(limits, x)


def at_least(x: LaneValue, limit: float) -> LaneValue:
    """Return the greater of x and the limit; NaN stays NaN."""
    limits = x.constant(limit)
    return (limits > x).choose(limits, x)


def polynomial(x: LaneValue, coefficients: Sequence[float]) -> LaneValue:
    """Return c0 + c1 x + c2 x x + ...; long ones as two, which do not wait for each other."""
    if len(coefficients) > 5:
        square = x * x
        even, odd = polynomial(square, coefficients[::2]), polynomial(square, coefficients[1::2])
        return odd.times_plus(x, even)
    *lower, total = [x.constant(c) for c in coefficients]
    for c in reversed(lower):
        total = total.times_plus(x, c)
    return total


def if_any(
    mask: LaneValue, usual: Sequence[LaneValue], rare: Callable[[], Sequence[LaneValue]]
) -> list[LaneValue]:
    """Return the usual values, or what ``rare`` computes where any lane of the mask is true.

    The rare values have to be the usual ones in all other lanes.
    """
    text = mask.text
    done = text.join(*[common.kind for common in usual])
    done.bring_unless(mask.any(), *[common.name for common in usual], likely=None)
    done.bring(*[special.name for special in rare()])
    return [
        LaneValue(common.writer, common.type, name)
        for common, name in zip(usual, done.values(), strict=True)
    ]


class Pair(NamedTuple):
    """A number as ``high + low``."""

    high: LaneValue
    low: LaneValue


def ordered_sum(large: LaneValue, small: LaneValue) -> Pair:
    """Return the exact sum of two floats, the first of which is 0 or not smaller."""
    high = large + small
    return Pair(high, small - (high - large))


def exact_sum(a: LaneValue, b: LaneValue) -> Pair:
    """Return the exact sum of two floats."""
    high = a + b
    back = high - a
    return Pair(high, (a - (high - back)) + (b - back))


def exact_product(a: LaneValue, b: LaneValue) -> Pair:
    """Return the exact product of two floats that are far from overflow and underflow."""
    high = a * b
    if a.has_fma:
        return Pair(high, a.times_plus(b, -high))
    (a1, a2), (b1, b2) = _halves(a), _halves(b)
    return Pair(high, a2 * b2 - (high - a1 * b1 - a2 * b1 - a1 * b2))


def _halves(a: LaneValue) -> tuple[LaneValue, LaneValue]:
    """Return the upper and the lower half of the bits."""
    moved = a * (2.0 ** (a.format.fraction // 2 + 1) + 1)
    high = moved - (moved - a)
    return high, a - high


def product(a: Pair, b: Pair) -> Pair:
    """Return the product, to about twice the bits of a float."""
    exact = exact_product(a.high, b.high)
    low = a.high.times_plus(b.low, a.low.times_plus(b.high, exact.low))
    return ordered_sum(exact.high, low)


def quotient(a: Pair, b: Pair) -> LaneValue:
    """Return the quotient of two pairs, with hardly more error than that of its rounding."""
    if not a.high.has_fma:
        estimate = a.high / b.high
        return estimate + (a.low - estimate * b.low) / b.high
    inverse = 1.0 / b.high
    near = a.high * inverse
    minus = -near
    residual = minus.times_plus(b.high, a.high) + minus.times_plus(b.low, a.low)
    return residual.times_plus(inverse, near)
