"""Keras layers as native code: our result, or one error that says what forbids it."""

from __future__ import annotations

import numpy as np
import pytest

import runtime as tf
from runtime import keras
from tests.runtime.export.native_code.exports import Exported, needs_cc
from tests.support.nightly import always

pytestmark = needs_cc
K = keras.layers
VECTORS, ROWS, IMAGES, WORDS = (2, 4), (2, 5, 4), (2, 6, 6, 4), None
LAYERS = {
    "Dense": (lambda: K.Dense(3), [VECTORS]),
    "EinsumDense": (lambda: K.EinsumDense("ab,bc->ac", output_shape=3), [VECTORS]),
    "Activation": (lambda: K.Activation("gelu"), [VECTORS]),
    "LeakyReLU": (lambda: K.LeakyReLU(), [VECTORS]),
    "PReLU": (lambda: K.PReLU(), [VECTORS]),
    "Softmax": (lambda: K.Softmax(), [VECTORS]),
    "Embedding": (lambda: K.Embedding(10, 3), [WORDS]),
    "Flatten": (lambda: K.Flatten(), [ROWS]),
    "Reshape": (lambda: K.Reshape((4, 5)), [ROWS]),
    "Permute": (lambda: K.Permute((2, 1)), [ROWS]),
    "RepeatVector": (lambda: K.RepeatVector(3), [VECTORS]),
    "Dropout": (lambda: K.Dropout(0.5), [VECTORS]),
    "BatchNormalization": (lambda: K.BatchNormalization(), [VECTORS]),
    "LayerNormalization": (lambda: K.LayerNormalization(), [VECTORS]),
    "GroupNormalization": (lambda: K.GroupNormalization(2), [ROWS]),
    "UnitNormalization": (lambda: K.UnitNormalization(), [VECTORS]),
    "Conv1D": (lambda: K.Conv1D(3, 2), [ROWS]),
    "Conv2D": (lambda: K.Conv2D(3, 2), [IMAGES]),
    "DepthwiseConv2D": (lambda: K.DepthwiseConv2D(2), [IMAGES]),
    "SeparableConv2D": (lambda: K.SeparableConv2D(3, 2), [IMAGES]),
    "Conv2DTranspose": (lambda: K.Conv2DTranspose(3, 2), [IMAGES]),
    "MaxPooling2D": (lambda: K.MaxPooling2D(2), [IMAGES]),
    "AveragePooling2D": (lambda: K.AveragePooling2D(2), [IMAGES]),
    "GlobalAveragePooling2D": (lambda: K.GlobalAveragePooling2D(), [IMAGES]),
    "ZeroPadding2D": (lambda: K.ZeroPadding2D(), [IMAGES]),
    "Cropping2D": (lambda: K.Cropping2D(1), [IMAGES]),
    "UpSampling2D": (lambda: K.UpSampling2D(), [IMAGES]),
    "Add": (lambda: K.Add(), [VECTORS, VECTORS]),
    "Concatenate": (lambda: K.Concatenate(), [VECTORS, VECTORS]),
    "Dot": (lambda: K.Dot(1), [VECTORS, VECTORS]),
    "TimeDistributed": (lambda: K.TimeDistributed(K.Dense(3)), [ROWS]),
    "Attention": (lambda: K.Attention(), [ROWS, ROWS]),
}
REFUSED = {
    "LSTM": (lambda: K.LSTM(3), [ROWS], "tensor_array"),
    "MultiHeadAttention": (lambda: K.MultiHeadAttention(2, 3), [ROWS, ROWS], "einsum"),
}
"""Layers that are refused so far, and the operation that forbids them."""
SLICE = ("Dense", "Flatten", "Permute", "Conv2D", "MaxPooling2D", "BatchNormalization", "Dot")


def traced(name, make, shapes):
    """The trace of a layer, and arrays for it."""
    random = np.random.default_rng(1)
    arrays = [
        random.integers(0, 10, (2, 4)).astype(np.int32) if shape is WORDS
        else random.normal(size=shape).astype(np.float32)
        for shape in shapes
    ]  # fmt: skip
    keras.utils.set_random_seed(0)
    layer = make()
    listed = name in ("Add", "Concatenate", "Dot", "Attention")
    call = (lambda *x: layer(list(x))) if listed else (lambda *x: layer(*x))
    call(*map(tf.constant, arrays))
    kinds = [tf.TensorSpec(array.shape, array.dtype) for array in arrays]
    return tf.function(call, jit_compile=True).get_concrete_function(*kinds), arrays


@pytest.mark.parametrize("name", always(SLICE, LAYERS))
def test_layer(tmp_path, name):
    trace, arrays = traced(name, *LAYERS[name])
    native = Exported(trace, tmp_path / "f.so", target="native", name="layer")
    status, (result,), call = native(*arrays)
    assert status == 0, call.message
    wanted = trace(*map(tf.constant, arrays)).numpy()
    assert result.shape == wanted.shape
    assert np.allclose(result, wanted, 1e-5, 1e-6)
    assert not native.heap.blocks


@pytest.mark.parametrize("name", REFUSED)
def test_what_forbids_a_layer_is_named(tmp_path, name):
    make, shapes, operation = REFUSED[name]
    trace, _ = traced(name, make, shapes)
    with pytest.raises(tf.errors.UnimplementedError, match=rf"(?s)needs Python for .*{operation}"):
        Exported(trace, tmp_path / "f.so", target="native", name="layer")
