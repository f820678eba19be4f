"""``fit``, ``evaluate`` and ``predict``: many steps at once are as single ones; callbacks."""

from __future__ import annotations

import csv
import io

import numpy as np
import pytest

import runtime as tf
from runtime import keras
from runtime.engine.llvm.engine import is_available
from runtime.keras import callbacks, layers
from tests.support.extras import needs

DRAW = np.random.default_rng(3)
X = DRAW.normal(size=(70, 5)).astype(np.float32)
Y = X[:, :3].argmax(-1)


def network(**options):
    keras.utils.set_random_seed(7)
    model = keras.Sequential([
        keras.Input((5,)), layers.Dense(8, "tanh"), layers.Dropout(0.2), layers.Dense(3, "softmax"),
    ])  # fmt: skip
    model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"], **options)
    return model


def trained(model, x=X, y=Y, **options):
    """Return the history and the weights of a model after ``fit``."""
    options = {"epochs": 3, "batch_size": 16, "verbose": 0} | options
    history = model.fit(x, y, **options).history
    return history, model.get_weights()


def close(found, wanted, tolerance=1e-5):
    for one, other in zip(found, wanted, strict=True):
        np.testing.assert_allclose(one, other, rtol=tolerance, atol=tolerance)


def test_metrics_are_reported_by_the_names_that_compile_was_given():
    model = keras.Sequential([layers.Dense(1)])
    model.compile("sgd", "mse", metrics=["mae", "MSE", keras.metrics.MeanAbsoluteError("my_mae")])
    history = model.fit(X, X[:, 0], epochs=1, verbose=0).history
    assert list(history) == ["MSE", "loss", "mae", "my_mae"]
    listed = model.evaluate(X, X[:, 0], verbose=0)
    named = model.evaluate(X, X[:, 0], verbose=0, return_dict=True)
    assert list(named) == ["MSE", "loss", "mae", "my_mae"]
    assert listed == [named[name] for name in ("loss", "mae", "MSE", "my_mae")]


class Counting(callbacks.Callback):
    """Callback that looks at batches, so that steps are made one by one."""

    def __init__(self):
        super().__init__()
        self.events = []

    def on_train_batch_end(self, batch, logs=None):
        self.events.append((batch, sorted(logs)))

    def on_epoch_end(self, epoch, logs=None):
        self.events.append((epoch, sorted(logs)))


def test_many_steps_at_once_are_as_single_ones():
    counting = Counting()
    wanted, weights = trained(network(), callbacks=[counting])
    assert counting.events[:6] == [
        *[(number, ["accuracy", "loss"]) for number in range(5)], (0, ["accuracy", "loss"]),
    ]  # fmt: skip
    native = [{"jit_compile": True}] if is_available() else []
    for options in ({}, {"run_eagerly": True}, *native):
        found, own = trained(network(**options))
        assert found.keys() == wanted.keys() and len(found["loss"]) == 3
        close(own, weights)
        close(found["loss"], wanted["loss"])
        assert found["accuracy"] == pytest.approx(wanted["accuracy"])


class Told(keras.Model):
    """Model whose step returns more than metrics."""

    def __init__(self):
        super().__init__()
        self.dense = keras.layers.Dense(3, activation="softmax")

    def call(self, x):
        return self.dense(x)

    def train_step(self, data):
        x, _ = data
        found = super().train_step(data)
        return {**found, "rows": tf.shape(x)[0], "first": x[:, 0], "half": 0.5}


@pytest.mark.parametrize("batch_size", [7, 10, 16], ids=lambda size: f"batches of {size}")
def test_logs_are_those_of_the_last_step(batch_size):
    rest = len(X) % batch_size or batch_size
    for options in {}, {"run_eagerly": True}:
        model = Told()
        model.compile("sgd", "sparse_categorical_crossentropy", **options)
        logs = []
        told = keras.callbacks.LambdaCallback(on_epoch_end=lambda epoch, found: logs.append(found))
        model.fit(X, Y, batch_size, epochs=2, verbose=0, callbacks=[told], shuffle=False)
        assert [found["rows"] for found in logs] == [rest] * 2 and logs[0]["half"] == 0.5
        np.testing.assert_array_equal(logs[1]["first"], X[len(X) - rest :, 0])


class Restoring(keras.Model):
    """Model that is trained on inputs alone, which its steps get as they are."""

    def __init__(self):
        super().__init__()
        self.dense = keras.layers.Dense(5)

    def call(self, x):
        return self.dense(x)

    def train_step(self, x):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((self(x) - x) ** 2)
        found = self.trainable_variables
        self.optimizer.apply_gradients(zip(tape.gradient(loss, found), found))
        return {"loss": loss}


def test_inputs_alone_are_given_to_steps_as_they_are():
    data = tf.data.Dataset.from_tensor_slices(X).batch(10)
    for given, options in (X, {"batch_size": 10}), (data, {}), (X, {"batch_size": 70}):
        model = Restoring()
        model.compile(keras.optimizers.Adam(0.05))
        losses = model.fit(given, epochs=5, verbose=0, **options).history["loss"]
        assert losses[-1] < losses[0]
        assert model.predict(X, verbose=0).shape == (70, 5)
        assert model.predict_on_batch(X[:3]).shape == (3, 5)


def test_losses_and_metrics_are_means_over_samples():
    model = network()
    model.layers[1].rate = 0.0
    loss, accuracy = model.evaluate(X, Y, batch_size=16, verbose=0)
    predicted = model.predict(X, batch_size=16, verbose=0)
    assert predicted.shape == (70, 3) and predicted.dtype == np.float32
    np.testing.assert_allclose(loss, -np.log(predicted[np.arange(70), Y]).mean(), rtol=1e-5)
    assert accuracy == pytest.approx((predicted.argmax(-1) == Y).mean())
    named = model.evaluate(X, Y, verbose=0, return_dict=True)
    assert named["loss"] == pytest.approx(loss, rel=1e-5)
    assert model.test_on_batch(X, Y, return_dict=True).keys() == {"loss", "accuracy"}
    np.testing.assert_allclose(model.predict_on_batch(X[:3]), predicted[:3], rtol=1e-5)


def test_data_come_from_datasets_generators_and_sequences():
    class Batches:
        def __len__(self):
            return 5

        def __getitem__(self, number):
            return X[number * 16 : number * 16 + 16], Y[number * 16 : number * 16 + 16]

    wanted = trained(network(), shuffle=False)[1]
    dataset = tf.data.Dataset.from_tensor_slices((X, Y)).batch(16)

    def endless():
        while True:
            yield from (Batches()[n] for n in range(5))

    close(trained(network(), dataset, None, batch_size=None)[1], wanted)
    close(trained(network(), Batches(), None, batch_size=None, shuffle=False)[1], wanted)
    close(trained(network(), endless(), None, batch_size=None, steps_per_epoch=5)[1], wanted)
    close(trained(network(), dataset.repeat(), None, batch_size=None, steps_per_epoch=5)[1], wanted)


def test_validation_splits_weights_and_classes():
    history, weights = trained(network(), validation_split=0.2, validation_freq=2)
    assert len(history["val_loss"]) == 1 and len(history["loss"]) == 3
    again = network()
    given, own = trained(again, X[:56], Y[:56], validation_data=(X[56:], Y[56:]))
    close(own, weights)
    assert given["val_loss"][1] == pytest.approx(history["val_loss"][0], rel=1e-4)
    by_class = trained(network(), class_weight={0: 2.0, 2: 0.5})[1]
    by_sample = trained(network(), sample_weight=np.array([2.0, 1.0, 0.5])[Y])[1]
    close(by_class, by_sample)
    assert any(abs(a - b).max() > 1e-4 for a, b in zip(by_class, trained(network())[1]))


def test_users_may_override_steps():
    class Own(keras.Model):
        def __init__(self):
            super().__init__()
            self.dense = layers.Dense(1)
            self.seen = tf.Variable(0, trainable=False)

        def call(self, x):
            return self.dense(x)

        def train_step(self, data):
            x, y = data
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean((self(x, training=True)[:, 0] - y) ** 2)
            if loss > 1e-6:
                self.seen.assign_add(1)
            gradients = tape.gradient(loss, self.trainable_variables)
            self.optimizer.apply_gradients(zip(gradients, self.trainable_variables))
            return {"own": loss}

    model = Own()
    model.compile(keras.optimizers.SGD(0.1))
    history = model.fit(X, X[:, 0], epochs=20, batch_size=10, verbose=0).history
    assert history["own"][-1] < 0.5 * history["own"][0] and 0 < model.seen.numpy() < 140


def test_several_outputs_have_losses_and_metrics_by_name():
    inputs = keras.Input((5,))
    a, b = layers.Dense(1, name="a")(inputs), layers.Dense(3, "softmax", name="b")(inputs)
    model = keras.Model(inputs, {"a": a, "b": b})
    model.compile(
        "sgd", {"a": "mse", "b": "sparse_categorical_crossentropy"}, {"a": 0.5, "b": 1.0},
        {"b": ["accuracy"]},
    )  # fmt: skip
    logs = model.evaluate(X, {"a": X[:, :1], "b": Y}, verbose=0, return_dict=True)
    assert set(logs) == {"loss", "a_loss", "b_loss", "b_accuracy"}
    assert logs["loss"] == pytest.approx(0.5 * logs["a_loss"] + logs["b_loss"], rel=1e-5)
    with pytest.raises(KeyError, match=r"path: \('c',\) in the `loss` argument"):
        model.compile("sgd", {"c": "mse"})
        model.fit(X, {"a": X[:, :1], "b": Y}, verbose=0)


def test_callbacks_stop_schedule_and_write(tmp_path):
    model, path = network(), tmp_path / "log.csv"
    stop = callbacks.EarlyStopping("loss", patience=2, min_delta=100, restore_best_weights=True)
    schedule = callbacks.LearningRateScheduler(lambda epoch, rate: rate / 2)
    best = callbacks.ModelCheckpoint(tmp_path / "{epoch}.safetensors", "loss", save_best_only=True)
    history, _ = trained(
        model, epochs=9, callbacks=[stop, schedule, callbacks.CSVLogger(path), best]
    )
    assert len(history["loss"]) == 3 and stop.stopped_epoch == 2
    np.testing.assert_allclose(history["learning_rate"], [5e-4, 2.5e-4, 1.25e-4])
    rows = list(csv.DictReader(path.open()))
    assert [float(row["loss"]) for row in rows] == pytest.approx(history["loss"])
    loaded = keras.models.load_model(tmp_path / "1.safetensors")
    close(loaded.get_weights(), model.get_weights(), 0)


def test_resumed_training_is_uninterrupted_training(tmp_path):
    # machine code rounds otherwise: when a loop becomes that depends on the time it takes
    wanted = trained(network(jit_compile=False))[1]
    model = network(jit_compile=False)
    trained(model, epochs=2)
    model.save(tmp_path / "m.safetensors")
    model = keras.models.load_model(tmp_path / "m.safetensors")  # draws no numbers
    found = trained(model, initial_epoch=2)[1]
    assert int(model.optimizer.iterations) == 15
    for one, other in zip(found, wanted, strict=True):
        np.testing.assert_array_equal(one, other)


class Terminal(io.StringIO):
    """Output that says it is a terminal."""

    def isatty(self):
        return True


@needs("progress")
def test_a_bar_on_a_terminal_ends_as_a_line(monkeypatch):
    terminal = Terminal()
    monkeypatch.setattr("sys.stdout", terminal)
    trained(network(), epochs=2, verbose=1, validation_split=0.5)
    *shown, last, end = terminal.getvalue().replace("\r", "\n").split("\n")
    assert any(line.startswith("Epoch 1/2 - ") and " |" in line for line in shown)
    assert last.startswith("Epoch 2/2 - ") and "|" not in last and "val_loss: " in last
    assert not end


def test_progress_is_a_line_for_each_epoch_without_a_terminal(capsys):
    trained(network(), epochs=2, verbose=1)
    lines = capsys.readouterr().out.splitlines()
    assert [line.split(" - ")[0] for line in lines] == ["Epoch 1/2", "Epoch 2/2"]
    assert "loss: " in lines[0] and "accuracy: " in lines[0]
    trained(network(), epochs=1, verbose=0)
    assert capsys.readouterr().out == ""


def test_errors_say_what_is_missing():
    model = keras.Sequential([layers.Dense(3)])
    with pytest.raises(ValueError, match=r"You must call `compile\(\)`"):
        model.fit(X, Y)
    model.compile("sgd")
    with pytest.raises(ValueError, match="No loss to compute"):
        model.fit(X, Y, verbose=0)
    model = network()
    with pytest.raises(ValueError, match=r"Data cardinality is ambiguous.*\(70, 5\), \(3,\)"):
        model.fit(X, Y[:3], verbose=0)
    with pytest.raises(ValueError, match="leaves nothing to train on"):
        model.fit(X, Y, validation_split=1.0, verbose=0)
    with pytest.raises(ValueError, match="the data has no targets"):
        model.fit(X, verbose=0)
    with pytest.raises(ValueError, match="must give it itself"):
        model.fit(tf.data.Dataset.from_tensor_slices(X).batch(2), Y, verbose=0)
    with pytest.raises(TypeError, match="must be a keras.callbacks.Callback, got 3"):
        model.fit(X, Y, callbacks=[3], verbose=0)
    with pytest.raises(ValueError, match="Could not interpret optimizer"):
        model.compile("adamm", "mse")
