"""Eager work: one addition, and value and gradient of sum(tanh(w * x))."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

from benchmarks.against_peers.line import Line, Target
from benchmarks.against_peers.systems import eager, jax, python, tensorflow, torch

PAIR = (np.float32(1.5), np.float32(2))


def by_tape(tf: Any) -> Any:
    """Give value and gradient by a tape."""

    def both(w: Any, x: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch(w)
            y = tf.reduce_sum(tf.tanh(w * x))
        return y, tape.gradient(y, w)

    return both


def by_jax(jax: Any) -> Any:
    """Give value and gradient by a transformation."""
    return jax.value_and_grad(lambda w, x: jax.numpy.tanh(w * x).sum())


def by_torch(torch: Any) -> Any:
    """Give value and gradient by torch's tape."""

    def both(w: Any, x: Any) -> Any:
        w = w.detach().requires_grad_()
        y = torch.sum(torch.tanh(w * x))
        return y, torch.autograd.grad(y, w)[0]

    return both


def vectors() -> tuple[Any, ...]:
    """Give ten weights and ten numbers."""
    return np.linspace(0.1, 1, 10, dtype=np.float32), np.linspace(-1, 1, 10, dtype=np.float32)


LINES = [
    Line(
        "eager a + b of scalars",
        inputs=lambda: PAIR,
        small=lambda: PAIR,
        systems={
            "NumPy": python(lambda a, b: np.add(a, b)),
            "JAX": jax(lambda jax: operator.add, staged=False),
            "TensorFlow": tensorflow(lambda tf: operator.add, staged=False),
            "torch": torch(lambda torch: operator.add),
            "runtime eager": eager(lambda tf: operator.add),
        },
        targets=(Target("runtime eager", 0.5, "torch"),),
    ),
    Line(
        "eager value and gradient of sum(tanh(w * x))",
        inputs=vectors,
        small=vectors,
        systems={
            "JAX": jax(by_jax, staged=False),
            "TensorFlow": tensorflow(by_tape, staged=False),
            "torch": torch(by_torch),
            "runtime eager": eager(by_tape),
        },
        targets=(Target("runtime eager", 0.6, "torch"),),
        tolerance=1e-6,
    ),
]
