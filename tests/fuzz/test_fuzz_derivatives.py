"""Random programs with control flow: their derivatives agree eagerly, staged, and by differences.

``FUZZ_PROGRAMS`` and ``FUZZ_FIRST`` as in ``test_fuzz``.
"""

from __future__ import annotations

import linecache
import os

import numpy as np
import pytest

import runtime as tf
from autograph import StagingError
from tests.fuzz.smooth import program
from tests.fuzz.test_fuzz import FIRST
from tests.support import ways
from tests.support.differences import differences
from tests.support.nightly import seeds

COUNT = int(os.environ.get("FUZZ_PROGRAMS", "60")) // 3
KEPT = 1  # run always
BATCH = 1
INPUTS = (0.7, -0.4)


def load(seed):
    """The function of a program, its source known to linecache."""
    source, name = program(seed), f"<smooth program {seed}>"
    linecache.cache[name] = (len(source), None, source.splitlines(True), name)
    namespace = {"__name__": "random_program"}
    exec(compile(source, name, "exec"), namespace)
    return namespace["f"]


def close(found, expected, seed, tolerance):
    for one, other in zip(found, expected, strict=True):
        np.testing.assert_allclose(one, other, tolerance, tolerance, err_msg=program(seed))


@pytest.mark.parametrize("first", seeds(FIRST, COUNT, BATCH, KEPT))
def test_programs(first):
    for seed in range(first, first + BATCH):
        function = load(seed)
        args = [tf.constant(v, tf.float64) for v in INPUTS]
        expected = ways.eager_derivatives(function, args, 2)
        close(ways.numbers(expected[1]), differences(function, args), seed, 1e-4)
        try:
            found = [way(function, args, 2) for way in (ways.tapes_inside, ways.tapes_around)]
        except StagingError:
            continue  # refused, in so many words
        for one in found:
            close(ways.numbers(one), ways.numbers(expected), seed, 1e-8)
