"""Parts of training steps: a loss of many classes, an embedding's gradient, Adam, a GRU."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from benchmarks.against_peers.line import BEST_PEER, Line, Target
from benchmarks.against_peers.systems import (
    function,
    jax,
    jax_gradient,
    jit,
    numba,
    python,
    tape_gradient,
    tensorflow,
    torch_gradient,
)
from benchmarks.against_peers.systems import torch as torch_eager


def losses_with_tensors(tf: Any) -> Callable[..., Any]:
    """Give the cross entropy of each row."""
    return lambda logits, labels: tf.nn.sparse_softmax_cross_entropy_with_logits(
        labels=labels, logits=logits
    )


def losses_in_jax(jax: Any) -> Callable[..., Any]:
    """Give the cross entropy of each row."""

    def losses(logits: Any, labels: Any) -> Any:
        return -jax.numpy.take_along_axis(jax.nn.log_softmax(logits), labels[:, None], 1)

    return losses


def losses_in_torch(torch: Any) -> Callable[..., Any]:
    """Give the cross entropy of each row."""
    cross_entropy = torch.nn.functional.cross_entropy
    return lambda logits, labels: cross_entropy(logits, labels.long(), reduction="none")


def loss_inputs(rows: int, classes: int) -> tuple[Any, ...]:
    """Draw logits and labels."""
    draw = np.random.default_rng(0)
    logits = draw.normal(0, 1, (rows, classes)).astype(np.float32)
    return logits, draw.integers(0, classes, rows, np.int32)


def embedded_with_tensors(tf: Any) -> Callable[..., Any]:
    """Give squares of rows of a table."""
    return lambda table, numbers: tf.gather(table, numbers) ** 2


def dense_gradient_with_tensors(tf: Any) -> Callable[..., Any]:
    """Give the derivative by the table as one array."""
    gradient = tape_gradient(embedded_with_tensors, 0)(tf)
    return lambda table, numbers: tf.convert_to_tensor(gradient(table, numbers)[0])


def embedded_in_jax(_: Any) -> Callable[..., Any]:
    """Give squares of rows of a table."""
    return lambda table, numbers: table[numbers] ** 2


def embedded_in_torch(torch: Any) -> Callable[..., Any]:
    """Give squares of rows of a table."""
    return lambda table, numbers: torch.nn.functional.embedding(numbers, table) ** 2


def embedding_inputs(words: int, width: int, count: int) -> tuple[Any, ...]:
    """Draw a table and numbers of its rows."""
    draw = np.random.default_rng(0)
    table = draw.normal(0, 1, (words, width)).astype(np.float32)
    return table, draw.integers(0, words, count, np.int32)


def adam(library: Any) -> Callable[..., Any]:
    """Give a step of Adam by a library that has ``sqrt``."""

    def step(weights, slopes, means, squares):
        means = 0.9 * means + 0.1 * slopes
        squares = 0.999 * squares + 0.001 * slopes * slopes
        weights = weights - 0.001 * means / (library.sqrt(squares) + 1e-7)
        return weights, means, squares

    return step


def adam_in_jax(jax: Any) -> Callable[..., Any]:
    """Give a step of Adam."""
    return adam(jax.numpy)


def adam_inputs(count: int) -> tuple[Any, ...]:
    """Draw weights, slopes and moments."""
    draw = np.random.default_rng(0)
    weights, slopes, means = draw.normal(0, 1, (3, count)).astype(np.float32)
    return weights, slopes, means, draw.random(count).astype(np.float32)


def gru_with_tensors(tf: Any) -> Callable[..., Any]:
    """Give the last state of a gated recurrent unit."""

    def forward(xs, w, u, v):
        units = v.shape[0]
        h = tf.zeros([xs.shape[1], units])
        for x in xs:
            z = tf.sigmoid(tf.matmul(x, w[:, : 2 * units]) + tf.matmul(h, u))
            r, update = z[:, :units], z[:, units:]
            new = tf.tanh(tf.matmul(x, w[:, 2 * units :]) + tf.matmul(r * h, v))
            h = update * h + (1.0 - update) * new
        return h

    return forward


def gru_in_jax(jax: Any) -> Callable[..., Any]:
    """Give the last state of a gated recurrent unit."""
    np = jax.numpy

    def forward(xs: Any, w: Any, u: Any, v: Any) -> Any:
        units = v.shape[0]

        def step(h: Any, x: Any) -> Any:
            z = jax.nn.sigmoid(x @ w[:, : 2 * units] + h @ u)
            r, update = z[:, :units], z[:, units:]
            new = np.tanh(x @ w[:, 2 * units :] + (r * h) @ v)
            return update * h + (1.0 - update) * new, None

        return jax.lax.scan(step, np.zeros((xs.shape[1], units)), xs)[0]

    return forward


def gru_in_torch(torch: Any) -> Callable[..., Any]:
    """Give the last state of a gated recurrent unit."""

    def forward(xs: Any, w: Any, u: Any, v: Any) -> Any:
        units = v.shape[0]
        h = torch.zeros(xs.shape[1], units)
        for x in xs:
            z = torch.sigmoid(x @ w[:, : 2 * units] + h @ u)
            r, update = z[:, :units], z[:, units:]
            new = torch.tanh(x @ w[:, 2 * units :] + (r * h) @ v)
            h = update * h + (1.0 - update) * new
        return h

    return forward


def gru_inputs(steps: int, batch: int, inputs: int, units: int) -> tuple[Any, ...]:
    """Draw sequences and weights."""
    draw = np.random.default_rng(0)
    shapes = [(steps, batch, inputs), (inputs, 3 * units), (units, 2 * units), (units, units)]
    xs, *weights = (draw.normal(0, 0.1, shape).astype(np.float32) for shape in shapes)
    return 10 * xs, *weights


TARGETS = (Target("runtime.function", 0.9, BEST_PEER),)
LINES = [
    Line(
        "cross entropy of 64 rows of 10,000 classes, with gradient",
        inputs=lambda: loss_inputs(64, 10_000),
        small=lambda: loss_inputs(3, 5),
        systems={
            "JAX": jax(jax_gradient(losses_in_jax, 0)),
            "TensorFlow": tensorflow(tape_gradient(losses_with_tensors, 0)),
            "torch": torch_eager(torch_gradient(losses_in_torch, 0)),
            "runtime.function": function(tape_gradient(losses_with_tensors, 0)),
        },
        targets=TARGETS,
        tolerance=1e-5,
    ),
    Line(
        "gradient of an embedding, 2,048 of 10,000 words",
        inputs=lambda: embedding_inputs(10_000, 64, 2_048),
        small=lambda: embedding_inputs(5, 3, 4),
        systems={
            "JAX": jax(jax_gradient(embedded_in_jax, 0)),
            "TensorFlow": tensorflow(dense_gradient_with_tensors),
            "torch": torch_eager(torch_gradient(embedded_in_torch, 0)),
            "runtime.function": function(dense_gradient_with_tensors),
        },
        targets=TARGETS,
        tolerance=1e-5,
    ),
    Line(
        "step of Adam for 1,000,000 weights",
        inputs=lambda: adam_inputs(1_000_000),
        small=lambda: adam_inputs(5),
        systems={
            "NumPy": python(adam(np)),
            "numba": numba(adam(np)),
            "JAX": jax(adam_in_jax),
            "TensorFlow": tensorflow(adam),
            "torch": torch_eager(adam),
            "runtime.function": function(adam),
            "runtime.jit": jit(adam(np)),
        },
        targets=(*TARGETS, Target("runtime.jit", 0.9, BEST_PEER)),
        tolerance=1e-5,
    ),
    Line(
        "GRU, 50 steps, batch 32, 64 inputs, 128 units",
        inputs=lambda: gru_inputs(50, 32, 64, 128),
        small=lambda: gru_inputs(3, 2, 3, 4),
        systems={
            "JAX": jax(gru_in_jax),
            "TensorFlow": tensorflow(gru_with_tensors),
            "torch": torch_eager(gru_in_torch),
            "runtime.function": function(gru_with_tensors),
        },
        targets=TARGETS,
        tolerance=1e-4,
    ),
]
