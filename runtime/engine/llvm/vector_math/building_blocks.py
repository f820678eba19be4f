"""What the functions are made of: limits, polynomials, and branches that few numbers take."""

from __future__ import annotations

from collections.abc import Callable, Sequence

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
