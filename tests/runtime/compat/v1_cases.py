"""Cases of TensorFlow 1's optimizers, learning rates and losses, for either library's ``tf``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

X = np.linspace(-1, 1, 12).reshape(4, 3).astype("float32")
LABELS = np.array([[1, 0, 1], [0, 0, 1], [1, 1, 0], [0, 1, 1]])

OPTIMIZERS: dict[str, Callable[[Any], Any]] = {
    "descent": lambda t: t.GradientDescentOptimizer(lambda: 0.1),
    "momentum": lambda t: t.MomentumOptimizer(0.1, 0.9),
    "nesterov": lambda t: t.MomentumOptimizer(0.1, 0.9, use_nesterov=True),
    "adam": lambda t: t.AdamOptimizer(0.1, 0.8, 0.9, 0.1),
    "rmsprop": lambda t: t.RMSPropOptimizer(0.1),
    "centered": lambda t: t.RMSPropOptimizer(0.1, 0.8, 0.5, 1e-3, centered=True),
    "adagrad": lambda t: t.AdagradOptimizer(0.1),
    "adadelta": lambda t: t.AdadeltaOptimizer(1.0),
    "ftrl": lambda t: t.FtrlOptimizer(
        0.1, -0.7, 0.2, 0.01, 0.02, l2_shrinkage_regularization_strength=0.03
    ),
}

LOSSES: dict[str, Callable[[Any, Any, Any], Any]] = {
    "absolute_difference": lambda m, w, r: m.absolute_difference(LABELS, X, w, reduction=r),
    "cosine_distance": lambda m, w, r: m.cosine_distance(LABELS, X, 1, w, reduction=r),
    "hinge_loss": lambda m, w, r: m.hinge_loss(LABELS, X, w, reduction=r),
    "huber_loss": lambda m, w, r: m.huber_loss(LABELS, X, w, 0.5, reduction=r),
    "log_loss": lambda m, w, r: m.log_loss(LABELS, X / 3 + 0.5, w, reduction=r),
    "mean_squared_error": lambda m, w, r: m.mean_squared_error(LABELS, X, w, reduction=r),
    "mean_pairwise_squared_error": lambda m, w, r: m.mean_pairwise_squared_error(LABELS, X, w),
    "sigmoid_cross_entropy": lambda m, w, r: m.sigmoid_cross_entropy(
        LABELS, X, w, 0.1, reduction=r
    ),
    "softmax_cross_entropy": lambda m, w, r: m.softmax_cross_entropy(
        LABELS, X, w if np.ndim(w) == 0 else w[:, 0], 0.1, reduction=r
    ),
    "sparse_softmax_cross_entropy": lambda m, w, r: m.sparse_softmax_cross_entropy(
        LABELS[:, :1], X, w, reduction=r
    ),
}
WEIGHTS = (1.0, np.array([[1.0], [0.0], [2.0], [0.5]], "float32"), 0.0)
REDUCTIONS = (
    "none", "weighted_sum", "weighted_mean", "weighted_sum_over_batch_size",
    "weighted_sum_by_nonzero_weights",
)  # fmt: skip


def rates(t: Any, step: Any) -> list[Any]:
    """Learning rates at a step."""
    return [
        t.exponential_decay(0.1, step, 5, 0.9), t.exponential_decay(0.1, step, 5, 0.9, True),
        t.natural_exp_decay(0.1, step, 5, 0.9), t.natural_exp_decay(0.1, step, 5, 0.9, True),
        t.inverse_time_decay(0.1, step, 5, 0.9), t.polynomial_decay(0.1, step, 20, power=2.0),
        t.polynomial_decay(0.1, step, 5, cycle=True), t.cosine_decay(0.1, step, 30, 0.1),
        t.piecewise_constant(step, [10, 17, 20], [1.0, 2.0, 3.0, 4.0]),
    ]  # fmt: skip


def variables(tf: Any) -> tuple[Any, Any]:
    """A matrix and a vector to train."""
    first = np.linspace(-0.5, 0.5, 6).reshape(3, 2).astype("float32")
    return tf.Variable(first, name="w"), tf.Variable([0.1, -0.2], name="b")


def loss_of(tf: Any, w: Any, b: Any) -> Any:
    """A loss of both."""
    return tf.reduce_mean(tf.square(tf.tanh(tf.matmul(tf.constant(X), w) + b) - 0.5))


def trained(tf: Any, name: str) -> dict[str, Any]:
    """What a session finds after five steps of an optimizer: values, names, slots."""
    with tf.Graph().as_default(), tf.Session() as session:
        w, b = variables(tf)
        optimizer, step = OPTIMIZERS[name](tf.train), tf.train.get_or_create_global_step()
        change = optimizer.minimize(loss_of(tf, w, b), global_step=step)
        session.run(tf.global_variables_initializer())
        for _ in range(5):
            assert session.run(change) is None
        slots = {s: session.run(optimizer.get_slot(w, s)) for s in optimizer.get_slot_names()}
        assert session.run(step) == 5
        return {
            "w": numbers(session.run(w)), "b": numbers(session.run(b)),
            "names": sorted(v.name for v in tf.global_variables()),
            "slots": {key: numbers(value) for key, value in slots.items()},
        }  # fmt: skip


def changed_rows(tf: Any, name: str) -> list[float]:
    """A variable after four updates of some of its rows, one of them twice."""
    w, optimizer = tf.Variable(X), OPTIMIZERS[name](tf.train)
    for turn in range(4):
        rows = tf.IndexedSlices(
            tf.constant(X[:3] + 2.0), tf.constant([1, 3, 1] if turn % 2 else [0, 2, 2]),
            tf.constant([4, 3]),
        )  # fmt: skip
        optimizer.apply_gradients([(rows, w)])
    return numbers(w)


def numbers(value: Any) -> list[float]:
    """The elements of an array, with the digits of float32."""
    return [float(f"{x:.9g}") for x in np.asarray(value, "float64").reshape(-1).tolist()]


def facts(tf: Any) -> dict[str, Any]:
    """All facts about the cases."""
    found: dict[str, Any] = {}
    for name in OPTIMIZERS:
        found[name] = {"trained": trained(tf, name), "rows": changed_rows(tf, name)}
    found["rates"] = [
        numbers(r() if callable(r) else r)[0] for r in rates(tf.train, tf.constant(17))
    ]
    for name, loss in LOSSES.items():
        with tf.Graph().as_default(), tf.Session() as session:
            made = [loss(tf.losses, w, r) for w in WEIGHTS for r in REDUCTIONS]
            found[name] = [numbers(value) for value in session.run(made)]
    return found
