"""Softmax regression and a network of two layers, trained in three ways to the same loss curve.

``implicit_value_and_gradients`` finds the variables by itself, a tape records what is computed, and
a function compiles the whole step, its gradients included.
"""

import numpy as np

import runtime as tf
from examples.digits.data import digits


def softmax_regression():
    """Variables and the function from images to logits."""
    weights = tf.Variable(tf.zeros([64, 10]), name="weights")
    bias = tf.Variable(tf.zeros([10]), name="bias")
    return [weights, bias], lambda images: tf.matmul(images, weights) + bias


def two_layers(units=32):
    """As above, with a hidden layer."""
    noise = np.random.default_rng(1)

    def initial(rows, columns):
        return (noise.normal(size=(rows, columns)) / np.sqrt(rows)).astype(np.float32)

    first, second = tf.Variable(initial(64, units)), tf.Variable(initial(units, 10))
    shift, bias = tf.Variable(tf.zeros([units])), tf.Variable(tf.zeros([10]))

    def model(images):
        hidden = tf.nn.relu(tf.matmul(images, first) + shift)
        return tf.matmul(hidden, second) + bias

    return [first, shift, second, bias], model


def loss_of(model, images, labels):
    """The mean cross entropy."""
    logits = model(images)
    losses = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits)
    return tf.reduce_mean(losses)


def accuracy(model, images, labels):
    """The share of images that are classified right."""
    guesses = tf.argmax(model(images), 1, output_type=tf.int32)
    return float(tf.reduce_mean(tf.cast(guesses == labels, tf.float32)))


def by_implicit_gradients(variables, model, rate):
    """A training step: the function tells value, gradients and what they are of."""
    value_and_gradients = tf.implicit_value_and_gradients(
        lambda images, labels: loss_of(model, images, labels)
    )

    def step(images, labels):
        loss, pairs = value_and_gradients(images, labels)
        for gradient, variable in pairs:
            variable.assign_sub(rate * gradient)
        return loss

    return step


def by_tape(variables, model, rate):
    """A training step: the tape is asked for the gradients of the variables."""

    def step(images, labels):
        with tf.GradientTape() as tape:
            loss = loss_of(model, images, labels)
        for gradient, variable in zip(tape.gradient(loss, variables), variables):
            variable.assign_sub(rate * gradient)
        return loss

    return step


def by_function(variables, model, rate):
    """The step by the tape, traced."""
    return tf.function(by_tape(variables, model, rate))


WAYS = {"implicit": by_implicit_gradients, "tape": by_tape, "function": by_function}


def train(make, way, images, labels, steps, batch=128, rate=0.5):
    """The losses of all steps, and the trained model."""
    variables, model = make()
    step = way(variables, model, rate)
    losses = []
    for turn in range(steps):
        rows = np.arange(turn * batch, (turn + 1) * batch) % len(labels)
        losses.append(float(step(tf.constant(images[rows]), tf.constant(labels[rows]))))
    return losses, model


if __name__ == "__main__":
    images, labels = digits()
    for make in (softmax_regression, two_layers):
        for name, way in WAYS.items():
            losses, model = train(make, way, images[:1500], labels[:1500], 300)
            share = accuracy(model, images[1500:], labels[1500:])
            print(f"{make.__name__}, {name}: loss {losses[0]:.3f} -> {losses[-1]:.3f}, "
                  f"{share:.1%} of the rest right")  # fmt: skip
