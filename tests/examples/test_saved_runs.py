"""Training examples: a fresh process loads equal models, and ends runs as if never interrupted."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from tests.examples.saved_runs import LENGTHS
from tests.support import ROOT, nightly
from tests.support.nightly import NIGHTLY


def goes_on(folder, size, names):
    for step in ("begin", "go-on"):
        found = subprocess.run(
            [sys.executable, "-m", "tests.examples.saved_runs", step, folder, size, *names],
            capture_output=True, text=True, cwd=ROOT,
            env=os.environ | {"OPENBLAS_NUM_THREADS": "1"},
        )  # fmt: skip
        assert found.stdout.split() == names, found.stderr


def test_small_runs(tmp_path):
    names = list(LENGTHS)  # nightly, all of them run in full
    goes_on(tmp_path, "small", names if nightly.EVERYTHING else names[1::4])


@pytest.mark.parametrize("name", [pytest.param(name, marks=NIGHTLY) for name in LENGTHS])
def test_full_runs(tmp_path, name):
    pytest.importorskip("sklearn")
    pytest.importorskip("llvmlite")
    goes_on(tmp_path, "full", [name])
