"""``runtime.jit``: a number of Python's on one path, and a scalar of an array on another."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from tests.runtime.functions.jit_results import as_python


def expression(a: Any, n: Any) -> Any:
    return 0.1 if n > 3 else a[0]


def in_dicts(a: Any, n: Any) -> Any:
    return {"x": 1} if n > 3 else {"x": a[0]}


def in_tuples(a: Any, n: Any) -> Any:
    return (a[0], n) if n > 3 else (n, a[0])


def handler(a: Any, n: Any) -> Any:
    try:
        return a[n]
    except IndexError:
        return -1


def greater(a: Any, n: Any) -> Any:
    for v in a:
        if v > n:
            return v
    return -1


def added_up(a: Any, n: Any) -> Any:
    total = 0
    for i in range(n):
        total += a[i]
    return total, total / 2, n * total


def nested_loops(a: Any, n: Any) -> Any:
    total = 0
    for _ in range(n):
        for j in range(n):
            total += a[j]
    return total


def left_early(a: Any, n: Any) -> Any:
    total, i = 0.0, 0
    while i < n:
        if a[i] == 2:
            break
        total += a[i]
        i += 1
    return total, i


def greatest(a: Any, n: Any) -> Any:
    best = 0
    for i in range(n):
        if a[i] > best:
            best = a[i]
    return best


def used(a: Any, n: Any) -> Any:
    x = a[2] if n > 1 else 2
    texts = f"{x}", math.sqrt(x), max(x, 1), np.add(x, 1)
    return x + 1, a[0] - x, 2**x, x == 2, [x, 1] == [2, 1], texts


def counted(a: Any, n: Any) -> Any:
    turns = 0
    for i in range(a[2] if n > 1 else 2):
        turns += i
    return turns, [1, 2, 3, 4, 5][a[1] if n > 1 else 0]


def items(a: Any, n: Any) -> Any:
    values = [a[i] if i % 2 else i for i in range(n)]
    return values, sum(values)


def written(a: Any, n: Any) -> Any:
    x = a[0] if n else 2
    a[1:] *= x
    a[0] = x
    return a, x


def written_number(a: Any, n: Any) -> Any:
    x = 1 if n else 2.5
    a[0] = x
    a[1:] = a[1:] * 1.0
    return a


def array_or_number(a: Any, n: Any) -> Any:
    return a if n > 3 else n


def array_added_to(a: Any, n: Any) -> Any:
    a += 1 if n else 2
    return a


FUNCTIONS = [
    expression, in_dicts, in_tuples, handler, greater, added_up, nested_loops, left_early, greatest,
    used, items, written, written_number, array_or_number, array_added_to,
]  # fmt: skip


@pytest.mark.parametrize("function", FUNCTIONS)
@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.int64, np.int8])
def test_each_stays_what_it_is(function: Callable[..., Any], dtype: Any) -> None:
    as_python(function, *((np.arange(1, 6).astype(dtype), n) for n in (0, 1, 4, 5)))


def test_scalars_are_ints() -> None:
    as_python(counted, *((np.arange(5), n) for n in (0, 1, 4, 5)))


def empty(a: Any) -> Any:
    total = 0
    for value in a:
        total += value
    return total


@pytest.mark.parametrize("dtype", [np.float32, np.int8])
def test_a_loop_without_turns_leaves_the_number(dtype: Any) -> None:
    as_python(empty, (np.zeros(0, dtype),))
    as_python(empty, (np.ones(3, dtype),))


def joined_number_in_place(a: Any, n: Any) -> Any:
    a += 1 if n else 2.5
    return a


def test_an_array_is_changed_by_a_joined_number() -> None:
    as_python(joined_number_in_place, (np.arange(3.0), 0), (np.arange(3.0), 2))


def swapped(a: Any, n: Any) -> Any:
    x, y, i = 1, a[0], 0
    while i < n:
        x, y = y, x
        i += 1
    return x, y


def moved_on(a: Any, n: Any) -> Any:
    x = y = z = 0
    for i in range(n):
        x, y, z = y, z, a[i]
    return x, y, z


@pytest.mark.parametrize("function", [swapped, moved_on])
def test_numbers_and_scalars_change_places(function: Callable[..., Any]) -> None:
    as_python(function, *((np.arange(1.0, 6.0), n) for n in (0, 1, 2, 3, 4)))
