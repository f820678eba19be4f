"""Programs in plain Python, over numbers, lists, dicts, sets and arrays, against numba."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from benchmarks.against_peers.line import Line
from benchmarks.against_peers.systems import jit, numba, python

Array = np.ndarray[Any, Any]


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


PROGRAMS: list[tuple[Callable[..., Any], tuple[Any, ...]]] = [
    (prefix_total, (list(range(10_000)),)),
    (dot, (_A, _B)), (prefix_sums, (_A,)), (matrix_product, (_SQUARE, _SQUARE)),
    (histogram, (_A,)), (bubble_sort, (_A[:60],)), (edit_distance, _TEXTS),
    (energy, (_DRAWN.random((60, 3)),)), (counted, (_A,)),
    (stencil, (_DRAWN.random((100, 100)),)), (clip, (_A.copy(),)),
    (commonest, ([k * k % 1009 for k in range(10_000)],)), (collatz_longest, (3000,)),
    (orbit, (1,)),
]  # fmt: skip


def line(program: Callable[..., Any], arguments: tuple[Any, ...]) -> Line:
    """Give the line of a program."""
    return Line(
        f"{program.__name__}, plain Python",
        inputs=lambda: arguments,
        small=lambda: arguments,
        systems={"Python": python(program), "numba": numba(program), "runtime.jit": jit(program)},
        tolerance=1e-12,
    )


LINES = [line(program, arguments) for program, arguments in PROGRAMS]
