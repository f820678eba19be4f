"""Models for files, in the one library or the other: ``python -m ... save|load FOLDER``.

With ``LIBRARY=keras`` in the environment it runs on Keras itself.  ``save`` trains each model for
two steps, writes it, its outputs, and those after a third step; ``load`` reads the model and
compares, so that the state of the optimizer counts, too.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

import numpy as np

if os.environ.get("LIBRARY") == "keras":
    import keras
else:
    from runtime import keras

layers = keras.layers


@keras.saving.register_keras_serializable("kept")
class Sub(keras.Model):
    """A subclassed model."""

    def __init__(self, size=3, **kwargs):
        super().__init__(**kwargs)
        self.size = size
        self.first, self.more = layers.Dense(size), [layers.Dense(size, "tanh"), layers.Dense(1)]

    def call(self, x, training=None):
        x = self.first(x)
        for layer in self.more:
            x = layer(x)
        return x

    def get_config(self):
        return {**super().get_config(), "size": self.size}


def sequential(shape, *parts):
    return keras.Sequential([keras.Input(shape), *parts, layers.Dense(1)])


def models():
    """Yield models by name with their optimizer and the shape of their inputs."""
    yield "dense", sequential((4,), layers.Dense(3, "relu"), layers.PReLU()), "adam", (4,)
    convolution = sequential(
        (8, 8, 3), layers.Conv2D(4, 3, padding="same"), layers.BatchNormalization(),
        layers.MaxPooling2D(), layers.DepthwiseConv2D(3), layers.Conv2DTranspose(2, 2),
        layers.SeparableConv2D(2, 2), layers.GlobalAveragePooling2D(),
    )  # fmt: skip
    momentum = keras.optimizers.SGD(0.01, momentum=0.9)
    yield "convolution", convolution, momentum, (8, 8, 3)
    recurrent = sequential(
        (6, 4), layers.LSTM(3, return_sequences=True),
        layers.Bidirectional(layers.GRU(2, return_sequences=True)), layers.SimpleRNN(3),
    )  # fmt: skip
    yield "recurrent", recurrent, "rmsprop", (6, 4)
    inputs = keras.Input((6,), dtype="int32")
    x = layers.Embedding(10, 4, mask_zero=True)(inputs)
    x = layers.LayerNormalization()(layers.MultiHeadAttention(2, 3)(x, x))
    x = layers.Dense(1)(layers.GlobalAveragePooling1D()(x))
    yield "attention", keras.Model(inputs, x), "sgd", (6,)
    inputs, again = keras.Input((4,)), keras.Input((4,))
    inner = keras.Model(again, layers.Dense(2)(layers.Activation("tanh")(again)))
    x = inner(inputs)
    yield "nested", keras.Model(inputs, layers.Dense(1)(x)), "adagrad", (4,)
    inputs = keras.Input((4,))
    x = layers.Dense(4)(inputs)
    x = keras.ops.mean(layers.Concatenate()([x + inputs * 2.0, 1 - x]), axis=-1, keepdims=True)
    yield "operations", keras.Model(inputs, x), "adadelta", (4,)
    yield "subclassed", Sub(3), "ftrl", (4,)


def steps(model, shape, count):
    """Train for some steps; return the outputs."""
    draw = np.random.default_rng(0)
    is_integer = shape == (6,)
    x = draw.integers(0, 10, (5, *shape)) if is_integer else draw.normal(size=(5, *shape))
    x = x.astype("int32" if is_integer else "float32")
    for _ in range(count):
        model.train_on_batch(x, np.ones((5, 1), "float32"))
    return np.asarray(model.predict(x, verbose=0))


def save(folder):
    for name, model, optimizer, shape in models():
        model.compile(optimizer, "mse", metrics=["mae"])
        before = steps(model, shape, 2)
        model.save(folder / f"{name}.keras")
        np.savez(folder / f"{name}.npz", before=before, after=steps(model, shape, 1))


def load(folder):
    for name, *_, shape in models():
        model = keras.models.load_model(folder / f"{name}.keras")
        wanted = np.load(folder / f"{name}.npz")
        close = {"rtol": 1e-4, "atol": 1e-5, "err_msg": name}
        np.testing.assert_allclose(steps(model, shape, 0), wanted["before"], **close)
        np.testing.assert_allclose(steps(model, shape, 1), wanted["after"], **close)


if __name__ == "__main__":
    {"save": save, "load": load}[sys.argv[1]](Path(sys.argv[2]))
