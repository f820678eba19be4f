"""Random programs with several names of one list, dict or object: staged alike, or refused.

``FUZZ_PROGRAMS`` and ``FUZZ_FIRST`` as in ``test_fuzz``.
"""

from __future__ import annotations

import linecache
import os

import numpy as np
import pytest

import runtime as tf
from autograph.errors import AutoGraphError
from tests.fuzz.alias_programs import INPUTS, program
from tests.support.nightly import seeds

FIRST = int(os.environ.get("FUZZ_FIRST", "0"))
COUNT = int(os.environ.get("FUZZ_PROGRAMS", "200")) * 5
BATCH = 15


def load(seed):
    """The function of a program, its source known to linecache."""
    source, name = program(seed), f"<aliases {seed}>"
    linecache.cache[name] = (len(source), None, source.splitlines(True), name)
    namespace = {"__name__": "random_program"}
    exec(compile(source, name, "exec"), namespace)
    return namespace["f"], name


@pytest.mark.parametrize("first", seeds(FIRST, COUNT, BATCH, kept=15))
def test_a_change_through_one_name_shows_through_the_others(first):
    for seed in range(first, first + BATCH):
        function, name = load(seed)
        staged = tf.function(function)
        for args in INPUTS:
            expected = function(*args)
            try:
                found = staged(*map(tf.constant, args))
            except AutoGraphError as refused:
                assert refused.where is None or refused.where[0] == name, (seed, args)
                break
            values = tf.nest.map_structure(lambda t: np.asarray(t).tolist(), found)
            assert values == expected, (seed, args)
