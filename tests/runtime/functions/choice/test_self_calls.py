"""Copies of functions that call themselves and not what their name refers to."""

from __future__ import annotations

import pytest

from runtime.functions.choice.self_calls import calling_itself


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
