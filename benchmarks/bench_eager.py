"""What eager costs: one addition, and converted code on eager tensors against plain Python.

Targets: `a + b` at most half of torch; converted `sum_even` at most 1.3 times the plain one.
torch is a peer only when it is installed.
"""

from __future__ import annotations

import importlib.util

import numpy as np
import programs
from timing import medians, pin, report

import autograph
import runtime as tf


def addition() -> None:
    """`a + b` on scalars, by every library at hand."""
    ours = tf.constant(1.0), tf.constant(2.0)
    arrays = np.float32(1.0).reshape(1), np.float32(2.0).reshape(1)
    candidates = {
        "NumPy": lambda: arrays[0] + arrays[1],
        "runtime, eager": lambda: ours[0] + ours[1],
    }
    if importlib.util.find_spec("torch"):
        import torch

        tensors = torch.tensor(1.0), torch.tensor(2.0)
        candidates["torch"] = lambda: tensors[0] + tensors[1]
    report("a + b", medians(candidates), "NumPy")


def converted() -> None:
    """`sum_even` over an eager tensor of 1,000 numbers, plain and converted."""
    numbers = tf.constant(np.arange(1000, dtype=np.int32))
    staged = autograph.to_graph(programs.sum_even)
    candidates = {
        "plain Python": lambda: programs.sum_even(numbers),
        "converted": lambda: staged(numbers),
    }
    report("sum_even over an eager tensor", medians(candidates), "plain Python")
    items = list(range(1000))
    candidates = {
        "plain Python": lambda: programs.sum_even(items),
        "converted": lambda: staged(items),
    }
    report("sum_even over a Python list", medians(candidates), "plain Python")


def main() -> None:
    """Runs both on one core."""
    pin()
    addition()
    converted()


if __name__ == "__main__":
    main()
