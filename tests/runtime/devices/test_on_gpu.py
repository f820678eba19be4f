"""The script that measures on a GPU: without one it works, at small sizes."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.support import ROOT
from tests.support.extras import needs

pytestmark = [needs("xla"), pytest.mark.nightly]
SCRIPT = ROOT / "benchmarks" / "on_gpu.py"


def test_it_runs_without_a_gpu():
    run = subprocess.run(
        [sys.executable, SCRIPT, "--seconds", "30"], capture_output=True, text=True, timeout=300
    )
    assert run.returncode == 0, run.stderr
    assert " 0 differ;" in run.stdout and "(at most 1e-4: met)" in run.stdout
    assert run.stdout.count("| at most ") >= 4 and "parts that raised" not in run.stdout


def test_an_unknown_part_is_refused():
    run = subprocess.run([sys.executable, SCRIPT, "lstn"], capture_output=True, text=True)
    assert run.returncode == 2 and "there is no part lstn: choose from sweep" in run.stderr
