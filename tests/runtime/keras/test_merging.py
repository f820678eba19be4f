"""Layers that join tensors: masks as Keras 3 joins them, products of more axes, wrong inputs."""

from __future__ import annotations

import numpy as np
import pytest

import runtime as tf
from runtime import keras
from runtime.keras import layers

A = np.array([[[0, 0], [1, 2], [0, 0], [3, 4]]], np.float32)
B = -np.array([[[0, 0], [0, 0], [1, 2], [3, 4]]], np.float32)
KERAS = {
    "Add": ([[0, 0], [1, 2], [-1, -2], [0, 0]], [0, 0]),
    "Subtract": ([[0, 0], [1, 2], [1, 2], [6, 8]], [8 / 3, 4]),
    "Multiply": ([[0, 0], [1, 2], [-1, -2], [-9, -16]], [-3, -16 / 3]),
    "Average": ([[0, 0], [0.5, 1], [-0.5, -1], [0, 0]], [0, 0]),
    "Maximum": ([[0, 0], [1, 2], [-1, -2], [3, 4]], [1, 4 / 3]),
    "Minimum": ([[0, 0], [1, 2], [-1, -2], [-3, -4]], [-1, -4 / 3]),
    "Concatenate": (None, [4 / 3, 2, -4 / 3, -2]),
}
"""What Keras 3 gives: the result, and its mean over the steps that the mask of the result has."""


@pytest.mark.parametrize("name", KERAS)
def test_masks_are_joined_as_in_keras(name):
    mask, join = layers.Masking(), getattr(layers, name)()
    inputs = [keras.Input((4, 2)), keras.Input((4, 2))]
    joined = join([mask(inputs[0]), mask(inputs[1])])
    model = keras.Model(inputs, [joined, layers.GlobalAveragePooling1D()(joined)])
    values, mean = KERAS[name]
    for found in model([A, B]), tf.function(model)([A, B]):
        if values is not None:
            np.testing.assert_allclose(found[0][0], values)
        np.testing.assert_allclose(found[1][0], mean, rtol=1e-6)


def test_inputs_without_masks_count_as_a_whole():
    for name in KERAS:
        half = getattr(layers, name)()([layers.Masking()(A), tf.constant(B)])
        mean = layers.GlobalAveragePooling1D()(half)
        np.testing.assert_allclose(mean, half.numpy().mean(1), rtol=1e-6, err_msg=name)
    product = layers.Multiply()([layers.Masking()(A), tf.constant(B)])
    np.testing.assert_allclose(product[0], [[0, 0], [0, 0], [-1, -2], [-9, -16]])


def test_what_is_no_list_of_masks_is_refused():
    tensors = [keras.Input((4, 2)), keras.Input((4, 2))]
    for name in KERAS:
        layer = getattr(layers, name)()
        with pytest.raises(ValueError, match="`mask` should be a list"):
            layer.compute_mask(tensors, A)
        with pytest.raises(ValueError, match="`inputs` should be a list"):
            layer.compute_mask(tensors[0], [None, None])
        with pytest.raises(ValueError, match="should have the same length"):
            layer.compute_mask(tensors, [None])
    np.testing.assert_array_equal(layers.Add()((A, B)), A + B)


def test_products_of_tensors_with_more_axes():
    a = np.arange(6.0, dtype=np.float32).reshape(1, 3, 2)
    b = np.arange(6.0, dtype=np.float32).reshape(1, 1, 2, 3)
    wanted = np.einsum("bki,bjlk->bijl", a, b)
    np.testing.assert_allclose(layers.Dot(axes=(-2, -1))([a, b]), wanted)
    outputs = layers.Dot(axes=(-2, -1))([keras.Input((3, 2)), keras.Input((1, 2, 3))])
    assert outputs.shape.as_list() == [None, 2, 1, 2]
