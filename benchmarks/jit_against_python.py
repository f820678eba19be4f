"""``runtime.jit`` is never slower than plain Python: everyday functions, both ways.

    taskset -c 0 python -m benchmarks.jit_against_python             # all
    taskset -c 0 python -m benchmarks.jit_against_python fib bfs

For each function: the time of a call as plain Python, the time of the first ten calls under ``jit``
(less tracing and compiling, which ``jit`` does when it expects to gain it back) and that of a later
call, both as ratios to plain Python, and the way that was chosen.  The ways take turns.
"""

from __future__ import annotations

import statistics
import sys
import time
import warnings
from collections.abc import Callable
from typing import Any

import runtime as tf
from benchmarks import everyday_functions
from benchmarks.timing import use_one_thread

SETTLING = 3.0
"""Seconds of calls after which a choice is expected."""

ROUNDS, SECONDS = 7, 0.02
"""Rounds in which both ways take turns, and the seconds of each."""

clock = time.perf_counter


def time_of_call(function: Callable[..., Any], args: tuple[Any, ...], calls: int) -> float:
    """Return the mean time of some calls in seconds."""
    start = clock()
    for _ in range(calls):
        function(*args)
    return (clock() - start) / calls


def first_calls(staged: Any, args: tuple[Any, ...]) -> float:
    """Return the time of the first ten calls in seconds, without that of tracing."""
    seconds = time_of_call(staged, args, 10) * 10
    return seconds - sum(trace.seconds for trace in staged.explain().traces)


def settle(staged: Any, args: tuple[Any, ...]) -> None:
    """Call a function until its choice is settled."""
    end = clock() + SETTLING
    while clock() < end:
        staged(*args)


def measured(function: Any, args: tuple[Any, ...]) -> tuple[float, float, float, str]:
    """Return the time of plain Python, the ratios of the first and of later calls, and the way."""
    calls = max(1, int(SECONDS / time_of_call(function, args, 3)))
    plain = statistics.median(time_of_call(function, args, calls) for _ in range(3))
    staged = tf.jit(function)
    name = function.__name__
    setattr(everyday_functions, name, staged)  # calls of itself go by the name
    try:
        first = first_calls(staged, args) / (10 * plain)
        settle(staged, args)
        ratios = []
        for _ in range(ROUNDS):
            setattr(everyday_functions, name, function)
            seconds = time_of_call(function, args, calls)
            setattr(everyday_functions, name, staged)
            ratios.append(time_of_call(staged, args, calls) / seconds)
    finally:
        setattr(everyday_functions, name, function)
    way = staged.explain().partition(" runs as ")[2].partition("\n")[0]
    return plain, first, statistics.median(ratios), way


def main(names: list[str]) -> None:
    """Print a line for each function, then the geometric mean and the worst ratio."""
    use_one_thread()
    warnings.simplefilter("ignore", tf.errors.JitWarning)
    later = []
    print(f"{'function':15}{'Python, us':>12}{'first ten':>11}{'later':>8}  way")
    for function, args in everyday_functions.CASES:
        if names and function.__name__ not in names:
            continue
        plain, first, ratio, way = measured(function, args)
        later.append(ratio)
        print(
            f"{function.__name__:15}{plain * 1e6:12.2f}{first:11.2f}{ratio:8.3f}  {way[:90]}",
            flush=True,
        )
    print(f"geometric mean {statistics.geometric_mean(later):.3f}, worst {max(later):.3f}")


if __name__ == "__main__":
    main(sys.argv[1:])
