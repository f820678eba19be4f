"""Logistic regression by L-BFGS, written in Python: `python -m examples.training.logistic`.

examples/lbfgs.py is plain Python: two loops, lists of the last steps, a line search.
``tf.function`` makes one graph of it, gradients included.
"""

import importlib.util
import time

import numpy as np

import runtime as tf
from examples.digits.data import digits
from examples.lbfgs import more_turns, value_and_slope
from examples.training.pictures import images as draw

# Machine code from the first turn on: then two runs are equal bit for bit.
COMPILED = importlib.util.find_spec("llvmlite") is not None

PENALTY = 1e-2


def data():
    """Shuffled images [n, 64] and labels: 1400 to train on, 397 to test."""
    images, labels = digits()
    order = np.random.default_rng(0).permutation(len(labels))
    images, labels = images[order].astype(np.float64), labels[order]
    return images[:1400], labels[:1400], images[1400:], labels[1400:]


def logits(images, weights):
    """``weights`` are one vector: [65, 10], the last row for the bias."""
    table = tf.reshape(weights, [65, 10])
    return tf.matmul(images, table[:64]) + table[64]


class Regression(tf.Module):
    """Weights, and what L-BFGS keeps of its last turns."""

    def __init__(self, jit_compile=COMPILED):
        super().__init__()
        self.weights = tf.Variable(tf.zeros([650], tf.float64))
        nothing = tf.zeros([0, 650], tf.float64)
        self.steps = tf.Variable(nothing, shape=[None, 650])
        self.changes = tf.Variable(nothing, shape=[None, 650])
        self.train = tf.function(self.more, jit_compile=jit_compile)

    @tf.function(input_signature=[tf.TensorSpec([None, 64], tf.float64)])
    def __call__(self, images):
        return logits(images, self.weights)

    def more(self, images, labels, turns):
        """So many turns more; the objective after them."""

        def objective(weights):
            losses = tf.nn.sparse_softmax_cross_entropy_with_logits(
                labels=labels, logits=logits(images, weights)
            )
            squares = tf.reduce_sum(tf.square(tf.reshape(weights, [65, 10])[:64]))
            return tf.reduce_mean(losses) + 0.5 * PENALTY * squares

        start = self.weights.value()
        value, slope = value_and_slope(objective, start)
        history = list(self.steps), list(self.changes)
        weights, value, _, steps, changes = more_turns(
            objective, start, value, slope, *history, turns
        )
        self.weights.assign(weights)
        self.steps.assign(tf.stack(steps))
        self.changes.assign(tf.stack(changes))
        return value


def main(turns=60, picture=None):
    x, y, test_x, test_y = data()
    start = time.perf_counter()
    model = Regression()
    value = model.train(tf.constant(x), tf.constant(y), tf.constant(turns))
    seconds = time.perf_counter() - start
    accuracy = float(np.mean(np.argmax(model(test_x), 1) == test_y))
    print(f"objective {float(value):.6f}, test accuracy {accuracy:.2%}, {seconds:.1f} s")
    weights = model.weights.numpy()
    if picture:
        table = weights.reshape(65, 10)[:64]
        spread = np.abs(table).max()
        rows = {
            "for the digit": [np.maximum(w, 0).reshape(8, 8) / spread for w in table.T],
            "against it": [np.maximum(-w, 0).reshape(8, 8) / spread for w in table.T],
        }
        draw(picture, "Weights of the pixels for the digits 0 to 9", rows)
    return accuracy, weights, float(value)


if __name__ == "__main__":
    main(picture="logistic.svg")
