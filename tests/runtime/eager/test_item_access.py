"""``x[key]``: every form, eagerly and in a graph, agreeing with NumPy."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis.extra import numpy as hnp

import runtime as tf
from runtime import errors

ARRAY = np.arange(24).reshape(2, 3, 4)
KEYS = [
    0, -1, (0, 1), (0, 1, 2), slice(1, None), slice(None, None, -1), (slice(None), slice(0, 2)),
    Ellipsis, (Ellipsis, 0), (0, Ellipsis), None, (None, 0), (slice(None), None, 1),
    (Ellipsis, None), np.array([True, False]), (0, np.array([2, 0])), [1, 0], (slice(None), [0, 2]),
    (slice(1, 2), [0, 2], [1, 3]), ARRAY % 2 == 0, slice(5, 9), (slice(None, 0),), np.int64(1),
]  # fmt: skip


@pytest.mark.parametrize("key", KEYS, ids=repr)
def test_every_form(key):
    expected = ARRAY[key]
    assert np.array_equal(tf.constant(ARRAY)[key].numpy(), expected)
    with tf.Session(graph=tf.Graph()) as sess:
        known = tf.constant(ARRAY)[key]
        assert known.shape == expected.shape
        x = tf.placeholder(tf.int64, [None, 3, None])
        picked = x[key]
        assert picked.shape.is_compatible_with(expected.shape)
        value = sess.run(picked, {x: ARRAY})
        assert np.array_equal(value, expected) and value.shape == expected.shape


def test_tensors_in_keys():
    t = tf.constant(ARRAY)
    one = tf.constant(1)
    assert np.array_equal(t[one, one:].numpy(), ARRAY[1, 1:])
    assert np.array_equal(t[t < 5].numpy(), ARRAY[ARRAY < 5])
    with tf.Session(graph=tf.Graph()) as sess:
        x, i = tf.placeholder(tf.int64, [2, 3, None]), tf.placeholder(tf.int32, [])
        assert x[i].shape == [3, None] and x[0, i:].shape == [None, None]
        assert x[:, i].shape == [2, None] and x[x < 5].shape == [None]
        assert x[tf.constant([0, 1, 0])].shape == [3, 3, None]
        values = sess.run([x[i], x[0, i:], x[x < 5]], {x: ARRAY, i: 1})
        for value, expected in zip(values, [ARRAY[1], ARRAY[0, 1:], ARRAY[ARRAY < 5]]):
            assert np.array_equal(value, expected)


@pytest.mark.parametrize("key", [2, (0, 3), (0, 0, -5)], ids=repr)
def test_out_of_bounds(key):
    with pytest.raises(errors.InvalidArgumentError, match="out of bounds") as caught:
        tf.constant(ARRAY)[key]
    assert isinstance(caught.value, IndexError)
    with tf.Graph().as_default(), pytest.raises(errors.InvalidArgumentError, match="bounds"):
        tf.placeholder(tf.int32, [2, 3, 4])[key]


@pytest.mark.parametrize("key", ["a", 1.5, {}, slice("a", None), np.array([0.5])], ids=repr)
def test_what_is_no_index(key):
    with pytest.raises(TypeError, match="valid indices"):
        tf.constant(ARRAY)[key]


def test_float_tensor_is_no_index():
    with pytest.raises(TypeError, match="must hold integers or booleans, got dtype float32"):
        tf.constant(ARRAY)[tf.constant(1.0)]


def test_too_many_indices():
    with pytest.raises(errors.InvalidArgumentError, match="too many indices.*rank 3"):
        tf.constant(ARRAY)[0, 0, 0, 0]


@given(hnp.basic_indices((2, 3, 4), allow_newaxis=True))
def test_basic_indices_as_numpy(key):
    expected = ARRAY[key]
    assert np.array_equal(tf.constant(ARRAY)[key].numpy(), expected)
    with tf.Graph().as_default():
        assert tf.placeholder(tf.int64, [2, 3, 4])[key].shape == expected.shape
        assert tf.placeholder(tf.int64, [2, None, 4])[key].shape.is_compatible_with(expected.shape)
