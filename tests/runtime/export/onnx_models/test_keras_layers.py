"""Layers of Keras: as ONNX each gives what it gives here, with a batch of any size."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import runtime as tf
from runtime import keras
from tests.runtime.keras import attention_golden
from tests.runtime.keras.layer_cases import CASES
from tests.runtime.keras.layer_golden import made
from tests.support import onnx_models
from tests.support.nightly import always

exporting = pytest.importorskip("runtime.export.onnx_models.exporting")

INFERENCE = {name: case for name, case in CASES.items() if not case.call.get("training")}
FIRST = {case.kind: name for name, case in reversed(INFERENCE.items())}
"""The first case of each kind of layer."""


@pytest.mark.parametrize("name", always(FIRST.values(), INFERENCE))
def test_gives_what_it_gives_here(name):
    case = INFERENCE[name]
    layer, arrays = made(keras, case)
    flat = [np.asarray(a) for a in (arrays if isinstance(arrays, list) else [arrays])]

    def call(*tensors: Any) -> Any:
        return layer(list(tensors) if isinstance(arrays, list) else tensors[0], **case.call)

    specs = [tf.TensorSpec((None, *a.shape[1:]), a.dtype) for a in flat]
    model = exporting.onnx_model(tf.function(call), *specs)
    onnx_models.assert_same(model, flat, onnx_models.arrays_of(call(*map(tf.constant, flat))))


def test_share(capsys):
    """All kinds of layers that do something without training."""
    with capsys.disabled():
        print(f"ONNX: {len(FIRST)} of {len(FIRST)} kinds of Keras layers exported")
    assert len(FIRST) >= 82


@pytest.mark.parametrize("name", always(["two heads", "groups, mask"], attention_golden.CASES))
def test_attention_gives_what_it_gives_here(name):
    arguments, arrays, call = attention_golden.CASES[name]
    kind = "GroupQueryAttention" if "groups" in name else "MultiHeadAttention"
    layer = getattr(keras.layers, kind)(**arguments)
    wanted = onnx_models.arrays_of(layer(*arrays, **call))
    specs = [tf.TensorSpec(a.shape, a.dtype) for a in arrays]
    model = exporting.onnx_model(tf.function(lambda *xs: layer(*xs, **call)), *specs)
    onnx_models.assert_same(model, arrays, wanted)


def test_models_write_their_call_with_the_names_of_their_layers(tmp_path):
    inputs = keras.Input((4,), name="features")
    hidden = keras.layers.Dense(3, "relu", name="hidden")(inputs)
    model = keras.Model(inputs, keras.layers.Dense(2, name="answer")(hidden))
    path = tmp_path / "model.onnx"
    model.export(path, format="onnx")
    written = onnx_models.onnx.load(path)
    assert [i.name for i in written.graph.input] == ["features"]
    (batch, size) = written.graph.input[0].type.tensor_type.shape.dim
    assert batch.dim_param == "batch" and size.dim_value == 4
    assert written.graph.output[0].type.tensor_type.shape.dim[0].dim_param == "batch"
    names = " ".join(node.name for node in written.graph.node)
    assert "hidden" in names and "answer" in names
    weights = {i.name for i in written.graph.initializer}
    assert any("hidden" in name and "kernel" in name for name in weights)
    for count in (1, 5):
        x = np.cos(np.arange(4 * count)).reshape(count, 4).astype("float32")
        onnx_models.assert_same(written, [x], [model(x).numpy()])


def test_errors_of_models(tmp_path):
    with pytest.raises(ValueError, match="the formats are tf_saved_model, onnx"):
        keras.Sequential([keras.layers.Dense(1)]).export(tmp_path / "m", format="tflite")
    with pytest.raises(ValueError, match="the types of the inputs"):
        keras.Sequential([keras.layers.Dense(1)]).export(tmp_path / "m.onnx", format="onnx")
    assert not list(tmp_path.iterdir())
