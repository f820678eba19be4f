"""The derivative of 1000 turns of a loop of scalars: the logistic map."""

from __future__ import annotations

from typing import Any

import numpy as np

from benchmarks.against_peers.c_code import CCall
from benchmarks.against_peers.line import Line, Target
from benchmarks.against_peers.systems import function, jax, tensorflow, torch

IN_C = """
float work(float rate, int turns, float *derivative) {
    static float states[100000];
    float x = 0.5f;
    for (int i = 0; i < turns; i++) {
        states[i] = x;
        x = rate * x * (1 - x);
    }
    float slope = 1, total = 0;
    for (int i = turns - 1; i >= 0; i--) {
        float before = states[i];
        total += slope * before * (1 - before);
        slope *= rate * (1 - 2 * before);
    }
    *derivative = total;
    return x;
}
"""


def in_c(rate: Any, turns: Any) -> CCall:
    """Give the call of the C code."""
    derivative = np.zeros(1, np.float32)
    return CCall(IN_C, rate, turns, derivative, answer=derivative.reshape(()))


def with_tape(tf: Any) -> Any:
    """Give the derivative by a tape."""

    def gradient(rate, turns):
        with tf.GradientTape() as tape:
            tape.watch(rate)
            x = tf.constant(0.5)
            for _ in tf.range(turns):
                x = rate * x * (1.0 - x)
        return tape.gradient(x, rate)

    return gradient


def in_jax(jax: Any, turns: int) -> Any:
    """Give the derivative of a scan, whose number of turns is known."""

    def run(rate: Any) -> Any:
        turn = lambda x, _: (rate * x * (1 - x), None)
        return jax.lax.scan(turn, jax.numpy.float32(0.5), None, turns)[0]

    return jax.grad(run)


def in_torch(torch: Any) -> Any:
    """Give the derivative by torch's tape."""

    def gradient(rate: Any, turns: Any) -> Any:
        rate = rate.detach().requires_grad_()
        x = torch.tensor(0.5)
        for _ in range(int(turns)):
            x = rate * x * (1 - x)
        return torch.autograd.grad(x, rate)[0]

    return gradient


LINES = [
    Line(
        "gradient through 1000 turns of a scalar loop",
        inputs=lambda: (np.float32(2.5), np.int32(1000)),
        small=lambda: (np.float32(2.5), np.int32(10)),
        systems={
            "C": in_c,
            "JAX": lambda rate, turns: jax(lambda jax: in_jax(jax, int(turns)))(rate),
            "TensorFlow": tensorflow(with_tape),
            "torch": torch(in_torch),
            "runtime.function": function(with_tape),
        },
        targets=(Target("runtime.function", 4, "C"),),
        tolerance=1e-5,
    ),
]
