"""Python numbers beside eager tensors, in ops of any number of inputs: they take the dtype."""

from __future__ import annotations

import numpy as np
import pytest

import runtime as tf

X = np.array([[-2.0, 0.5], [1.5, 3.0]])


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64", "int32", "int64", "uint8"])
@pytest.mark.parametrize("low, high", [(0, 1), (-1, 2), (0.5, 1.5)])
def test_they_give_what_arrays_of_the_dtype_give(dtype, low, high):
    x = tf.constant(np.abs(X).astype(dtype))
    if "float" not in dtype and isinstance(low, float) or dtype == "uint8" and low < 0:
        with pytest.raises((TypeError, OverflowError, ValueError)):
            tf.clip_by_value(x, low, high)
        return
    clipped = tf.clip_by_value(x, low, high)
    assert clipped.dtype == x.dtype
    array = x.numpy()
    least, greatest = array.dtype.type(low), array.dtype.type(high)
    np.testing.assert_array_equal(clipped.numpy(), np.clip(array, least, greatest))
    chosen = tf.where(x > 1, x, low)
    assert chosen.dtype == x.dtype
    np.testing.assert_array_equal(chosen.numpy(), np.where(array > 1, array, least))


def test_numbers_that_do_not_fit():
    x = tf.constant([1, 2])
    assert np.isinf(tf.maximum(tf.constant([1.0]), 1e300).numpy()).all()
    for number in (2**31, -(2**31) - 1, 0.5, "a", None):
        with pytest.raises((TypeError, OverflowError, ValueError)):
            tf.maximum(x, number)
    np.testing.assert_array_equal(tf.maximum(tf.constant([1, 2], tf.int64), 2**31).numpy(), 2**31)


def test_the_tape_sees_them():
    x = tf.constant([-1.0, 0.5, 2.0])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.clip_by_value(x, 0.0, 1)
    np.testing.assert_array_equal(tape.gradient(y, x).numpy(), [0.0, 1.0, 0.0])


def test_shapes_as_lists_of_ints():
    x = tf.constant(np.arange(6.0))
    for shape in ([2, 3], (3, -1), [6], [1, 6, 1], [-1]):
        np.testing.assert_array_equal(tf.reshape(x, shape).numpy(), np.arange(6.0).reshape(shape))
    assert tf.reshape(tf.constant(1.0), []).shape == ()
    for shape in ([4], [-1, -1], [2**40], [True, 6], [2.0, 3.0], [None, 6]):
        with pytest.raises((ValueError, TypeError)):
            tf.reshape(x, shape)


def test_stacks():
    arrays = [np.arange(6.0).reshape(2, 3) + n for n in range(3)]
    for axis in (-3, -2, -1, 0, 1, 2):
        stacked = tf.stack([*map(tf.constant, arrays)], axis=axis)
        np.testing.assert_array_equal(stacked.numpy(), np.stack(arrays, axis))
    assert tf.stack([tf.constant("a"), tf.constant("bc")]).numpy().tolist() == [b"a", b"bc"]
    assert tf.stack([tf.constant(1), 2]).numpy().tolist() == [1, 2]
    with pytest.raises(ValueError, match="[Ss]hape"):
        tf.stack([tf.constant([1.0]), tf.constant([1.0, 2.0])])
    with pytest.raises(ValueError, match="range|bounds"):
        tf.stack([tf.constant([1.0]), tf.constant([2.0])], axis=2)
