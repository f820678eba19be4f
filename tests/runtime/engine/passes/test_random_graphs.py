"""Random graphs run the same before and after the passes; more of them by random_graphs.py."""

import os
import warnings

import pytest

from tests.runtime.engine.passes.random_graphs import check
from tests.support.nightly import seeds

FIRST = int(os.environ.get("FUZZ_FIRST", "0"))
COUNT = int(os.environ.get("FUZZ_GRAPHS", "200"))
KEPT = 25  # run always
BATCH = 25


@pytest.mark.parametrize("first", seeds(FIRST, COUNT, BATCH, KEPT))
def test_before_and_after(first):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # many functions are made, and each is traced
        for seed in range(first, first + BATCH):
            check(seed)
