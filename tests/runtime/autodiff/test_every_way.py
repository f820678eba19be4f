"""Derivatives of programs are the same whichever way they are taken, and those of differences."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from tests.runtime.autodiff.programs import CASES, THRICE, arguments
from tests.runtime.autodiff.state_programs import STATE_CASES
from tests.support import ways
from tests.support.differences import differences
from tests.support.nightly import NIGHTLY, selected

PROGRAMS = [*CASES, *STATE_CASES]
IDS = [f"{function.__name__}{number}" for number, (function, _) in enumerate(PROGRAMS)]


@pytest.mark.parametrize("function, args", PROGRAMS, ids=IDS)
def test_gradient_is_the_difference(function, args):
    _, first = ways.eager_derivatives(function, arguments(args), 1)
    for found, slope in zip(first, differences(function, arguments(args)), strict=True):
        np.testing.assert_allclose(found, slope, rtol=1e-6, atol=1e-7)


@cache
def eagerly(number, orders):
    """The derivatives that all ways are compared with."""
    function, args = PROGRAMS[number]
    return ways.numbers(ways.eager_derivatives(function, arguments(args), orders))


def programs_and_ways():
    """Each program in each way; those beyond every third have the mark: by turns, so that each
    program has some ways and each way some programs.
    """
    for number, name in enumerate(IDS):
        for turn, way in enumerate(ways.DERIVATIVES):
            marks = NIGHTLY if (number + turn) % 3 else ()
            yield pytest.param(number, way, id=f"{name}-{way.__name__}", marks=marks)


@pytest.mark.parametrize("number, way", selected(programs_and_ways()))
def test_every_way(number, way):
    function, args = PROGRAMS[number]
    orders = 2 if way in (ways.tapes_inside, ways.session_gradients) else 1
    if function in THRICE:
        orders = 3
    found = ways.numbers(way(function, arguments(args), orders))
    for one, other in zip(found, eagerly(number, orders), strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-9, atol=1e-9)
