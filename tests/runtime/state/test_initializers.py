"""Initialisers: values, variances, configuration, refusals."""

import numpy as np
import pytest

import runtime as tf


def test_constants():
    assert tf.zeros_initializer()([2], tf.int32).numpy().tolist() == [0, 0]
    assert tf.ones_initializer()([2]).numpy().tolist() == [1.0, 1.0]
    assert tf.constant_initializer([1, 2, 3, 4])([2, 2]).numpy().tolist() == [[1, 2], [3, 4]]
    assert tf.constant_initializer(3)([2], tf.int64).dtype is tf.int64
    with pytest.raises(TypeError):
        tf.constant_initializer([1, 2, 3])([2, 2])
    with pytest.raises(TypeError, match="Invalid type for initial value: dict"):
        tf.constant_initializer({})
    with pytest.raises(ValueError, match="fully known"):
        tf.zeros_initializer()([None])


SPREADS = {
    "random_normal": (tf.random_normal_initializer(0.0, 0.5, seed=1), 0.5),
    "random_uniform": (tf.random_uniform_initializer(-1.0, 1.0, seed=1), 1 / 3**0.5),
    "glorot_uniform": (tf.glorot_uniform_initializer(seed=1), (2 / 500) ** 0.5),
    "glorot_normal": (tf.glorot_normal_initializer(seed=1), (2 / 500) ** 0.5),
    "he": (tf.variance_scaling_initializer(2.0, "fan_in", seed=1), (2 / 200) ** 0.5),
    "fan_out": (
        tf.variance_scaling_initializer(1.0, "fan_out", "untruncated_normal", seed=1),
        (1 / 300) ** 0.5,
    ),
    "unit": (tf.uniform_unit_scaling_initializer(seed=1), (1 / 200) ** 0.5),
}


@pytest.mark.parametrize("name", SPREADS)
def test_spread(name):
    make, stddev = SPREADS[name]
    values = make([200, 300]).numpy()
    assert abs(values.std() / stddev - 1) < 0.02 and abs(values.mean()) < 0.02 * stddev
    again = type(make).from_config(make.get_config())
    assert again.get_config() == make.get_config()


def test_truncated_normal_stays_within_two_deviations():
    assert np.abs(tf.truncated_normal_initializer(0.0, 1.0)([1000]).numpy()).max() <= 2


def test_orthogonal():
    for shape in ([5, 3], [3, 5], [2, 3, 4]):
        matrix = tf.orthogonal_initializer(gain=2.0)(shape).numpy().reshape(-1, shape[-1])
        product = matrix @ matrix.T if len(matrix) <= shape[-1] else matrix.T @ matrix
        np.testing.assert_allclose(product, 4 * np.eye(len(product)), atol=1e-5)
    with pytest.raises(ValueError, match="at least two-dimensional"):
        tf.orthogonal_initializer()([3])


def test_wrong_choices_are_refused():
    with pytest.raises(ValueError, match="positive"):
        tf.variance_scaling_initializer(0)
    with pytest.raises(ValueError, match="`mode`"):
        tf.variance_scaling_initializer(mode="fan")
    with pytest.raises(ValueError, match="`distribution`"):
        tf.variance_scaling_initializer(distribution="cauchy")
