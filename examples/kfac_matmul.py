"""A product of matrices with a gradient of its own: that of the weights is preconditioned (KFAC).

The curvature of a layer is about the Kronecker product of two small matrices: of the layer's
inputs, and of the gradients that come back to it.  Their inverses turn the gradient into a step.
"""

import runtime as tf

DAMPING = 0.1


def inverse_of(rows):
    """The inverse of the damped second moments of the columns."""
    count = tf.cast(tf.shape(rows)[0], rows.dtype)
    moments = tf.matmul(rows, rows, transpose_a=True) / count
    return tf.linalg.inv(moments + DAMPING * tf.eye(tf.shape(rows)[1]))


@tf.custom_gradient
def layer(x, weights):
    def gradient(dy):
        plain = tf.matmul(x, dy, transpose_a=True)
        step = tf.matmul(tf.matmul(inverse_of(x), plain), inverse_of(dy))
        return tf.matmul(dy, weights, transpose_b=True), step

    return tf.matmul(x, weights), gradient


def kfac_matmul(x, targets, weights, rate):
    """Fits ``x @ weights`` to the targets in a few steps; gives weights and loss."""
    loss = tf.constant(0.0)
    for _ in range(40):
        with tf.GradientTape() as tape:
            tape.watch(weights)
            loss = tf.reduce_mean(tf.square(layer(x, weights) - targets))
        weights = weights - rate * tape.gradient(loss, weights)
    return weights, loss


def inputs():
    # columns of very different sizes, which plain gradients need hundreds of steps for
    x = tf.sin(tf.reshape(tf.range(60, dtype=tf.float32), [20, 3])) * tf.constant([10.0, 1.0, 0.1])
    weights = tf.constant([[1.0, -2.0], [0.5, 3.0], [-1.0, 2.0]])
    return x, tf.matmul(x, weights), tf.zeros([3, 2]), tf.constant(0.05)


if __name__ == "__main__":
    print(*tf.function(kfac_matmul)(*inputs()))
