"""Pickled models: their optimizer goes on, and what users define goes along."""

from __future__ import annotations

import copy
import pickle
import subprocess
import sys

import numpy as np
import pytest

import runtime as tf
from runtime.keras import layers
from tests.support import ROOT

X = np.linspace(-1, 1, 8, dtype="float32").reshape(4, 2)


class Scaled(layers.Layer):
    def call(self, x):
        return x * 2.0


class Own(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.dense = layers.Dense(2)

    def call(self, x):
        return self.dense(x)


def doubled(x):
    return x + x


def loss(y, z):
    return tf.reduce_mean((y - z) ** 2)


def functional():
    return tf.keras.Sequential(
        [tf.keras.Input((2,)), Scaled(), layers.Dense(2, doubled), layers.Activation(doubled)]
    )


@pytest.mark.parametrize("make", [functional, Own])
@pytest.mark.parametrize("way", ["pickle", "deepcopy"])
def test_training_goes_on(make, way):
    model = make()
    model.compile(tf.keras.optimizers.Adam(0.1), loss, metrics=[loss], run_eagerly=True)
    model.fit(X, X, shuffle=False, verbose=0)
    twin = copy.deepcopy(model) if way == "deepcopy" else pickle.loads(pickle.dumps(model))
    for trained in (model, twin):
        trained.fit(X, X, shuffle=False, verbose=0)
    assert int(twin.optimizer.iterations) == 2
    for own, expected in zip(twin.get_weights(), model.get_weights(), strict=True):
        np.testing.assert_array_equal(own, expected)
    assert type(twin.layers[0]) is type(model.layers[0])
    assert twin.evaluate(X, X, verbose=0) == model.evaluate(X, X, verbose=0)


def test_a_pickle_is_all_that_a_process_needs(tmp_path):
    """The pickle comes first, before anything of Keras is imported."""
    model = tf.keras.Sequential([tf.keras.Input((2,)), layers.Dense(1, "relu")])
    path = tmp_path / "model"
    path.write_bytes(pickle.dumps(model))
    program = f"import pickle; print(pickle.load(open({str(path)!r}, 'rb')).count_params())"
    ran = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, timeout=100
    )
    assert ran.stdout == "3\n", ran.stderr
