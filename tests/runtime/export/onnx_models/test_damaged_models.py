"""Damaged models: one clear error each, no code is run, and nothing hangs."""

from __future__ import annotations

import numpy as np
import pytest

import runtime as tf
from tests.support.nightly import seeds

pytest.importorskip("onnx")
exporting = pytest.importorskip("runtime.export.onnx_models.exporting")
graphs = pytest.importorskip("runtime.export.onnx_models.onnx_graph")
importing = pytest.importorskip("runtime.export.onnx_models.importing")

ALLOWED = (tf.errors.OpError, ValueError, TypeError)
"""What a caller has to expect of a file that somebody else wrote."""

STEP = 100


def models() -> list[bytes]:
    def counted(x):
        total, k = x, 0
        while k < 3:
            total = tf.nn.relu(total @ tf.constant([[1.0, -1.0], [0.5, 2.0]])) + x
            k += 1
        rows = []
        for row in total:
            if row[0] > 1.0:
                rows.append(row)
        return tf.stack(rows), tf.reshape(tf.reduce_max(total, 0), [2, 1])

    def windows(x):
        image = tf.reshape(x, [1, 4, 4, 1])
        kernel = tf.constant(np.ones((2, 2, 1, 3)), tf.float32)
        return tf.nn.max_pool2d(tf.nn.conv2d(image, kernel, 1, "SAME"), 2, 2, "VALID")

    specs = [tf.TensorSpec([3, 2], name="x")], [tf.TensorSpec([16], name="x")]
    pairs = zip((counted, windows), specs)
    return [exporting.onnx_model(tf.function(f), *s).SerializeToString() for f, s in pairs]


@pytest.fixture(scope="module")
def sound():
    return models()


def mutated(data: bytes, random: np.random.Generator) -> bytes:
    """The bytes with some of them changed, taken out, put in twice or cut off."""
    result = bytearray(data)
    for _ in range(int(random.integers(1, 5))):
        if not result:
            break
        at, kind = int(random.integers(len(result))), int(random.integers(5))
        if kind == 0:
            result[at] = int(random.integers(256))
        elif kind == 1:
            result[at] ^= 1 << int(random.integers(8))
        elif kind == 2:
            del result[at : at + int(random.integers(1, 20))]
        elif kind == 3:
            result[at:at] = result[at : at + int(random.integers(1, 20))]
        else:
            del result[max(at, 1) :]
    return bytes(result)


def dims_of(spec) -> list[int]:
    """Sizes for an input of this type; of one that is too large, one element."""
    dims = [size or 1 for size in spec.shape.dims or ()]
    return dims if np.prod(dims, dtype=float) < 1e6 else [1] * len(dims)


@pytest.mark.parametrize("seed", seeds(0, 10_000, STEP, 3))
def test_mutations_give_an_error_or_a_model(seed, sound):
    """Ten thousand of them, nightly."""
    random = np.random.default_rng(seed)
    for _ in range(STEP if seed >= 3 else 60):
        number = int(random.integers(len(sound)))
        data = mutated(sound[number], random)
        try:
            model = importing.ImportedModel(graphs.model_from_bytes(data), False)
            model(*[[] if s is None else np.ones(dims_of(s), s.dtype.as_numpy_dtype)
                    for s in model.input_signature])  # fmt: skip
        except ALLOWED as error:
            assert str(error).strip()
