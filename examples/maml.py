"""Learning to learn: the gradient of the loss *after* a training step, by the weights before it."""

import runtime as tf


def model(x, weights):
    hidden = tf.tanh(x * weights[0] + weights[1])
    return tf.reduce_sum(hidden * weights[2], 1, keepdims=True)


def loss(x, y, weights):
    return tf.reduce_mean(tf.square(model(x, weights) - y))


def after_training(phase, x, weights, steps, rate):
    """The loss on a task, a sine of this phase, after some steps of training on it."""
    for _ in range(steps):
        with tf.GradientTape() as tape:
            tape.watch(weights)
            error = loss(x, tf.sin(x + phase), weights)
        weights = weights - rate * tape.gradient(error, weights)
    return loss(x + 0.3, tf.sin(x + 0.3 + phase), weights)


def maml(phases, x, weights, steps, rate):
    """Weights from which few steps suffice for each of the tasks; also the losses on the way."""
    losses = []
    for _ in range(8):
        with tf.GradientTape() as tape:
            tape.watch(weights)
            total = tf.constant(0.0)
            for phase in phases:
                total += after_training(phase, x, weights, steps, rate)
        weights = weights - 0.05 * tape.gradient(total, weights)
        losses.append(total)
    return weights, tf.stack(losses)


def inputs():
    phases = tf.constant([0.0, 0.5, 1.0])
    x = tf.reshape(tf.linspace(-2.0, 2.0, 9), [9, 1])
    weights = tf.sin(tf.reshape(tf.range(24, dtype=tf.float32), [3, 8]))
    return phases, x, weights, tf.constant(3), tf.constant(0.1)


if __name__ == "__main__":
    weights, losses = tf.function(maml)(*inputs())
    print(losses)
