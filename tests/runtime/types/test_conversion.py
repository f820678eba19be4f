"""How Python and NumPy values become tensors."""

import enum

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import runtime as tf


class Color(enum.IntEnum):
    RED = 7


@pytest.mark.parametrize(
    ("value", "dtype"),
    [
        (1, tf.int32), (2**31, tf.int64), (-(2**31), tf.int32), (1.5, tf.float32), (True, tf.bool),
        ("a", tf.string), (b"a", tf.string), (1j, tf.complex128), ([], tf.float32),
        ([1, 2.5], tf.float32), ([1, 2**40], tf.int64), (range(3), tf.int32), (Color.RED, tf.int32),
        (np.float64(1), tf.float64), (np.arange(3, dtype=np.uint8), tf.uint8),
        ([np.float32(1), 2.0], tf.float32), (np.array(["a"]), tf.string),
        (np.arange(3, dtype=">i4"), tf.int32),
    ],
)  # fmt: skip
def test_dtype_of_values(value, dtype):
    assert tf.constant(value).dtype is dtype


def test_text_becomes_utf8():
    assert tf.constant(["é", b"x"]).numpy().tolist() == ["é".encode(), b"x"]
    assert tf.constant("é").numpy() == "é".encode()


def test_arrays_are_copied():
    array = np.zeros(2, np.float32)
    tensor = tf.constant(array)
    array[0] = 1
    assert tensor.numpy().tolist() == [0, 0]
    tensor.numpy()[0] = 5
    assert tensor.numpy().tolist() == [0, 0]


@pytest.mark.parametrize(
    ("value", "dtype", "error", "text"),
    [
        (1.5, tf.int32, TypeError, "Cannot convert 1.5 to a tensor of dtype int32"),
        (1, tf.bool, TypeError, "dtype bool"),
        (300, tf.uint8, OverflowError, "300 does not fit dtype uint8"),
        (np.int64(2**40), tf.int32, OverflowError, "does not fit dtype int32"),
        (np.array([1.5]), tf.int32, TypeError, "runtime.cast"),
        ([[1], [1, 2]], None, ValueError, "non-rectangular"),
        ([[1], 2], None, ValueError, "non-rectangular"),
        (None, None, ValueError, "None values not supported"),
        ([1, None], None, ValueError, "None values not supported"),
        ([1, "a"], None, TypeError, "mixes"),
        (object(), None, TypeError, "unsupported type"),
        (np.datetime64("2020-01-01"), None, TypeError, "no counterpart"),
    ],
)
def test_what_is_no_tensor(value, dtype, error, text):
    with pytest.raises(error, match=text):
        tf.constant(value, dtype=dtype)


def test_shape_argument():
    assert tf.constant(3, shape=[2, 2]).numpy().tolist() == [[3, 3], [3, 3]]
    assert tf.constant([1, 2, 3, 4], shape=(2, 2)).shape == (2, 2)
    with pytest.raises(TypeError, match="4 elements"):
        tf.constant([1, 2, 3, 4], shape=[3])


def test_lists_of_tensors_are_stacked():
    t = tf.constant(1.0)
    assert tf.convert_to_tensor([t, [2.0][0], t + 1]).numpy().tolist() == [1, 2, 2]
    assert tf.convert_to_tensor([[t, t], [t, 3.0]]).shape == (2, 2)


def test_requested_dtype_of_a_tensor():
    with pytest.raises(ValueError, match="requested dtype int32 for Tensor with dtype float32"):
        tf.convert_to_tensor(tf.constant(1.0), dtype=tf.int32)
    assert tf.convert_to_tensor(1, dtype_hint=tf.float32).dtype is tf.float32
    assert tf.convert_to_tensor(1.5, dtype_hint=tf.int32).dtype is tf.float32


def test_registered_conversion():
    class Money:
        cents = 250

    tf.register_tensor_conversion_function(
        Money, lambda v, dtype=None, name=None, as_ref=False: tf.constant(v.cents / 100)
    )
    assert (tf.constant(1.0) + Money()).numpy() == 3.5
    assert tf.convert_to_tensor([Money(), 1.0]).numpy().tolist() == [2.5, 1]


@given(st.lists(st.integers(-(2**63), 2**63 - 1), max_size=5))
def test_integers_keep_their_value(values):
    assert tf.constant(values, dtype=tf.int64).numpy().tolist() == values
    assert tf.constant(values).numpy().tolist() == values
