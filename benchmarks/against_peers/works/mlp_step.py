"""A training step of a network of two layers, 784-128-10: loss, derivatives, new weights."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import numpy as np

from benchmarks.against_peers.line import Call, Line, Target

RATE = 0.01


def by_tape(library: str, staged: bool) -> Callable[..., Call]:
    """Give the step with variables that it changes, and a tape: TensorFlow's or ours."""

    def build(x: Any, labels: Any, *weights: Any) -> Call:
        tf = importlib.import_module(library)
        variables = [tf.Variable(w) for w in weights]
        x, labels = tf.constant(x), tf.constant(labels)

        def step(x, labels):
            with tf.GradientTape() as tape:
                hidden = tf.nn.relu(tf.matmul(x, variables[0]) + variables[1])
                logits = tf.matmul(hidden, variables[2]) + variables[3]
                losses = tf.nn.sparse_softmax_cross_entropy_with_logits(
                    labels=labels, logits=logits
                )
                loss = tf.reduce_mean(losses)
            for variable, slope in zip(variables, tape.gradient(loss, variables)):
                variable.assign_sub(slope * RATE)
            return loss

        options = {"jit_compile": True} if library == "runtime" else {}
        run = tf.function(step, **options) if staged else step
        return lambda: run(x, labels)

    return build


def in_jax(x: Any, labels: Any, *weights: Any) -> Call:
    """Give the step from weights to new weights, in whose memory they are stored."""
    import jax

    np = jax.numpy

    def loss(weights: Any, x: Any, labels: Any) -> Any:
        hidden = jax.nn.relu(x @ weights[0] + weights[1])
        logits = jax.nn.log_softmax(hidden @ weights[2] + weights[3])
        return -np.mean(np.take_along_axis(logits, labels[:, None], 1))

    def step(weights: Any, x: Any, labels: Any) -> Any:
        value, slopes = jax.value_and_grad(loss)(weights, x, labels)
        return value, [w - RATE * s for w, s in zip(weights, slopes)]

    compiled = jax.jit(step, donate_argnums=0)
    held = [np.asarray(w) for w in weights]
    x, labels = np.asarray(x), np.asarray(labels)

    def run() -> Any:
        nonlocal held
        value, held = jax.block_until_ready(compiled(held, x, labels))
        return value

    return run


def in_torch(x: Any, labels: Any, *weights: Any) -> Call:
    """Give the step of torch's operations, one by one."""
    import torch

    torch.set_num_threads(1)
    held = [torch.tensor(w, requires_grad=True) for w in weights]
    x, labels = torch.as_tensor(x), torch.as_tensor(labels).long()

    def run() -> Any:
        hidden = torch.relu(x @ held[0] + held[1])
        loss = torch.nn.functional.cross_entropy(hidden @ held[2] + held[3], labels)
        with torch.no_grad():
            for w, slope in zip(held, torch.autograd.grad(loss, held)):
                w -= RATE * slope
        return loss

    return run


def sizes(batch: int, *layers: int) -> tuple[Any, ...]:
    """Give a batch, labels and weights."""
    draw = np.random.default_rng(0)
    weights: list[Any] = []
    for before, after in pairwise(layers):
        weights += [draw.normal(0, 0.1, (before, after)), draw.normal(0, 0.1, after)]
    labels = draw.integers(0, layers[-1], batch, np.int32)
    x = draw.normal(0, 1, (batch, layers[0])).astype(np.float32)
    return x, labels, *[w.astype(np.float32) for w in weights]


LINES = [
    Line(
        "training step of a network 784-128-10, batch 64",
        inputs=lambda: sizes(64, 784, 128, 10),
        small=lambda: sizes(3, 5, 4, 3),
        systems={
            "JAX": in_jax,
            "TensorFlow": by_tape("tensorflow", staged=True),
            "torch": in_torch,
            "runtime eager": by_tape("runtime", staged=False),
            "runtime.function": by_tape("runtime", staged=True),
        },
        targets=(Target("runtime.function", 0.9, "JAX"),),
        tolerance=1e-5,
    ),
]
