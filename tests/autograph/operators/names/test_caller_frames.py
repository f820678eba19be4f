"""What counts callers counts the user's functions, converted or not."""

from __future__ import annotations

import linecache
import sys
import warnings

import pytest

import autograph
from autograph.conversion.module_source import convert_text


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


IN_A_FILE = """\
import sys, warnings

def inner():
    warnings.warn('here', stacklevel=3)
    return sys._getframe(2).f_code.co_name

def middle(n):
    mine = lambda: inner()
    found = [n > 0 and inner(), (inner() if n > 0 else ''), str(0 < n < len(inner()))]
    return [*found, mine()]

def outer(n):
    return middle(n)
"""


def test_lambdas_of_converted_files_are_not_counted():
    converted = convert_text(IN_A_FILE, "operands.py")
    assert "lambda: ag__.call(inner)()" in converted
    seen = []
    for text in (IN_A_FILE, converted):
        linecache.cache["operands.py"] = len(text), None, text.splitlines(True), "operands.py"
        namespace = {"__name__": "operands"}
        exec(compile(text, "operands.py", "exec"), namespace)
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            names = namespace["outer"](1)
        lines = [linecache.getline(w.filename, w.lineno) for w in caught]
        seen.append((names, ["middle(n)" in line.replace("ag__.call(middle)", "middle")
                             for line in lines]))
    assert seen[0] == seen[1] == (["outer", "outer", "True", "middle"], [True] * 3 + [False])
