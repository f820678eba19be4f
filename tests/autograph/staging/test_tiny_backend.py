"""Every program, converted and staged on the tiny backend, behaves as plain Python."""

from __future__ import annotations

import contextlib
import io
from collections.abc import Callable
from typing import Any

import pytest

import autograph
from autograph import staging
from tests.autograph.staging.tiny_lists import BACKEND
from tests.programs import cases

PROGRAMS = cases("numbers")


@pytest.fixture(autouse=True)
def registered():
    staging.register(BACKEND)
    yield
    staging.unregister(BACKEND)


_RAISED = (
    AssertionError, ArithmeticError, AttributeError, LookupError, NameError, TypeError, ValueError,
)


def outcome(run: Callable[[], Any]) -> tuple[Any, str, Any]:
    """What a run returns, prints and raises."""
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        try:
            value, error = run(), None
        except _RAISED as raised:
            value, error = None, (type(raised), str(raised))
    return value, printed.getvalue(), error


@pytest.mark.parametrize("functional", [False, True], ids=["plain", "functional"])
@pytest.mark.parametrize("function, args", PROGRAMS)
def test_converted_on_python_values(function, args, functional):
    converted = autograph.to_graph(function)
    assert converted is not function
    expected = outcome(lambda: function(*args))
    with staging.halves(functional):
        assert outcome(lambda: converted(*args)) == expected


@pytest.mark.parametrize("function, args", PROGRAMS)
def test_staged(function, args):
    converted = autograph.to_graph(function)
    staged = outcome(lambda: BACKEND.stage(converted, *args))
    assert staged == outcome(lambda: function(*args))
