"""Turns of loops that are read from the source before the first call."""

from __future__ import annotations

import numpy as np
import pytest

from runtime.functions.choice.expected_turns import UNKNOWN, expected_turns

SIZE = 5000


def pairs(n):
    total = 0
    for i in range(n):
        for j in range(i, n):
            total += i * j
    return total


def rows(a):
    n, m = a.shape
    return sum(a[i, j] for i in range(n) for j in range(m))


def count(n):
    i = 0
    while i < n:
        i += 1
    return i


def euclid(a, b):
    while b:
        a, b = b, a % b
    return a


def items(values):
    return [value for value in values if value]


def straight(a, b):
    return (a * 367) // 12 + b


def global_size():
    return sum(i for i in range(SIZE))


def unknown(n, text):
    for _ in text.split():
        for _ in range(n):
            pass


@pytest.mark.parametrize(("function", "args", "least", "most"), [
    (pairs, (20_000,), 1e8, 1e9),
    (rows, (np.zeros((300, 400)),), 120_000, 121_000),
    (count, (10**6,), 10**6, 10**6),
    (euclid, (10**9, 10**8), 0, 0),
    (items, ([0] * 20_000,), 20_000, 20_000),
    (straight, (10**9, 1), 0, 0),
    (pairs, (30,), 0, 0),
    (unknown, (20_000, "a b"), UNKNOWN * 20_000, UNKNOWN * 20_001),
    (global_size, (), 0, 0),
    (max, (10**9, 1), 0, 0),
])  # fmt: skip
def test_expected_turns(function, args, least, most):
    assert least <= expected_turns(function, args, {}) <= most


def test_arguments_by_name_and_by_default():
    def filled(n, m=30_000):
        return [i for i in range(m)]

    assert expected_turns(filled, (10**6,), {}) == 30_000
    assert expected_turns(filled, (10**6,), {"m": 5}) == 5
    assert expected_turns(filled, (), {"wrong": 10**6}) == 0
