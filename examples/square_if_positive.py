"""The smallest example: an `if` whose two ways out are `return` statements."""

import runtime as tf


def square_if_positive(x):
    if x > 0:
        return x * x
    return x


def inputs():
    return (tf.constant(-3.5),)


if __name__ == "__main__":
    print(tf.function(square_if_positive)(*inputs()))
