"""Models, weights and optimizers in files: what comes back is equal, what does not fit is told."""

from __future__ import annotations

import random
import subprocess
import sys

import numpy as np
import pytest

import runtime as tf
from runtime import keras
from runtime.keras import layers
from runtime.train.tensor_file import write_tensors
from runtime.train.tracking import variables_of

X = np.linspace(-1, 1, 15, dtype=np.float32).reshape(3, 5)


def network():
    return keras.Sequential([layers.Dense(4, "relu"), layers.BatchNormalization(), layers.Dense(2)])


def step(model, optimizer):
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(model(X, training=True) ** 2)
    variables = model.trainable_variables
    optimizer.apply_gradients(zip(tape.gradient(loss, variables), variables))
    return loss.numpy()


def test_checkpoints_restore_models_before_they_are_built(tmp_path):
    model, optimizer = network(), keras.optimizers.Adam(0.01)
    for _ in range(2):
        step(model, optimizer)
    path = tf.train.Checkpoint(model=model, optimizer=optimizer).save(tmp_path / "c")
    for wrap in (lambda f: f, tf.function):
        twin, own = network(), keras.optimizers.Adam(0.01)
        status = tf.train.Checkpoint(model=twin, optimizer=own).restore(path)
        wrap(lambda: twin(X))()
        np.testing.assert_array_equal(twin(X), model(X))
        twin_loss = step(twin, own)
        status.assert_consumed()
    assert twin_loss == step(model, optimizer) and step(twin, own) == step(model, optimizer)


def test_a_model_is_loaded_in_another_process(tmp_path):
    model = network()
    model.compile(keras.optimizers.Adam(0.01), "mse")
    model.fit(X, X[:, :2], epochs=2, verbose=0)
    model.save(tmp_path / "m.safetensors")
    code = f"""if True:
        import numpy as np
        from runtime import keras
        model = keras.models.load_model({str(tmp_path / "m.safetensors")!r})
        x = np.linspace(-1, 1, 15, dtype=np.float32).reshape(3, 5)
        print(model.predict(x, verbose=0).tobytes().hex())
        print(int(model.optimizer.iterations), len(model.optimizer.variables))
    """
    found = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout.split()
    assert bytes.fromhex(found[0]) == model.predict(X, verbose=0).tobytes()
    assert found[1:] == ["2", str(len(model.optimizer.variables))]
    plain = keras.models.load_model(tmp_path / "m.safetensors", compile=False)
    assert plain.optimizer is None
    np.testing.assert_array_equal(plain(X), model(X))


@keras.saving.register_keras_serializable("test_saving")
class Noise(layers.Layer):
    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self.seeds = keras.random.SeedGenerator(1)

    def call(self, x):
        return x + keras.random.normal(tf.shape(x), seed=self.seeds)


def test_states_of_seed_generators_are_saved(tmp_path):
    inputs = keras.Input((5,))
    model = keras.Model(inputs, Noise()(inputs))
    model(X)
    model.save(tmp_path / "m.safetensors")
    tf.saved_model.save(model, tmp_path / "folder")
    expected = model(X)
    np.testing.assert_array_equal(keras.models.load_model(tmp_path / "m.safetensors")(X), expected)
    np.testing.assert_array_equal(tf.saved_model.load(tmp_path / "folder")(X), expected)


def test_models_inside_of_models_are_saved(tmp_path):
    inputs = keras.Input((5,))
    encoder = keras.Sequential([keras.Input((5,)), layers.Dense(4), layers.Dense(3)])
    decoder = keras.Sequential([keras.Input((3,)), layers.Dense(4), layers.Dense(5)])
    model = keras.Model(inputs, layers.Dense(5)(decoder(encoder(inputs))))
    model.compile("adam", "mse")
    model.fit(X, X, verbose=0)
    model.save(tmp_path / "m.safetensors")
    loaded = keras.models.load_model(tmp_path / "m.safetensors")
    np.testing.assert_array_equal(loaded(X), model(X))
    found, same = tf.train.Checkpoint(model=loaded), tf.train.Checkpoint(model=model)
    assert len(variables_of(found)[0]) == len(variables_of(same)[0]) == 10 + 22


def test_weights_fit_or_nothing_changes(tmp_path):
    model, other = network(), keras.Sequential([layers.Dense(4), layers.Dense(3)])
    with pytest.raises(ValueError, match="has no weights yet"):
        model.save_weights(tmp_path / "w.safetensors")
    model(X), other(X)
    model.save_weights(tmp_path / "w.safetensors")
    before = other.get_weights()
    with pytest.raises(ValueError, match=r"does not fit the model 'sequential.*\d+ others"):
        other.load_weights(tmp_path / "w.safetensors")
    for one, same in zip(other.get_weights(), before, strict=True):
        np.testing.assert_array_equal(one, same)
    other.load_weights(tmp_path / "w.safetensors", skip_mismatch=True)
    np.testing.assert_array_equal(other.get_weights()[0], model.get_weights()[0])
    twin = network()
    twin(X)
    twin.load_weights(tmp_path / "w.safetensors")
    np.testing.assert_array_equal(twin(X), model(X))
    with pytest.raises(FileExistsError, match="overwrite=True"):
        model.save(tmp_path / "w.safetensors", overwrite=False)


def test_damaged_files_and_unknown_classes_are_told(tmp_path):
    model = network()
    model(X)
    path = tmp_path / "m.safetensors"
    model.save(path)
    data, draw = path.read_bytes(), random.Random(2)
    for _ in range(100):
        spoilt = bytearray(data)
        spoilt[draw.randrange(len(data))] ^= 1 << draw.randrange(8)
        path.write_bytes(spoilt[: draw.choice((len(data), draw.randrange(len(data))))])
        with pytest.raises(tf.errors.OpError, match="m.safetensors; "):
            keras.models.load_model(path)
    write_tensors(str(path), {"a": X})
    with pytest.raises(tf.errors.DataLossError, match="but no model"):
        keras.models.load_model(path)

    class Own(layers.Layer):
        def call(self, x):
            return x * 2

    owner = keras.Sequential([keras.Input((5,)), Own()])
    owner.save(path)
    with pytest.raises(TypeError, match="Could not locate class 'Own'.*custom_objects"):
        keras.models.load_model(path)
    found = keras.models.load_model(path, custom_objects={"Own": Own})
    np.testing.assert_array_equal(found(X), X * 2)


@keras.saving.register_keras_serializable()
class Words(keras.Model):
    """A subclassed model, whose layers know their inputs by a call, with no argument `name`."""

    def __init__(self, count=5):
        super().__init__()
        self.embedding = layers.Embedding(count, 3)
        self.parts = [layers.Dense(4, "relu"), layers.Dense(2)]

    def call(self, inputs, training=False):
        found = tf.reduce_sum(self.embedding(inputs["ids"]), 1) + inputs["more"][0]
        for part in self.parts:
            found = part(found)
        return found


@keras.saving.register_keras_serializable()
class Sum(keras.Model):
    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self.dense = layers.Dense(2)

    def call(self, a, b):
        return self.dense(a + b)


def test_subclassed_models_are_built_for_the_inputs_of_their_first_call(tmp_path):
    path = str(tmp_path / "é m.safetensors")
    model = Words(7)
    inputs = {"ids": np.array([[1, 6], [2, 0]]), "more": (np.ones((2, 3), np.float32),)}
    targets = np.eye(2, dtype=np.float32)
    model.compile("adam", "mse", jit_compile=False)
    model.fit(inputs, targets, verbose=0)
    model.save(path)
    again = keras.models.load_model(path)
    assert again.name == model.name
    np.testing.assert_array_equal(again(inputs), model(inputs))
    for one in (model, again):
        one.fit(inputs, targets, verbose=0)
    np.testing.assert_array_equal(again(inputs), model(inputs))
    again.save(path)
    np.testing.assert_array_equal(keras.models.load_model(path)(inputs), model(inputs))
    several = Sum()
    several(tf.ones([1, 2]), tf.ones([1, 2]))
    several.save(path)
    with pytest.raises(ValueError, match="has no weights before a call, and the file does not say"):
        keras.models.load_model(path)
    other = Sum()
    other(tf.zeros([1, 2]), tf.zeros([1, 2]))
    other.load_weights(path)
    np.testing.assert_array_equal(other.get_weights()[0], several.get_weights()[0])
