"""The first even number of a vector, or -1: `return` inside a `for`.  See docs/tour.md."""

import runtime as tf


def first_even(numbers):
    for number in numbers:
        if number % 2 == 0:
            return number
    return -1


def inputs():
    return (tf.constant([7, 3, 8, 2]),)


if __name__ == "__main__":
    print(tf.function(first_even)(*inputs()))
