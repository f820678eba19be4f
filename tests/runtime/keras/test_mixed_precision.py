"""Mixed precision: policies, what layers compute by them, loss scaling, devices and replicas."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest

import runtime as tf
from runtime import keras
from runtime.engine.device_registry import REGISTRY
from runtime.keras import layers, mixed_precision
from runtime.types import flags, nest
from tests.runtime.keras.layer_cases import CASES
from tests.runtime.keras.layer_golden import made
from tests.support.extras import needs
from tests.support.nightly import NIGHTLY

HALVES = {"mixed_float16": tf.float16, "mixed_bfloat16": tf.bfloat16}
OF_INTS = {
    "CategoryEncoding", "Discretization", "HashedCrossing", "Hashing", "IntegerLookup",
    "StringLookup", "TextVectorization",
}  # fmt: skip
"""Layers whose results are not in the dtype that they compute in."""
FIRST = {case.kind: name for name, case in reversed(CASES.items())}


@pytest.fixture(autouse=True)
def float32_afterwards():
    yield
    mixed_precision.set_global_policy(None)


@pytest.fixture
def four_gpus(monkeypatch):
    """Four virtual GPUs."""
    monkeypatch.setattr(REGISTRY, "_devices", None)
    with flags.VIRTUAL_GPUS(4):
        yield


def test_policies():
    policy = mixed_precision.Policy("mixed_float16")
    assert (policy.name, policy.variable_dtype, policy.compute_dtype) == (
        "mixed_float16", "float32", "float16",
    )  # fmt: skip
    assert repr(policy) == '<DTypePolicy "mixed_float16">'
    assert policy == keras.DTypePolicy("mixed_float16") != keras.DTypePolicy("float16")
    config = keras.dtype_policies.serialize(policy)
    assert keras.dtype_policies.deserialize(config) == policy == copy.deepcopy(policy)
    assert keras.DTypePolicy("float64").variable_dtype == "float64"
    assert mixed_precision.global_policy().name == keras.config.floatx() == "float32"
    mixed_precision.set_global_policy("mixed_bfloat16")
    assert keras.config.dtype_policy().name == "mixed_bfloat16"
    assert layers.Dense(1).dtype_policy.name == "mixed_bfloat16"
    assert layers.Dense(1, dtype="float32").compute_dtype == "float32"
    with pytest.raises(ValueError, match="Cannot convert 'mixed_float8' to a mixed precision DTyp"):
        keras.config.set_dtype_policy("mixed_float8")
    with pytest.raises(TypeError, match="'name' must be a string"):
        keras.DTypePolicy(3)


@pytest.mark.parametrize("policy", HALVES)
def test_a_layer_computes_in_half_precision(policy):
    half = HALVES[policy]
    seen = []

    class Doubled(layers.Dense):
        def call(self, x):
            seen.append((x.dtype, self.kernel.dtype, (self.kernel * 1).dtype))
            return super().call(x) * 2

    layer = Doubled(3, dtype=policy)
    x = np.random.default_rng(0).normal(size=(4, 5)).astype("float32")
    outputs = layer(x)
    assert seen == [(half, half, half)] and outputs.dtype is half
    assert layer.kernel.dtype is tf.float32 and layer.dtype == layer.variable_dtype == "float32"
    kind = half.as_numpy_dtype
    product = x.astype(kind).astype("float32") @ layer.kernel.numpy().astype(kind).astype("float32")
    np.testing.assert_array_equal(outputs.numpy(), product.astype(kind) * kind(2))
    again = Doubled.from_config(layer.get_config())
    assert again.dtype_policy == layer.dtype_policy and layer.get_config()["dtype"] == policy
    weight = pickle.loads(pickle.dumps(layer.kernel))
    assert weight.autocast


def test_weights_change_in_their_own_dtype():
    class Counting(layers.Layer):
        def build(self, shape):
            self.total = self.add_weight((), "zeros", trainable=False)

        def call(self, x):
            self.total.assign_add(tf.reduce_sum(x))
            self.total.assign(self.total + 1.0)
            return x

    layer = Counting(dtype="mixed_float16")
    for run in layer, tf.function(layer):
        run(tf.ones([3]))
    assert layer.total.dtype is tf.float32 and layer.total.numpy() == 8.0


@pytest.mark.parametrize(
    ("name", "policy"),
    [pytest.param(name, policy, marks=() if name == FIRST[case.kind] and policy == "mixed_bfloat16"
                  else NIGHTLY) for name, case in CASES.items() for policy in HALVES],
)  # fmt: skip
def test_each_layer_takes_a_mixed_policy(name, policy):
    case = CASES[name]
    layer, arrays = made(keras, case)
    expected = layer(arrays, **case.call)
    mixed_precision.set_global_policy(policy)
    mixed, arrays = made(keras, case)
    outputs = mixed(arrays, **case.call)
    if not case.call.get("training"):
        mixed.set_weights(layer.get_weights())
        outputs = mixed(arrays, **case.call)
    for ours, wanted in zip(nest.flatten(outputs), nest.flatten(expected), strict=True):
        if not wanted.dtype.is_floating or case.kind in OF_INTS:
            continue
        assert ours.dtype is HALVES[policy]
        if not case.call.get("training"):
            width = 2e-2 if policy == "mixed_float16" else 1e-1
            np.testing.assert_allclose(
                ours.numpy().astype("float32"), wanted, rtol=width, atol=width
            )
    for weight, of_float in zip(mixed.weights, layer.weights, strict=True):
        assert weight.dtype is of_float.dtype


@pytest.mark.parametrize("way", [lambda f: f, tf.function], ids=["eager", "graph"])
def test_loss_scaling(way):
    variable = tf.Variable([1.0, 2.0])
    optimizer = mixed_precision.LossScaleOptimizer(
        keras.optimizers.SGD(0.5), initial_scale=4.0, dynamic_growth_steps=2
    )
    optimizer.build([variable])
    step = way(lambda scale: optimizer.apply([scale * tf.constant([4.0, 8.0])], [variable]))
    assert float(optimizer.scale_loss(3.0)) == 12.0

    def state():
        return (
            variable.numpy().tolist(), float(optimizer.dynamic_scale), int(optimizer.iterations),
        )  # fmt: skip

    step(tf.constant(1.0))  # gradients of 1 and 2
    assert state() == ([0.5, 1.0], 4.0, 1)
    step(tf.constant(float("inf")))
    assert state() == ([0.5, 1.0], 2.0, 1)
    for _ in range(2):
        step(tf.constant(0.0))
    assert state() == ([0.5, 1.0], 4.0, 3)
    step(tf.constant(float("nan")))
    assert state() == ([0.5, 1.0], 2.0, 3)
    assert float(optimizer.learning_rate) == 0.5
    optimizer.learning_rate = 0.25
    assert float(optimizer.inner_optimizer.learning_rate) == 0.25
    config = optimizer.get_config()
    again = mixed_precision.LossScaleOptimizer.from_config(config)
    assert isinstance(again.inner_optimizer, keras.optimizers.SGD) and again.get_config() == config
    with pytest.raises(ValueError, match="takes the optimizer that applies gradients. Received: i"):
        mixed_precision.LossScaleOptimizer("sgd")


def test_small_gradients_survive():
    """The square of a gradient of 1e-4 is zero in float16, and so is it over a large batch."""
    losses = {}
    for scales in True, False:
        layer = layers.Dense(1, kernel_initializer="ones", use_bias=False, dtype="mixed_float16")
        model = keras.Sequential([keras.Input((1,)), layer])
        model.dtype_policy = "mixed_float16"
        model.compile(keras.optimizers.SGD(1e4), auto_scale_loss=scales, loss=lambda y, p: 1e-8 * p)
        model.fit(np.ones((8, 1), "float32"), np.ones((8, 1)), batch_size=8, verbose=0)
        losses[scales] = layer.kernel.numpy().item()
        is_scaled = isinstance(model.optimizer, mixed_precision.LossScaleOptimizer)
        assert is_scaled is scales
    assert losses[False] == 1.0 and losses[True] == pytest.approx(1.0 - 1e-4, abs=2e-6)


def network(policy):
    mixed_precision.set_global_policy(policy)
    keras.utils.set_random_seed(0)
    model = keras.Sequential([
        keras.Input((8, 8, 2)), layers.Conv2D(4, 3), layers.BatchNormalization(synchronized=True),
        layers.ReLU(), layers.Flatten(), layers.Dense(2, dtype="float32"),
    ])  # fmt: skip
    loss = keras.losses.SparseCategoricalCrossentropy(from_logits=True)
    model.compile(keras.optimizers.Adam(0.01), loss)
    return model


X = np.random.default_rng(0).normal(size=(64, 8, 8, 2)).astype("float32")
Y = (X.mean((1, 2, 3)) > 0).astype("int32")


def trained(policy):
    model = network(policy)
    return model, model.fit(X, Y, batch_size=16, epochs=3, shuffle=False, verbose=0).history["loss"]


@pytest.mark.parametrize("policy", HALVES)
def test_a_model_is_trained_and_saved(policy, tmp_path):
    _, expected = trained("float32")
    model, losses = trained(policy)
    np.testing.assert_allclose(losses, expected, rtol=0.05)
    assert losses[-1] < losses[0]
    path = tmp_path / "model.keras"
    pytest.importorskip("h5py")
    model.save(path)
    mixed_precision.set_global_policy(None)
    again = keras.models.load_model(path)
    assert [layer.dtype_policy for layer in again.layers] == [
        layer.dtype_policy for layer in model.layers
    ]
    np.testing.assert_array_equal(
        again.predict(X[:4], verbose=0), model.predict(X[:4], verbose=0)
    )


@needs("xla")
@pytest.mark.usefixtures("four_gpus")
@pytest.mark.nightly
@pytest.mark.parametrize("policy", ["mixed_float16", "mixed_bfloat16"])
def test_devices_and_replicas(policy):
    _, expected = trained(policy)
    with tf.device("/gpu:0"):
        on_gpu, losses = trained(policy)
    np.testing.assert_allclose(losses, expected, rtol=0.02)
    assert on_gpu.layers[0].kernel.device.endswith("GPU:0")
    with tf.distribute.MirroredStrategy().scope():
        model = network(policy)
    losses = model.fit(X, Y, batch_size=16, epochs=3, shuffle=False, verbose=0).history["loss"]
    np.testing.assert_allclose(losses, expected, rtol=0.02)
    assert "last run" not in model._functions["train 16"]._run.explain()
