"""Calls of compiled functions of Python's numbers, containers and arrays, against numba.

Prints microseconds per call of plain Python, numba and `runtime.jit`, and the ratio of the last to
numba's; then milliseconds of the first call of each.  Answers are compared first.
Needs the extras `bench` and `jit`.

    python benchmarks/native_against_numba.py
"""

from __future__ import annotations

import functools
import sys
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent.parent))

import numpy as np
import timing

import runtime as tf

try:
    import numba
except ImportError:
    sys.exit("this comparison needs numba: pip install 'pyautograph[bench]'")


Array = np.ndarray[Any, Any]


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


# Loops over arrays: how many turns they have is known while tracing.


def dot(a: Array, b: Array) -> float:
    """Add products of items."""
    total = 0.0
    for i in range(len(a)):
        total += a[i] * b[i]
    return total


def prefix_sums(a: Array) -> Array:
    """Give all sums on the way."""
    sums = np.zeros(len(a))
    total = 0.0
    for i in range(len(a)):
        total += a[i]
        sums[i] = total
    return sums


def matrix_product(a: Array, b: Array) -> Array:
    """Multiply matrices by three loops."""
    found = np.zeros((a.shape[0], b.shape[1]))
    for i in range(a.shape[0]):
        for j in range(b.shape[1]):
            total = 0.0
            for k in range(a.shape[1]):
                total += a[i, k] * b[k, j]
            found[i, j] = total
    return found


def histogram(a: Array) -> Array:
    """Count numbers from 0 to 1 in ten classes."""
    counts = np.zeros(10, np.int64)
    for i in range(len(a)):
        counts[int(a[i] * 10)] += 1
    return counts


def bubble_sort(a: Array) -> Array:
    """Sort a copy."""
    found = a.copy()
    for i in range(len(found)):
        for j in range(len(found) - 1 - i):
            if found[j] > found[j + 1]:
                found[j], found[j + 1] = found[j + 1], found[j]
    return found


def edit_distance(a: Array, b: Array) -> int:
    """Count the changes that make one sequence of the other."""
    table = np.zeros((len(a) + 1, len(b) + 1), np.int64)
    for i in range(len(a) + 1):
        table[i, 0] = i
    for j in range(len(b) + 1):
        table[0, j] = j
    for i in range(1, len(a) + 1):
        for j in range(1, len(b) + 1):
            cost = 0 if a[i - 1] == b[j - 1] else 1
            least = min(table[i - 1, j] + 1, table[i, j - 1] + 1)
            table[i, j] = min(least, table[i - 1, j - 1] + cost)
    return table[len(a), len(b)]


def energy(points: Array) -> float:
    """Add the reciprocals of all distances."""
    total = 0.0
    for i in range(len(points)):
        for j in range(i + 1, len(points)):
            square = 0.0
            for k in range(3):
                square += (points[i, k] - points[j, k]) ** 2
            total += 1.0 / square**0.5
    return total


def counted(a: Array) -> float:
    """Add items in a ``while`` with a counter."""
    i, total = 0, 0.0
    while i < len(a):
        total += a[i]
        i += 1
    return total


def stencil(a: Array) -> Array:
    """Give the means of the neighbours of all inner items."""
    found = np.zeros((a.shape[0], a.shape[1]))
    for i in range(1, a.shape[0] - 1):
        for j in range(1, a.shape[1] - 1):
            found[i, j] = (a[i - 1, j] + a[i + 1, j] + a[i, j - 1] + a[i, j + 1]) * 0.25
    return found


def clip(a: Array) -> float:
    """Limit the items, in place."""
    for i in range(len(a)):
        a[i] = min(a[i], 0.9)
    return a[0]


_DRAWN = np.random.default_rng(0)
_A, _B, _SQUARE = _DRAWN.random(10_000), _DRAWN.random(10_000), _DRAWN.random((24, 24))
_TEXTS = _DRAWN.integers(0, 4, 60), _DRAWN.integers(0, 4, 50)

def commonest(numbers: list[int]) -> int:
    """Count how often the commonest number occurs."""
    counts = {numbers[0]: 0}
    most = 0
    for x in numbers:
        counts[x] = counts[x] + 1 if x in counts else 1
        most = max(most, counts[x])
    return most


def collatz_longest(most: int) -> int:
    """Find the longest Collatz sequence, by a dict of the lengths that are known."""
    known = {1: 0}
    longest = 0
    for start in range(1, most):
        n = start
        count = 0
        while n not in known:
            n = n // 2 if n % 2 == 0 else 3 * n + 1
            count += 1
        known[start] = count + known[n]
        longest = max(longest, known[start])
    return longest


def orbit(n: int) -> int:
    """Count the remainders that a generator of random numbers visits."""
    seen = {n}
    n = (n * 137 + 5) % 10007
    while n not in seen:
        seen.add(n)
        n = (n * 137 + 5) % 10007
    return len(seen)


ROWS: list[tuple[Callable[..., Any], tuple[Any, ...]]] = [
    (successor, (3,)), (collatz, (27,)), (collatz_total, (3000,)), (sieve, (10_000,)),
    (sum_even, (10_000,)), (prefix_total, (list(range(10_000)),)),
    (dot, (_A, _B)), (prefix_sums, (_A,)), (matrix_product, (_SQUARE, _SQUARE)),
    (histogram, (_A,)), (bubble_sort, (_A[:60],)), (edit_distance, _TEXTS),
    (energy, (_DRAWN.random((60, 3)),)), (counted, (_A,)),
    (stencil, (_DRAWN.random((100, 100)),)), (clip, (_A.copy(),)),
    (commonest, ([k * k % 1009 for k in range(10_000)],)), (collatz_longest, (3000,)),
    (orbit, (1,)),
]  # fmt: skip


def main() -> None:
    """Print a line for each function."""
    warnings.simplefilter("ignore")  # numba's about reflected lists
    timing.pin()
    print(f"{'microseconds per call':24}{'Python':>12}{'numba':>12}{'runtime':>12}{'ratio':>8}"
          f"{'first: numba':>16}{'runtime':>12}")  # fmt: skip
    for function, args in ROWS:
        candidates = {
            "Python": function, "numba": numba.njit(function),
            "runtime": tf.jit(function, jit_compile=True),
        }  # fmt: skip
        wanted, first = function(*args), {}
        for name, candidate in candidates.items():
            start = time.perf_counter()
            candidate(*args)
            first[name] = (time.perf_counter() - start) * 1e3
            for _ in range(3):
                found = candidate(*args)
                assert np.allclose(found, wanted), (name, function.__name__, found, wanted)
        calls = {name: functools.partial(call, *args) for name, call in candidates.items()}
        seconds = timing.medians(calls, rounds=7)
        texts = "".join([f"{seconds[name] * 1e6:12.2f}" for name in candidates])
        ratio = seconds["runtime"] / seconds["numba"]
        firsts = f"{first['numba']:16.1f}{first['runtime']:12.1f}"
        print(f"{function.__name__:24}{texts}{ratio:8.2f}{firsts}", flush=True)


if __name__ == "__main__":
    main()
