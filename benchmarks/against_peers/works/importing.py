"""Imports, each in a new process: what starting Python and one statement takes."""

from __future__ import annotations

import subprocess
import sys

from benchmarks.against_peers.line import Line, System, Target


def importing(statement: str) -> System:
    """Give the call that starts Python and runs a statement."""
    return lambda: lambda: subprocess.run([sys.executable, "-c", statement], check=True).returncode


LINES = [
    Line(
        "start and import",
        inputs=tuple,
        small=tuple,
        systems={
            "Python, no import": importing("pass"),
            "NumPy": importing("import numpy"),
            "numba": importing("import numba"),
            "JAX": importing("import jax"),
            "TensorFlow": importing("import tensorflow"),
            "torch": importing("import torch"),
            "autograph": importing("import autograph"),
            "runtime": importing("import runtime"),
        },
        targets=(Target("runtime", 1, "NumPy", more=0.04),),
        fresh=False,
    ),
]
