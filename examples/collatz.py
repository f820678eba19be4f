"""Collatz: how many steps lead from a number to 1?  A `while` with an `if`, both over tensors."""

import runtime as tf


def collatz(n):
    steps = 0
    while n != 1:
        if n % 2 == 0:
            n = n // 2
        else:
            n = 3 * n + 1
        steps += 1
    return steps


def inputs():
    return (tf.constant(27),)


if __name__ == "__main__":
    print(tf.function(collatz)(*inputs()))
