"""Arguments hold after an exception what Python leaves in them, and objects in collections are
told apart though they are equal.
"""

from __future__ import annotations

import copy
import dataclasses
from collections import deque
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import runtime


@dataclasses.dataclass
class Point:
    x: Any
    y: Any = 2


class Equal:
    """An object whose class compares by value."""

    def __init__(self, x: Any) -> None:
        self.x = x

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Equal) and bool(self.x == other.x)

    def __hash__(self) -> int:
        return hash(self.x)

    def __repr__(self) -> str:
        return f"Equal({self.x!r})"


class Endless(dict[Any, Any]):
    def __len__(self) -> int:
        return 42


def raise_where(values, n):
    if n > 2:
        values[0] = 7
        raise ValueError(n)
    return n


def append_where(values, n):
    if n > 2:
        values.append(n)
        raise ValueError(n)
    return n


def append_until(values, n):
    for i in range(n):
        values.append(i)
        if i == 3:
            raise ValueError(i)
    return n


def inner(values, n):
    if n > 2:
        values["k"][0] = n
        raise ValueError(n)
    return n


def attribute(points, n):
    if n > 2:
        points[0].x = n
        raise ValueError(n)
    return n


def empty(values, n):
    if n > 0:
        while len(values) > 2:
            values.popitem()
    return n


def compared(point, n):
    if n > 2:
        point.x = n
        return min([point, Point(n)])
    return None


CALLS: list[tuple[Callable[..., Any], Any]] = [
    (raise_where, [1, 2]), (raise_where, np.zeros(3)), (raise_where, deque([1, 2])),
    (raise_where, {0: 1}), (append_where, [1]), (append_where, deque([1])), (append_until, [5]),
    (inner, {"k": [1]}), (attribute, [Point(3)]), (attribute, (Point(3), 1)),
    (attribute, [Equal(3)]), (attribute, deque([Equal(3)])), (empty, Endless(a=1, b=2)),
    (compared, Point(3)),
]  # fmt: skip


def outcome(call: Callable[..., Any], value: Any, n: int) -> str:
    """The result or exception of a call, and its argument afterwards."""
    try:
        return repr((call(value, n), value))
    except Exception as error:
        return repr((error, value))


@pytest.mark.parametrize(("python", "value"), CALLS)
@pytest.mark.filterwarnings("ignore::runtime.errors.RetracingWarning")
def test_what_exceptions_leave_in_arguments(python: Callable[..., Any], value: Any) -> None:
    staged = runtime.jit(python)
    for n in (1, 3, 5, 1, 4, 6):
        assert outcome(staged, copy.deepcopy(value), n) == outcome(
            python, copy.deepcopy(value), n
        )


def change(values, n):
    values[0].x = n
    return n


@pytest.mark.parametrize("make", [list, deque, tuple])
def test_equal_objects_in_collections_are_told_apart(make: Callable[..., Any]) -> None:
    staged = runtime.jit(change)
    for n in (1, 3, 4, 3):
        values = make([Equal(1)])
        staged(values, n)
        assert values[0].x == n
