"""Numbers as the sum of two floats, the second of which is what the first rounds away.

Dekker (1971) and Knuth describe these sums and products; fused multiply-add makes them short.
"""

from __future__ import annotations

from autograph.named_tuples import NamedTuple
from runtime.engine.llvm.values import LaneValue


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
