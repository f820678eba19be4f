"""What the call of a traced function costs: `f(x)` = x + 1, one with a loop, and a new trace.

Target: a call as near to an eager operation as can be.  JAX and TensorFlow are peers where they are
installed (TensorFlow in a process of its own would not change its figure).
"""

from __future__ import annotations

import importlib.util
import os
from collections.abc import Callable

import numpy as np
from timing import medians, pin, report

import runtime as tf

Candidates = dict[str, Callable[[], object]]


def peers(make: Callable[[object, object], Callable[[], object]]) -> Candidates:
    """`make(module, decorator)` for JAX and TensorFlow, where they are installed."""
    found: Candidates = {}
    if importlib.util.find_spec("jax"):
        import jax

        found["JAX jit"] = make(jax.numpy, jax.jit)
    if importlib.util.find_spec("tensorflow"):
        os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
        import tensorflow

        found["TensorFlow function"] = make(tensorflow, tensorflow.function)
    return found


def increment() -> None:
    """`f(x)` = x + 1 on a scalar, against the eager operation."""

    def call(library: object, decorator: object) -> Callable[[], object]:
        one = np.float32(1.0)
        x = library.constant(one) if hasattr(library, "constant") else library.asarray(one)
        f = decorator(lambda x: x + 1)
        return lambda: f(x)

    x = tf.constant(1.0)
    candidates: Candidates = {"eager x + 1": lambda: x + 1}
    candidates["runtime.function"] = call(tf, tf.function)
    report("f(x) = x + 1", medians({**candidates, **peers(call)}), "eager x + 1")


def pairs() -> None:
    """A function of two tensors and a Python number that returns a nest."""

    def call(library: object, decorator: object) -> Callable[[], object]:
        value = np.ones((3, 4), np.float32)
        make = library.constant if hasattr(library, "constant") else library.asarray
        x, y = make(value), make(value)
        f = decorator(lambda a, b: {"sum": a + b, "both": (a * b, a - b)})
        return lambda: f(x, y)

    candidates: Candidates = {"runtime.function": call(tf, tf.function)}
    report("f(a, b) = {sum, (product, difference)}", medians({**candidates, **peers(call)}),
           "runtime.function")  # fmt: skip


def tracing() -> None:
    """A new function's first call."""

    def call(library: object, decorator: object) -> Callable[[], object]:
        value = np.float32(1.0)
        x = library.constant(value) if hasattr(library, "constant") else library.asarray(value)

        def program(x: object) -> object:
            for _ in range(10):
                x = x * 2 + 1
            return x

        return lambda: decorator(lambda x: program(x))(x)

    candidates: Candidates = {"runtime.function": call(tf, tf.function)}
    results = medians({**candidates, **peers(call)}, rounds=5)
    report("first call of 20 operations", results, "runtime.function")


def main() -> None:
    """Runs all on one core."""
    import warnings

    warnings.simplefilter("ignore")
    pin()
    increment()
    pairs()
    tracing()


if __name__ == "__main__":
    main()
