"""Exceptions of operations that leave a ``with``: refused where its manager may swallow them."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest

import runtime
from autograph.errors import EffectError
from tests.runtime.functions.jit_results import as_python

LOCK = threading.Lock()


@contextlib.contextmanager
def reported() -> Iterator[None]:
    try:
        yield
    except (IndexError, ZeroDivisionError):
        print("reported")


@contextlib.contextmanager
def cleaned() -> Iterator[None]:
    try:
        yield
    finally:
        LOCK.locked()


class Replacing:
    def __enter__(self) -> Replacing:
        return self

    def __exit__(self, kind: Any, error: Any, traceback: Any) -> None:
        if kind is not None:
            raise KeyError("replaced")


class Open:
    def __enter__(self) -> Open:
        return self

    def __exit__(self, *_: Any) -> bool:
        return False


def of_division(manager: Callable[[], Any], n: int) -> int:
    found = -1
    with manager():
        found = 10 // n
    return found


def of_item(manager: Callable[[], Any], n: int) -> int:
    items = [1, 2]
    with manager():
        items.append(items[n])
    return items[-1]


def of_others(manager: Callable[[], Any], n: int) -> int:
    with manager():
        found = n * 2 - (n > 1)
        try:
            found += 10 // n
        except ZeroDivisionError:
            found = -1
        for i in range(n):
            found += i
    return found


def suppressing() -> Any:
    return contextlib.suppress(IndexError, ZeroDivisionError)


@pytest.mark.parametrize("manager", [suppressing, reported, Replacing])
@pytest.mark.parametrize("function", [of_division, of_item])
def test_what_the_manager_may_swallow_is_refused(function: Any, manager: Any) -> None:
    staged = runtime.jit(lambda n: function(manager, n))
    for n in (1, 0, 5):
        with pytest.raises(EffectError, match="whose manager") as caught:
            staged(n)
        assert caught.value.where[0] == __file__


def test_what_passes_other_managers_is_python_s() -> None:
    for manager in (cleaned, Open, lambda: LOCK, lambda: contextlib.suppress(KeyError)):
        for function in (of_division, of_item):
            as_python(lambda n, f=function, m=manager: f(m, n), (1,), (0,), (5,), texts=True)


def test_what_is_caught_inside_is_no_concern() -> None:
    for manager in (suppressing, reported, Replacing, cleaned):
        as_python(lambda n, m=manager: of_others(m, n), (1,), (0,), (5,))
