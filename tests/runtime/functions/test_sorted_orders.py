"""Sorting by an order, or by a comparison, that only the run knows."""

import functools

import pytest

import runtime as tf


def compare(left, right):
    return (left > right) - (left < right)


def some(x):
    return sorted([3, 1, 2, x], reverse=x > 1)


def many(x):
    return sorted([i * 7 % 5 for i in range(x)], key=lambda v: v % 3, reverse=x > 4)


def in_place(x):
    items = [3, x, 1]
    items.sort(reverse=x > 2)
    return items


def compared(x):
    items = [3, x, 1]
    items.sort(key=functools.cmp_to_key(compare), reverse=x > 2)
    return items


def compared_pairs(x):
    by_first = functools.cmp_to_key(lambda left, right: left[0] - right[0])
    return sorted([(1, x), (0, 2), (1, 2)], key=by_first, reverse=True)


def many_compared(x):
    return sorted([i * 7 % 5 for i in range(x)], key=functools.cmp_to_key(compare), reverse=x > 4)


def letters(x):
    return sorted("hello", reverse=x > 4)


@pytest.mark.parametrize(
    "function", [some, many, in_place, compared, compared_pairs, many_compared, letters]
)
def test_both_orders(function):
    strict = tf.jit(function, strict=True)
    for x in (0, 2, 3, 5, 7):
        assert strict(x) == function(x)
