"""An LSTM that reads the digits row by row, and is asked which one it was."""

import numpy as np

import runtime as tf
from examples.digits.data import digits

UNITS = 24


def start():
    """The weights of the cell and of the answer."""
    noise = np.random.default_rng(2)
    cell = noise.normal(size=(8 + UNITS, 4 * UNITS)) / np.sqrt(8 + UNITS)
    answer = noise.normal(size=(UNITS, 10)) / np.sqrt(UNITS)
    return [tf.Variable(w.astype(np.float32)) for w in (cell, answer)]


def read(rows, cell):
    """The last output of an LSTM for sequences [time, batch, features]."""
    batch = tf.shape(rows)[1]
    h, c = tf.zeros([batch, UNITS]), tf.zeros([batch, UNITS])
    for row in rows:
        i, f, g, o = tf.split(tf.matmul(tf.concat([row, h], 1), cell), 4, 1)
        c = tf.sigmoid(f + 1.0) * c + tf.sigmoid(i) * tf.tanh(g)
        h = tf.sigmoid(o) * tf.tanh(c)
    return h


@tf.function
def training_step(rows, labels, cell, answer, speeds, rate):
    """One step of gradient descent with momentum; gives the loss before it."""
    with tf.GradientTape() as tape:
        logits = tf.matmul(read(rows, cell), answer)
        losses = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits)
        loss = tf.reduce_mean(losses)
    variables = [cell, answer]
    for variable, speed, gradient in zip(variables, speeds, tape.gradient(loss, variables)):
        speed.assign(0.9 * speed + gradient)
        variable.assign_sub(rate * speed)
    return loss


def train(images, labels, steps, batch=100, rate=0.2):
    """The losses of all steps, and the weights."""
    cell, answer = start()
    speeds = [tf.Variable(tf.zeros(v.shape)) for v in (cell, answer)]
    losses = []
    for turn in range(steps):
        rows = np.arange(turn * batch, (turn + 1) * batch) % len(labels)
        sequences = images[rows].reshape(batch, 8, 8).transpose(1, 0, 2)
        given = tf.constant(sequences), tf.constant(labels[rows])
        losses.append(float(training_step(*given, cell, answer, speeds, tf.constant(rate))))
    return losses, (cell, answer)


def accuracy(images, labels, cell, answer):
    """The share of images that are read right."""
    rows = tf.constant(images.reshape(-1, 8, 8).transpose(1, 0, 2))
    guesses = tf.argmax(tf.matmul(read(rows, cell), answer), 1, output_type=tf.int32)
    return float(tf.reduce_mean(tf.cast(guesses == labels, tf.float32)))


if __name__ == "__main__":
    images, labels = digits()
    losses, weights = train(images[:1500], labels[:1500], 300)
    share = accuracy(images[1500:], labels[1500:], *weights)
    print(f"loss {losses[0]:.3f} -> {losses[-1]:.3f}, {share:.1%} of the rest right")
