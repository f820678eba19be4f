"""Random numbers and prints on XLA: those of the CPU, also when a run counts for nothing."""

from __future__ import annotations

import sys

import numpy as np
import pytest

import runtime as tf
from tests.runtime.engine.xla.test_programs import engine_line, on_xla
from tests.support.extras import needs

pytestmark = needs("xla")

X = np.array([[1, 2, 3], [4, 5, 6]], np.float32)


def in_a_loop(x):
    for _ in tf.range(4):
        x = x + tf.random.normal([3], seed=4)
        if tf.reduce_sum(x) > 10.0:
            x = x * tf.random.uniform([])
    return x


def of_a_masks_size(x):
    mask = tf.random.uniform([20]) > 0.5
    return tf.boolean_mask(tf.random.uniform([20]), mask) + tf.reduce_sum(x)


DRAWS = [
    lambda x: x + tf.random.uniform([2, 3]),
    lambda x: x + tf.random.normal(tf.shape(x), mean=x, stddev=2.0),
    lambda x: tf.random.truncated_normal([4]) + x[0, 0],
    lambda x: tf.random.uniform([4], 0, 9, tf.int32),
    lambda x: tf.random.gamma([2], x[0]),
    lambda x: tf.random.poisson([2], x[0]),
    lambda x: tf.nn.dropout(x, 0.5),
    lambda x: tf.random.shuffle(x),
    lambda x: tf.random.categorical(x, 4),
    lambda x: tf.random.stateless_normal([3], tf.cast(x[0, :2], tf.int32)),
    in_a_loop, of_a_masks_size,
]  # fmt: skip


def drawn(function, engine):
    tf.random.set_seed(3)
    traced = tf.function(function, jit_compile=engine)
    results = [traced(tf.constant(X)).numpy() for _ in range(2)]
    return [*results, tf.random.uniform([3]).numpy()], traced


@pytest.mark.parametrize("function", DRAWS)
def test_draws_are_those_of_the_cpu(function):
    ours, traced = drawn(function, "xla")
    expected, _ = drawn(function, False)
    for x, y in zip(ours, expected, strict=True):
        np.testing.assert_allclose(x, y, rtol=1e-5)
    assert engine_line(traced) == "engine: xla"


def test_a_generators_state_goes_on():
    generator = tf.random.Generator.from_seed(5)
    results = []
    for engine in ("xla", False):
        generator.reset_from_seed(5)
        traced = tf.function(lambda x: x + generator.normal([2, 3]), jit_compile=engine)
        results.append([*(traced(tf.constant(X)).numpy() for _ in range(2)), generator.state])
    for ours, expected in zip(*results, strict=True):
        np.testing.assert_allclose(ours, expected)


def test_a_run_that_fails_draws_nothing():
    def f(x, k):
        y = tf.random.uniform([3])
        return x // k + tf.cast(y * 100, tf.int32)

    results = []
    for engine in ("xla", False):
        tf.random.set_seed(8)
        traced = tf.function(f, jit_compile=engine)
        first = traced(tf.constant([1, 2, 3]), tf.constant(1)).numpy()
        with pytest.raises(tf.errors.InvalidArgumentError, match="division by zero"):
            traced(tf.constant([1, 2, 3]), tf.constant(0))
        results.append([first, traced(tf.constant([1, 2, 3]), tf.constant(1)).numpy()])
    np.testing.assert_array_equal(results[0], results[1])


def test_bounds_out_of_order_raise():
    traced = on_xla(lambda n: tf.random.uniform([2], 0, n, tf.int32))
    assert traced(tf.constant(1)).numpy().tolist() == [0, 0]
    with pytest.raises(tf.errors.InvalidArgumentError, match="minval < maxval"):
        traced(tf.constant(0))


def chatty(x, k):
    tf.print("begin", x, output_stream=sys.stdout)
    for i in tf.range(2):
        tf.print("turn", i, x // (i + 1), output_stream=sys.stdout)
    y = x // k
    tf.print("end", y, output_stream=sys.stdout)
    return y


@pytest.mark.parametrize("divisor", [1, 0])
def test_prints_come_once_and_in_order(divisor, capsys):
    texts = []
    for engine in ("xla", False):
        traced = tf.function(chatty, jit_compile=engine)
        try:
            traced(tf.constant([7, 9]), tf.constant(divisor))
        except tf.errors.InvalidArgumentError as error:
            assert divisor == 0 and "division by zero" in str(error)
        texts.append(capsys.readouterr().out)
        if engine:
            assert (engine_line(traced) == "engine: xla") is (divisor == 1)
    assert texts[0] == texts[1] and texts[0].count("turn") == 2
