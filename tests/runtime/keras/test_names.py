"""Paths of weights and names in files, as Keras 3.15 gives them (recorded from it)."""

from __future__ import annotations

import numpy as np
import pytest

from runtime import keras
from runtime.keras import layers


def _paths(weighted):
    return [variable.path for variable in weighted.weights]


@pytest.fixture(autouse=True)
def _first_names():
    keras.utils.clear_session()


def test_paths_begin_with_what_made_the_weights():
    inner = keras.Sequential([keras.Input((4,)), layers.Dense(3)], name="inner")
    x = keras.Input((4,))
    model = keras.Model(x, layers.Dense(1, name="top")(inner(x)))
    assert _paths(model) == ["inner/dense/kernel", "inner/dense/bias", "top/kernel", "top/bias"]
    assert inner.layers[0].path == "inner/dense"


def test_paths_of_recurrent_layers_have_the_cells():
    model = keras.Sequential([
        keras.Input((5, 3)), layers.Bidirectional(layers.LSTM(2, return_sequences=True)),
        layers.RNN([layers.LSTMCell(2), layers.GRUCell(3)]),
    ])  # fmt: skip
    paths = _paths(model)
    assert paths[0] == "sequential/bidirectional/forward_lstm/lstm_cell/kernel"
    assert paths[3] == "sequential/bidirectional/backward_lstm/lstm_cell/kernel"
    assert paths[6] == "sequential/rnn/stacked_rnn_cells/lstm_cell/kernel"
    assert paths[9] == "sequential/rnn/stacked_rnn_cells/gru_cell/kernel"
    assert layers.ConvLSTM1D(1, 1).name == "conv_lstm1d"


def test_paths_of_layers_inside_of_layers_and_of_scopes():
    class Mine(layers.Layer):
        def __init__(self):
            super().__init__()
            self.inside = [layers.Dense(2), keras.Sequential([layers.LayerNormalization()])]

        def build(self, shape):
            self.scale = self.add_weight(shape=(), name="scale")

        def call(self, x):
            return self.inside[1](self.inside[0](x)) * self.scale

    with keras.name_scope("outer"):
        mine = Mine()
        mine(np.zeros((1, 3), "float32"))
    assert _paths(mine) == [
        "outer/mine/scale", "outer/mine/dense/kernel", "outer/mine/dense/bias",
        "outer/mine/sequential/layer_normalization/gamma",
        "outer/mine/sequential/layer_normalization/beta",
    ]  # fmt: skip
    attention = layers.GroupQueryAttention(4, 4, 2, name="att")
    attention.build((None, 4, 8), (None, 4, 8))
    assert _paths(attention)[0] == "att/query/kernel"
    for name in ("a/b", 3):
        with pytest.raises(ValueError, match="cannot contain character `/`"):
            layers.Dense(2, name=name)


def test_optimizers_name_their_state_after_the_whole_path():
    model = keras.Sequential([keras.Input((3,)), layers.Dense(2, name="d")], name="seq")
    optimizer = keras.optimizers.SGD(momentum=0.9)
    optimizer.build(model.trainable_variables)
    assert [v.name for v in optimizer.variables][2:] == [
        "seq_d_kernel_momentum", "seq_d_bias_momentum"
    ]
    factored = keras.optimizers.Adafactor()
    factored.build(model.trainable_variables)
    assert [(v.name, tuple(v.shape)) for v in factored.variables][2:] == [
        ("kernel", (3,)), ("kernel", (2,)), ("seq_d_kernel_velocity", (3, 2)),
        ("bias", ()), ("bias", ()), ("seq_d_bias_velocity", (2,)),
    ]  # fmt: skip


def test_layers_of_one_model_have_unique_names():
    x = keras.Input((4,))
    with pytest.raises(ValueError, match='The name "a" is used 2 times in the model'):
        keras.Model(x, layers.Dense(1, name="a")(layers.Dense(2, name="a")(x)))


@pytest.mark.parametrize(
    "layer", [layers.ReLU(), layers.Dropout(0.5), layers.MaxPooling2D(), layers.Activation("relu")]
)
def test_layers_without_weights_are_built_from_the_start(layer):
    assert layer.built and not layers.PReLU().built


def test_arguments_that_keras_refuses_are_refused():
    model = keras.Sequential([keras.Input((2,)), layers.Dense(1)])
    for metrics in (2, "mae"):
        with pytest.raises(ValueError, match="`metrics` argument to be a list, tuple, or dict"):
            model.compile("sgd", "mse", metrics=metrics)
    for make in (
        lambda: keras.optimizers.SGD(-1), lambda: keras.metrics.MeanIoU(0),
        lambda: keras.callbacks.ModelCheckpoint("a.txt"),
        lambda: keras.callbacks.ModelCheckpoint("a.keras", save_weights_only=True),
        lambda: layers.Dropout(0.5, seed="x"), lambda: keras.Sequential([np.abs]),
    ):  # fmt: skip
        with pytest.raises(ValueError):
            make()
    with pytest.warns(UserWarning, match="mode 'x' is unknown, fallback to auto"):
        keras.callbacks.EarlyStopping(mode="x")
