"""Copies of functions that call themselves and not what their name refers to."""

from __future__ import annotations

import pytest

import runtime as tf
from runtime.functions.choice.self_calls import calling_itself
from runtime.types.flags import JIT_STRICT


def fib(n):
    return n if n < 2 else fib(n - 1) + fib(n - 2)


def orders(items):
    return [
        [x, *rest] for i, x in enumerate(items) for rest in orders(items[:i] + items[i + 1 :])
    ] or [[]]


def counted(n, step=1, *, least=0):
    counted.calls += 1
    return counted(n - step, step=step, least=least) if n > least else counted


counted.calls = 0


def renamed(n):
    global latest
    latest = renamed
    return n if n else latest(n)


def plain(n):
    return n


@pytest.mark.parametrize(("function", "args"), [(fib, (12,)), (orders, ([1, 2, 3],))])
def test_results_without_the_global(function, args, monkeypatch):
    expected = function(*args)
    copy = calling_itself(function, function.__name__)
    monkeypatch.setitem(function.__globals__, function.__name__, None)
    assert copy(*args) == expected
    assert copy.__code__.co_firstlineno == function.__code__.co_firstlineno


def test_what_is_no_call_means_the_object():
    counted.calls = 0
    copy = calling_itself(counted, "counted")
    assert copy(3) is counted
    assert counted.calls == 4


@pytest.mark.parametrize(("function", "name"), [(plain, "plain"), (renamed, "latest")])
def test_no_copy(function, name):
    assert calling_itself(function, name) is None


def test_functions_that_call_each_other_as_plain_python():
    with JIT_STRICT(False):

        @tf.jit
        def is_even(n):
            return n == 0 or is_odd(n - 1)

        @tf.jit
        def is_odd(n):
            return n != 0 and is_even(n - 1)

    assert [(is_even(n), is_odd(n)) for n in range(4)] == [(True, False), (False, True)] * 2
    with pytest.raises(RecursionError):
        is_even(-1)
    assert is_even(10)  # an error leaves the function as it was
    assert is_even.explain().startswith("is_even runs as plain Python")
