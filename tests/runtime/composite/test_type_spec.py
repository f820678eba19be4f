"""Types of values that are not one tensor, and the type of any value."""

import numpy as np
import pytest

import runtime as tf


def test_types_of_values():
    rows = tf.ragged.constant([[1], [2, 3]])
    slices = tf.IndexedSlices(tf.ones([2, 3]), tf.constant([0, 4]), tf.constant([5, 3]))
    numbers = tf.data.Dataset.range(3)
    expected = {
        tf.TensorSpec([2], tf.int32): tf.constant([1, 2]),
        tf.TensorSpec([], tf.float32): 1.5,
        tf.TensorSpec([1, 2], tf.float64): np.ones([1, 2]),
        tf.RaggedTensorSpec([2, None], tf.int32): rows,
        tf.IndexedSlicesSpec([5, 3], tf.float32, tf.int32, tf.int32, [2]): slices,
        tf.data.DatasetSpec(tf.TensorSpec([], tf.int64)): numbers,
    }
    for spec, value in expected.items():
        assert tf.type_spec_from_value(value) == spec
        assert isinstance(spec, tf.TypeSpec)
    with pytest.raises(TypeError, match="Could not build a TypeSpec for .* with type object"):
        tf.type_spec_from_value(object())


def test_indexed_slices_may_be_declared():
    @tf.function(input_signature=[tf.IndexedSlicesSpec([None, 2], tf.float32, tf.int32)])
    def total(slices):
        return tf.reduce_sum(slices.values), slices.dense_shape

    for count in (1, 3):
        slices = tf.IndexedSlices(tf.ones([count, 2]), tf.range(count))
        summed, whole = total(slices)
        assert summed.numpy() == 2.0 * count
        assert whole is None
    assert total.experimental_get_tracing_count() == 1
    others = [
        tf.IndexedSlices(tf.ones([1, 2]), tf.constant([0]), tf.constant([1, 2])),
        tf.IndexedSlices(tf.ones([1, 3]), tf.constant([0])),
        tf.IndexedSlices(tf.ones([1, 2], tf.float64), tf.constant([0])),
        tf.ones([1, 2]),
    ]
    for other in others:
        with pytest.raises(TypeError, match="does not fit the input_signature"):
            total(other)


def test_inside_function():
    seen = []

    @tf.function
    def f(x):
        seen.append(tf.inside_function())
        if x > 0:
            assert tf.inside_function()
            x = x + 1
        with tf.init_scope():
            seen.append(tf.inside_function())
        return x

    f(tf.constant(1))
    assert seen == [True, False]
    assert not tf.inside_function()
    with tf.Graph().as_default():
        assert not tf.inside_function()
