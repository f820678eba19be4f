"""Every program, converted and staged on the tiny backend, behaves as plain Python.

On the backend without lists that change their length, only programs that need these are refused.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

import autograph
from autograph import staging
from tests.autograph.staging import tiny
from tests.autograph.staging.tiny_lists import BACKEND
from tests.programs import cases, managers
from tests.support import ways
from tests.support.nightly import first_input_always

PROGRAMS = cases("numbers")
FEW = first_input_always(PROGRAMS)
PRINTED_ONCE = {managers.generator}  # its context manager is entered while tracing


@pytest.fixture(autouse=True)
def registered():
    staging.register(BACKEND)
    yield
    staging.unregister(BACKEND)


@pytest.fixture
def without_lists(registered):
    staging.register(tiny.BACKEND)  # in place of the other of this name
    yield tiny.BACKEND
    staging.register(BACKEND)


def outcome(run: Callable[[], Any]) -> ways.Outcome:
    """What a run returns, prints and raises, with the text of the exception."""
    return ways.outcome(
        run, lambda error: (type(error), str(error)), lambda value: value,
        (*ways.RAISED, autograph.AutoGraphError),
    )


@pytest.mark.parametrize("function, args", FEW)
def test_converted_on_python_values(function, args):
    converted = autograph.to_graph(function)
    assert converted is not function
    expected = outcome(lambda: function(*args))
    for functional in (False, True):
        with staging.force_version(functional):
            for _ in range(3):
                assert outcome(lambda: converted(*args)) == expected, f"{functional=}"


@pytest.mark.parametrize("function, args", FEW)
def test_staged(function, args):
    run = traced_once(autograph.to_graph(function), args)
    for number in range(3):
        value, printed, error = outcome(lambda: function(*args))
        if number and function in PRINTED_ONCE:
            printed = ""
        assert outcome(run) == (value, printed, error)


def traced_once(converted: Callable[..., Any], args: Any) -> Callable[[], Any]:
    """What traces a function when it is first called, and runs the instructions every time."""
    made: list[Callable[[], Any]] = []

    def run() -> Any:
        if not made:
            made.append(BACKEND.trace(converted, *args))
        return made[0]()

    return run


_OF_LISTS = re.compile(
    r"a (list|tuple) of \d+ and a (list|tuple) of \d+|has no lists whose length depends"
)


@pytest.mark.parametrize("function, args", FEW)
def test_staged_without_lists(function, args, without_lists):
    converted = autograph.to_graph(function)
    staged = outcome(lambda: without_lists.stage(converted, *args))
    refused = staged[2] is not None and issubclass(staged[2][0], autograph.AutoGraphError)
    if refused:
        assert _OF_LISTS.search(staged[2][1])
    else:
        assert staged == outcome(lambda: function(*args))
