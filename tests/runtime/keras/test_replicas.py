"""Keras in the scope of ``MirroredStrategy``: four replicas train as one does."""

from __future__ import annotations

import contextlib

import numpy as np
import pytest

import runtime as tf
from runtime import keras
from runtime.engine.device_registry import REGISTRY
from runtime.keras import layers
from runtime.types import flags
from tests.support.extras import needs
from tests.support.nightly import NIGHTLY, always

pytestmark = needs("xla")

SHAPES = {"dense": (8,), "convolution": (6, 6, 2), "LSTM": (5, 4), "dropout": (8,), "rows": ()}
NORMAL = np.random.default_rng(0).normal


@pytest.fixture
def strategy(monkeypatch):
    """Strategy of four virtual GPUs."""
    monkeypatch.setattr(REGISTRY, "_devices", None)
    with flags.VIRTUAL_GPUS(4):
        yield tf.distribute.MirroredStrategy()


def model_of(kind):
    keras.utils.set_random_seed(1)
    inside = {
        "dense": [layers.Dense(16, "relu")],
        "convolution": [
            layers.Conv2D(4, 3, padding="same"), layers.BatchNormalization(synchronized=True),
            layers.ReLU(), layers.Flatten(),
        ],
        "LSTM": [layers.LSTM(6)],
        "dropout": [layers.Dense(16, "relu"), layers.Dropout(0.5)],
        "rows": [layers.Embedding(20, 4)],
    }[kind]  # fmt: skip
    return keras.Sequential([keras.Input(SHAPES[kind]), *inside, layers.Dense(3)])


def samples(kind, count):
    shape = (count, *SHAPES[kind])
    x = np.arange(count) % 20 if kind == "rows" else NORMAL(size=shape).astype("float32")
    return x, np.arange(count) * 7 % 3


def trained(strategy, kind, epochs=5, count=160, **options):
    """Train 10 steps an epoch; return the model and its history."""
    with contextlib.nullcontext() if strategy is None else strategy.scope():
        model = model_of(kind)
        loss = keras.losses.SparseCategoricalCrossentropy(from_logits=True)
        optimizer = keras.optimizers.SGD(0.05, momentum=0.9)
        model.compile(optimizer, loss, metrics=["accuracy"], **options)
    x, y = SAMPLES[kind]
    x, y = x[:count], y[:count]
    history = model.fit(x, y, batch_size=16, epochs=epochs, shuffle=False, verbose=0).history
    return model, history


SAMPLES = {kind: samples(kind, 160) for kind in SHAPES}


def assert_alike(strategy, kind, **options):
    (one, history), (several, of_several) = (
        trained(None, kind, **options), trained(strategy, kind, **options)
    )  # fmt: skip
    for ours, theirs in zip(several.get_weights(), one.get_weights(), strict=True):
        np.testing.assert_allclose(ours, theirs, rtol=1e-6, atol=1e-6)
    assert history.keys() == of_several.keys()
    for name in history:
        np.testing.assert_allclose(of_several[name], history[name], rtol=1e-6, atol=1e-6)
    return one, several


@pytest.mark.parametrize(
    "kind", always(["dense"], ["dense", "convolution", "LSTM", "dropout"])
)
def test_four_replicas_are_as_one(strategy, kind):
    """Fifty steps, the epochs of which are one call each where nothing is drawn."""
    one, several = assert_alike(strategy, kind)
    functions = several._functions
    names = {"train_step"} if kind == "dropout" else {"train_step", "train 16"}
    assert functions.keys() == names
    for function in functions.values():
        explained = getattr(function, "_run", function).explain()
        assert "engine: xla: on" in explained and "last run" not in explained


def test_evaluation_and_prediction(strategy):
    one, several = assert_alike(strategy, "dense", epochs=0)
    x, y = SAMPLES["dense"]
    x, y = x[:50], y[:50]  # whose last batch has 2 rows
    expected = one.evaluate(x, y, batch_size=16, verbose=0)
    np.testing.assert_allclose(
        several.evaluate(x, y, batch_size=16, verbose=0), expected, rtol=1e-6
    )
    outputs = several.predict(x, batch_size=16, verbose=0)
    np.testing.assert_allclose(outputs, one.predict(x, verbose=0), atol=2e-6)
    dataset = tf.data.Dataset.from_tensor_slices((x, y)).batch(16)
    np.testing.assert_allclose(several.evaluate(dataset, verbose=0), expected, rtol=1e-6)


@NIGHTLY
def test_a_dataset_that_is_distributed_already(strategy):
    x, y = SAMPLES["dense"]
    dataset = tf.data.Dataset.from_tensor_slices((x, y)).batch(16)
    one, _ = trained(None, "dense", epochs=0)
    several, _ = trained(strategy, "dense", epochs=0)
    distributed = strategy.experimental_distribute_dataset(dataset)
    losses = [
        model.fit(data, epochs=2, verbose=0, validation_data=data).history
        for model, data in ((one, dataset), (several, distributed))
    ]
    assert losses[0].keys() == losses[1].keys() >= {"loss", "val_loss"}
    for name, values in losses[0].items():
        np.testing.assert_allclose(losses[1][name], values, rtol=1e-6)


def test_rows_of_embeddings_are_joined(strategy):
    assert_alike(strategy, "rows", epochs=2)


@NIGHTLY
def test_eager_steps(strategy):
    assert_alike(strategy, "dense", epochs=1, count=32, run_eagerly=True)


def test_a_loop_of_ones_own(strategy):
    """The tutorial "Custom training", with a metric and an optimizer that has slots."""
    x, y = SAMPLES["dense"]

    def train(strategy):
        batches = tf.data.Dataset.from_tensor_slices((x, y)).batch(16)
        batches = strategy.experimental_distribute_dataset(batches)
        with strategy.scope():
            model = model_of("dense")
            loss_of = keras.losses.SparseCategoricalCrossentropy(True, reduction="none")
            optimizer = keras.optimizers.Adam(0.01)
            accuracy = keras.metrics.SparseCategoricalAccuracy()

        def step(inputs):
            features, labels = inputs
            with tf.GradientTape() as tape:
                logits = model(features, training=True)
                loss = tf.nn.compute_average_loss(loss_of(labels, logits), global_batch_size=16)
            gradients = tape.gradient(loss, model.trainable_variables)
            optimizer.apply_gradients(zip(gradients, model.trainable_variables, strict=True))
            accuracy.update_state(labels, logits)
            return loss

        @tf.function
        def epoch(batches):
            total = tf.constant(0.0)
            for inputs in batches:
                losses = strategy.run(step, args=(inputs,))
                total += strategy.reduce(tf.distribute.ReduceOp.SUM, losses, axis=None)
            return total

        losses = [float(epoch(batches)) for _ in range(3)]
        return [*losses, float(accuracy.result()), *map(np.ravel, model.get_weights())]

    one, several = train(tf.distribute.get_strategy()), train(strategy)
    np.testing.assert_allclose(np.hstack(several), np.hstack(one), rtol=2e-6, atol=1e-6)


def test_statistics_of_batches(strategy):
    """Without synchronization each replica normalizes by its own, and averages are those of all."""
    rows = np.arange(16, dtype=np.float32)[:, None] ** 2

    def moved(batch, **options):
        with strategy.scope():
            layer = layers.BatchNormalization(momentum=0.0, **options)
            layer.build((None, 1))
        run = tf.function(lambda x: strategy.run(lambda part: layer(part, True), args=(x,)))
        dataset = tf.data.Dataset.from_tensors(batch)
        outputs = run(next(iter(strategy.experimental_distribute_dataset(dataset))))
        outputs = strategy.gather(outputs, axis=0).numpy()
        return outputs, [float(x.numpy()[0]) for x in (layer.moving_mean, layer.moving_variance)]

    outputs, averages = moved(rows)
    parts = rows.reshape(4, 4)
    np.testing.assert_allclose(averages, [parts.mean(), parts.var(axis=1).mean()], rtol=1e-6)
    np.testing.assert_allclose(outputs.reshape(4, 4).mean(axis=1), 0.0, atol=1e-5)
    outputs, averages = moved(rows, synchronized=True)
    np.testing.assert_allclose(averages, [rows.mean(), rows.var()], rtol=1e-6)
    np.testing.assert_allclose(outputs.mean(), 0.0, atol=1e-5)
    _, averages = moved(rows[:3])  # the last replica has no samples
    np.testing.assert_allclose(averages, [5.0 / 4.0, 1.0 / 4.0], atol=1e-6)


def test_losses_are_shares_of_the_global_one(strategy):
    loss = keras.losses.MeanSquaredError()
    total = keras.losses.MeanSquaredError(reduction="sum")
    ones = tf.ones([2, 1])
    values = strategy.run(tf.function(lambda: (loss(ones, 0 * ones), total(ones, 0 * ones))))
    assert float(strategy.reduce("SUM", values[0], axis=None)) == 1.0
    assert float(strategy.reduce("SUM", values[1], axis=None)) == 8.0
    assert float(loss(ones, 0 * ones)) == 1.0


def test_unknown_aggregation():
    with pytest.raises(ValueError, match="Invalid value for argument `aggregation`"):
        layers.Layer().add_weight((), aggregation="most")
