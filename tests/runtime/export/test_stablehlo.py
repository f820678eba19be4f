"""``export.stablehlo``: modules give what the function gives, or a status that says they do not."""

from __future__ import annotations

import numpy as np
import pytest

import runtime as tf
from runtime import keras
from runtime.types.errors import UnimplementedError
from tests.examples.test_examples import load

jax = pytest.importorskip("jax")
pytest.importorskip("jax.export")
pytest.importorskip("flatbuffers")


def written(function, path, *specs):
    """The module as a function, and whether its last result is a status."""
    has_status = tf.export.stablehlo(function, path, *specs)
    module = jax.export.deserialize(bytearray(path.read_bytes()))
    assert module.platforms == ("cpu", "cuda", "tpu")
    return module.call, has_status


def test_loops_and_branches(tmp_path):
    collatz = load("collatz").collatz
    run, has_status = written(collatz, tmp_path / "m.stablehlo", tf.TensorSpec([], tf.int32))
    steps, status = run(np.int32(27))
    assert has_status and int(steps) == 111 and int(status) == 0


def test_the_status_tells_of_what_raises(tmp_path):
    def picked(x, i):
        return x[i]

    specs = tf.TensorSpec([3]), tf.TensorSpec([], tf.int32)
    run, has_status = written(picked, tmp_path / "m.stablehlo", *specs)
    x = np.arange(3, dtype=np.float32)
    assert has_status
    assert [float(v) for v in run(x, np.int32(2))] == [2.0, 0.0]
    assert int(run(x, np.int32(3))[1]) != 0


def test_networks(tmp_path):
    model = keras.Sequential([
        keras.Input((8, 8, 1)), keras.layers.Conv2D(4, 3, activation="relu"),
        keras.layers.MaxPooling2D(), keras.layers.Flatten(), keras.layers.Dense(10),
    ])  # fmt: skip
    spec = tf.TensorSpec([2, 8, 8, 1])
    run, has_status = written(tf.function(lambda x: model(x)), tmp_path / "m.stablehlo", spec)
    x = np.cos(np.arange(128)).reshape(2, 8, 8, 1).astype("float32")
    assert not has_status
    np.testing.assert_allclose(run(x)[0], model(x), rtol=1e-5, atol=1e-6)


def test_text(tmp_path):
    path = tmp_path / "m.mlir"
    assert not tf.export.stablehlo(lambda x: x * 2.0, path, tf.TensorSpec([3]))
    assert "stablehlo.multiply" in path.read_text()


def test_what_is_refused(tmp_path):
    path = tmp_path / "m.stablehlo"
    count = tf.Variable(0.0, name="count")

    def counted(x):
        count.assign_add(x)
        return count + x

    for function, spec, reason in (
        (counted, tf.TensorSpec([]), "it writes the variable"),
        (lambda x: x + tf.random.normal([]), tf.TensorSpec([]), "draws random numbers"),
        (lambda x: x + 1.0, tf.TensorSpec([None]), "no array of numbers of known sizes"),
    ):
        with pytest.raises(UnimplementedError, match=f"cannot be written as StableHLO: .*{reason}"):
            tf.export.stablehlo(function, path, spec)
    assert not list(tmp_path.iterdir())
