"""Results on XLA whose sizes only a run tells: sizes that stay, that change, and too many."""

from __future__ import annotations

import numpy as np
import pytest

import runtime as tf
from runtime.engine.xla import compiled_request
from tests.runtime.engine.xla.test_programs import engine_line, on_xla
from tests.support.extras import needs

pytestmark = needs("xla")

VECTORS = [[3, -1, 3, 0], [1, 1, 1, 1], [-2, -1, -3, -4], [3, -1, 5, 0], [3, -1, 3, 0]]


def halves(x):
    n = tf.reduce_max(x)
    numbers = [n]
    while n > 0:
        numbers.append(n)
        n = n // 2
    return tf.stack(numbers)


def range_of_a_sum(x):
    return tf.range(tf.abs(tf.reduce_sum(x)) + 1) * 2


def stitched(x):
    positive, negative = tf.dynamic_partition(x, tf.cast(x < 0, tf.int32), 2)
    return tf.dynamic_stitch([tf.range(tf.size(positive)) * 2, [1]], [positive * 2, [9]])


def gradient_of_a_mask(x):
    x = tf.cast(x, tf.float32)
    with tf.GradientTape() as tape:
        tape.watch(x)
        loss = tf.reduce_sum(tf.boolean_mask(x, x > 0) ** 2)
    return tape.gradient(loss, x)


FUNCTIONS = [
    lambda x: tf.boolean_mask(x, x > 0) * 2,
    lambda x: x[x != 1][::-1],
    lambda x: tf.where(tf.reshape(x, [2, 2]) > 0),
    lambda x: tf.unique_with_counts(x),
    lambda x: tf.unique(tf.cast(x, tf.float32))[0],
    lambda x: tf.dynamic_partition(x, tf.cast(x > 0, tf.int32), 2),
    lambda x: tf.setdiff1d(x, tf.constant([1, -1])),
    lambda x: x[: tf.reduce_sum(tf.cast(x > 0, tf.int32))],
    lambda x: tf.unique(tf.boolean_mask(x, x > 0)),
    range_of_a_sum, stitched, halves, gradient_of_a_mask,
]  # fmt: skip


@pytest.mark.parametrize("function", FUNCTIONS)
def test_as_on_the_cpu(function):
    traced, reference = on_xla(function), tf.function(function, jit_compile=False)
    engines = []
    for numbers in VECTORS:
        results = traced(tf.constant(numbers)), reference(tf.constant(numbers))
        for ours, expected in zip(*map(tf.nest.flatten, results), strict=True):
            assert (ours.dtype, ours.shape) == (expected.dtype, expected.shape)
            np.testing.assert_array_equal(ours.numpy(), expected.numpy())
        engines.append(engine_line(traced))
    assert set(engines) == {"engine: xla"}


def test_a_size_in_a_branch_is_the_cpus():
    def f(x):
        if tf.reduce_sum(x) > 0:
            y = tf.reduce_sum(tf.boolean_mask(x, x > 0))
        else:
            y = tf.constant(0.0)
        return y

    traced = on_xla(f)
    assert traced(tf.constant(VECTORS[0], tf.float32)).numpy() == 6
    assert "depends on values" in engine_line(traced)


def test_many_sizes_are_left_to_the_cpu(monkeypatch):
    monkeypatch.setattr(compiled_request, "MOST_TRACES", 4)
    traced = on_xla(lambda x: tf.boolean_mask(x, x > 0))
    for count in range(6):
        x = tf.constant([1] * count + [0] * (6 - count))
        assert traced(x).numpy().tolist() == [1] * count
    assert "too many types or sizes" in engine_line(traced)


def test_nan_is_one_of_the_distinct_elements():
    traced = on_xla(lambda x: tf.unique(x))
    assert len(traced(tf.constant([np.nan, 1.0, np.nan])).y) == 2
