"""How the benchmarks measure: rounds in which all candidates take turns, and their medians.

Taking turns keeps a slow phase of the machine from hitting one candidate only.
"""

from __future__ import annotations

import os
import statistics
import time
from collections.abc import Callable, Mapping


def pin() -> None:
    """Keeps this process on one core, where the system can."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})


def medians(
    candidates: Mapping[str, Callable[[], object]], rounds: int = 15, least: float = 0.01
) -> dict[str, float]:
    """Median seconds per call of each candidate.

    Each is called once to warm up, then often enough per round to fill `least` seconds.
    """
    repeats = {}
    for name, call in candidates.items():
        call()
        start = time.perf_counter()
        call()
        once = max(time.perf_counter() - start, 1e-8)
        repeats[name] = max(1, round(least / once))
    seconds: dict[str, list[float]] = {name: [] for name in candidates}
    for _ in range(rounds):
        for name, call in candidates.items():
            start = time.perf_counter()
            for _ in range(repeats[name]):
                call()
            seconds[name].append((time.perf_counter() - start) / repeats[name])
    return {name: statistics.median(values) for name, values in seconds.items()}


def spoken(seconds: float) -> str:
    """1.3e-5 -> "13 us"."""
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("us", 1e-6)):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds / 1e-9:.3g} ns"


def report(title: str, results: Mapping[str, float], against: str) -> None:
    """Prints the medians and their ratios to one of them."""
    print(title)
    for name, seconds in results.items():
        ratio = seconds / results[against]
        print(f"  {name:<28} {spoken(seconds):>9}   {ratio:8.2f} x {against}")
