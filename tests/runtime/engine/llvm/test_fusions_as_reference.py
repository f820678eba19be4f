"""Fusions do what the kernels do in the order of the graph: errors, zeros, axes, sizes."""

import numpy as np
import pytest

import runtime as tf
from tests.support.extras import needs

pytestmark = needs("jit")


def test_the_first_of_several_errors_is_raised():
    spec = tf.TensorSpec([None], "int64")

    def f(x, y, m):
        quotients = tf.math.floordiv(x, y)  # in a fusion that nothing has read yet
        return tf.matmul(m, m), quotients

    native = tf.function(f, [spec, spec, tf.TensorSpec([None, None], "float64")], jit_compile=True)
    ones, zeros = np.ones(3, int), np.zeros(3, int)
    with pytest.raises(tf.errors.InvalidArgumentError, match="division by zero"):
        native(ones, zeros, np.ones((2, 3)))


def test_what_nothing_reads_raises_still():
    def f(x, y):
        count = tf.shape(tf.math.floordiv(x, y))  # known without the quotients
        return count, x[:2] + 1

    native = tf.function(f, [tf.TensorSpec([3], "int64")] * 2, jit_compile=True)
    with pytest.raises(tf.errors.InvalidArgumentError, match="division by zero"):
        native(tf.ones(3, "int64"), tf.zeros(3, "int64"))


def test_sums_of_negative_zeros_are_zeros():
    def f(x):
        return [r(x, axis) for r in (tf.reduce_sum, tf.reduce_mean) for axis in (None, 0, 1)]

    for found in tf.function(f, jit_compile=True)(tf.fill([3, 5], -0.0)):
        assert not np.signbit(found).any()


def test_an_axis_that_is_named_twice():
    native = tf.function(lambda x: tf.reduce_max(x, [0, -1]), jit_compile=True)
    with pytest.raises(ValueError, match="duplicate value in 'axis'"):
        native(tf.constant([1.0, 2.0]))


def test_views_whose_sizes_are_known_only_to_native_code():
    def f(x):
        shape = tf.reshape(tf.stack([tf.constant([2]), [1]], 1), [-1])
        return tf.reduce_sum(tf.reshape(x, shape), 0)

    x = np.array([1.0, 2.0])
    np.testing.assert_array_equal(tf.function(f, jit_compile=True)(tf.constant(x)), [3.0])
