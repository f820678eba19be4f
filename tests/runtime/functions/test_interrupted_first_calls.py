"""First calls that are interrupted leave functions convertible, and global state as it was."""

from __future__ import annotations

import dis
import sys
from itertools import islice

import pytest

import autograph
import runtime as tf
from autograph.operators.calls import recursion
from autograph.operators.control.long_loops import staging_long_loops
from autograph.operators.joins.object_nodes import joining
from autograph.operators.state.array_creations import creating
from autograph.operators.state.carrying import carrying
from autograph.staging import TRACES, current_run
from autograph.staging.aliases import given_containers
from runtime.ops import dispatch
from runtime.types import source_location


def fresh():
    def program(n):
        total = 0
        while n > 0:
            if n % 2 == 0:
                total += n
            n -= 1
        return total

    program.__code__ = program.__code__.replace()  # a code object that was never converted
    return program


STAGES = {
    "converted": lambda: autograph.to_graph(fresh()),
    "function": lambda: tf.function(fresh()),
    "jit": lambda: tf.jit(fresh()),
}
SETTINGS = (joining, creating, carrying, staging_long_loops, given_containers)
FOLDERS = tuple(module.__file__.removesuffix("__init__.py") for module in (autograph, tf))

BOOKKEEPING = (
    "_enter", "_leave", "__enter__", "__exit__", "deep", "enter", "hold", "leave",
    "let_go",
)  # fmt: skip
"""Functions that enter and leave global state; an error between their lines is not undone."""


def leaves_with(frame):
    """Whether a frame is about to leave a ``with``, before the call of ``__exit__``.

    An error of a trace function skips that call there; signals are not handled there.
    """
    rest = (i for i in dis.get_instructions(frame.f_code) if i.offset >= frame.f_lasti)
    return [(i.opname, i.argval) for i in islice(rest, 3)] == [("LOAD_CONST", None)] * 3


def state():
    """Return global state that a call must leave as it was."""
    return (
        sys.getrecursionlimit(), dispatch.current(), current_run(), len(TRACES) - TRACES.held,
        len(recursion._calls.active), dict(recursion._calls.begun),
        len(source_location._traces.around), tf.get_default_graph(),
        *[setting.value for setting in SETTINGS],
    )  # fmt: skip


def first_call(stage, error, position):
    """Call a new function, and raise an error at a line event; returns the function, and whether
    the line was reached.
    """
    count, made = 0, []

    def watch(frame, event, _):
        nonlocal count
        code = frame.f_code
        if not code.co_filename.startswith(FOLDERS) or code.co_name in BOOKKEEPING:
            return None
        if event == "line":
            count += 1
            if count == position and leaves_with(frame):
                count -= 1
            elif count == position:
                sys.settrace(None)
                raise error
        return watch

    def run():
        made.append(STAGES[stage]())
        return made[0](tf.constant(6) if stage == "function" else 6)

    before = sys.gettrace()
    sys.settrace(watch)
    try:
        run()
    except BaseException as found:
        assert error.__name__ in (type(found).__name__, type(found.__cause__).__name__), found
    finally:
        sys.settrace(before)
    return made[0] if made else STAGES[stage](), count >= position


def check(stage, error, start, step):
    first_call(stage, error, 10**9)  # what is imported and made once
    expected, position, inside = state(), start, True
    while inside:
        function, inside = first_call(stage, error, position)
        assert state() == expected, position
        for _ in range(2):
            result = function(tf.constant(6) if stage == "function" else 6)
            assert int(result) == 12, position
        assert state() == expected, position
        position += step


@pytest.mark.parametrize("stage", STAGES)
def test_an_error_at_some_lines_of_the_first_call(stage):
    check(stage, KeyboardInterrupt, 50, 4001)


@pytest.mark.nightly
@pytest.mark.parametrize("part", range(8))
@pytest.mark.parametrize("stage", STAGES)
def test_an_error_at_each_line_of_the_first_call(stage, part):
    check(stage, KeyboardInterrupt, 1 + part, 8)
