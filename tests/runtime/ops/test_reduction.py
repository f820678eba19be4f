"""Reductions and scans against NumPy, and where TensorFlow differs from it."""

from __future__ import annotations

import numpy as np
import pytest

import runtime as tf
from runtime import errors

X = np.array([[3.0, -1.0, 2.0], [0.5, 4.0, -6.0]], np.float32)
PAIRS = [
    (tf.reduce_sum, np.sum), (tf.reduce_mean, np.mean), (tf.reduce_prod, np.prod),
    (tf.reduce_max, np.max), (tf.reduce_min, np.min), (tf.math.reduce_std, np.std),
    (tf.math.reduce_variance, np.var),
]  # fmt: skip


@pytest.mark.parametrize(("ours", "numpys"), PAIRS, ids=lambda f: f.__name__)
@pytest.mark.parametrize("axis", [None, 0, 1, -1, (0, 1)])
def test_against_numpy(ours, numpys, axis):
    for keep in (False, True):
        found = ours(X, axis=axis, keepdims=keep)
        expected = numpys(X, axis=axis, keepdims=keep)
        assert found.dtype == tf.float32 and found.shape == np.shape(expected)
        np.testing.assert_allclose(found.numpy(), expected, rtol=1e-6)


def test_sums_keep_the_dtype():
    small = np.array([100, 100], np.int8)
    assert tf.reduce_sum(small).numpy() == np.int8(-56)
    assert tf.cumsum(small).dtype == tf.int8
    assert tf.reduce_sum(tf.constant([1, 2])).dtype == tf.int32


def test_integer_mean_is_cut_towards_zero():
    assert tf.reduce_mean(tf.constant([1, 2])).numpy() == 1
    assert tf.reduce_mean(tf.constant([-1, -2])).numpy() == -1


def test_of_nothing():
    nothing = tf.zeros([0, 2])
    assert tf.reduce_sum(nothing).numpy() == 0
    assert tf.reduce_prod(nothing, 0).numpy().tolist() == [1, 1]
    assert np.isnan(tf.reduce_mean(nothing).numpy())
    assert tf.reduce_max(nothing).numpy() == -np.inf
    assert tf.reduce_min(tf.zeros([0], tf.int32)).numpy() == 2**31 - 1
    assert tf.reduce_all(tf.zeros([0], tf.bool)).numpy()
    assert not tf.reduce_any(tf.zeros([0], tf.bool)).numpy()
    assert tf.math.reduce_logsumexp(nothing).numpy() == -np.inf
    with pytest.raises(errors.InvalidArgumentError, match="Reduction axis 0 is empty"):
        tf.argmax(nothing)


def test_positions():
    assert tf.argmax(X).numpy().tolist() == [0, 1, 0]
    assert tf.argmin(X, axis=1).numpy().tolist() == [1, 2]
    assert tf.argmax(X).dtype == tf.int64
    assert tf.argmax(X, output_type=tf.int32).dtype == tf.int32


def test_logsumexp_does_not_overflow():
    found = tf.math.reduce_logsumexp(tf.constant([1000.0, 1000.0]))
    assert found.numpy() == pytest.approx(1000.6931)
    assert tf.math.reduce_logsumexp(tf.constant([-np.inf, -np.inf])).numpy() == -np.inf


def test_scans():
    x = tf.constant([1, 2, 3])
    assert tf.cumsum(x).numpy().tolist() == [1, 3, 6]
    assert tf.cumsum(x, exclusive=True).numpy().tolist() == [0, 1, 3]
    assert tf.cumsum(x, reverse=True).numpy().tolist() == [6, 5, 3]
    assert tf.cumsum(x, exclusive=True, reverse=True).numpy().tolist() == [5, 3, 0]
    assert tf.math.cumprod(x, exclusive=True).numpy().tolist() == [1, 1, 2]


def test_segments():
    data = tf.constant([[1.0], [2.0], [4.0]])
    assert tf.math.segment_sum(data, [0, 0, 2]).numpy().tolist() == [[3], [0], [4]]
    assert tf.math.segment_mean(data, [0, 0, 1]).numpy().tolist() == [[1.5], [4]]
    assert tf.math.unsorted_segment_sum(data, [1, -1, 1], 2).numpy().tolist() == [[0], [5]]
    with pytest.raises(errors.InvalidArgumentError, match="sorted"):
        tf.math.segment_sum(data, [1, 0, 0])
    with pytest.raises(errors.InvalidArgumentError, match="not below the number of segments, 1"):
        tf.math.unsorted_segment_max(data, [0, 1, 0], 1)


def test_messages():
    with pytest.raises(errors.InvalidArgumentError, match="axis 2 is out of range .* rank 2"):
        tf.reduce_sum(X, axis=2)
    with pytest.raises(TypeError, match="reduce_any does not take dtype float32"):
        tf.reduce_any(X)
    with tf.Graph().as_default():
        x, axis = tf.placeholder(tf.float32, [2, 3]), tf.placeholder(tf.int32)
        assert tf.reduce_sum(x, axis=tf.constant(1)).shape == (2,)
        with pytest.raises(TypeError, match="axis must be known when the graph is built"):
            tf.sort(x, axis=axis)
