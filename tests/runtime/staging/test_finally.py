"""``finally`` reads what the body or a handler has left in variables, staged."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import runtime as tf


def left_by_the_body(n: Any, x: Any) -> Any:
    t = x
    s = 0
    try:
        t = n
        1 / n
    except ZeroDivisionError:
        pass
    finally:
        s = t
    return s


def left_by_a_loop(n: Any, x: Any) -> Any:
    t = x
    try:
        for k in range(n):
            t = k
    except Exception:
        s = 3
    finally:
        s = t
    return s


def left_by_the_handler(n: Any, x: Any) -> Any:
    t = x
    try:
        s = 1 / n
    except ZeroDivisionError:
        t = n - 1
    finally:
        s = t
    return s


def left_by_else(n: Any, x: Any) -> Any:
    t = x
    try:
        s = 1 / n
    except ZeroDivisionError:
        s = 1.0
    else:
        t = n + 1
    finally:
        s = t
    return s


@pytest.mark.parametrize(
    "program", [left_by_the_body, left_by_a_loop, left_by_the_handler, left_by_else]
)
def test_finally_reads_what_was_left(program: Callable[..., Any]) -> None:
    staged = tf.jit(program, strict=True)
    for args in ((0, 2), (3, 2), (0, 2.5), (3, 2.5)):
        expected, found = program(*args), staged(*args)
        assert (type(found), found) == (type(expected), expected)
