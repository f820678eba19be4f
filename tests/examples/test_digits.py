"""The examples that learn handwritten digits; they need scikit-learn, for its data."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("sklearn", reason="the extra `examples` is not installed")

import runtime as tf
from examples.digits import autoencoder, classifiers, sequences
from examples.digits.data import digits


@pytest.mark.parametrize("make", [classifiers.softmax_regression, classifiers.two_layers])
def test_three_ways_give_one_loss_curve(make):
    images, labels = digits()
    runs = [
        classifiers.train(make, way, images[:1500], labels[:1500], 100)
        for way in classifiers.WAYS.values()
    ]
    for losses, model in runs:
        np.testing.assert_allclose(losses, runs[0][0], rtol=1e-4)
        assert classifiers.accuracy(model, images[1500:], labels[1500:]) > 0.8
    assert runs[0][0][-1] < 0.25 * runs[0][0][0]


def test_softmax_regression_is_what_numpy_makes_of_it():
    images, labels = digits()
    way = classifiers.WAYS["function"]
    losses, _ = classifiers.train(classifiers.softmax_regression, way, images, labels, 20)
    weights, bias, expected = np.zeros((64, 10)), np.zeros(10), []
    for turn in range(20):
        rows = np.arange(turn * 128, (turn + 1) * 128) % len(labels)
        x, wanted = images[rows].astype(np.float64), np.eye(10)[labels[rows]]
        weighed = np.exp(x @ weights + bias)
        shares = weighed / weighed.sum(1, keepdims=True)
        expected.append(-np.log((shares * wanted).sum(1)).mean())
        weights -= 0.5 * x.T @ (shares - wanted) / 128
        bias -= 0.5 * (shares - wanted).mean(0)
    np.testing.assert_allclose(losses, expected, rtol=1e-4)


def test_autoencoder_learns_alike_eagerly_and_as_a_graph():
    images = tf.constant(digits()[0][:300])
    eager, graph = (autoencoder.train(images, 12, graph=g) for g in (False, True))
    np.testing.assert_allclose(graph[1], eager[1], rtol=1e-3)
    np.testing.assert_allclose(graph[0], eager[0], atol=1e-2)
    before = np.mean((0.5 - images.numpy()) ** 2)
    assert float(graph[1]) < 0.5 * before


def test_sequences_are_read():
    images, labels = digits()
    losses, weights = sequences.train(images[:1500], labels[:1500], 120)
    assert losses[-1] < 0.4 * losses[0]
    assert sequences.accuracy(images[1500:], labels[1500:], *weights) > 0.6
