"""Small things that Keras has, and what is refused in its words."""

from __future__ import annotations

import numpy as np
import pytest

import runtime as tf
from runtime import keras

layers = keras.layers


def test_files_and_descriptions_are_refused_in_the_words_of_keras(tmp_path):
    model = keras.Sequential([keras.Input((3,)), layers.Dense(2)])
    save, load = keras.models.save_model, keras.models.load_model
    dense = {"module": "keras.layers", "class_name": "Dense", "config": {"units": 2}}
    function = {"module": "builtins", "class_name": "function", "config": "relu"}
    sequence = {"module": "keras", "class_name": "Sequential"}
    read = keras.saving.deserialize_keras_object
    for error, match, act in (
        (ValueError, "`save_format` argument", lambda: save(model, "m", save_format=1)),
        (ValueError, r"not supported: \['zipped'\]", lambda: model.save("m.keras", zipped=False)),
        (ValueError, "Invalid filepath extension", lambda: model.save(tmp_path / "m.png")),
        (ValueError, "File not found", lambda: load(tmp_path / "m.keras")),
        (ValueError, "File format not supported", lambda: load(tmp_path / "m.pkl")),
        (ValueError, "File format not supported", lambda: model.load_weights(tmp_path / "m.pkl")),
        (TypeError, "Expected 'config' to be a dict", lambda: read({**dense, "config": [1]})),
        (TypeError, "non-null str", lambda: read({**function, "config": ["relu"]})),
        (ValueError, "a Keras built-in", lambda: read({**dense, "registered_name": "x"})),
        (ValueError, "resolved to a Keras built-in",
         lambda: read({**function, "registered_name": "x"})),
        (ValueError, "'name' and 'layers' keys", lambda: read({**sequence, "config": {}})),
        (ValueError, "containing a 'config' key",
         lambda: read({**sequence, "config": {"name": "s", "layers": [{}]}})),
    ):  # fmt: skip
        with pytest.raises(error, match=match):
            act()


def test_functions_that_were_written_without_their_package_are_found():
    @keras.saving.register_keras_serializable("of_this_test")
    def twice_of_this_test(x):
        return 2 * x

    config = {"module": "builtins", "class_name": "function", "config": "twice_of_this_test"}
    assert keras.saving.deserialize_keras_object(config) is twice_of_this_test


def test_parts_that_were_not_made_of_their_description_are_named():
    @keras.saving.register_keras_serializable("of_this_test")
    class Around(keras.layers.Layer):
        def __init__(self, inner):
            super().__init__()
            self.inner = inner

        def build(self, shape):
            self.inner.build(shape)

        def call(self, x):
            return self.inner(x)

        def get_config(self):
            return {"inner": keras.saving.serialize_keras_object(self.inner)}

    inputs = keras.Input((3,))
    model = keras.Model(inputs, Around(layers.Dense(2))(inputs))
    with pytest.raises((TypeError, AttributeError), match="explicitly deserialized|'dict' object"):
        keras.Model.from_config(model.get_config())


@pytest.mark.parametrize(
    ("error", "match", "act"),
    [
        (TypeError, "an int or a list/tuple of ints", lambda: layers.LayerNormalization({"a": 1})),
        (ValueError, "Unknown arg for output_mode", lambda: layers.CategoryEncoding(3, "hot")),
        (ValueError, "`sparse` may only be true", lambda: layers.Hashing(3, sparse=True)),
        (ValueError, "Both `num_bins` and", lambda: layers.Discretization([0.0], 2)),
        (ValueError, "number of groups must be a positive", lambda: layers.Conv1D(2, 3, groups=0)),
        (ValueError, "strictly less than `strides`",
         lambda: layers.Conv1DTranspose(2, 3, strides=2, output_padding=2)),
        (ValueError, "incompatible `dtype`",
         lambda: layers.InputLayer(input_tensor=keras.Input((3,)), dtype="int32")),
        (ValueError, "Cholesky failed", lambda: keras.ops.cholesky(-np.eye(2, dtype="float32"))),
        (ValueError, "at least one axis", lambda: keras.ops.solve(np.eye(2, dtype="float32"), 1.0)),
        (ValueError, "Expected `shape` to be",
         lambda: keras.initializers.get(np.ones((2, 2)))(shape=(4, 1))),
        (ValueError, "incompatible shape",
         lambda: layers.Normalization().adapt(iter([np.ones((4, 3)), np.ones((4, 2))]))),
        (TypeError, "`.shape`", lambda: layers.Normalization().adapt(iter([42]))),
    ],
)  # fmt: skip
def test_more_arguments_are_refused_in_the_words_of_keras(error, match, act):
    with pytest.raises(error, match=match):
        act()


def test_moments_of_a_normalization_have_the_shape_of_its_inputs():
    layer = layers.Normalization(axis=-1, mean=5.0, variance=1.0)
    layer.build((3, 7))
    np.testing.assert_array_equal(layer.mean, np.full((1, 7), 5.0))
    layer = layers.Normalization((1, 2), mean=np.arange(5.0), variance=np.ones(5))
    layer.build((2, 7, 5, 3))
    np.testing.assert_array_equal(layer.mean[0, 3, :, 0], np.arange(5.0))


def test_vectors_of_tensors_are_normalized_to_tensors():
    rows = np.array([[3.0, 4.0], [0.0, 0.0]], "float32")
    for order in (1, 2, 3):
        tensor = keras.utils.normalize(tf.constant(rows), order=order)
        assert tf.is_tensor(tensor)
        np.testing.assert_allclose(tensor, keras.utils.normalize(rows, order=order), rtol=1e-6)


def test_batches_without_a_number_do_not_end():
    class Endless(keras.utils.PyDataset):
        def __getitem__(self, index):
            return index

    numbers = iter(Endless())
    assert [next(numbers) for _ in range(3)] == [0, 1, 2]


def test_small_things_that_keras_has():
    assert keras.callbacks.EarlyStopping("val_accuracy").monitor_op is keras.ops.greater
    assert keras.callbacks.EarlyStopping("loss").monitor_op is keras.ops.less
    assert layers.Bidirectional(layers.GRU(1, use_cudnn=False)).backward_layer.use_cudnn is False
    mask = np.ones((4, 5, 1), bool)
    assert layers.TimeDistributed(layers.Dense(2))(np.ones((4, 5, 3)), mask=mask).shape == (4, 5, 2)
