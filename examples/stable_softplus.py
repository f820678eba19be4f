"""A softplus whose gradient stays finite: by the rules it would be ``inf / inf`` from 89 on."""

import runtime as tf


@tf.custom_gradient
def softplus(x):
    e = tf.exp(x)

    def gradient(dy):
        return dy * (1.0 - 1.0 / (1.0 + e))

    return tf.math.log(1.0 + e), gradient


def stable_softplus(x):
    """The value of ``softplus``, which overflows, and its gradient, which does not."""
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = softplus(x)
    return y, tape.gradient(y, x)


def inputs():
    return (tf.constant([-100.0, 0.0, 1.0, 80.0, 100.0]),)


if __name__ == "__main__":
    value, gradient = tf.function(stable_softplus)(*inputs())
    print(value)
    print(gradient)
