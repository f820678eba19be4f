"""Effects keep program order: random programs do eagerly, as functions and in sessions the same.

Prints, assertions, exceptions, reads and writes of two variables, in branches, loops and calls of
converted and of traced functions.  What was printed, what the variables hold afterwards, the value
and the exception are compared, also when a run fails in the middle, and in the calls after that.
``FUZZ_EFFECTS=1000 pytest -m ""`` tries more.
"""

from __future__ import annotations

import io
import itertools
import linecache
import os
from typing import Any

from hypothesis import HealthCheck, given, reject, settings
from hypothesis import strategies as st

import autograph
import runtime as tf
from runtime.types import flags
from tests.runtime.engine.test_parallel import always_parallel
from tests.support.nightly import NIGHTLY
from tests.support.ways import CALLS, outcome

HEADER = """
def helper(q):
    tf.print("helper", q, v, output_stream=out)
    if q > v:
        v.assign_add(q)
    return q - w

@tf.function
def inner(q):
    w.assign_add(1)
    for k in tf.range(2):
        tf.print("inner", q, k, w, output_stream=out)
        v.assign_sub(k)
    return q + w

def program(x, y):
    a = x + 0
"""

COUNT = int(os.environ.get("FUZZ_EFFECTS", "60"))
ALWAYS = 2
_numbers = itertools.count()


def leaf() -> st.SearchStrategy[str]:
    return st.sampled_from(["x", "y", "a", "v", "w", "1", "2", "-3"])


def expression() -> st.SearchStrategy[str]:
    pair = st.builds("({} {} {}) % 7 - 2".format, leaf(), st.sampled_from("+-*"), leaf())
    return pair | st.sampled_from(["x", "y", "a", "v + 0", "w + 0"])


def question() -> st.SearchStrategy[str]:
    return st.builds("{} {} {}".format, expression(), st.sampled_from(["<", ">", "=="]), leaf())


def indented(lines: list[str]) -> list[str]:
    return ["    " + line for line in lines]


@st.composite
def simple(draw: Any) -> list[str]:
    """One statement without statements inside."""
    form = draw(st.sampled_from([
        'tf.print("p", {}, {}, output_stream=out)', "v.assign({})", "v.assign_add({})",
        "w.assign_sub({})", "a = {}", "x = {}", "a = helper({})", "a = inner({})",
        "tf.debugging.Assert({} < 5, [x])", "v.assign(inner({}) - helper({}))",
    ]))  # fmt: skip
    return [form.format(draw(expression()), draw(expression()))]


@st.composite
def compound(draw: Any, depth: int, in_loop: bool) -> list[str]:
    """A statement with statements inside."""
    kind = draw(st.sampled_from(["if", "else", "for", "while", "leave"]))
    if kind == "leave":
        ways = ["raise ValueError('stop')", "return a"] + ["break", "continue"] * in_loop
        return [f"if {draw(question())}:", "    " + draw(st.sampled_from(ways))]
    body = indented(draw(block(depth - 1, in_loop or kind in ("for", "while"))))
    if kind == "for":
        return [f"for _ in tf.range({draw(st.integers(0, 3))}):", *body]
    if kind == "while":
        turn = f"n{next(_numbers)}"
        limit = draw(st.integers(0, 3))
        return [f"{turn} = 0", f"while {turn} < {limit}:", f"    {turn} = {turn} + 1", *body]
    lines = [f"if {draw(question())}:", *body]
    return lines if kind == "if" else [*lines, "else:", *indented(draw(block(depth - 1, in_loop)))]


@st.composite
def block(draw: Any, depth: int, in_loop: bool = False) -> list[str]:
    """Some statements."""
    lines: list[str] = []
    for _ in range(draw(st.integers(1, 4))):
        nested = depth > 0 and draw(st.booleans())
        lines += draw(compound(depth, in_loop) if nested else simple())
    return lines


def load(source: str) -> tuple[dict[str, Any], io.StringIO]:
    """The namespace of a program, and where it prints."""
    name, out = f"<effects {next(_numbers)}>", io.StringIO()
    linecache.cache[name] = (len(source), None, source.splitlines(True), name)
    space: dict[str, Any] = {"tf": tf, "out": out, "__name__": "effects"}
    exec(compile(source, name, "exec"), space)
    return space, out


def outcome_of(run: Any, state: Any, out: io.StringIO) -> Any:
    """The value or exception of a run, what it printed and what the variables hold then."""
    expected = (ValueError, tf.errors.InvalidArgumentError)
    found = outcome(run, type, int, expected)
    return found, out.getvalue().splitlines(), [int(number) for number in state()]


def eagerly(source: str, args: tuple[int, ...], wrap: Any) -> Any:
    space, out = load(source)
    v, w = space["v"], space["w"] = tf.Variable(1), tf.Variable(2)
    run = wrap(space["program"])
    return [
        outcome_of(lambda: run(*map(tf.constant, args)), lambda: [v.numpy(), w.numpy()], out)
        for _ in range(CALLS)
    ]


def in_session(source: str, args: tuple[int, ...]) -> Any:
    space, out = load(source)
    with tf.Session(graph=tf.Graph()) as session:
        v, w = space["v"], space["w"] = tf.Variable(1), tf.Variable(2)
        session.run(tf.global_variables_initializer())
        holders = [tf.placeholder(tf.int32, []) for _ in args]
        try:
            fetched = tf.convert_to_tensor(autograph.to_graph(space["program"])(*holders))
        except ValueError:
            reject()  # what Python numbers alone decide is raised while tracing, before any effect
        feeds = dict(zip(holders, args, strict=True))
        return [
            outcome_of(lambda: session.run(fetched, feeds), lambda: session.run([v, w]), out)
            for _ in range(CALLS)
        ]


@settings(max_examples=ALWAYS, deadline=None, suppress_health_check=list(HealthCheck))
@given(block(3), st.integers(-3, 3), st.integers(-3, 3))
def test_some_programs(lines: list[str], x: int, y: int) -> None:
    check_every_way(lines, x, y)


@NIGHTLY
@settings(max_examples=COUNT, deadline=None, suppress_health_check=list(HealthCheck))
@given(block(3), st.integers(-3, 3), st.integers(-3, 3))
def test_programs(lines: list[str], x: int, y: int) -> None:
    check_every_way(lines, x, y)


def check_every_way(lines: list[str], x: int, y: int) -> None:
    source = "\n".join([HEADER.rstrip(), *indented(lines), "    return a + 0", ""])
    expected = eagerly(source, (x, y), lambda f: f)
    for optimized, written in ((True, 0), (False, 1), (True, 1)):
        with flags.OPTIMIZE(optimized), flags.WRITE_AFTER(written):
            assert in_session(source, (x, y)) == expected
            assert eagerly(source, (x, y), tf.function) == expected
    with always_parallel(), flags.WRITE_AFTER(0):
        assert eagerly(source, (x, y), tf.function) == expected
        assert in_session(source, (x, y)) == expected
