"""An autoencoder of 64 - 12 - 64 numbers, trained by L-BFGS with a history of 100 steps.

The method is plain Python (examples/lbfgs.py).  It runs as it is, and, converted, as one graph.
"""

import sys

import numpy as np

import runtime as tf
from examples.digits.data import digits
from examples.lbfgs import lbfgs

PIXELS, CODE = 64, 12
SIZES = (PIXELS * CODE, CODE, CODE * PIXELS, PIXELS)


def autoencoder(images, weights):
    """The images as they come back from their codes; ``weights`` are one vector."""
    encode, shift, decode, bias = tf.split(weights, SIZES)
    codes = tf.tanh(tf.matmul(images, tf.reshape(encode, [PIXELS, CODE])) + shift)
    return tf.sigmoid(tf.matmul(codes, tf.reshape(decode, [CODE, PIXELS])) + bias)


def start():
    """Small weights."""
    noise = np.random.default_rng(3)
    return (noise.normal(size=sum(SIZES)) * 0.2).astype(np.float32)


def train(images, turns, graph=True):
    """The weights found, and the mean squared error of a pixel."""

    def error(weights):
        return tf.reduce_mean(tf.square(autoencoder(images, weights) - images))

    minimise = tf.function(lbfgs) if graph else lbfgs
    return minimise(error, tf.constant(start()), tf.constant(turns))


if __name__ == "__main__":
    images = tf.constant(digits()[0])
    weights, error = train(images, 150, graph="eager" not in sys.argv)
    print(f"mean squared error of a pixel: {float(error):.4f}")
