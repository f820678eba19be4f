"""Logistic regression by L-BFGS, written in Python: `python -m examples.training.logistic`.

examples/lbfgs.py is plain Python: two loops, lists of the last steps, a line search.
``tf.function`` makes one graph of it, gradients included.
"""

import time

import numpy as np

import runtime as tf
from examples.digits.data import digits
from examples.lbfgs import lbfgs
from examples.training.pictures import images as draw

PENALTY = 1e-2


def data():
    """Shuffled images [n, 64] and labels: 1400 to train on, 397 to test."""
    images, labels = digits()
    order = np.random.default_rng(0).permutation(len(labels))
    images, labels = images[order], labels[order]
    return images[:1400], labels[:1400], images[1400:], labels[1400:]


def logits(images, weights):
    """``weights`` are one vector: [65, 10], the last row for the bias."""
    table = tf.reshape(weights, [65, 10])
    return tf.matmul(images, table[:64]) + table[64]


def regression(images, labels, turns):
    """The weights found, and the objective there."""

    def objective(weights):
        losses = tf.nn.sparse_softmax_cross_entropy_with_logits(
            labels=labels, logits=logits(images, weights)
        )
        squares = tf.reduce_sum(tf.square(tf.reshape(weights, [65, 10])[:64]))
        return tf.reduce_mean(losses) + 0.5 * PENALTY * squares

    return lbfgs(objective, tf.zeros([650], tf.float64), turns)


def main(turns=60, picture=None):
    x, y, test_x, test_y = data()
    start = time.perf_counter()
    train = tf.constant(x, tf.float64), tf.constant(y), tf.constant(turns)
    weights, value = tf.function(regression)(*train)
    seconds = time.perf_counter() - start
    guesses = tf.argmax(logits(tf.constant(test_x, tf.float64), weights), 1).numpy()
    accuracy = float(np.mean(guesses == test_y))
    print(f"objective {float(value):.6f}, test accuracy {accuracy:.2%}, {seconds:.1f} s")
    if picture:
        table = weights.numpy().reshape(65, 10)[:64]
        spread = np.abs(table).max()
        rows = {
            "for the digit": [np.maximum(w, 0).reshape(8, 8) / spread for w in table.T],
            "against it": [np.maximum(-w, 0).reshape(8, 8) / spread for w in table.T],
        }
        draw(picture, "Weights of the pixels for the digits 0 to 9", rows)
    return accuracy, weights.numpy(), float(value)


if __name__ == "__main__":
    main(picture="logistic.svg")
