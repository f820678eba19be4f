"""Long chains of ``elif``, ``and`` and comparisons, and long expressions: staged in short time."""

from __future__ import annotations

import importlib.util
import sys

import pytest

import autograph
import runtime as tf
from tests.support.nightly import always


def chain(count):
    lines = ["def f(x):", "    if x == 0:", "        y = x"]
    for k in range(1, count):
        lines += [f"    elif x == {k}:", f"        y = x * {k % 7}"]
    return "\n".join([*lines, "    else:", "        y = -x", "    return y"])


def returns(count):
    lines = ["def f(x):"]
    for k in range(count):
        lines += [f"    if x == {k}:", f"        return x + {k}"]
    return "\n".join([*lines, "    return -x"])


def conjunction(count):
    return "def f(x):\n    return " + " and ".join(f"x != {k + 9}" for k in range(count))


def disjunction(count):
    return "def f(x):\n    if " + " or ".join(f"x == {k}" for k in range(count)) + (
        ":\n        return 1\n    return 0"
    )


def comparison(count):
    return "def f(x):\n    return " + " < ".join(f"x + {k}" for k in range(count))


def choices(count):
    return "def f(x):\n    return " + "".join(f"{k} if x == {k} else " for k in range(count)) + "-1"


def cases(count):
    lines = ["def f(x):", "    match x:"]
    for k in range(count):
        lines += [f"        case {k}:", f"            y = x + {k}"]
    return "\n".join([*lines, "        case _:", "            y = -x", "    return y"])


def addition(count):
    return "def f(x):\n    return " + " + ".join(f"x * {k % 7}" for k in range(count))


def items(count):
    return "def f(x):\n    return sum([" + ", ".join(f"x + {k}" for k in range(count)) + "])"


@pytest.fixture
def function_of(tmp_path):
    def made(text):
        path = tmp_path / "chains.py"
        path.write_text(text + "\n")
        spec = importlib.util.spec_from_file_location("chains", path)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        return module.f

    return made


SHORT = [
    (chain, 70), (returns, 60), (conjunction, 150), (disjunction, 80), (comparison, 70),
    (choices, 60), (cases, 50), (addition, 800), (items, 1000),
]  # fmt: skip
LONG = [
    (chain, 500), (returns, 300), (conjunction, 1000), (disjunction, 500), (comparison, 300),
    (choices, 90), (cases, 300), (items, 3000),
]  # fmt: skip
PROGRAMS = always(SHORT, [*SHORT, *LONG])


@pytest.mark.parametrize("case", PROGRAMS)
def test_long_chains_are_staged(function_of, case):
    program, count = case
    limit = sys.getrecursionlimit()
    function = function_of(program(count))
    assert autograph.to_code(function)
    staged, numbers = tf.function(function), tf.jit(function)
    for x in (3, 0, count + 5, *[1] * 20):  # after some runs engines compile
        assert staged(tf.constant(x)).numpy() == function(x)
        assert numbers(x) == function(x)
    assert "x" in str(staged.get_concrete_function(tf.constant(1)).graph)
    assert sys.getrecursionlimit() == limit


@pytest.mark.parametrize(("program", "count"), [(chain, 60), (returns, 60), (addition, 800)])
def test_long_chains_have_gradients(function_of, program, count):
    staged = tf.function(function_of(program(count)))
    x = tf.constant(3.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = staged(x)
    expected = {chain: 3.0, returns: 1.0, addition: sum(k % 7 for k in range(count))}
    assert tape.gradient(y, x) == expected[program]
