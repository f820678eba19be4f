"""Random programs and graphs of numbers and lists: native code does what the other engines do.

Each program runs under ``runtime.jit`` with machine code and without: value, printed text,
exception, and what becomes of the arguments are the same, and plain Python's.  ``FUZZ_PROGRAMS``
and ``FUZZ_FIRST`` as in ``test_fuzz``; ``scalar_graphs.py`` runs more graphs.
"""

from __future__ import annotations

import contextlib
import copy
import io
import linecache
import os
import warnings

import pytest

import runtime as tf
from runtime.types import flags
from tests.fuzz import scalar_graphs
from tests.fuzz.scalar_programs import program
from tests.support.extras import needs
from tests.support.nightly import seeds

pytestmark = needs("jit")

FIRST = int(os.environ.get("FUZZ_FIRST", "0"))
COUNT = int(os.environ.get("FUZZ_PROGRAMS", "60"))
KEPT = 3  # run always
BATCH = 3
INPUTS = [
    (3, 5, 1.5, [3, 1, 2]), (-2, 1, -0.0, [7]), (0, 0, 1e300, []),
    (2**62, -(2**63), float("nan"), [1, 2, 3, 4, 5]), (7, -3, 2.5, [2**63 - 1, -1, 0]),
    (3, 5, 1.5, [3, 1, 2]),
]  # fmt: skip


def load(seed):
    """The function of a program, its source known to linecache."""
    source, name = program(seed), f"<scalar program {seed}>"
    linecache.cache[name] = (len(source), None, source.splitlines(True), name)
    namespace = {"__name__": "random_program"}
    exec(compile(source, name, "exec"), namespace)
    return namespace["f"]


def outcome(function, args):
    """Value, printed text, exception and arguments of a call, as text, so that NaN is NaN."""
    args, printed, value, error = copy.deepcopy(args), io.StringIO(), None, None
    with contextlib.redirect_stdout(printed):
        try:
            value = repr(function(*args))
        except Exception as raised:
            error = type(raised), str(raised)
    return value, printed.getvalue(), error, repr(args)


def outcomes(staged, choice):
    with flags.JIT(choice):
        return [outcome(staged, args) for args in INPUTS]


@pytest.mark.parametrize("first", seeds(FIRST, COUNT, BATCH, KEPT))
def test_graphs(first):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # many functions are made, and each is traced
        for seed in range(first, first + BATCH):
            scalar_graphs.check(seed)


@pytest.mark.parametrize("first", seeds(FIRST, COUNT, BATCH, KEPT))
def test_programs(first):
    returned = 0
    for seed in range(first, first + BATCH):
        function = load(seed)
        staged = tf.jit(function)
        never, always = outcomes(staged, "never"), outcomes(staged, "always")
        for args, expected, found in zip(INPUTS, never, always, strict=True):
            assert found == expected, (seed, args)
            returned += found[2] is None
            plain = outcome(function, args)
            if found[2] is None and plain[2] is None:
                assert found[:2] == plain[:2], (seed, args)
    assert returned > BATCH, "most programs raise"
