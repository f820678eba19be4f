"""Inputs of functional models: structures, shapes, optional ones, and what Keras refuses."""

from __future__ import annotations

import json
import warnings

import numpy as np
import pytest

import runtime as tf
from runtime import keras

L = keras.layers
A, B = np.ones((2, 3), "float32"), np.zeros((2, 3), "float32")


def difference(**names):
    inputs = {key: keras.Input((3,), name=name) for key, name in names.items()}
    return keras.Model(inputs, L.subtract(list(inputs.values())))


def test_a_list_for_a_dict_is_in_the_order_of_the_names_with_a_warning():
    model = difference(a="a", b="b")
    with pytest.warns(UserWarning, match="The structure of `inputs` doesn't match"):
        np.testing.assert_array_equal(model([A, B]), A)
    with pytest.raises(ValueError, match="The structure of `inputs` doesn't match"):
        difference(b="b", a="a")([A, B])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        np.testing.assert_array_equal(model({"a": A, "b": B}), A)
        pair = [keras.Input((3,), name="x"), keras.Input((3,), name="y")]
        by_place = keras.Model(pair, L.subtract(pair))
        np.testing.assert_array_equal(by_place((A, B)), A)
        np.testing.assert_array_equal(by_place({"y": B, "x": A}), A)


def test_more_entries_than_inputs_are_left_out_with_a_warning():
    with pytest.warns(UserWarning, match="The structure of `inputs` doesn't match"):
        np.testing.assert_array_equal(difference(b="b", c="c")({"a": B, "b": A, "c": B}), A)


@pytest.mark.parametrize(
    ("values", "match"),
    [
        ({"a": A}, 'Missing data for input "b"'),
        ({"a": A, "b": None}, "not optional"),
        ({"a": A[:, :2], "b": B}, r"expected shape=\(None, 3\), found shape=\(2, 2\)"),
        ({"a": A[None], "b": B}, "with name 'a' and path 'a'"),
        (A, "expects 2 .*input"),
    ],
)
def test_what_does_not_fit_is_refused(values, match):
    with pytest.raises(ValueError, match=match):
        difference(a="a", b="b")(values)


def test_optional_inputs_may_be_none():
    class Sum(L.Layer):
        def __init__(self):
            super().__init__()
            self.dense = L.Dense(1, kernel_initializer="ones")

        def call(self, x, more=None):
            return self.dense(x if more is None else x + more)

    x, more = keras.Input((3,), name="x"), keras.Input((3,), name="more", optional=True)
    model = keras.Model({"x": x, "more": more}, Sum()(x, more))
    np.testing.assert_array_equal(model({"x": A, "more": None}), [[3.0]] * 2)
    np.testing.assert_array_equal(model({"x": A, "more": A}), [[6.0]] * 2)
    model.compile("sgd", "mse")
    history = model.fit({"x": A, "more": None}, np.full((2, 1), 3.0), verbose=0).history
    assert history["loss"] == [0.0]
    assert model.predict({"x": A, "more": None}, verbose=0).shape == (2, 1)
    assert [layer.get_config()["optional"] for layer in model.layers[:2]] in (
        [True, False], [False, True]
    )  # fmt: skip


def test_outputs_that_need_other_inputs_are_named():
    a, b = keras.Input((3,), name="a"), keras.Input((3,), name="b")
    with pytest.raises(ValueError, match="Output with path `second` is not connected"):
        keras.Model(a, {"first": a * 2, "second": b * 3})


def test_operations_keep_their_names():
    a, b = keras.Input((3,), name="a"), keras.Input((3,), name="b")
    text = keras.Model([a, b], L.Dense(2)(a + b)[:, 1]).to_json()
    assert keras.models.model_from_json(text).to_json() == text


def test_subclasses_without_arguments_of_their_own_are_functional():
    class Plain(keras.Model):
        pass

    inputs = keras.Input((3,))
    model = Plain(inputs, L.Dense(2)(inputs))
    assert isinstance(model, keras.models.Model) and type(model) is Plain
    config = json.loads(json.dumps(keras.saving.serialize_keras_object(model)))
    again = keras.saving.deserialize_keras_object(config, {"Plain": Plain})
    again.set_weights(model.get_weights())
    assert type(again) is Plain
    np.testing.assert_array_equal(again(A), model(A))


KERAS_2 = {
    "name": "old", "input_layers": [["x", 0, 0]], "output_layers": [["sum", 0, 0]],
    "layers": [
        {"class_name": "InputLayer", "name": "x", "inbound_nodes": [],
         "config": {"batch_input_shape": [None, 3], "dtype": "float32", "name": "x"}},
        {"class_name": "Dense", "name": "a", "config": {"units": 2, "name": "a"},
         "inbound_nodes": [[["x", 0, 0, {}]]]},
        {"class_name": "Add", "name": "sum", "config": {"name": "sum"},
         "inbound_nodes": [[["a", 0, 0, {}], ["a", 0, 0, {}]]]},
    ],
}  # fmt: skip


def test_descriptions_of_keras_2_are_read():
    model = keras.Model.from_config(KERAS_2)
    (output,) = model(A)
    np.testing.assert_allclose(output, 2 * (A @ model.layers[1].kernel.numpy()), rtol=1e-6)


@pytest.mark.parametrize(("place", "match"), [("sum", "loop"), ("z", "Missing node: z")])
def test_descriptions_that_lead_nowhere_are_refused(place, match):
    layers = [dict(layer) for layer in KERAS_2["layers"]]
    layers[1]["inbound_nodes"] = [[[place, 0, 0, {}]]]
    with pytest.raises(ValueError, match=match):
        keras.Model.from_config({**KERAS_2, "layers": layers})


def test_values_of_variables_by_path():
    inputs = keras.Input((3,))
    model = keras.Model(inputs, L.Dense(1, name="d")(inputs))
    model.compile("adam", "mse")
    tree = model.get_state_tree("numpy_array")
    assert set(tree) == {
        "trainable_variables", "non_trainable_variables", "optimizer_variables",
        "metrics_variables",
    }  # fmt: skip
    assert tree["trainable_variables"]["d"]["kernel"].shape == (3, 1)
    model.set_state_tree({"trainable_variables": {"d": {"bias": [0.5]}}})
    assert tf.is_tensor(model.get_state_tree()["trainable_variables"]["d"]["bias"])
    np.testing.assert_array_equal(model.layers[1].bias, [0.5])
    with pytest.raises(ValueError, match="Unknown variable name: other"):
        model.set_state_tree({"other": {}})
    with pytest.raises(ValueError, match="value_format"):
        model.get_state_tree("json")


def test_layers_are_no_attribute_to_set():
    with pytest.raises(AttributeError, match="`Model.layers` attribute is reserved"):
        keras.Model().layers = []
    with pytest.raises(AttributeError, match=r"Use `add\(\)` and `pop\(\)`"):
        keras.Sequential().layers = []
    with pytest.raises(ValueError, match="no layers"):
        keras.Sequential()(A)
    model = keras.Sequential([keras.Input((2,), 3), L.Dense(2)])
    with pytest.raises(ValueError, match="already been configured"):
        model.build((3, 4))
