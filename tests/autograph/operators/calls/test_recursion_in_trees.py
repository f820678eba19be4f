"""Tests of functions with several staged calls of themselves, whose Python values differ."""

from __future__ import annotations

import pytest

import runtime
from autograph.operators.calls import recursion
from tests.support.nightly import diagonal

MOST_CALLS = 2000
"""So many calls may be traced; a tree of 25 levels has millions."""


def two_calls(x, k=0):
    return x if x < k else two_calls(x, k + 1) + two_calls(x, k + 1)


def three_calls(x, k=0):
    return x if x < k else three_calls(x, k + 1) + three_calls(x, k + 2) - three_calls(x, k + 1)


def keyword(x, *, k=0):
    if x < k:
        return x
    return keyword(x, k=k + 1) + 2 * keyword(x, k=k + 2)


def mutual(x, k=0):
    if x < k:
        return x
    return other(x, k + 1) + other(x, k + 1)


def other(x, k):
    if x < k:
        return 2 * x
    return mutual(x, k + 1) - 3 * mutual(x, k + 2)


def in_a_loop(x, k=0):
    if x < k:
        return x
    total = 0
    for _ in range(2):
        total = total + in_a_loop(x, k + 1)
    return total


def in_a_comprehension(x, k=0):
    if x < k:
        return x
    return sum([in_a_comprehension(x, k + step) for step in (1, 2)])


def in_a_method(x):
    class Tree:
        def size(self, k):
            return 1 if x < k else self.size(k + 1) + self.size(k + 1)

    return Tree().size(0)


def in_a_closure(x):
    def size(k):
        return 1 if x < k else size(k + 1) + size(k + 1)

    return size(0)


def after_one_another(x, k=0):
    total = 1
    if x >= k:
        total += after_one_another(x, k + 1)
    if x >= k + 1:
        total += after_one_another(x, k + 1)
    return total


def text(x, k=0, path=""):
    if x < k:
        return path
    return text(x, k + 1, path + "a") + text(x, k + 1, path + "b")


def formatted_text(x, k=0, path=""):
    if x < k:
        return path
    return formatted_text(x, k + 1, f"{path}{k}") + formatted_text(x, k + 1, f"{path}-")


def converted_text(x, k=0, path=""):
    if x < k:
        return path
    return converted_text(x, k + 1, path + str(k)) + converted_text(x, k + 1, path + "-")


def complex_number(x, k=0, z=1j):
    if x < k:
        return z
    return complex_number(x, k + 1, z * 2) + complex_number(x, k + 1, z + 1)


def pairs(x, pair=(0, "")):
    if x < pair[0]:
        return pair[1]
    return pairs(x, (pair[0] + 1, pair[1] + "l")) + pairs(x, (pair[0] + 1, pair[1] + "r"))


TREES = (
    two_calls, three_calls, keyword, mutual, in_a_loop, in_a_comprehension, in_a_method,
    in_a_closure, after_one_another, text, formatted_text, converted_text, complex_number, pairs,
)  # fmt: skip


@pytest.mark.parametrize("function, stage", diagonal(TREES, [runtime.function, runtime.jit]))
def test_values_of_python_are_staged_before_the_calls_multiply(monkeypatch, stage, function):
    calls = 0
    detect = recursion._call_detecting

    def counted(*args):
        nonlocal calls
        calls += 1
        assert calls < MOST_CALLS
        return detect(*args)

    monkeypatch.setattr(recursion, "_call_detecting", counted)
    staged = stage(function)
    for x in (5, 0, -1, 5):
        given = runtime.constant(x) if stage is runtime.function else x
        found = staged(given)
        found = found.numpy() if isinstance(found, runtime.Tensor) else found
        assert (found.decode() if isinstance(found, bytes) else found) == function(x)
