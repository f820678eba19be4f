"""`autograph check examples` finds nothing but the one place that shows an error on purpose."""

from __future__ import annotations

import subprocess
import sys

from tests.support import ROOT


def test_the_examples_are_clean() -> None:
    command = [sys.executable, "-m", "autograph", "check", "examples"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=120)
    (found,) = done.stdout.splitlines()  # the section "Errors name the line" of the notebook
    assert found.startswith("examples/newton.ipynb:") and "AG301" in found
