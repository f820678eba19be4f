"""``fit`` with steps, data and callbacks that users write."""

from __future__ import annotations

import numpy as np
import pytest

import runtime as tf
from runtime import keras
from runtime.keras import callbacks, layers

X = np.random.default_rng(3).normal(size=(70, 5)).astype(np.float32)


def test_a_step_of_ones_own_updates_the_metrics_of_compile():
    class Own(keras.Model):
        def train_step(self, data):
            x, y = data
            with tf.GradientTape() as tape:
                found = self(x, training=True)
                loss = self.compute_loss(y=y, y_pred=found)
            gradients = tape.gradient(loss, self.trainable_variables)
            self.optimizer.apply(gradients, self.trainable_variables)
            for metric in self.metrics:
                if metric.name == "loss":
                    metric.update_state(loss)
                else:
                    metric.update_state(y, found)
            return {metric.name: metric.result() for metric in self.metrics}

    histories = []
    for made in Own, keras.Model:
        inputs = keras.Input((5,))
        start = keras.initializers.Constant(0.1)
        model = made(inputs, layers.Dense(1, kernel_initializer=start)(inputs))
        model.compile("sgd", "mse", metrics=["mae"])
        assert model.metrics_names == ["loss", "compile_metrics"]
        run = {"epochs": 2, "batch_size": 10, "shuffle": False, "verbose": 0}
        histories.append(model.fit(X, X[:, :1], **run).history)
    assert sorted(histories[0]) == ["loss", "mae"]
    for name in histories[0]:
        np.testing.assert_allclose(histories[0][name], histories[1][name], rtol=1e-5)


def test_each_validation_sees_the_same_batches():
    model = keras.Sequential([keras.Input((5,)), layers.Dense(1)])
    model.compile(keras.optimizers.SGD(0.0), "mse")
    dataset = tf.data.Dataset.from_tensor_slices((X, X[:, :1])).batch(16)
    found = model.fit(
        dataset, epochs=3, validation_data=dataset, validation_steps=2, verbose=0
    ).history["val_loss"]
    assert found[0] == found[1] == found[2]
    assert found[0] == pytest.approx(model.evaluate(X[:32], X[:32, :1], verbose=0), rel=1e-5)


def test_data_that_run_out_end_the_epoch_with_a_warning():
    model = keras.Sequential([keras.Input((5,)), layers.Dense(1)])
    model.compile("sgd", "mse")
    dataset = tf.data.Dataset.from_tensor_slices((X, X[:, :1])).batch(40)
    with pytest.warns(UserWarning, match="the epoch has 2 batches, not 3"):
        found = model.fit(dataset, epochs=2, steps_per_epoch=3, verbose=0)
    assert len(found.history["loss"]) == 2


def test_py_datasets_are_shuffled_by_batches_and_told_of_epochs():
    class Batches(keras.utils.PyDataset):
        def __init__(self, **kwargs):
            super().__init__(**kwargs)
            self.asked, self.begun, self.ended = [], 0, 0

        def __len__(self):
            return 7

        def __getitem__(self, number):
            self.asked.append(number)
            return X[number * 10 : number * 10 + 10], X[number * 10 : number * 10 + 10, :1]

        def on_epoch_begin(self):
            self.begun += 1

        def on_epoch_end(self):
            self.ended += 1

    keras.utils.set_random_seed(3)
    model = keras.Sequential([keras.Input((5,)), layers.Dense(1)])
    model.compile("sgd", "mse")
    plain, mixed = Batches(workers=2), Batches()
    model.fit(plain, epochs=2, shuffle=False, verbose=0)
    model.fit(mixed, epochs=2, verbose=0)
    assert plain.asked == [*range(7)] * 2 and (plain.begun, plain.ended) == (2, 2)
    assert mixed.asked != plain.asked and sorted(mixed.asked) == sorted(plain.asked)
    assert model.predict(plain, verbose=0).shape == (70, 1)


def test_callbacks_get_logs_without_defaults():
    told = []
    own = callbacks.LambdaCallback(
        on_train_begin=lambda logs: told.append(logs),
        on_epoch_begin=lambda epoch, logs: told.append((epoch, logs)),
        on_train_batch_begin=lambda batch, logs: told.append((batch, logs)),
        on_train_end=lambda logs: told.append(sorted(logs)), note=lambda: 7,
    )
    model = keras.Sequential([keras.Input((5,)), layers.Dense(1)])
    model.compile("sgd", "mse")
    model.fit(X, X[:, :1], batch_size=70, verbose=0, callbacks=[own])
    assert told == [{}, (0, {}), (0, {}), ["loss"]] and own.note() == 7


def test_batches_of_py_datasets_may_have_no_end():
    class Endless(keras.utils.PyDataset):
        num_batches = None

        def __getitem__(self, number):
            return X[number % 7 : number % 7 + 10], X[number % 7 : number % 7 + 10, :1]

    model = keras.Sequential([keras.Input((5,)), layers.Dense(1)])
    model.compile("sgd", "mse")
    history = model.fit(Endless(), epochs=2, steps_per_epoch=9, verbose=0).history
    assert len(history["loss"]) == 2


def test_steps_may_be_made_eager_after_compile():
    seen = []

    class Own(keras.Model):
        def call(self, x):
            seen.append(tf.executing_eagerly())
            return x * self.factor

        def build(self, shape):
            self.factor = self.add_weight(())

        def compute_loss(self, x=None, y=None, y_pred=None, sample_weight=None):
            error = tf.reduce_mean(tf.abs(y_pred - y))
            if error > 1e6:  # staged
                error = 1e6
            return error + 1.0

    model = Own()
    model.compile(keras.optimizers.SGD(0.0))
    run = {"shuffle": False, "verbose": 0, "batch_size": 70}
    losses = [model.fit(X, X, **run).history["loss"]]
    assert not any(seen) and not model.run_eagerly
    model.run_eagerly = True
    seen.clear()
    losses.append(model.fit(X, X, **run).history["loss"])
    assert all(seen) and model.run_eagerly
    np.testing.assert_allclose(losses[0], losses[1], rtol=1e-6)
    assert losses[0][0] > 1.0
