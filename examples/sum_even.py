"""The sum of the even numbers in a vector: a `for` over a tensor with `continue`."""

import runtime as tf


def sum_even(numbers):
    total = 0
    for number in numbers:
        if number % 2 != 0:
            continue
        total += number
    return total


def inputs():
    return (tf.constant([4, 7, -2, 10, 3, 8]),)


if __name__ == "__main__":
    print(tf.function(sum_even)(*inputs()))
