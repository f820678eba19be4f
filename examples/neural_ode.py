"""A neural network as the right side of a differential equation, solved with adaptive steps.

How many steps it takes depends on the numbers.  The gradient goes back through all of them.
"""

import runtime as tf


def speed(y, weights):
    return tf.linalg.matvec(weights, tf.tanh(y))


def solve(y, weights, end, tolerance):
    """``y`` at the time ``end``, by steps of Heun's method that are accepted or halved."""
    time = tf.zeros_like(end)
    step = end / 10.0
    while time < end:
        step = tf.minimum(step, end - time)
        first = speed(y, weights)
        second = speed(y + step * first, weights)
        error = tf.reduce_max(tf.abs(second - first)) * step / 2.0
        if error > tolerance:
            step = step / 2.0
            continue
        y = y + step * (first + second) / 2.0
        time = time + step
        step = tf.minimum(step * 1.5, end)
    return y


def neural_ode(y, goal, weights, end, tolerance):
    """Where the solution ends, the squared distance to a goal, and its gradient by the weights."""
    with tf.GradientTape() as tape:
        tape.watch(weights)
        found = solve(y, weights, end, tolerance)
        distance = tf.reduce_sum(tf.square(found - goal))
    return found, distance, tape.gradient(distance, weights)


def inputs():
    weights = tf.constant([[-0.1, -2.0], [2.0, -0.1]])
    end, tolerance = tf.constant(3.0), tf.constant(1e-2)
    return tf.constant([2.0, 0.0]), tf.constant([0.0, 1.0]), weights, end, tolerance


if __name__ == "__main__":
    print(*tf.function(neural_ode)(*inputs()))
