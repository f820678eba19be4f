"""What derivatives cost: of eager code, of scalar loops in graphs, of an LSTM and a training step.

Target: eager value and gradient of `sum(tanh(w * x))` in at most 0.6 of torch's time.
torch is a peer only when it is installed.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Callable
from typing import Any

import numpy as np
from timing import medians, pin, report

import runtime as tf

HAS_TORCH = importlib.util.find_spec("torch") is not None


def eager() -> None:
    """Value and gradient of `sum(tanh(w * x))`, eagerly."""
    w, x = tf.constant(np.linspace(0.1, 1, 10, dtype=np.float32)), tf.constant(np.ones(10, "f4"))

    def ours() -> Any:
        with tf.GradientTape() as tape:
            tape.watch(w)
            y = tf.reduce_sum(tf.tanh(w * x))
        return y, tape.gradient(y, w)

    candidates: dict[str, Callable[[], object]] = {"runtime, tape": ours}
    if HAS_TORCH:
        import torch

        torch.set_num_threads(1)
        tw = torch.linspace(0.1, 1, 10, requires_grad=True)
        tx = torch.ones(10)

        def theirs() -> Any:
            y = torch.sum(torch.tanh(tw * tx))
            return y, torch.autograd.grad(y, tw)

        candidates["torch"] = theirs
    report("eager value and gradient", medians(candidates), list(candidates)[-1])


def turns() -> None:
    """1000 turns of a scalar loop, forward and with gradient."""

    @tf.function
    def loop(x: Any, n: Any) -> Any:
        s = x
        for _ in tf.range(n):
            s = tf.sin(s) * x + s
        return s

    @tf.function
    def both(x: Any, n: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = loop(x, n)
        return y, tape.gradient(y, x)

    x, n = tf.constant(0.5), tf.constant(1000)
    report(
        "1000 scalar turns",
        medians({"forward": lambda: loop(x, n), "with gradient": lambda: both(x, n)}),
        "forward",
    )


def lstm() -> None:
    """An LSTM of 32 units over 100 steps of a batch of 32, forward and with gradient."""
    draw = np.random.default_rng(0)
    weights = tf.Variable(draw.normal(0, 0.1, (64, 128)).astype(np.float32))
    steps = tf.constant(draw.normal(0, 1, (100, 32, 32)).astype(np.float32))

    @tf.function
    def forward(xs: Any) -> Any:
        h, c = tf.zeros([32, 32]), tf.zeros([32, 32])
        for x in xs:
            i, f, o, g = tf.split(tf.matmul(tf.concat([x, h], 1), weights), 4, axis=1)
            c = tf.sigmoid(f) * c + tf.sigmoid(i) * tf.tanh(g)
            h = tf.sigmoid(o) * tf.tanh(c)
        return tf.reduce_sum(h)

    @tf.function
    def both(xs: Any) -> Any:
        with tf.GradientTape() as tape:
            y = forward(xs)
        return y, tape.gradient(y, weights)

    times = medians({"forward": lambda: forward(steps), "with gradient": lambda: both(steps)})
    report("LSTM, T = 100", times, "forward")


def training_step() -> None:
    """One step of a network of two layers, 64-128-10, on a batch of 32."""
    draw = np.random.default_rng(0)
    shapes = [(64, 128), (128,), (128, 10), (10,)]
    variables = [tf.Variable(draw.normal(0, 0.1, s).astype(np.float32)) for s in shapes]
    x = tf.constant(draw.normal(0, 1, (32, 64)).astype(np.float32))
    labels = tf.constant(draw.integers(0, 10, 32))

    def step() -> Any:
        with tf.GradientTape() as tape:
            hidden = tf.nn.relu(tf.matmul(x, variables[0]) + variables[1])
            logits = tf.matmul(hidden, variables[2]) + variables[3]
            loss = tf.reduce_mean(
                tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits)
            )
        for variable, gradient in zip(variables, tape.gradient(loss, variables), strict=True):
            variable.assign_sub(gradient * 0.01)
        return loss

    times = medians({"eager": step, "function": tf.function(step)})
    report("training step of two layers", times, "eager")


def main() -> None:
    """Runs all on one core."""
    pin()
    eager()
    turns()
    lstm()
    training_step()


if __name__ == "__main__":
    main()
