"""Calls of compiled functions of Python's numbers and lists, against numba.

Prints microseconds per call of plain Python, numba and `runtime.jit`, and the ratio of the last to
numba's.  Answers are compared first.  Needs the extras `bench` and `jit`.

    python benchmarks/native_against_numba.py
"""

from __future__ import annotations

import functools
import sys
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent.parent))

import timing

import runtime as tf

try:
    import numba
except ImportError:
    sys.exit("this comparison needs numba: pip install 'pyautograph[bench]'")


def successor(x: int) -> int:
    """Add one."""
    return x + 1


def collatz(n: int) -> int:
    """Count the steps of a Collatz sequence."""
    count = 0
    while n != 1:
        if n % 2 == 0:
            n //= 2
        else:
            n = 3 * n + 1
        count += 1
    return count


def collatz_total(most: int) -> int:
    """Count the steps of many Collatz sequences."""
    count = 0
    for k in range(1, most + 1):
        n = k
        while n != 1:
            if n % 2 == 0:
                n //= 2
            else:
                n = 3 * n + 1
            count += 1
    return count


def sieve(n: int) -> int:
    """Count the primes below a number."""
    flags = [True] * n
    count = 0
    for i in range(2, n):
        if flags[i]:
            count += 1
            for j in range(i * i, n, i):
                flags[j] = False
    return count


def sum_even(most: int) -> int:
    """Add the even numbers below a number."""
    total = 0
    for x in range(most):
        if x % 2 == 0:
            total += x
    return total


def prefix_total(numbers: list[int]) -> int:
    """Add numbers, with a list of all sums on the way."""
    sums = [0]
    for x in numbers:
        sums.append(sums[-1] + x)
    return sums[-1]


ROWS: list[tuple[Callable[..., int], tuple[Any, ...]]] = [
    (successor, (3,)), (collatz, (27,)), (collatz_total, (3000,)), (sieve, (10_000,)),
    (sum_even, (10_000,)), (prefix_total, (list(range(10_000)),)),
]  # fmt: skip


def main() -> None:
    """Print a line for each function."""
    warnings.simplefilter("ignore")  # numba's about reflected lists
    timing.pin()
    print(f"{'microseconds per call':24}{'Python':>12}{'numba':>12}{'runtime':>12}{'ratio':>8}")
    for function, args in ROWS:
        candidates = {
            "Python": function, "numba": numba.njit(function),
            "runtime": tf.jit(function, jit_compile=True),
        }  # fmt: skip
        wanted = function(*args)
        for name, candidate in candidates.items():
            for _ in range(3):
                found = candidate(*args)
                assert found == wanted, (name, function.__name__, found, wanted)
        calls = {name: functools.partial(call, *args) for name, call in candidates.items()}
        seconds = timing.medians(calls, rounds=7)
        texts = "".join([f"{seconds[name] * 1e6:12.2f}" for name in candidates])
        ratio = seconds["runtime"] / seconds["numba"]
        print(f"{function.__name__:24}{texts}{ratio:8.2f}", flush=True)


if __name__ == "__main__":
    main()
