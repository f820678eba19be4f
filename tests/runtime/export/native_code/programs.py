"""Functions that the tests export."""

from __future__ import annotations

import runtime as tf


def collatz(n):
    """Count the steps from n to 1."""
    steps = 0
    while n != 1:
        n = n // 2 if n % 2 == 0 else 3 * n + 1
        steps += 1
    return steps


def quotient(a, b):
    return a // b


def checked(n):
    if n < 3:
        raise ValueError(f"too small: {n}!")
    return n * n


def entry(x, i):
    return x[i]


def halves(n):
    return n / 2, n > 3


def factorial(n):
    return 1 if n < 1 else n * factorial(n - 1)


def scaled(x, factor):
    return x * factor + 1.0


def sum_of_evens(n):
    numbers = []
    for i in range(n):
        if i % 2 == 0:
            numbers.append(i)
    total = 0
    for number in numbers:
        total += number
    return total


def solved(a, b):
    inverse = tf.linalg.inv(a)
    return tf.linalg.solve(a, b) + inverse
