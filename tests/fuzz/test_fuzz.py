"""Random programs: converted they do what they did, staged they agree or are refused.

More of them on demand: ``FUZZ_PROGRAMS=50000 pytest -m "" tests/fuzz``;
``FUZZ_FIRST`` is the first seed.
"""

from __future__ import annotations

import contextlib
import io
import linecache
import os

import pytest

import autograph
from autograph import staging
from tests.autograph.staging.tiny_lists import BACKEND
from tests.fuzz.programs import program
from tests.support.nightly import seeds

FIRST = int(os.environ.get("FUZZ_FIRST", "0"))
COUNT = int(os.environ.get("FUZZ_PROGRAMS", "200"))
KEPT = 6  # run always
BATCH = 6
INPUTS = [(3, 5), (-2, 1), (0, 0)]
USERS_ERRORS = (ValueError, NameError, ArithmeticError, LookupError, TypeError)

REFUSALS = ("not iterable", "must be integers or slices")
"""What errors say where plain Python, such as a comprehension, meets a staged value."""


def load(seed: int):
    """The function of a program, its source known to linecache."""
    source, name = program(seed), f"<program {seed}>"
    linecache.cache[name] = (len(source), None, source.splitlines(True), name)
    namespace = {"__name__": "random_program"}
    exec(compile(source, name, "exec"), namespace)
    return namespace["f"]


def outcome(run):
    """Value, printed text and exception of a run."""
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        try:
            return run(), printed.getvalue(), None
        except USERS_ERRORS as error:
            refused = isinstance(error, autograph.StagingError)
            if refused or any(text in str(error) for text in REFUSALS):
                raise
            return None, printed.getvalue(), error


@pytest.fixture(autouse=True)
def registered():
    staging.register(BACKEND)
    yield
    staging.unregister(BACKEND)


@pytest.mark.parametrize("first", seeds(FIRST, COUNT, BATCH, KEPT))
def test_programs(first):
    for seed in range(first, first + BATCH):
        function = load(seed)
        converted = autograph.to_graph(function)
        for args in INPUTS:
            value, text, error = outcome(lambda: function(*args))  # noqa: B023
            for functional in (False, True):
                with staging.force_version(functional):
                    again = outcome(lambda: converted(*args))  # noqa: B023
                assert again[:2] == (value, text), (seed, args)
                assert repr(again[2]) == repr(error), (seed, args)
            check_staged(converted, args, (value, text, error), seed)


def check_staged(converted, args, expected, seed):
    """The staged run agrees, or staging refused the program."""
    value, text, error = expected
    tracing = True

    def run():
        nonlocal tracing
        traced = BACKEND.trace(converted, *args)
        tracing = False
        return traced()

    try:
        staged = outcome(run)
    except RecursionError:  # many statements around each other take many frames
        return
    except autograph.StagingError as refused:
        assert refused.where or isinstance(refused, TypeError), (seed, args)
        return
    except TypeError as refused:  # what stays plain Python meets a staged value
        assert any(text in str(refused) for text in REFUSALS), (seed, args)
        return
    if error is None:
        assert staged == expected, (seed, args)
    elif not tracing:
        assert type(staged[2]) is type(error), (seed, args)
    # What Python values alone decide is raised while tracing, before what the program staged
    # earlier can raise something else.
