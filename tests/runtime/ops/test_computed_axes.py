"""Axes that are tensors without a value yet: as the same axes given as numbers, gradients too."""

from __future__ import annotations

import numpy as np
import pytest

import runtime as tf
from runtime import errors
from tests.runtime.ops.tensorflow_calls import numbers

X = numbers(2, 3, 4)
REDUCTIONS = (
    tf.reduce_sum, tf.reduce_mean, tf.reduce_max, tf.reduce_prod, tf.reduce_logsumexp,
    tf.math.reduce_std,
)  # fmt: skip
ONE_AXIS = {
    "argmax": lambda x, axis: tf.argmax(x, axis, tf.int32),
    "argmin": lambda x, axis: tf.argmin(x, axis),
    "cumsum": lambda x, axis: tf.cumsum(x, axis, exclusive=True),
    "cumprod": lambda x, axis: tf.math.cumprod(x, axis, reverse=True),
    "concat": lambda x, axis: tf.concat([x, x * 2, x], axis),
    "expand_dims": lambda x, axis: tf.expand_dims(x, axis),
    "gather one": lambda x, axis: tf.gather(x, 1, axis=axis),
    "gather": lambda x, axis: tf.gather(x, [1, 0, 1], axis=axis),
    "reverse": lambda x, axis: tf.reverse(x, tf.reshape(axis, [1])),
    "roll": lambda x, axis: tf.roll(x, 1, axis),
}


def staged(function, known=True):
    """The function of a tensor and an axis, traced without the axis's value."""
    shape = X.shape if known else None
    signature = [tf.TensorSpec(shape, tf.float32), tf.TensorSpec([], tf.int32)]
    return tf.function(function, input_signature=signature)


@pytest.mark.parametrize("axis", [0, 2, -2])
@pytest.mark.parametrize("name", ONE_AXIS)
def test_one_axis(name, axis):
    expected = ONE_AXIS[name](tf.constant(X), axis if name != "reverse" else tf.constant(axis))
    for known in (True, False):
        found = staged(ONE_AXIS[name], known)(X, axis)
        np.testing.assert_array_equal(found, expected, strict=True)


@pytest.mark.parametrize("reduce", REDUCTIONS, ids=lambda reduce: reduce.__name__)
def test_reductions_along_several(reduce):
    signature = [tf.TensorSpec([None, 3, None], tf.float32), tf.TensorSpec([None], tf.int32)]
    for keepdims in (True, False):
        found = tf.function(lambda x, a: reduce(x, a, keepdims), input_signature=signature)
        for axes in ([1], [0, -1], [2, 1, 0], []):
            expected = reduce(X, axes, keepdims)
            np.testing.assert_allclose(found(X, np.array(axes, np.int32)), expected, rtol=1e-5)


def test_split():
    parts = staged(lambda x, axis: tf.split(x, 2, axis))(X, 2)
    for part, expected in zip(parts, np.split(X, 2, 2)):
        np.testing.assert_array_equal(part, expected)


def test_split_by_computed_sizes():
    signature = [tf.TensorSpec(None, tf.float32), tf.TensorSpec([2], tf.int32)]

    @tf.function(input_signature=signature)
    def parts(x, sizes):
        with tf.GradientTape() as tape:
            tape.watch(x)
            first, second = tf.split(x, sizes, axis=2)
            y = tf.reduce_sum(first * first) + tf.reduce_sum(second)
        return first, second, tape.gradient(y, x)

    for sizes in ([1, 3], [-1, 3], [1, -1]):
        first, second, slope = parts(X, sizes)
        np.testing.assert_array_equal(first, X[..., :1])
        np.testing.assert_array_equal(second, X[..., 1:])
        np.testing.assert_array_equal(slope[..., :1], 2 * X[..., :1])
        np.testing.assert_array_equal(slope[..., 1:], np.ones_like(X[..., 1:]))
    with pytest.raises(errors.InvalidArgumentError, match="sum up"):
        parts(X, [1, 1])
    with pytest.raises(ValueError, match="give num"):
        tf.function(lambda x, n: tf.split(x, n), input_signature=[
            tf.TensorSpec(None, tf.float32), tf.TensorSpec(None, tf.int32),
        ]).get_concrete_function()  # fmt: skip


@pytest.mark.parametrize("name", ["cumsum", "concat", "gather", "roll"])
def test_gradients(name):
    def slope(x, axis):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = ONE_AXIS[name](x, axis) ** 2
        return tape.gradient(y, x)

    np.testing.assert_allclose(staged(slope)(X, 1), slope(tf.constant(X), 1), rtol=1e-6)


@pytest.mark.parametrize("name", ["argmax", "cumsum", "concat", "expand_dims", "gather"])
def test_out_of_range_is_refused_when_it_runs(name):
    for axis in (4, -5):
        with pytest.raises(errors.InvalidArgumentError):
            staged(ONE_AXIS[name])(X, axis)


def test_an_axis_that_comes_twice_is_refused():
    signature = [tf.TensorSpec(None, tf.float32), tf.TensorSpec([2], tf.int32)]
    twice = tf.function(tf.reduce_sum, input_signature=signature)
    with pytest.raises(errors.InvalidArgumentError):
        twice(X, [1, -2])
