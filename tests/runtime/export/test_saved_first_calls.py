"""Saved models whose variables are made by the first trace, which may be that of saving."""

from __future__ import annotations

import numpy as np

import runtime as tf


def test_random_weights_of_the_first_call_are_made_by_saving(tmp_path):
    """As in a module for export around a model that was not called yet."""

    class Dense(tf.Module):
        def __init__(self, units):
            super().__init__()
            self.units, self.built = units, False

        def __call__(self, x):
            if not self.built:
                limit = tf.sqrt(6.0) / tf.sqrt(tf.cast(x.shape[-1] + self.units, tf.float32))
                draw = tf.random.uniform([x.shape[-1], self.units], -limit, limit, seed=22)
                self.w = tf.Variable(draw, trainable=True)
                self.built = True
            return x @ self.w

    class Model(tf.Module):
        def __init__(self):
            super().__init__()
            self.layers = [Dense(3), Dense(2)]

        @tf.function
        def __call__(self, x):
            for layer in self.layers:
                x = layer(x)
            return x

    class Export(tf.Module):
        def __init__(self, model):
            super().__init__()
            self.model = model

        @tf.function(input_signature=[tf.TensorSpec([None, 2, 2], tf.uint8)])
        def __call__(self, images):
            return self.model(tf.reshape(images, [-1, 4]) / 255)

    export, images = Export(Model()), np.full([5, 2, 2], 255, np.uint8)
    tf.saved_model.save(export, tmp_path / "model")
    loaded = tf.saved_model.load(tmp_path / "model")
    first, second = (layer.w.numpy() for layer in export.model.layers)
    assert np.ptp(first) > 0 and np.abs(first).max() < np.sqrt(6 / 7)
    np.testing.assert_allclose(loaded(images), np.ones([5, 4]) @ first @ second, rtol=1e-5)
