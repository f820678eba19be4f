"""Keras' own files of whole models, ``.keras``: both ways, and what is refused."""

from __future__ import annotations

import importlib.util
import io
import json
import os
import random
import subprocess
import sys
import zipfile

import numpy as np
import pytest

import runtime as tf
from runtime import keras
from tests.runtime.keras import kept_models
from tests.support.extras import needs

pytestmark = needs("hdf5")
X = np.linspace(-1, 1, 12, dtype=np.float32).reshape(3, 4)


def test_models_come_back_with_the_state_of_their_optimizer(tmp_path):
    kept_models.save(tmp_path)
    kept_models.load(tmp_path)


@pytest.mark.skipif(
    not importlib.util.find_spec("keras"), reason="the extra 'bench' is not installed"
)
@pytest.mark.parametrize("libraries", [("runtime", "keras"), ("keras", "runtime")])
def test_keras_reads_what_we_write_and_we_what_it_writes(tmp_path, libraries):
    for what, library in zip(("save", "load"), libraries, strict=True):
        subprocess.run(
            [sys.executable, kept_models.__file__, what, tmp_path], check=True,
            env={**os.environ, "LIBRARY": library, "PYTHONPATH": os.getcwd()},
        )  # fmt: skip


def test_states_of_generators_come_back(tmp_path):
    class Noise(keras.layers.Layer):
        def __init__(self, **kwargs):
            super().__init__(**kwargs)
            self.seeds = keras.random.SeedGenerator(1)

        def call(self, x):
            return x + keras.random.normal(tf.shape(x), seed=self.seeds)

    model = keras.Sequential([keras.Input((4,)), Noise()])
    model(X)
    model.save(tmp_path / "m.keras")
    again = keras.models.load_model(tmp_path / "m.keras", {"Noise": Noise})
    np.testing.assert_array_equal(again(X), model(X))


def test_names_of_files_say_their_formats(tmp_path):
    model = keras.Sequential([keras.Input((4,)), keras.layers.Dense(2)])
    for name in "m", "m.h5", "m.zip", "m.keras.old":
        with pytest.raises(ValueError, match=r"ends in '\.keras'.*'hdf5'.* or '\.safetensors'"):
            model.save(tmp_path / name)
        with pytest.raises(ValueError, match=r"ends in '\.weights\.h5'"):
            model.save_weights(tmp_path / name)
    model.save(tmp_path / "m.keras")
    with zipfile.ZipFile(tmp_path / "m.keras") as archive:
        assert archive.namelist() == ["metadata.json", "config.json", "model.weights.h5"]
    model.save(tmp_path / "m.safetensors")
    for name in "m.keras", "m.safetensors":  # what is in a file counts, not its name
        moved = (tmp_path / name).rename(tmp_path / "moved")
        np.testing.assert_array_equal(keras.models.load_model(moved)(X), model(X))
        other = keras.models.clone_model(model)
        other.load_weights(moved)
        np.testing.assert_array_equal(other(X), model(X))
    model.save_weights(tmp_path / "m.weights.h5")
    with pytest.raises(tf.errors.DataLossError, match="these are weights"):
        keras.models.load_model(tmp_path / "m.weights.h5")


def parts(path):
    with zipfile.ZipFile(path) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def written(path, content, change=lambda entry: None, kind=zipfile.ZIP_STORED):
    with zipfile.ZipFile(path, "w", kind) as archive:
        for name, data in content.items():
            entry = zipfile.ZipInfo(name)
            entry.compress_type = kind
            change(entry)
            archive.writestr(entry, data)
    return path


@pytest.fixture
def model(tmp_path):
    made = keras.Sequential([keras.Input((4,)), keras.layers.Dense(2)])
    made.save(tmp_path / "m.keras")
    return tmp_path / "m.keras"


@pytest.mark.parametrize("name", ["/etc/passwd", "../up", "a/../../up", "C:/x", "..\\up"])
def test_names_that_lead_out_of_an_archive_are_refused(model, name):
    written(model, {**parts(model), name: b"x"})
    with pytest.raises(tf.errors.DataLossError, match="leads out of the archive"):
        keras.models.load_model(model)


def test_archives_that_are_no_models_are_refused(model):
    content = parts(model)

    def as_link(entry):
        entry.external_attr = 0o120777 << 16

    written(model, content, as_link)
    with pytest.raises(tf.errors.DataLossError, match="is a link"):
        keras.models.load_model(model)
    written(model, {"config.json": b"{}"})
    with pytest.raises(tf.errors.DataLossError, match="there is no 'model.weights.h5'"):
        keras.models.load_model(model)
    bomb = {**content, "assets/zeros": bytes(2**26 + 1)}
    written(model, bomb, kind=zipfile.ZIP_DEFLATED)
    with pytest.raises(tf.errors.DataLossError, match="made to fill the memory"):
        keras.models.load_model(model)
    for config in b"[" * 10_000, b"[]", b"{", b"\xff":
        written(model, {**content, "config.json": config})
        with pytest.raises(tf.errors.DataLossError, match="description of the model"):
            keras.models.load_model(model)
    unknown = {"module": "os", "class_name": "system", "config": {}, "registered_name": None}
    written(model, {**content, "config.json": json.dumps(unknown).encode()})
    with pytest.raises(TypeError, match="Could not locate class 'system'"):
        keras.models.load_model(model)
    function = {"module": "keras.utils", "class_name": "get_file", "config": {}}
    written(model, {**content, "config.json": json.dumps(function).encode()})
    with pytest.raises(TypeError, match="Could not locate class 'get_file'"):
        keras.models.load_model(model)


def test_arrays_that_say_to_be_larger_than_the_file_are_refused(model):
    import h5py

    content, weights = parts(model), io.BytesIO()
    with h5py.File(weights, "w") as file:
        file.create_dataset("layers/dense/vars/0", (10**10,), "f4", chunks=(2**20,))
    written(model, {**content, "model.weights.h5": weights.getvalue()})
    with pytest.raises(tf.errors.DataLossError, match="says that it has 40000000000 bytes"):
        keras.models.load_model(model)


def test_damage_is_told(model, tmp_path):
    data, draw = model.read_bytes(), random.Random(1)
    for _ in range(60):
        spoilt = bytearray(data)
        spoilt[draw.randrange(len(data))] ^= 1 << draw.randrange(8)
        model.write_bytes(spoilt[: draw.choice((len(data), draw.randrange(len(data))))])
        try:
            keras.models.load_model(model)
        except tf.errors.OpError as error:
            assert "m.keras; " in str(error)
    model.write_bytes(data)
    made, path = keras.models.load_model(model), tmp_path / "w.weights.h5"
    made.save_weights(path)
    weights = path.read_bytes()
    place = weights.index(made.get_weights()[0].tobytes())
    path.write_bytes(weights[:place] + b"\0\0\0\1" + weights[place + 4 :])
    with pytest.raises(tf.errors.DataLossError, match="checksum does not fit"):
        made.load_weights(path)


def test_lambdas_are_read_only_if_asked_for(tmp_path):
    path, factor = tmp_path / "m.keras", 3.0
    layer = keras.layers.Lambda(lambda x, by=2.0: x**2 * by * factor)
    keras.Sequential([keras.Input((3,)), layer]).save(path)
    with pytest.raises(ValueError, match="Python lambda.*safe_mode=False"):
        keras.models.load_model(path)
    found = keras.models.load_model(path, safe_mode=False)(np.full((1, 3), 2.0, "float32"))
    assert found.numpy().tolist() == [[24.0, 24.0, 24.0]]
    with pytest.raises(ValueError, match="safe_mode=False"):  # it was for that one call
        keras.models.load_model(path)

    def doubled(x):
        return x * 2

    keras.Sequential([keras.Input((3,)), keras.layers.Lambda(doubled)]).save(path)
    with pytest.raises(TypeError, match="'doubled'"):
        keras.models.load_model(path)
    found = keras.models.load_model(path, {"doubled": doubled})
    assert found(np.ones((1, 3), "float32")).numpy().tolist() == [[2.0, 2.0, 2.0]]
