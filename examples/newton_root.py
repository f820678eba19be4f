"""Newton's square root: loop until close enough, for a guess that depends on the data."""

import runtime as tf


def newton_root(a, tolerance):
    assert a >= 0, "only numbers from zero up have a real root"
    if a > 1:
        x = a
    else:
        x = a + 1
    while tf.abs(x * x - a) > tolerance and x > tolerance:
        x = (x + a / x) / 2
    return x


def inputs():
    return tf.constant(2.0), tf.constant(1e-5)


if __name__ == "__main__":
    print(tf.function(newton_root)(*inputs()))
