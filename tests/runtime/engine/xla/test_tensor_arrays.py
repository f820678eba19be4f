"""Tensor arrays on XLA against eager execution, with gradients and errors."""

from __future__ import annotations

import numpy as np
import pytest

import runtime as tf
from tests.runtime.engine.xla.test_programs import engine_line, on_xla
from tests.support.extras import needs

pytestmark = needs("xla")

ROWS = np.arange(12, dtype=np.float32).reshape(6, 2) / 5


def of_known_size(x):
    rows = tf.TensorArray(tf.float32, size=5)
    for i in tf.range(5):
        rows = rows.write(i, x[0] * tf.cast(i, tf.float32))
    return rows.stack()


def growing(x):
    rows = tf.TensorArray(tf.float32, size=0, dynamic_size=True)
    i = 0
    while tf.reduce_sum(x) > 1.0:
        rows = rows.write(i, x)
        x = x / 2
        i += 1
    return rows.stack(), rows.size()


def recurrent(x):
    with tf.GradientTape() as tape:
        tape.watch(x)
        inputs = tf.TensorArray(tf.float32, size=6).unstack(x)
        states, state = tf.TensorArray(tf.float32, size=6), tf.zeros([2])
        for i in tf.range(6):
            state = tf.tanh(state + inputs.read(i))
            states = states.write(i, state)
        loss = tf.reduce_sum(states.stack() ** 2)
    return loss, tape.gradient(loss, x)


def on_one_path(x):
    rows = tf.TensorArray(tf.float32, size=3, element_shape=[2]).write(1, x[0])
    if tf.reduce_sum(x) > 0:
        rows = rows.write(0, x[1])
    else:
        rows = rows.write(2, x[2])
    return rows.gather([0, 2, 1]), rows.size()


def scattered(x):
    rows = tf.TensorArray(tf.float32, size=3, clear_after_read=False).scatter([2, 0, 1], x[:3])
    rows = rows.scatter([1, 1], x[3:5])  # the last one counts
    return rows.concat(), rows.read(1)


def parts_with_gradient(x):
    with tf.GradientTape() as tape:
        tape.watch(x)
        rows = tf.TensorArray(tf.float32, size=3).split(x, [2, 2, 2])
        loss = tf.reduce_sum(rows.concat() ** 3)
    return tape.gradient(loss, x)


@pytest.mark.parametrize(
    "function",
    [of_known_size, growing, recurrent, on_one_path, scattered, parts_with_gradient],
)
@pytest.mark.parametrize("sign", [1, -1, 1000])
def test_as_eagerly(function, sign):
    x = tf.constant(ROWS * sign)
    traced = on_xla(function)
    for ours, expected in zip(
        tf.nest.flatten(traced(x)), tf.nest.flatten(tf.function(function)(x)), strict=True
    ):
        assert (ours.dtype, ours.shape) == (expected.dtype, expected.shape)
        np.testing.assert_allclose(ours.numpy(), expected.numpy(), rtol=1e-4, atol=1e-6)
    empty = function is growing and sign == -1  # no entry tells the shape of an entry
    assert (engine_line(traced) == "engine: xla") is not empty


def beyond_the_end(x):
    rows = tf.TensorArray(tf.float32, size=2)
    i = 0
    while tf.reduce_sum(x) > 1.0:
        rows = rows.write(i, x)
        x = x / 2
        i += 1
    return rows.stack()


def twice(x):
    rows = tf.TensorArray(tf.float32, size=2).write(0, x)
    k = tf.cast(tf.reduce_sum(x) * 0, tf.int32)
    return rows.read(k) + rows.read(k)


def empty_entry(x):
    rows = tf.TensorArray(tf.float32, size=2, infer_shape=False).write(0, x)
    return rows.read(1 + tf.cast(tf.reduce_sum(x) * 0, tf.int32))


@pytest.mark.parametrize("function, message", [
    (beyond_the_end, "not resizeable"), (twice, "cleared after a previous read"),
    (empty_entry, "uninitialized"),
])  # fmt: skip
def test_errors_are_those_of_the_cpu(function, message):
    with pytest.raises(tf.errors.OpError, match=message):
        on_xla(function)(tf.constant(ROWS))
