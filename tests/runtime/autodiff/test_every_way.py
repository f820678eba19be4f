"""Derivatives of programs are the same whichever way they are taken, and those of differences."""

from __future__ import annotations

import numpy as np
import pytest

from tests.runtime.autodiff import ways
from tests.runtime.autodiff.programs import CASES, THRICE, arguments

IDS = [f"{function.__name__}{number}" for number, (function, _) in enumerate(CASES)]


@pytest.mark.parametrize("function, args", CASES, ids=IDS)
def test_gradient_is_the_difference(function, args):
    _, first = ways.eager(function, arguments(args), 1)
    for found, slope in zip(first, ways.differences(function, arguments(args)), strict=True):
        np.testing.assert_allclose(found, slope, rtol=1e-6, atol=1e-7)


@pytest.mark.parametrize("way", ways.WAYS, ids=lambda way: way.__name__)
@pytest.mark.parametrize("function, args", CASES, ids=IDS)
def test_every_way(function, args, way):
    orders = 3 if function in THRICE else 2
    expected = ways.numbers(ways.eager(function, arguments(args), orders))
    found = ways.numbers(way(function, arguments(args), orders))
    for one, other in zip(found, expected, strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-9, atol=1e-9)
