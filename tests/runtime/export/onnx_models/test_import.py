"""``import_onnx``: models come back as they went, train, compile, and are refused with a reason."""

from __future__ import annotations

import numpy as np
import pytest

import runtime as tf
from runtime import keras
from runtime.types.errors import DataLossError, NotFoundError, UnimplementedError
from tests.support import onnx_models
from tests.support.extras import needs

pytest.importorskip("onnx")
onnx = onnx_models.onnx
helper = onnx.helper
FLOAT, INT64 = 1, 7


def model_of(nodes, inputs, outputs, initializers=(), path=None, opset=21, **fields):
    """Write a model of nodes to a file."""
    infos = [helper.make_tensor_value_info(*entry) for entry in inputs]
    results = [helper.make_tensor_value_info(name, FLOAT, None) for name in outputs]
    weights = [onnx.numpy_helper.from_array(array, name) for name, array in initializers]
    graph = helper.make_graph(nodes, "test", infos, results, weights)
    opsets = [helper.make_opsetid("", opset)]
    model = helper.make_model(graph, opset_imports=opsets, ir_version=10, **fields)
    onnx.save(model, path)
    return path


@pytest.fixture
def layer(tmp_path):
    """A layer of a network: tanh(x @ weights + bias)."""
    weights, bias = np.array([[1.0, -1.0], [0.5, 2.0]], np.float32), np.ones(2, np.float32)
    nodes = [
        helper.make_node("Gemm", ["x", "weights", "bias"], ["total"], name="gemm"),
        helper.make_node("Tanh", ["total"], ["y"]),
    ]
    return model_of(nodes, [("x", FLOAT, ["n", 2])], ["y"],
                    [("weights", weights), ("bias", bias)], tmp_path / "layer.onnx")


X = np.array([[1.0, 2.0], [-1.0, 0.5], [0.0, 3.0]], np.float32)
WANTED = np.tanh(X @ [[1.0, -1.0], [0.5, 2.0]] + 1)


def test_runs_eagerly_in_functions_and_by_name(layer):
    model = tf.export.import_onnx(layer)
    assert model.input_names == ["x"] and model.output_names == ["y"]
    assert model.input_signature == [tf.TensorSpec([None, 2], tf.float32, "x")]
    for result in (model(X), model(x=X), model(X.tolist()), tf.function(model)(X),
                   tf.function(lambda x: model(x) * 1.0)(X[:1])):  # fmt: skip
        np.testing.assert_allclose(result, WANTED[: len(result)], rtol=1e-6)
    assert repr(model).startswith("<ONNX model (x: TensorSpec(shape=(None, 2)")


def test_trains_with_its_constants_as_variables(layer):
    model = tf.export.import_onnx(layer, trainable=True)
    assert {v.name.removesuffix(":0") for v in model.trainable_variables} == {"weights", "bias"}
    optimizer = keras.optimizers.SGD(0.5)

    @tf.function
    def step(x, y):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(model(x) - y))
        gradients = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables))
        return loss

    target = np.zeros((3, 2), np.float32)
    losses = [float(step(X, target)) for _ in range(200)]
    assert losses[-1] < 0.5 * losses[0]
    assert tf.export.import_onnx(layer).trainable_variables == ()


@needs("jit")
def test_compiles(layer):
    model = tf.export.import_onnx(layer)
    compiled = tf.function(model, jit_compile=True)
    np.testing.assert_allclose(compiled(X), WANTED, rtol=1e-6)


def test_is_saved_and_exported_again(layer, tmp_path):
    model = tf.export.import_onnx(layer, trainable=True)
    path = tmp_path / "again.onnx"
    tf.export.onnx(model, path, tf.TensorSpec([None, 2], tf.float32, "x"))
    again = tf.export.import_onnx(path)
    np.testing.assert_allclose(again(X), WANTED, rtol=1e-6)
    onnx_models.assert_same(onnx.load(path), [X], [WANTED.astype("float32")])


def both_ways(function, *arrays, path):
    specs = [tf.TensorSpec(np.shape(a), np.asarray(a).dtype, f"x{k}")
             for k, a in enumerate(arrays)]  # fmt: skip
    tf.export.onnx(function, path, *specs)
    model = tf.export.import_onnx(path)
    wanted = onnx_models.arrays_of(tf.function(function)(*map(tf.constant, arrays)))
    for run in (model, tf.function(model)):
        for actual, expected in zip(onnx_models.arrays_of(run(*arrays)), wanted, strict=True):
            np.testing.assert_allclose(actual, expected, rtol=1e-5, atol=1e-6)
            assert actual.dtype == expected.dtype


def test_what_was_exported_comes_back(tmp_path):
    def collatz(n):
        steps = 0
        while n != 1:
            n = n // 2 if n % 2 == 0 else 3 * n + 1
            steps += 1
        return steps

    path = tmp_path / "model.onnx"
    both_ways(collatz, np.int32(27), path=path)
    both_ways(lambda x: tf.map_fn(lambda r: r * tf.reduce_sum(r), x), X, path=path)
    both_ways(lambda x: (x[::-1, 1], tf.math.top_k(x, 1).indices, x // 0.7), X, path=path)

    @tf.function
    def squared(x):
        return x * x

    both_ways(lambda x: squared(squared(x)), X, path=path)


def test_a_network_of_keras_comes_back(tmp_path):
    model = keras.Sequential([
        keras.Input((6, 6, 2)), keras.layers.Conv2D(3, 3, padding="same", activation="relu"),
        keras.layers.MaxPooling2D(), keras.layers.BatchNormalization(), keras.layers.Flatten(),
        keras.layers.Dense(4, "softmax"),
    ])  # fmt: skip
    path = tmp_path / "model.onnx"
    model.export(path, format="onnx")
    x = np.cos(np.arange(144)).reshape(2, 6, 6, 2).astype("float32")
    np.testing.assert_allclose(tf.export.import_onnx(path)(x), model(x), rtol=1e-5, atol=1e-6)


def test_a_value_that_decides_about_shapes_is_taken_eagerly(tmp_path):
    nodes = [helper.make_node("ReduceSum", ["x", "axes"], ["y"], keepdims=0)]
    path = model_of(nodes, [("x", FLOAT, [3, 2]), ("axes", INT64, [1])], ["y"],
                    path=tmp_path / "m.onnx")
    model = tf.export.import_onnx(path)
    np.testing.assert_allclose(model(X, [1]), X.sum(1))
    np.testing.assert_allclose(model(X, [0]), X.sum(0))
    with pytest.raises(UnimplementedError, match="the axes has to be known before the run"):
        tf.function(model)(X, tf.constant([1], tf.int64))


# -- errors ---------------------------------------------------------------------------------------


def test_wrong_arguments(layer):
    model = tf.export.import_onnx(layer)
    with pytest.raises(TypeError, match="misses its input 'x'"):
        model()
    with pytest.raises(TypeError, match="takes 1 inputs"):
        model(X, X)
    with pytest.raises(TypeError, match="no input 'y' left"):
        model(X, y=X)
    with pytest.raises(ValueError, match=r"'x' has the shape \(None, 2\), and the argument \(3, 1"):
        model(X[:, :1])


def test_files_that_are_no_models(tmp_path):
    path = tmp_path / "model.onnx"
    with pytest.raises(NotFoundError):
        tf.export.import_onnx(path)
    for data in (b"", b"no model", bytes(range(256)) * 4):
        path.write_bytes(data)
        with pytest.raises(DataLossError, match="it is no ONNX model"):
            tf.export.import_onnx(path)


def test_operators_that_are_not_known_are_named(tmp_path):
    nodes = [helper.make_node("GridSample", ["x", "x"], ["y"], name="sampled")]
    path = model_of(nodes, [("x", FLOAT, [1, 1, 2, 2])], ["y"], path=tmp_path / "m.onnx")
    text = r"the node 'sampled' \(GridSample, version 21\) is an operator that is not known here"
    with pytest.raises(UnimplementedError, match=text):
        tf.export.import_onnx(path)


def test_tensors_in_other_files_are_not_read(tmp_path):
    secret = tmp_path / "secret"
    secret.write_bytes(np.ones(2, np.float32).tobytes())
    tensor = onnx.TensorProto(name="w", data_type=FLOAT, dims=[2], data_location=1)
    tensor.external_data.add(key="location", value="secret")
    nodes = [helper.make_node("Add", ["x", "w"], ["y"])]
    path = model_of(nodes, [("x", FLOAT, [2])], ["y"], path=tmp_path / "m.onnx")
    model = onnx.load(path)
    model.graph.initializer.append(tensor)
    path.write_bytes(model.SerializeToString())
    with pytest.raises(UnimplementedError, match="'w' is kept in another file"):
        tf.export.import_onnx(path)
