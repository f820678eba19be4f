"""The benchmark of memory sees what a program allocates, and frees again."""

import sys

import numpy as np
import pytest

from benchmarks import memory
from benchmarks.nothing_slower import Program


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_the_high_water_mark_is_that_of_a_call():
    def make(choice):
        return lambda: np.ones(4_000_000).sum()

    assert 25_000 < memory.growth(Program("ones", make), "never") < 60_000
