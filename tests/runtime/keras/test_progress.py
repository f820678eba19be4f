"""The lines at the end of `fit`, `evaluate` and `predict` say how much was done, and how fast."""

from __future__ import annotations

import re

import numpy as np
import pytest

from runtime import keras

X = np.linspace(0, 1, 70, dtype="float32")[:, None]


@pytest.fixture
def model():
    keras.utils.set_random_seed(0)
    model = keras.Sequential([keras.layers.Dense(1)])
    model.compile("sgd", "mse")
    return model


def test_fit_evaluate_and_predict_end_alike(model, capsys) -> None:
    model.fit(X, X, epochs=1, batch_size=32, verbose=2)
    assert re.fullmatch(r"Epoch 1/1 - [\d.]+s - loss: [\d.]+\n", capsys.readouterr().out)
    model.evaluate(X, X, batch_size=32, verbose=2)
    assert re.fullmatch(r"3/3 - [\d.]+s - loss: [\d.]+\n", capsys.readouterr().out)
    model.predict(X, batch_size=32, verbose=2)
    assert re.fullmatch(r"3/3 - [\d.]+s\n", capsys.readouterr().out)


def test_quiet_runs_write_nothing(model, capsys) -> None:
    model.evaluate(X, X, verbose=0)
    model.predict(X, verbose=0)
    assert capsys.readouterr().out == ""
