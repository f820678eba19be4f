"""Random graphs and programs of arrays: native code does what the other engines do, and NumPy.

``FUZZ_PROGRAMS`` and ``FUZZ_FIRST`` as in ``test_fuzz``; ``array_graphs.py`` and
``array_programs.py`` run more of them.
"""

from __future__ import annotations

import os
import warnings

import pytest

from tests.fuzz import array_graphs, array_programs
from tests.fuzz.array_inputs import TABLE
from tests.support.extras import needs
from tests.support.nightly import seeds

pytestmark = needs("jit")

FIRST = int(os.environ.get("FUZZ_FIRST", "0"))
COUNT = int(os.environ.get("FUZZ_PROGRAMS", "60"))
BATCH = 8
FEW = 4
KEPT = 1  # run always: a batch


@pytest.mark.parametrize("first", seeds(FIRST, COUNT, BATCH, KEPT))
def test_graphs(first):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # many functions are made, and each is traced
        raised = sum(array_graphs.check(seed) for seed in range(first, first + BATCH))
    assert raised < BATCH, "all graphs raise"


@pytest.mark.parametrize("first", seeds(TABLE + FIRST + 1, COUNT, 2, 1))
def test_graphs_of_any_definitions(first):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for seed in (first, first + 1):
            array_graphs.check(seed)


@pytest.mark.parametrize("first", seeds(FIRST, COUNT, FEW, 1))
def test_programs(first):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        returned = sum(array_programs.check(seed) for seed in range(first, first + FEW))
    assert returned, "all programs raise"
