"""The registry, objects as dicts, and what the `get` of each module takes, as in Keras."""

import json
from types import SimpleNamespace

import numpy as np
import pytest

import runtime as tf
from runtime import keras
from runtime.keras import saving


class Scaled(keras.regularizers.Regularizer):
    def __init__(self, factor=2.0):
        self.factor = factor

    def __call__(self, x):
        return self.factor * tf.reduce_sum(x)

    def get_config(self):
        return {"factor": self.factor}


def swing(x):
    return tf.sin(x)


def test_objects_are_dicts_of_keras_form():
    assert saving.serialize_keras_object(keras.initializers.GlorotUniform(3)) == {
        "module": "keras.initializers", "class_name": "GlorotUniform",
        "config": {"seed": 3, "input_axes": None, "output_axes": None}, "registered_name": None,
    }  # fmt: skip
    assert saving.serialize_keras_object(Scaled()) == {
        "module": __name__, "class_name": "Scaled", "config": {"factor": 2.0},
        "registered_name": "Scaled",
    }  # fmt: skip
    assert saving.serialize_keras_object(swing) == {
        "module": "builtins", "class_name": "function", "config": "swing",
        "registered_name": "function",
    }  # fmt: skip
    assert keras.activations.serialize(keras.activations.relu) == "relu"
    assert keras.activations.serialize(keras.activations.swish) == "silu"


OBJECTS = [
    keras.initializers.Constant([1.0, 2.0]), keras.initializers.RandomNormal(1.0, 2.0, 3),
    keras.initializers.VarianceScaling(2.0, "fan_out", "uniform", 4, [0], [1]),
    keras.initializers.HeNormal(), keras.initializers.Identity(2.0), keras.initializers.Zeros(),
    keras.initializers.Orthogonal(2.0, 1), keras.regularizers.L1(0.3), keras.regularizers.L2(0.2),
    keras.regularizers.L1L2(0.3, 0.2), keras.regularizers.OrthogonalRegularizer(0.1, "columns"),
    keras.constraints.MaxNorm(3, [0, 1]), keras.constraints.MinMaxNorm(0.1, 0.9, 0.5, 1),
    keras.constraints.NonNeg(), keras.constraints.UnitNorm(1),
]  # fmt: skip


@pytest.mark.parametrize("given", OBJECTS, ids=lambda o: type(o).__name__)
def test_objects_go_through_json_and_back(given):
    again = saving.deserialize_keras_object(
        json.loads(json.dumps(saving.serialize_keras_object(given)))
    )
    assert type(again) is type(given)
    assert again.get_config() == given.get_config()


def test_values_go_through_json_and_back():
    given = {"a": [1, None, b"x"], "b": slice(1, None, 2), "c": np.float32(2), "d": True}
    again = saving.deserialize_keras_object(
        json.loads(json.dumps(saving.serialize_keras_object(given)))
    )
    assert again == given
    for array in (np.arange(3.0), tf.constant([[1, 2]])):
        back = saving.deserialize_keras_object(saving.serialize_keras_object(array))
        assert type(back) is type(array) and back.dtype == array.dtype
        assert np.array_equal(back, array)
    assert saving.serialize_keras_object(tf.TensorShape([None, 2])) == [None, 2]
    assert saving.serialize_keras_object(tf.float32) == "float32"


def test_what_is_registered_is_found(monkeypatch):
    from runtime.keras import serialization

    monkeypatch.setattr(serialization, "_REGISTERED", {})
    monkeypatch.setattr(serialization, "_REGISTERED_NAMES", {})
    config = saving.serialize_keras_object(Scaled(5.0))
    with pytest.raises(TypeError, match=r"Could not locate class 'Scaled'.*@keras.saving.register"):
        saving.deserialize_keras_object(config)
    assert saving.deserialize_keras_object(config, {"Scaled": Scaled}).factor == 5.0
    with saving.custom_object_scope({"Scaled": Scaled, "swing": swing}):
        assert keras.regularizers.get(config).factor == 5.0
        assert keras.activations.get("swing") is swing
    assert saving.get_registered_object("Scaled") is None

    assert saving.register_keras_serializable("Mine", "Other")(Scaled) is Scaled
    saving.register_keras_serializable()(swing)
    assert saving.get_registered_name(Scaled) == "Mine>Other"
    assert saving.get_registered_object("Mine>Other") is Scaled
    config = saving.serialize_keras_object(Scaled(6.0))
    assert config["registered_name"] == "Mine>Other"
    assert saving.deserialize_keras_object(config).factor == 6.0
    assert keras.activations.serialize(swing)["config"] == "Custom>swing"
    assert keras.activations.get(keras.activations.serialize(swing)) is swing


def test_get_takes_names_dicts_classes_and_callables():
    assert keras.activations.get(None) is keras.activations.linear
    assert keras.activations.get("hard_swish") is keras.activations.hard_silu
    assert keras.activations.get(swing) is swing
    assert keras.regularizers.get(None) is None
    assert keras.regularizers.get("l2").get_config() == {"l2": 0.01}
    assert keras.regularizers.get(Scaled).factor == 2.0
    assert isinstance(keras.constraints.get("max_norm"), keras.constraints.MaxNorm)
    assert isinstance(keras.initializers.get("he_normal"), keras.initializers.HeNormal)
    assert isinstance(keras.initializers.get("glorot_uniform"), keras.initializers.GlorotUniform)
    assert isinstance(keras.initializers.get("normal"), keras.initializers.RandomNormal)
    assert keras.initializers.get(np.ones(2))([2]).numpy().tolist() == [1.0, 1.0]


ERRORS = {
    "activation": (lambda: keras.activations.get("rellu"),
                   "Could not interpret activation function identifier: rellu. "
                   "Did you mean 'relu'?"),
    "regularizer": (lambda: keras.regularizers.get(3),
                    "Could not interpret regularizer identifier: 3"),
    "l1": (lambda: keras.regularizers.L1(-1),
           "Invalid value for argument l1: expected a non-negative float. Received: l1=-1"),
    "mode": (lambda: keras.regularizers.OrthogonalRegularizer(mode="x"),
             'Invalid value for argument `mode`. Expected one of {"rows", "columns"}. '
             "Received: mode=x"),
    "rank": (lambda: keras.regularizers.OrthogonalRegularizer()(tf.ones([2])),
             "Inputs to OrthogonalRegularizer must have rank 2. Received: inputs.shape=(2,)"),
    "identity": (lambda: keras.initializers.Identity()([3]),
                 "Identity matrix initializer can only be used for 2D matrices. "
                 "Received: shape=[3] of rank 1."),
    "scale": (lambda: keras.initializers.VarianceScaling(-1),
              "Argument `scale` must be positive float. Received: scale=-1."),
    "no config": (lambda: saving.register_keras_serializable()(SimpleNamespace),
                  "Cannot register a class that does not have a get_config() method: "
                  "SimpleNamespace"),
    "floatx": (lambda: keras.config.set_floatx("int8"), None),
    "seed": (lambda: keras.utils.set_random_seed("1"),
             "Expected `seed` argument to be an integer. Received: seed='1'"),
}  # fmt: skip


@pytest.mark.parametrize("name", ERRORS)
def test_errors_say_what_is_wrong(name):
    run, text = ERRORS[name]
    with pytest.raises(ValueError) as raised:
        run()
    assert text is None or str(raised.value) == text


def test_what_has_no_config_is_refused():
    with pytest.raises(TypeError, match="needs a method get_config"):
        saving.serialize_keras_object(object())
    with pytest.raises(TypeError, match="Could not locate class 'Nothing'"):
        saving.deserialize_keras_object(
            {"module": "keras.layers", "class_name": "Nothing", "config": {}}
        )


def test_settings_and_categories():
    assert (keras.config.floatx(), keras.backend.epsilon()) == ("float32", 1e-7)
    try:
        keras.config.set_floatx("float64")
        assert keras.initializers.Ones()([2]).dtype == tf.float64
    finally:
        keras.config.set_floatx("float32")
    found = keras.utils.to_categorical([[0], [2]], 3)
    assert found.dtype == np.float32 and found.tolist() == [[1, 0, 0], [0, 0, 1]]
    assert keras.utils.to_categorical(tf.constant([1]), 2).numpy().tolist() == [[0, 1]]
    assert keras.utils.normalize([[3.0, 4.0]]).tolist() == [[0.6, 0.8]]
    with pytest.raises(AttributeError, match="did you mean 'regularizers'"):
        keras.regularisers
