"""LSTMs: 100 steps, forward and with gradient, and a small cell that is called 10 times."""

from __future__ import annotations

from typing import Any

import numpy as np

from benchmarks.against_peers.c_code import CCall
from benchmarks.against_peers.line import Line, Target
from benchmarks.against_peers.systems import (
    eager,
    function,
    jax,
    jax_gradient,
    numba,
    python,
    tape_gradient,
    tensorflow,
    torch_gradient,
)
from benchmarks.against_peers.systems import torch as torch_eager

# The sizes are known to gcc, as to the other compilers.
IN_C = """
void work(float *xs, float *w, int steps, float *h) {
    enum { GATES = 4 * UNITS, STATES = BATCH * UNITS };
    static float z[4][STATES], c[STATES];
    memset(h, 0, sizeof c);
    memset(c, 0, sizeof c);
    for (int t = 0; t < steps; t++) {
        for (int b = 0; b < BATCH; b++) {
            float sums[GATES] = {0}, *x = xs + (t * BATCH + b) * INPUTS;
            for (int r = 0; r < INPUTS; r++)
                for (int g = 0; g < GATES; g++) sums[g] += x[r] * w[r * GATES + g];
            for (int r = 0; r < UNITS; r++)
                for (int g = 0; g < GATES; g++)
                    sums[g] += h[b * UNITS + r] * w[(INPUTS + r) * GATES + g];
            for (int k = 0; k < 4; k++) memcpy(z[k] + b * UNITS, sums + k * UNITS, 4 * UNITS);
        }
        for (int s = 0; s < STATES; s++) {
            float i = 1 / (1 + expf(-z[0][s])), f = 1 / (1 + expf(-z[1][s]));
            float o = 1 / (1 + expf(-z[2][s]));
            c[s] = f * c[s] + i * tanhf(z[3][s]);
            h[s] = o * tanhf(c[s]);
        }
    }
}
"""


def in_c(xs: Any, w: Any) -> CCall:
    """Give the call of the C code."""
    steps, batch, inputs = xs.shape
    units = w.shape[1] // 4
    h = np.zeros((batch, units), np.float32)
    sizes = f"-DBATCH={batch} -DINPUTS={inputs} -DUNITS={units}"
    return CCall(IN_C, xs, w, np.int32(steps), h, answer=h, flags=f"-ffast-math {sizes}")


def in_numpy(xs: Any, w: Any) -> Any:
    """Loop over the steps; also numba's program."""
    units = w.shape[1] // 4
    one = np.float32(1)
    h = np.zeros((xs.shape[1], units), np.float32)
    c = np.zeros((xs.shape[1], units), np.float32)
    for t in range(xs.shape[0]):
        z = np.dot(np.concatenate((xs[t], h), 1), w)
        i = one / (one + np.exp(-z[:, :units]))
        f = one / (one + np.exp(-z[:, units : 2 * units]))
        o = one / (one + np.exp(-z[:, 2 * units : 3 * units]))
        c = f * c + i * np.tanh(z[:, 3 * units :])
        h = o * np.tanh(c)
    return h


def with_tensors(tf: Any) -> Any:
    """Give the loop over the steps."""

    def forward(xs, w):
        h, c = tf.zeros([xs.shape[1], w.shape[1] // 4]), tf.zeros([xs.shape[1], w.shape[1] // 4])
        for x in xs:
            i, f, o, g = tf.split(tf.matmul(tf.concat([x, h], 1), w), 4, axis=1)
            c = tf.sigmoid(f) * c + tf.sigmoid(i) * tf.tanh(g)
            h = tf.sigmoid(o) * tf.tanh(c)
        return h

    return forward


def in_jax(jax: Any) -> Any:
    """Give the loop over the steps."""
    np = jax.numpy

    def forward(xs: Any, w: Any) -> Any:
        def step(state: Any, x: Any) -> Any:
            h, c = state
            i, f, o, g = np.split(np.concatenate([x, h], 1) @ w, 4, axis=1)
            c = jax.nn.sigmoid(f) * c + jax.nn.sigmoid(i) * np.tanh(g)
            return (jax.nn.sigmoid(o) * np.tanh(c), c), None

        zeros = np.zeros((xs.shape[1], w.shape[1] // 4))
        return jax.lax.scan(step, (zeros, zeros), xs)[0][0]

    return forward


def in_torch(torch: Any) -> Any:
    """Give the loop over the steps."""

    def forward(xs: Any, w: Any) -> Any:
        h = c = torch.zeros(xs.shape[1], w.shape[1] // 4)
        for x in xs:
            i, f, o, g = torch.chunk(torch.cat([x, h], 1) @ w, 4, 1)
            c = torch.sigmoid(f) * c + torch.sigmoid(i) * torch.tanh(g)
            h = torch.sigmoid(o) * torch.tanh(c)
        return h

    return forward


def sizes(steps: int, batch: int, inputs: int, units: int) -> tuple[Any, ...]:
    """Give inputs and weights of these sizes."""
    draw = np.random.default_rng(0)
    xs = draw.normal(0, 1, (steps, batch, inputs))
    w = draw.normal(0, 0.1, (inputs + units, 4 * units))
    return xs.astype(np.float32), w.astype(np.float32)


FORWARD = {
    "C": in_c,
    "NumPy": python(in_numpy),
    "numba": numba(in_numpy),
    "JAX": jax(in_jax),
    "TensorFlow": tensorflow(with_tensors),
    "torch": torch_eager(in_torch),
    "runtime eager": eager(with_tensors),
    "runtime.function": function(with_tensors),
}
GRADIENT = {
    "JAX": jax(jax_gradient(in_jax, 1)),
    "TensorFlow": tensorflow(tape_gradient(with_tensors, 1)),
    "torch": torch_eager(torch_gradient(in_torch, 1)),
    "runtime eager": eager(tape_gradient(with_tensors, 1)),
    "runtime.function": function(tape_gradient(with_tensors, 1)),
}
LINES = [
    Line(
        "LSTM, 100 steps, batch 32, 64 inputs, 128 units",
        inputs=lambda: sizes(100, 32, 64, 128),
        small=lambda: sizes(3, 2, 3, 4),
        systems=FORWARD,
        targets=(Target("runtime.function", 0.9, "JAX"),),
        tolerance=1e-4,
    ),
    Line(
        "gradient of the LSTM",
        inputs=lambda: sizes(100, 32, 64, 128),
        small=lambda: sizes(3, 2, 3, 4),
        systems=GRADIENT,
        targets=(Target("runtime.function", 0.8, "JAX"),),
        tolerance=1e-4,
    ),
    Line(
        "LSTM cell 10x10, ten times",
        inputs=lambda: sizes(10, 10, 10, 10),
        small=lambda: sizes(3, 2, 3, 4),
        systems=FORWARD,
        targets=(Target("runtime.function", 2, "C"),),
        tolerance=1e-4,
    ),
]
