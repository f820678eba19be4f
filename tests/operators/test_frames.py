"""What counts callers counts the user's functions, converted or not."""

from __future__ import annotations

import sys
import warnings

import pytest

import autograph


def old_name(x):
    if x > 0:
        for _ in range(1):
            warnings.warn("use new_name", DeprecationWarning, stacklevel=2)
    return x


def calls_old_name(x):
    while x > 0:
        x = old_name(x) - 1  # the line to blame
    return x


def who_calls(depth):
    if depth > 0:
        return sys._getframe(depth).f_code.co_name
    return sys._getframe().f_code.co_name


def asks(depth):
    if depth >= 0:
        return who_calls(depth)
    return None


def asks_in_a_loop(depth):
    for _ in (1,):
        name = asks(depth)
    return name


def test_warnings_blame_the_users_line():
    lines = []
    for function in (calls_old_name, autograph.to_graph(calls_old_name)):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            function(1)
        lines.append([(w.filename, w.lineno, w.category) for w in caught])
    assert lines[0] == lines[1]
    assert lines[0][0][0] == __file__


@pytest.mark.parametrize("depth", [0, 1, 2, 3])
def test_getframe_counts_the_users_functions(depth):
    def test_body(function):
        return function(depth)

    assert test_body(autograph.to_graph(asks_in_a_loop)) == test_body(asks_in_a_loop)


def test_getframe_too_deep():
    with pytest.raises(ValueError, match="not deep enough"):
        autograph.to_graph(who_calls)(10**6)
