"""Keras' own files of weights: written as Keras reads them, and read as Keras writes them."""

from __future__ import annotations

import gzip
import shutil
from pathlib import Path

import numpy as np
import pytest

from runtime import keras
from tests.support.extras import needs

pytestmark = needs("hdf5")

@pytest.fixture
def golden(tmp_path):
    """File of Keras 3.15: the model below, each weight of which is 0, 0.01, 0.02 ... in order."""
    path = tmp_path / "keras.weights.h5"
    path.write_bytes(gzip.decompress(Path(__file__).with_name("keras_3.weights.h5.gz").read_bytes()))
    return path


def model():
    layers = keras.layers
    inputs = keras.Input((4, 2))
    x = layers.Bidirectional(layers.LSTM(3, return_sequences=True))(inputs)
    x = layers.MultiHeadAttention(2, 3)(x, x)
    inner = keras.Sequential([layers.Dense(2, name="mine"), layers.BatchNormalization()])
    return keras.Model(inputs, [inner(x), layers.Dense(1)(x)])


def ramps(weights):
    return [0.01 * np.arange(w.size, dtype=np.float32).reshape(w.shape) for w in weights]


def test_a_file_of_keras_is_read(golden):
    made = model()
    made.load_weights(golden)
    for found, wanted in zip(made.get_weights(), ramps(made.get_weights()), strict=True):
        assert np.array_equal(found, wanted)


def test_files_have_the_groups_of_keras(golden, tmp_path):
    import h5py

    made = model()
    made.set_weights(ramps(made.get_weights()))
    path = tmp_path / "own.weights.h5"
    made.save_weights(path)

    def content(file):
        found = {}
        with h5py.File(file) as opened:
            opened.visititems(
                lambda name, item: found.update({name: item[()].tolist()})
                if isinstance(item, h5py.Dataset) else None
            )  # fmt: skip
        return found

    assert content(path) == content(golden)
    other = model()
    other.load_weights(path)
    assert all(map(np.array_equal, other.get_weights(), made.get_weights()))


def test_what_does_not_fit_changes_nothing(golden, tmp_path):
    small = keras.Sequential([keras.Input((3,)), keras.layers.Dense(2)])
    before = small.get_weights()
    with pytest.raises(ValueError, match="does not fit the model .* and 'layers/dense/vars' holds"):
        keras.Sequential([keras.Input((3,)), keras.layers.Dense(2, use_bias=False)]).load_weights(
            saved(tmp_path, small)
        )
    other = keras.Sequential([keras.Input((4,)), keras.layers.Dense(2)])
    with pytest.raises(ValueError, match=r"'layers/dense/vars/0' has the shape \(3, 2\)"):
        other.load_weights(saved(tmp_path, small))
    other.load_weights(saved(tmp_path, small), skip_mismatch=True)
    with pytest.raises(ValueError, match="nothing takes the value"):
        keras.Sequential([keras.Input((3,)), keras.layers.ReLU()]).load_weights(golden)
    assert all(map(np.array_equal, small.get_weights(), before))


def saved(folder, made):
    path = folder / "w.weights.h5"
    made.save_weights(path)
    return path


def test_damaged_files_are_refused(golden, tmp_path):
    import h5py

    from runtime.errors import DataLossError, NotFoundError

    made, path = model(), tmp_path / "w.weights.h5"
    with pytest.raises(NotFoundError):
        made.load_weights(path)
    content = golden.read_bytes()
    for damaged in (b"", b"text", content[: len(content) // 2]):
        path.write_bytes(damaged)
        with pytest.raises(DataLossError, match="no complete"):
            made.load_weights(path)
    shutil.copy(golden, path)
    with h5py.File(path, "a") as file:
        file["layers/more"] = h5py.ExternalLink("/etc/passwd", "/")
    with pytest.raises(DataLossError, match="'layers/more' is a link to another place"):
        made.load_weights(path)


@pytest.mark.parametrize("suffix", [".weights.h5", ".safetensors"])
def test_weights_go_with_the_state_of_the_optimizer(tmp_path, suffix):
    # As Keras 3.15 has it: six variables, of which an optimizer that is not built has two.
    def trained(optimizer="adam"):
        made = keras.Sequential([keras.Input((3,)), keras.layers.Dense(2)])
        made.compile(optimizer, "mse")
        made.fit(np.ones((4, 3)), np.ones((4, 2)), verbose=0)
        return made

    first, path = trained(), tmp_path / f"w{suffix}"
    first.fit(np.ones((4, 3)), np.ones((4, 2)), verbose=0)
    first.save_weights(path)
    second = trained()
    second.load_weights(path)
    states = [[v.numpy() for v in one.optimizer.variables] for one in (first, second)]
    assert len(states[0]) == 6 and int(second.optimizer.iterations) == 2
    assert all(map(np.array_equal, *states))
    third = trained("sgd")
    with pytest.warns(UserWarning, match="it has 2 variables whereas the saved .* has 6 variables"):
        third.load_weights(path)
    assert int(third.optimizer.iterations) == 1
    assert all(map(np.array_equal, third.get_weights(), first.get_weights()))
    keras.Sequential([keras.Input((3,)), keras.layers.Dense(2)]).load_weights(path)
