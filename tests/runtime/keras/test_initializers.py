"""Initializers with Keras' names: their numbers, and that a seed alone determines them."""

import random

import numpy as np
import pytest

import runtime as tf
from runtime import keras

SCALED = {  # numbers of inputs and outputs of a weight of shape (200, 100): 200 and 100
    "GlorotNormal": 1 / 150, "GlorotUniform": 1 / 150, "HeNormal": 1 / 100, "HeUniform": 1 / 100,
    "LecunNormal": 1 / 200, "LecunUniform": 1 / 200, "VarianceScaling": 1 / 200,
    "RandomNormal": 0.05**2, "RandomUniform": 0.1**2 / 12,
    "TruncatedNormal": 0.05**2 * 0.87962566**2,
}  # fmt: skip


@pytest.mark.parametrize("name", SCALED)
def test_random_numbers_have_the_variance_that_keras_says(name):
    initializer = getattr(keras.initializers, name)(seed=7)
    found = initializer((200, 100)).numpy()
    assert found.dtype == np.float32
    assert abs(found.mean()) < 0.01 * np.sqrt(SCALED[name]) * 5
    assert found.var() == pytest.approx(SCALED[name], rel=0.05)
    assert np.array_equal(found, initializer((200, 100))), "a seed gives the same numbers each time"
    assert np.array_equal(found, tf.function(lambda: initializer((200, 100)))())
    assert not np.array_equal(found, getattr(keras.initializers, name)(seed=8)((200, 100)))


def test_without_a_seed_each_initializer_draws_one_of_its_own():
    first, second = keras.initializers.HeNormal(), keras.initializers.HeNormal()
    assert np.array_equal(first((3, 3)), first((3, 3)))
    assert not np.array_equal(first((3, 3)), second((3, 3)))
    state = random.getstate()
    try:
        keras.utils.set_random_seed(1)
        one = keras.initializers.HeNormal()((3, 3)).numpy()
        keras.utils.set_random_seed(1)
        assert np.array_equal(one, keras.initializers.HeNormal()((3, 3)))
    finally:
        random.setstate(state)


def test_axes_say_what_counts_as_inputs_and_outputs():
    both = keras.initializers.VarianceScaling(1.0, "fan_avg", input_axes=[0, 1], output_axes=[2, 3])
    assert both.fans([2, 3, 5, 7]) == (6, 35)
    assert keras.initializers.HeNormal(input_axes=[0]).fans([2, 3, 5, 7]) == (30, 42)


def test_numbers_that_are_known():
    assert keras.initializers.Identity(2.0)((2, 3)).numpy().tolist() == [[2, 0, 0], [0, 2, 0]]
    assert keras.initializers.Constant(3)([2], dtype="int32").numpy().tolist() == [3, 3]
    assert keras.initializers.Ones()([2]).numpy().tolist() == [1.0, 1.0]
    assert keras.initializers.Zeros()([1], "float64").dtype == tf.float64
    for shape in ((4, 6), (6, 4), (2, 3, 5)):
        flat = keras.initializers.Orthogonal(2.0, seed=1)(shape).numpy().reshape(-1, shape[-1])
        small = flat if flat.shape[0] <= flat.shape[1] else flat.T
        np.testing.assert_allclose(small @ small.T, 4 * np.eye(len(small)), atol=1e-5)


def test_an_initializer_of_the_users_needs_only_a_call():
    class Halves(keras.Initializer):
        def __call__(self, shape, dtype=None, **kwargs):
            return tf.fill(shape, tf.cast(0.5, dtype or "float32"))

    assert Halves()([2]).numpy().tolist() == [0.5, 0.5]
    assert isinstance(Halves().clone(), Halves) and Halves().get_config() == {}
