"""Saved models of Keras' models: without the layers' code they predict what the model predicts."""

from __future__ import annotations

import numpy as np
import pytest

import runtime as tf
from runtime import keras

X = np.random.default_rng(0).random((5, 4)).astype(np.float32)


def trained():
    model = keras.Sequential([
        keras.Input((4,), name="features"),
        keras.layers.Dense(6, activation="relu"),
        keras.layers.BatchNormalization(),
        keras.layers.Dropout(0.5),
        keras.layers.Dense(2, activation="softmax"),
    ])  # fmt: skip
    model.compile("adam", "mse", metrics=["mae"])
    model.fit(X, np.zeros((5, 2)), verbose=0)
    return model


def test_a_model_is_saved_with_its_call_and_signature(tmp_path):
    model = trained()
    model.layers[0].trainable = False
    tf.saved_model.save(model, tmp_path / "m")
    loaded = tf.saved_model.load(tmp_path / "m")
    wanted = model.predict(X, verbose=0)
    assert np.allclose(loaded(X), wanted, atol=1e-6)
    (found,) = loaded.signatures["serving_default"](features=X).values()
    assert np.allclose(found, wanted, atol=1e-6)
    assert sorted(v.path for v in loaded.variables) == sorted(v.path for v in model.variables)
    names = sorted(v.path for v in model.trainable_variables)
    assert sorted(v.path for v in loaded.trainable_variables) == names
    assert loaded.layers[0].kernel.shape == (4, 6)


def test_export_gives_the_function_serve(tmp_path, capsys):
    model = trained()
    model.export(tmp_path / "m", verbose=True)
    assert "Saved the function 'serve'" in capsys.readouterr().out
    loaded = tf.saved_model.load(tmp_path / "m")
    assert np.allclose(loaded.serve(X), model.predict(X, verbose=0), atol=1e-6)
    assert loaded.serve(X[:2]).shape == (2, 2)
    assert list(loaded.signatures) == ["serve", "serving_default"]
    assert len(loaded.variables) == len(model.variables)
    with pytest.raises(ValueError, match="Unrecognized format='tflite'"):
        model.export(tmp_path / "m", format="tflite")


def test_several_inputs_and_outputs_go_by_name(tmp_path):
    a, b = keras.Input((3,), name="a"), keras.Input((3,), name="b")
    model = keras.Model({"a": a, "b": b}, {"sum": a + b, "left": keras.layers.Dense(2)(a)})
    tf.saved_model.save(model, tmp_path / "m")
    loaded = tf.saved_model.load(tmp_path / "m")
    values = {"a": np.ones((2, 3), np.float32), "b": np.full((2, 3), 2, np.float32)}
    found = loaded.signatures["serving_default"](**values)
    assert set(found) == {"sum", "left"} and (found["sum"].numpy() == 3).all()
    assert (loaded(values)["sum"].numpy() == 3).all()


class Own(keras.Model):
    """A subclassed model, whose inputs are known by a call."""

    def __init__(self):
        super().__init__()
        self.dense = keras.layers.Dense(2)

    def call(self, inputs, training=False):
        return self.dense(inputs) * (2.0 if training else 1.0)


def test_subclassed_models_are_exported_after_a_call(tmp_path):
    model = Own()
    with pytest.raises(ValueError, match="the types of the inputs .* are not known"):
        model.export(tmp_path / "m")
    wanted = model(X)
    model.export(tmp_path / "m")
    assert np.allclose(tf.saved_model.load(tmp_path / "m").serve(X[:1]), wanted[:1])
    model.export(tmp_path / "n", input_signature=[tf.TensorSpec([None, 4], tf.float32)])
    assert np.allclose(tf.saved_model.load(tmp_path / "n").serve(X), wanted)


def test_inputs_of_signatures_have_the_names_that_the_user_gave(tmp_path):
    for _ in range(2):  # the second model's tensors have other names
        x = keras.Input((4,), name="pixels")
        model = keras.Model(x, keras.layers.Dense(2)(x))
    model.export(tmp_path / "m")
    found = tf.saved_model.load(tmp_path / "m").signatures
    assert sorted(found) == ["serve", "serving_default"]
    assert np.allclose(found["serve"](pixels=tf.constant(X))["output_0"], model(X))
