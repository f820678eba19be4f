"""Every program behaves the same whichever way it runs on tensors, on every call.

Plain Python on eager tensors is the yardstick; converted, in a session, and as a function, a
program gives the same values and dtypes, prints the same text and raises the same exceptions.
Each is prepared once and called three times with each of its inputs (tests/support/ways.py).
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

import numpy as np
import pytest

from autograph.errors import AutoGraphError
from tests.programs import comprehensions, items, iterables, managers, programs
from tests.support import ways
from tests.support.extras import needs
from tests.support.nightly import NIGHTLY, selected
from tests.support.ways import Outcome, outcomes

PROGRAMS = programs("tensors")
SIZED = comprehensions.SIZED | iterables.SIZED

# In a graph a variable has one dtype: a Python int that a loop makes a float is one from the start.
WIDENED = {("mixed_scalars", "(0,)")}
# What a generator of a context manager prints, it prints while a graph is built: once.
PRINTED_ONCE = {managers.generator}


def parameters(found: Any, few: bool = False) -> list[Any]:
    """Parameters of a test; with ``few`` the inputs beyond the first of each have the mark."""
    pairs = [(function, inputs) for function, inputs in found if inputs]
    if not few:
        return [pytest.param(f, inputs, id=f.__name__) for f, inputs in pairs]
    first = [pytest.param(f, inputs[:1], id=f.__name__) for f, inputs in pairs]
    return first + selected(
        pytest.param(f, inputs, id=f"{f.__name__} all", marks=NIGHTLY)
        for f, inputs in pairs if len(inputs) > 1
    )  # fmt: skip


def every_second(found: list[Any]) -> list[Any]:
    """A half of the parameters; the others have the mark."""
    return selected(
        p if number % 2 else pytest.param(*p.values, id=p.id, marks=(*p.marks, NIGHTLY))
        for number, p in enumerate(found)
    )


def with_arrays(found: Any) -> list[Any]:
    """The programs that take arrays, with those inputs."""
    return [(f, [args for args in inputs if any(map(np.ndim, args))]) for f, inputs in found]


def eagerly(function: Any, inputs: Any) -> list[Outcome]:
    """What plain Python does, found out once for the ways that come after."""
    key = function, len(inputs)
    if key not in EAGER:
        EAGER[key] = outcomes(function, inputs, ways.EAGER)
    return EAGER[key]


EAGER: dict[Any, list[Outcome]] = {}


def compare(
    function: Any, inputs: Any, found: list[Outcome], expected: list[Outcome]
) -> None:
    """Fail with the first call of which the outcome differs."""
    assert len(found) == len(expected) == ways.CALLS * len(inputs)
    for number, (one, wanted) in enumerate(zip(found, expected, strict=True)):
        args = inputs[number % len(inputs)]
        if (function.__name__, str(args)) in WIDENED:
            value, other = one.value, wanted.value
            one = one._replace(value=value[1] if value else value)
            wanted = wanted._replace(value=other[1] if other else other)
        assert one == wanted, f"call {number + 1}, with {args}"


@pytest.mark.parametrize("function, inputs", parameters(PROGRAMS, few=True))
def test_converted_on_eager_tensors(function, inputs):
    expected = eagerly(function, inputs)
    for way in (ways.CONVERTED, ways.FUNCTIONAL):
        compare(function, inputs, outcomes(function, inputs, way), expected)


@pytest.mark.parametrize("function, inputs", every_second(parameters(PROGRAMS)))
def test_in_a_session(function, inputs):
    expected = eagerly(function, inputs)
    sessions = ways.InSessions(function)
    found = outcomes(function, inputs, ways.OPTIMIZED._replace(prepare=lambda _: sessions))
    of_reference = ways.REFERENCE._replace(prepare=lambda _: sessions.anew())
    again = outcomes(function, inputs, of_reference)
    if function in PRINTED_ONCE:
        assert found[0] == expected[0]
        found, again, expected = _silent(found), _silent(again), _silent(expected)
    compare(function, inputs, found, expected)
    compare(function, inputs, again, expected)


@pytest.mark.parametrize("function, inputs", parameters(with_arrays(PROGRAMS), few=True))
def test_of_unknown_sizes(function, inputs):
    if function in SIZED:
        for args in inputs:
            with pytest.raises(AutoGraphError):
                ways.staged(function, args, known=False)
        return
    expected = eagerly(function, inputs)
    compare(function, inputs, outcomes(function, inputs, ways.UNKNOWN_SIZES), expected)


@lru_cache(maxsize=1)
def as_function(function: Any) -> ways.Call:
    """A program as a function, whose traces serve both tests of it, one after the other."""
    return ways.FUNCTION.prepare(function)


def engines() -> Iterator[Any]:
    """Each program in Python and as machine code; of the latter every fourth one, of one input.

    They are among those that ``every_second`` leaves out of sessions: each program is staged in one
    of both ways, the others come nightly.
    """
    native = needs("jit")
    for number, (function, inputs) in enumerate(p for p in PROGRAMS if p[1]):
        name, marks = function.__name__, (native, NIGHTLY) if number % 4 else native
        in_session = NIGHTLY if number % 2 else ()
        yield pytest.param(function, inputs, ways.FUNCTION, id=name, marks=in_session)
        yield pytest.param(function, inputs[:1], ways.NATIVE, id=f"{name} native", marks=marks)
        if len(inputs) > 1:
            marks = native, NIGHTLY
            yield pytest.param(function, inputs, ways.NATIVE, id=f"{name} native all", marks=marks)


@pytest.mark.parametrize("function, inputs, way", selected(engines()))
def test_as_function(function, inputs, way):
    expected = eagerly(function, inputs)
    found = outcomes(function, inputs, way._replace(prepare=as_function))
    # a bare print runs while tracing, as in TensorFlow
    compare(function, inputs, _silent(found), _silent(expected))


def _silent(found: list[Outcome]) -> list[Outcome]:
    return [one._replace(printed="") for one in found]


# What eager tensors can do in converted code only: converted, run eagerly, is the yardstick.
@pytest.mark.parametrize("function, inputs", parameters(items.EAGER_CASES))
def test_staged_as_converted(function, inputs):
    expected = outcomes(function, inputs, ways.FUNCTIONAL, ways.first_lines)
    for way in (ways.OPTIMIZED, ways.REFERENCE, ways.FUNCTION):
        compare(function, inputs, outcomes(function, inputs, way, ways.first_lines), expected)


def test_a_difference_on_a_later_call_is_found():
    numbers = itertools.count()
    with pytest.raises(AssertionError, match="call 3, with"):
        compare(
            test_as_function, [(1,)], outcomes(lambda x: next(numbers) // 2, [(1,)], ways.EAGER),
            outcomes(lambda x: 0, [(1,)], ways.EAGER),
        )  # fmt: skip
