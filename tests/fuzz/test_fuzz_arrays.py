"""Random sequences of statements on arrays that share memory: as NumPy, or refused; never else."""

from __future__ import annotations

import linecache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import runtime as tf
from autograph.errors import EffectError
from tests.support.nightly import examples

NAMES = ("a", "b", "c", "d")
VECTORS = ("v", "w")


@st.composite
def statements(draw, depth=2, length=5):
    """Lines of Python; ``a`` to ``d`` are matrices, ``v`` and ``w`` vectors, ``s`` is a number."""
    lines = []
    for _ in range(draw(st.integers(1, length))):
        x, y = draw(st.sampled_from(NAMES)), draw(st.sampled_from(NAMES))
        v, w = draw(st.sampled_from(VECTORS)), draw(st.sampled_from(VECTORS))
        i, j = draw(st.integers(0, 2)), draw(st.integers(0, 2))
        simple = [
            f"{x} = {y}", f"{x} = {y} + 1.0", f"{x} = {y}.T", f"{x} = {y}[:]", f"{x} = {y}[::-1]",
            f"{v} = {x}[{i}]", f"{v} = {x}[:, {j}]", f"{v} = {w}", f"{v} = {w} * 2.0",
            f"{v} = {w}[::-1]", f"{x}[{i}, {j}] = {v}[{i}] + 1.0", f"{x}[{i}] = {v}",
            f"{v}[{i}] = s", f"{v}[{i}] += {w}[{j}]", f"{x} += {y}", f"{v} *= 2.0",
            f"{v} += {x}[{i}]", f"{x}[{i}], {x}[{j}] = {x}[{j}], {x}[{i}]",
            f"{v}[{i}], {v}[{j}] = {v}[{j}], {v}[{i}]", f"s = s + {v}[{i}]",
            f"s = s + {x}[{i}, {j}]", f"{x}[1:] = {y}[:-1]", f"{v} = {x}[[0, 1, 2], {i}]",
            f"write({v}, s)", f"write({x}[{i}], {v}[{j}])", f"box[0] = {x}", f"{x} = box[0]",
            f"box[0][{i}, {j}] = s", f"{x}, {y} = {y}, {x}",
        ]  # fmt: skip
        if depth == 0 or draw(st.integers(0, 3)):
            lines.append(draw(st.sampled_from(simple)))
            continue
        inner = draw(statements(depth=depth - 1, length=3))
        kind = draw(st.sampled_from(("if", "else", "while", "for", "rows")))
        if kind == "if":
            lines += ["if s > n:", *indented(inner)]
        elif kind == "else":
            other = draw(statements(depth=depth - 1, length=3))
            lines += ["if s < n:", *indented(inner), "else:", *indented(other)]
        elif kind == "while":
            k = f"k{depth}"
            lines += [f"{k} = n * 0.0", f"while {k} < n:", *indented([*inner, f"{k} = {k} + 1.0"])]
        elif kind == "for":
            lines += [f"for _ in range({i}):", *indented(inner)]
        else:
            lines += [f"for {v} in {x}:", *indented(inner)]
    return lines


def indented(lines):
    return ["    " + line for line in lines]


def compiled(body, number):
    """A function of the statements, in a file of its own."""
    lines = [
        "def write(values, number):", *indented(["values[1] = number"]),
        "def program(a, b, n):",
        *indented(["c, d = a + 0.0, b[:]", "v, w = a[0], b[1] + 0.0", "s, box = n * 1.0, [b]"]),
        *indented(body), "    return a, b, c, d, v, w, s, box[0]",
    ]  # fmt: skip
    text, name = "\n".join(lines) + "\n", f"<arrays {number}>"
    linecache.cache[name] = (len(text), None, text.splitlines(True), name)
    space = {}
    exec(compile(text, name, "exec"), space)
    return space["program"], text


def outcome(call, n):
    arrays = np.arange(9.0).reshape(3, 3), np.arange(9.0, 18.0).reshape(3, 3)
    with np.errstate(all="ignore"):
        result = call(*arrays, n)
    return [np.asarray(part).tolist() for part in (*result, *arrays)]


COUNT = iter(range(10**9))


def check(body):
    """The number of calls that gave what NumPy gives, out of six."""
    program, text = compiled(body, next(COUNT))
    staged = tf.function(program)
    good = 0
    for n in (1.0, 3.0, 2.0, 1.0, 3.0, 60.0):
        expected = outcome(program, np.float64(n))
        try:
            found = outcome(staged, tf.constant(n, tf.float64))
        except EffectError as error:
            assert error.where is not None, text
            continue
        assert str(found) == str(expected), text
        good += 1
    return good


@settings(max_examples=examples(60, kept=25), deadline=None)
@given(statements())
def test_as_numpy_or_refused(body):
    check(body)


@pytest.mark.nightly
@settings(max_examples=3000, deadline=None)
@given(statements(length=8))
def test_as_numpy_or_refused_at_length(body):
    check(body)
