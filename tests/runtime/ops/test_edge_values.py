"""Operations on the edges of what numbers and shapes there are, eagerly and in functions."""

import math

import numpy as np
import pytest

import runtime as tf
from runtime.types import flags


def both(call):
    """What a call gives, eagerly and in a function, which must agree to the sign of zeros."""
    eager, staged = call(), tf.function(call)()
    assert eager.dtype == staged.dtype and eager.shape == staged.shape
    assert repr(eager.numpy()) == repr(staged.numpy())
    return eager


@pytest.mark.parametrize(
    ("values", "dtype"),
    [
        ([255, 255, 1], tf.uint8), ([127, 127, 126], tf.int8), ([-128, -127, -3], tf.int8),
        ([2**31 - 1, 2**31 - 1], tf.int32), ([-(2**31), -(2**31), 1], tf.int32),
        ([2**63 - 1, 2**63 - 2], tf.int64), ([-(2**63), -(2**63), -1], tf.int64),
        ([2**64 - 1, 2**64 - 1, 0], tf.uint64), ([-1, 0], tf.int16), ([7], tf.int32),
    ],
)  # fmt: skip
def test_means_of_integers_are_exact_and_truncated(values, dtype):
    total = sum(values)
    expected = abs(total) // len(values) * (1 if total >= 0 else -1)
    x = tf.constant(values, dtype)
    mean = both(lambda: tf.reduce_mean(x))
    assert mean.dtype is dtype and mean.numpy() == expected
    rows = both(lambda: tf.reduce_mean(tf.stack([x, x]), axis=1, keepdims=True))
    assert rows.numpy().tolist() == [[expected], [expected]]


def empty(dtype=tf.int32):
    return tf.zeros([0, 3], dtype)


@pytest.mark.parametrize(
    "operation",
    [
        tf.math.floordiv, tf.math.floormod, tf.truncatediv, tf.truncatemod,
        lambda x, y: tf.pow(x, y - 1),
    ],
)  # fmt: skip
def test_nothing_is_divided_by_zero_where_there_is_nothing(operation):
    for zero in (0, [0, 0, 0], np.zeros([0, 3], np.int32)):
        result = both(lambda zero=zero: operation(empty(), tf.constant(zero)))
        assert result.shape == (0, 3) and result.dtype is tf.int32
    with pytest.raises(tf.errors.InvalidArgumentError):
        operation(tf.constant([1, 2, 3]), tf.constant([0, 0, 0]))


@pytest.mark.parametrize("dtype", [tf.float32, tf.float64])
def test_powers_of_one_half_are_those_of_c(dtype):
    values = [-math.inf, -0.0, 0.0, 4.0, math.inf]
    x = tf.constant(values, dtype)
    assert repr(both(lambda: x**0.5).numpy().tolist()) == repr([v**0.5 for v in values])
    assert both(lambda: tf.constant(-math.inf, dtype) ** 0.5).numpy() == math.inf
    assert np.isnan(both(lambda: tf.constant(-1.0, dtype) ** 0.5).numpy())


def test_joins_along_empty_axes():
    x = tf.reshape(tf.constant([], tf.string), [2, 0])
    assert both(lambda: tf.strings.reduce_join(x, 0)).shape == (0,)
    assert both(lambda: tf.strings.reduce_join(x, 0, keepdims=True)).shape == (1, 0)
    assert both(lambda: tf.strings.reduce_join(x, 1)).numpy().tolist() == [b"", b""]
    assert both(lambda: tf.strings.reduce_join(x)).numpy() == b""


@pytest.mark.parametrize("choice", ["never", "always"])
def test_bincount_of_the_largest_number(choice):
    """NumPy's size wraps around to 0 there, and it writes outside of its array."""
    numbers = tf.constant([2**63 - 1, 1], tf.int64)
    with flags.JIT(choice), pytest.raises(tf.errors.InvalidArgumentError, match="below 2"):
        tf.function(lambda x: tf.math.bincount(x))(numbers)
