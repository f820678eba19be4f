"""A network of two layers, trained by K-FAC: the curvature of each layer as two small matrices.

The gradient of a layer's weights is multiplied by the inverse of the second moments of its inputs,
and by that of the slopes of the output which come back to it.  Source: Martens and Grosse,
Optimizing Neural Networks with Kronecker-factored Approximate Curvature, 2015.
"""

import runtime as tf

DAMPING = 0.01
RATE = 0.5
KEPT = 0.9


def with_ones(rows):
    """A column of ones, for the biases."""
    return tf.concat([rows, tf.ones([tf.shape(rows)[0], 1])], 1)


def moments(rows):
    return tf.matmul(rows, rows, transpose_a=True) / tf.cast(tf.shape(rows)[0], tf.float32)


def preconditioned(gradient, left, right):
    """The gradient times the inverses of both damped factors, which share the damping."""
    ratio = tf.sqrt(tf.linalg.trace(left) / tf.linalg.trace(right))
    root = tf.sqrt(DAMPING)
    left = left + ratio * root * tf.eye(tf.shape(left)[0])
    right = right + root / ratio * tf.eye(tf.shape(right)[0])
    half = tf.linalg.solve(left, gradient)
    return tf.transpose(tf.linalg.solve(right, tf.transpose(half)))


def kfac_mlp(x, targets, first, second, steps):
    """Fits the network to the targets; gives the loss before each step, and the last one."""
    x = with_ones(x)
    count = tf.cast(tf.shape(x)[0], tf.float32)
    a1, g1 = moments(x), tf.eye(tf.shape(first)[1])
    a2, g2 = tf.eye(tf.shape(second)[0]), tf.eye(tf.shape(second)[1])
    losses = []
    for step in range(steps):
        with tf.GradientTape() as tape:
            before = tf.matmul(x, first)
            tape.watch(before)
            hidden = with_ones(tf.tanh(before))
            output = tf.matmul(hidden, second)
        slopes = tape.gradient(output, before)
        errors = output - targets
        losses.append(tf.reduce_mean(tf.square(errors)))
        kept = KEPT if step > 0 else 0.0
        g1 = kept * g1 + (1.0 - kept) * moments(slopes)
        a2 = kept * a2 + (1.0 - kept) * moments(hidden)
        down1 = tf.matmul(x, slopes * errors, transpose_a=True) / count
        down2 = tf.matmul(hidden, errors, transpose_a=True) / count
        first = first - RATE * preconditioned(down1, a1, g1)
        second = second - RATE * preconditioned(down2, a2, g2)
    return losses[0], losses[-1]


def inputs():
    # columns of very different sizes: gradient descent needs thousands of steps
    rows = tf.reshape(tf.range(120, dtype=tf.float32), [40, 3])
    x = tf.sin(rows) * tf.constant([5.0, 1.0, 0.2])
    targets = tf.sin(x[:, :1]) * 0.5 + x[:, 1:2] * x[:, 2:]
    first = tf.cos(tf.reshape(tf.range(32, dtype=tf.float32), [4, 8])) * 0.5
    second = tf.sin(tf.reshape(tf.range(9, dtype=tf.float32), [9, 1])) * 0.5
    return x, targets, first, second, tf.constant(60)


if __name__ == "__main__":
    print(*tf.function(kfac_mlp)(*inputs()))
