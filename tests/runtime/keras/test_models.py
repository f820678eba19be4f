"""Layers and models: weights, modes, the functional API, Sequential, subclasses, their errors."""

from __future__ import annotations

import copy
import gc
import weakref

import numpy as np
import pytest

import runtime as tf
from runtime import keras
from runtime.engine.llvm.engine import is_available
from runtime.keras import layers

X = np.arange(12, dtype=np.float32).reshape(3, 4) / 10


class Doubling(keras.Model):
    """Model with layers in a list, and control flow on tensors."""

    def __init__(self):
        super().__init__()
        self.parts = [layers.Dense(3), layers.Dense(2)]
        self.calls = tf.Variable(0, trainable=False)

    def call(self, x, training=False):
        for part in self.parts:
            x = part(x)
        if tf.reduce_sum(x) > 0:
            x = x * 2
        if training:
            x = x + 100
        return x


def everywhere(model, *args, **kwargs):
    """Return what a model gives, which is the same eagerly, in functions and in sessions."""
    wanted = model(*args, **kwargs).numpy()
    for jit in (False, True) if is_available() else (False,):
        found = tf.function(lambda *a: model(*a, **kwargs), jit_compile=jit)(*args)
        np.testing.assert_allclose(found, wanted, rtol=1e-5, atol=1e-6)
    return wanted


def test_weights_come_in_keras_order_with_names():
    model = Doubling()
    model(X)
    assert [v.name for v in model.weights] == ["Variable:0", *["kernel", "bias"] * 2]
    assert [v.path for v in model.weights] == [
        "Variable",
        *[f"{model.name}/{part.name}/{n}" for part in model.parts for n in ("kernel", "bias")],
    ]
    assert copy.deepcopy(model).weights[1].path == model.weights[1].path
    assert len(model.trainable_weights) == 4 and len(model.non_trainable_weights) == 1
    assert model.count_params() == 4 * 3 + 3 + 3 * 2 + 2 + 1
    model.parts[0].trainable = False
    assert [v.name for v in model.trainable_variables] == [
        v.name for v in model.parts[1].weights
    ]


def test_a_subclass_is_staged_and_knows_training():
    model = Doubling()
    plain = everywhere(model, tf.constant(X))
    trained = everywhere(model, tf.constant(X), training=True)
    np.testing.assert_allclose(trained, plain + 100, rtol=1e-5)


def test_the_functional_api_takes_operations_and_several_inputs():
    a, b = keras.Input((4,), name="a"), keras.Input((2,), name="b")
    shared = layers.Dense(2)
    join = layers.Concatenate()
    joined = join([shared(a) * 2 + b, tf.nn.relu(b)])
    model = keras.Model({"a": a, "b": b}, [joined, shared(a)])
    assert {layer.name for layer in model.layers} == {"a", "b", shared.name, join.name}
    assert model.output_shape == [(None, 4), (None, 2)]
    given = {"a": tf.constant(X), "b": tf.constant(X[:, :2])}
    first, second = model(given)
    np.testing.assert_allclose(first[:, :2], second * 2 + X[:, :2], rtol=1e-6)
    again = tf.function(model)(given)
    np.testing.assert_allclose(again[0], first, rtol=1e-6)
    inner = keras.Model(a, model([a, shared(a)])[0])
    assert inner(X).shape == (3, 4) and len(inner.trainable_weights) == 2


def test_sequential_builds_with_an_input_or_when_called():
    known = keras.Sequential([keras.Input((4,)), layers.Dense(3, "tanh"), layers.Dense(2)])
    late = keras.Sequential([layers.Dense(3, "tanh"), layers.Dense(2)])
    assert known.built and not late.built
    with pytest.raises(ValueError, match="has no weights yet"):
        late.count_params()
    late(X)
    late.set_weights(known.get_weights())
    np.testing.assert_array_equal(everywhere(known, tf.constant(X)), late(X))
    old = keras.Sequential([layers.Dense(3, input_shape=(4,)), layers.Dense(2)])
    assert old.output_shape == (None, 2) and late.output_shape == (None, 2)
    late.pop()
    assert late(X).shape == (3, 3)


def test_configurations_make_equal_layers_and_models():
    model = keras.Sequential([keras.Input((4,)), layers.Dense(3, "relu"), layers.Dropout(0.5)])
    copy = keras.Sequential.from_config(model.get_config())
    copy.set_weights(model.get_weights())
    np.testing.assert_array_equal(copy(X), model(X))

    class Scaled(layers.Layer):
        def __init__(self, by, shift=0, **kwargs):
            super().__init__(**kwargs)
            self.by, self.shift = by, shift

        def call(self, x):
            return x * self.by + self.shift

    layer = Scaled(3, shift=1, name="scaled")
    assert layer.get_config() == {
        "by": 3, "shift": 1, "name": "scaled", "trainable": True, "dtype": "float32",
    }  # fmt: skip
    np.testing.assert_array_equal(Scaled.from_config(layer.get_config())(X), layer(X))
    with pytest.raises(NotImplementedError, match="its argument 'by' is a function"):
        Scaled(lambda x: x).get_config()


def test_losses_are_those_of_the_last_call():
    class Watched(layers.Layer):
        def __init__(self):
            super().__init__()
            self.inner = layers.Dense(2, kernel_regularizer="l2", activity_regularizer="l1")

        def call(self, x):
            self.add_loss(tf.reduce_sum(x))
            return self.inner(x)

    layer = Watched()
    for _ in range(2):
        output = layer(X)
    total, activity, weights = layer.losses
    np.testing.assert_allclose(total, X.sum(), rtol=1e-6)
    wanted = 0.01 * abs(output.numpy()).sum() / len(X)  # a sample's share, as in Keras
    np.testing.assert_allclose(activity, wanted, rtol=1e-6)
    np.testing.assert_allclose(weights, 0.01 * (layer.inner.kernel.numpy() ** 2).sum(), rtol=1e-6)


class Squares(layers.Layer):
    def call(self, x, training=None):
        if training:
            self.add_loss(tf.reduce_mean(tf.square(x)))
        return x


@pytest.mark.parametrize("jit", [False, True] if is_available() else [False])
def test_losses_that_layers_of_functional_models_add(jit):
    inputs = keras.Input((4,))
    squares = Squares()
    outputs = layers.Dense(1, activity_regularizer="l2")(squares(inputs, training=True))
    model = keras.Model(inputs, outputs)
    assert model.losses == []
    model.compile("sgd", "mse", jit_compile=jit)
    y = np.zeros((len(X), 1), np.float32)
    output = model(X).numpy()
    expected = np.mean(output**2) + np.mean(X**2) + 0.01 * np.sum(output**2) / len(X)
    squares(X, training=True)  # a call apart from the model: its loss is none of the model's
    (loss,) = model.fit(X, y, verbose=0, shuffle=False).history["loss"]
    np.testing.assert_allclose(loss, expected, rtol=1e-5)


def test_losses_are_forgotten_by_calls_that_add_none():
    inner = Squares()
    model = keras.Sequential([keras.Input((4,)), inner])
    inner(X, training=True)
    assert len(inner.losses) == 1
    model(X)
    assert inner.losses == model.losses == []
    model.compute_output_spec(keras.Input((4,)), training=True)
    assert model.losses == []


def test_masks_go_from_layer_to_layer():
    ids = np.array([[1, 2, 0], [3, 0, 0]])
    embedding, recurrent = layers.Embedding(5, 4, mask_zero=True), layers.LSTM(3)
    found = recurrent(embedding(ids))
    np.testing.assert_allclose(found[1], recurrent(embedding(ids[1:, :1]))[0], rtol=1e-5, atol=1e-6)
    inputs = keras.Input((None,), dtype="int32")
    model = keras.Model(inputs, recurrent(embedding(inputs)))
    np.testing.assert_allclose(model(ids), found, rtol=1e-6)


def test_masks_reach_the_arguments_that_are_named_after_the_masked_ones():
    ids = np.array([[1, 2, 0], [3, 0, 0]])
    query, value = layers.Embedding(5, 4, mask_zero=True), layers.Embedding(5, 4, mask_zero=True)
    attention = layers.MultiHeadAttention(2, 3)
    masked = attention(query(ids), value(ids))
    kept = ids != 0
    plain = attention(query(ids).numpy(), value(ids).numpy(),
                      attention_mask=kept[:, :, None] & kept[:, None, :])  # fmt: skip
    np.testing.assert_allclose(masked, plain, rtol=1e-5, atol=1e-6)
    given = layers.GlobalAveragePooling1D()(query(ids), None)
    np.testing.assert_allclose(given[1], query(ids)[1, 0], rtol=1e-6)
    assert layers.GlobalAveragePooling1D()(ids[..., None]).numpy().tolist() == [[1.0], [1.0]]
    halves = layers.GlobalAveragePooling1D()(np.array([[[1], [2]]]))
    np.testing.assert_array_equal(halves, [[1.5]])
    whole = layers.Masking()(ids[..., None])
    np.testing.assert_array_equal(keras.layers.Add()([whole, whole]), ids[..., None] * 2)


def test_training_given_by_position_reaches_the_layers_inside():
    model = Doubling()
    np.testing.assert_allclose(model(X, True), model(X, training=True))
    normal = layers.BatchNormalization(momentum=0.5)
    outer = keras.Sequential([normal])
    outer(X, True)
    np.testing.assert_allclose(normal.moving_mean, X.mean(0) / 2, rtol=1e-6)


def test_normalizations_know_their_axes_from_the_end():
    for layer in layers.LayerNormalization(), layers.RMSNormalization():
        layer.build((2, 2, 4))
        large = np.random.default_rng(1).normal(size=(2, 3, 2, 4)).astype("float32")
        np.testing.assert_allclose(layer(large)[0], layer(large[0]), rtol=1e-5, atol=1e-6)
        assert layer.get_config()["axis"] == [-1]
    with pytest.raises(ValueError, match="it must be a positive int"):
        layers.GroupNormalization(0)


def test_errors_name_the_layer_and_the_remedy():
    dense = layers.Dense(3, name="first")
    dense(X)
    with pytest.raises(ValueError, match="Input 0 of layer 'first' is incompatible"):
        dense(X[:, :2])
    with pytest.raises(ValueError, match="arguments passed to Dense: .*'unitz'"):
        layers.Dense(3, unitz=4)
    with pytest.raises(ValueError, match="positive integer"):
        layers.Dense(-1)
    with pytest.raises(ValueError, match="list of length 1, but the layer was expecting 2"):
        dense.set_weights([X])
    before = dense.get_weights()
    with pytest.raises(ValueError, match="is not compatible"):
        dense.set_weights([before[0] * 2, np.zeros(7)])
    np.testing.assert_array_equal(dense.get_weights()[0], before[0])
    a, b = keras.Input((4,)), keras.Input((4,))
    with pytest.raises(ValueError, match="which is no input of the model"):
        keras.Model(a, layers.Add()([a, b]))
    with pytest.raises(AttributeError, match="no functional model"):
        Doubling().outputs  # noqa: B018


def test_models_are_collected_with_their_graph():
    keras.utils.clear_session()  # models of other tests may keep the graph that they share
    inputs = keras.Input((4,))
    model = keras.Model(inputs, layers.Dense(2)(inputs) + 1)
    gone = weakref.ref(inputs.op.graph)
    model(X)
    del inputs, model
    gc.collect()
    assert gone() is None


def test_layers_of_functional_models_have_inputs_and_outputs():
    inputs = keras.Input((4,))
    first, second = layers.Dense(3, "relu"), layers.Dense(2)
    model = keras.Model(inputs, second(first(inputs)))
    assert first.input is inputs and second.input is first.output
    features = keras.Model(model.input, [layer.output for layer in model.layers])
    assert [f.shape.as_list() for f in features(X)] == [[len(X), n] for n in (4, 3, 2)]
    np.testing.assert_array_equal(features(X)[2], model(X))
    joined = layers.Concatenate()
    joined([first.output, inputs])
    assert joined.input[0] is first.output and joined.input[1] is inputs
    with pytest.raises(AttributeError, match="has never been called with a tensor of Input"):
        layers.Dense(2).output  # noqa: B018


def test_a_layer_whose_init_calls_no_super_says_so():
    class Careless(layers.Layer):
        def __init__(self):
            self.factor = 2.0

        def call(self, x):
            return x * self.factor

    with pytest.raises(RuntimeError, match=r"'Careless', you forgot to call `super\(\).__init__"):
        Careless()(X)


def test_states_that_are_kept_are_variables_but_no_weights():
    model = keras.Sequential([keras.Input(batch_shape=(2, 3, 4)), layers.LSTM(2, stateful=True)])
    (layer,) = model.layers
    assert len(model.weights) == 3 and len(layer.variables) == 5
    assert len(model.non_trainable_variables) == 2 and model.non_trainable_weights == []
    steps = np.ones((2, 3, 4), np.float32)
    first, second = model(steps).numpy(), model(steps).numpy()
    assert abs(first - second).max() > 1e-4
    with pytest.raises(ValueError, match="batch size of all of them must be 2"):
        layer(steps[:1])
