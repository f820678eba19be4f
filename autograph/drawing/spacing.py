"""Positions on a side of a box that keep their distance and are as near as can be to wishes."""

from __future__ import annotations

from collections.abc import Sequence


def spaced(
    wishes: Sequence[float], weights: Sequence[float], gaps: Sequence[float],
    low: float, high: float,
) -> list[float]:  # fmt: skip
    """Return increasing positions between ``low`` and ``high``; ``gaps`` lie between neighbours.

    They have the least sum of weighted squares of distances from the wishes, found by pooling
    adjacent violators (Ayer et al. 1955).  Where the room is too small, the gaps shrink.
    """
    total = sum(gaps)
    shrink = min(1.0, (high - low) / total) if total > 0 else 1.0
    offsets = [0.0]
    for gap in gaps:
        offsets.append(offsets[-1] + gap * shrink)
    pools: list[tuple[float, float, int]] = []
    for wish, weight, offset in zip(wishes, weights, offsets):
        mean, mass, count = wish - offset, weight, 1
        while pools and pools[-1][0] >= mean:
            before, heavier, heavier_count = pools.pop()
            mean = (mean * mass + before * heavier) / (mass + heavier)
            mass, count = mass + heavier, count + heavier_count
        pools.append((mean, mass, count))
    last_low = high - offsets[len(wishes) - 1] if wishes else high
    flat = [
        min(max(mean, low), max(low, last_low)) for mean, _, count in pools for _ in range(count)
    ]
    return [value + offset for value, offset in zip(flat, offsets)]
