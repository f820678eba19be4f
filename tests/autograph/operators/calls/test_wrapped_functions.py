"""Tests of single dispatch, ``type`` and ``sorted`` on staged values."""

from __future__ import annotations

import functools

import pytest

import runtime


@functools.singledispatch
def described(value):
    return "other"


@described.register
def _(value: int):
    return value + 1


@described.register
def _(value: float):
    return value * 2


def dispatched(value):
    return described(value)


def class_name(value):
    return type(value).__name__, type(value) is list


def sorted_generator(items):
    return sorted(item * item for item in items), sorted((-i for i in items), reverse=True)


@pytest.mark.parametrize(
    ("function", "inputs"),
    [
        (dispatched, (10, 3.5, "a")),
        (class_name, ([1, 2], [], 3, 3.5, "a")),
        (sorted_generator, ([3, -1, 2], [5])),
    ],
)
def test_as_plain_python(function, inputs):
    staged = runtime.jit(function)
    for value in inputs:
        for _ in range(3):
            found, expected = staged(value), function(value)
            assert found == expected and type(found) is type(expected)
