"""Runs of ``fit`` that stop and go on have the weights of runs that nothing interrupted."""

from __future__ import annotations

import importlib.util
import subprocess
import sys

import numpy as np
import pytest

import runtime as tf
from runtime import keras
from runtime.keras import layers
from runtime.keras.callbacks import BackupAndRestore
from runtime.types.errors import DataLossError
from tests.support.nightly import always

PROGRAM = """
import sys
import numpy as np
import runtime as tf
from runtime import keras
from runtime.keras import layers

class Stop(keras.callbacks.Callback):
    def on_epoch_begin(self, epoch, logs=None):
        if epoch == int(sys.argv[2]):
            raise KeyboardInterrupt

def train(backup, source, stop_at=None):
    keras.utils.set_random_seed(4)
    x = np.random.default_rng(0).normal(size=(70, 6)).astype("float32")
    y = (x @ np.arange(6) > 0).astype("int32")
    model = keras.Sequential([
        keras.Input((6,)), layers.Dense(16, "relu"), layers.BatchNormalization(),
        layers.Dropout(0.3), layers.Dropout(0.2, seed=5),
        layers.GaussianNoise(0.1), layers.Dense(2),
    ])
    loss = keras.losses.SparseCategoricalCrossentropy(from_logits=True)
    model.compile(keras.optimizers.Adam(0.01), loss, jit_compile=JIT)
    callbacks = [] if backup is None else [keras.callbacks.BackupAndRestore(backup)]
    callbacks += [Stop()] if stop_at is not None else []
    if source == "arrays":
        data = dict(x=x, y=y, batch_size=16)
    else:
        data = dict(x=tf.data.Dataset.from_tensor_slices((x, y)).shuffle(70).batch(16))
    model.fit(**data, epochs=4, verbose=0, callbacks=callbacks)
    print(b"".join(v.numpy().tobytes() for v in model.variables + model.optimizer.variables).hex())
"""


HAS_LLVM = importlib.util.find_spec("llvmlite") is not None
compiled = pytest.mark.skipif(not HAS_LLVM, reason="the extra `jit` is not installed")


def run(code: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", code, *arguments], capture_output=True, text=True, timeout=240
    )


@pytest.mark.parametrize("jit", [False, pytest.param(True, marks=[compiled, pytest.mark.nightly])])
@pytest.mark.parametrize("source", always(["dataset"], ["arrays", "dataset"]))
def test_a_run_that_was_stopped_ends_as_one_that_was_not(tmp_path, source, jit):
    program = PROGRAM.replace("JIT", str(jit))
    folder = str(tmp_path / "b")
    two_runs = f"{program}\ntrain(None, {source!r})\ntrain(sys.argv[1], {source!r}, 2)"
    whole = run(two_runs, folder, "2")
    assert whole.stderr.rstrip().endswith("KeyboardInterrupt")
    resumed = run(f"{program}\ntrain(sys.argv[1], {source!r})", folder)
    assert resumed.stdout == whole.stdout and len(whole.stdout) > 500, resumed.stderr
    assert not (tmp_path / "b").exists()  # the run ended


def model(units=3):
    found = keras.Sequential([keras.Input((2,)), layers.Dense(units)])
    found.compile("adam", "mse")
    return found


X = np.ones((8, 2), np.float32)


def test_streams_go_back_to_a_snapshot():
    from runtime.ops.random_seed import current_random_state

    tf.random.set_seed(3)

    def draws():
        own = tf.random.uniform([3], seed=4)
        return np.concatenate([own, tf.random.normal([3]), tf.random.uniform([5])])

    draws()
    snapshot = current_random_state().snapshot()
    expected = draws()
    assert not np.array_equal(draws(), expected)
    current_random_state().restore(snapshot)
    np.testing.assert_array_equal(draws(), expected)


@pytest.mark.parametrize("double", [False, True])
def test_epochs_go_on_and_files_stay(tmp_path, double):
    keep = {"delete_checkpoint": False, "double_checkpoint": double}
    y = np.ones((8, 3), np.float32)
    first, second = model(), model()
    first.fit(X, y, epochs=3, verbose=0, callbacks=[BackupAndRestore(tmp_path, **keep)])
    assert len(list(tmp_path.iterdir())) == 1 + double
    history = second.fit(X, y, epochs=5, verbose=0, callbacks=[BackupAndRestore(tmp_path, **keep)])
    assert history.epoch == [3, 4] and int(second.optimizer.iterations) == 5
    assert second.fit(X, y, epochs=1, verbose=0).epoch == [0]


def test_backups_between_batches_begin_their_epoch_again(tmp_path):
    y = np.ones((8, 3), np.float32)
    back = BackupAndRestore(tmp_path, save_freq=3, delete_checkpoint=False)
    model().fit(X, y, 2, epochs=2, verbose=0, callbacks=[back])  # backups after batches 3 and 6
    again = model()
    assert again.fit(X, y, 2, epochs=2, verbose=0, callbacks=[back]).epoch == [1]
    assert int(again.optimizer.iterations) == 6 + 4


def test_what_does_not_fit_is_told(tmp_path):
    y = np.ones((8, 3), np.float32)
    back = BackupAndRestore(tmp_path / "b", delete_checkpoint=False)
    with pytest.raises(ValueError, match="needs the weights of the model"):
        lazy = keras.Sequential([layers.Dense(3)])
        lazy.compile("adam", "mse")
        lazy.fit(X, y, verbose=0, callbacks=[back])
    model().fit(X, y, verbose=0, callbacks=[back])
    with pytest.raises(ValueError, match="backup of another model"):
        model(4).fit(X, np.ones((8, 4)), verbose=0, callbacks=[back])
    (file,) = (tmp_path / "b").iterdir()
    content = file.read_bytes()
    file.write_bytes(content[:-5])
    with pytest.raises(DataLossError):
        model().fit(X, y, verbose=0, callbacks=[back])
    for wrong in (0, -1, True, "batch"):
        with pytest.raises(ValueError, match="save_freq"):
            BackupAndRestore(tmp_path, save_freq=wrong)
    with pytest.raises(ValueError, match="Empty"):
        BackupAndRestore("")
