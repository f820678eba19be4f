"""Functions that call themselves as long as a staged value says so."""

from __future__ import annotations

ONLY = "tensors"


def factorial(n):
    if n <= 1:
        return 1
    return n * factorial(n - 1)


def fibonacci(n):
    if n < 2:
        return n
    return fibonacci(n - 1) + fibonacci(n - 2)


def accumulated(n, total=0):
    if n <= 0:
        return total
    return accumulated(n - 1, total + n)


def even(n):
    if n <= 0:
        return n == 0
    return odd(n - 1)


def odd(n):
    if n <= 0:
        return n != 0
    return even(n - 1)


def in_a_closure(n):
    def advance(k, pair):
        if k >= n:
            return pair
        return advance(k + 1, (pair[1], pair[0] + pair[1]))

    return advance(0, (0, 1))


class Counter:
    """Methods that call themselves."""

    def __init__(self, step):
        self.step = step

    def count(self, n):
        if n <= 0:
            return 0
        return 1 + self.count(n - self.step)


def method(n):
    return Counter(2).count(n)


def in_a_loop(n):
    total = 0
    for i in range(n):
        total = total + factorial(i)
    return total


def ends_with_an_exception(n):
    def go(k):
        if k <= 0:
            raise ValueError("bottom", k)
        return go(k - 1)

    try:
        return go(n)
    except ValueError as error:
        return error.args[1]


def raised_at_the_bottom(n):
    if n < 0:
        raise ArithmeticError("negative")
    if n == 0:
        return 1
    return raised_at_the_bottom(n - 2)


def printed_on_the_way(n):
    def down(k):
        if k > 0:
            print("down", k)
            down(k - 1)
            print("up", k)

    down(n)
    return n


def counts_levels(n, level=0):
    if n <= level:
        return level * 10
    return counts_levels(n, level + 1)


def loop_inside(n):
    total = n
    for i in range(n):
        total = total + loop_inside(i)
    return total


def catches_each_level(n):
    try:
        if n > 3:
            raise ValueError
        if n <= 0:
            return 0
        return 1 + catches_each_level(n - 1)
    except ValueError:
        return 100 + catches_each_level(n - 2)


def ackermann(m, n):
    if m == 0:
        return n + 1
    if n == 0:
        return ackermann(m - 1, 1)
    return ackermann(m - 1, ackermann(m, n - 1))


def ackermann_of_two(n):
    if n < 0:
        return n
    return ackermann(2, n)


def python_depth(x, depth=3):
    if depth == 0:
        return x
    if x > 2:
        return python_depth(x - 1, depth - 1)
    return python_depth(x + 1, depth - 1)


_NUMBERS = [(-1,), (0,), (1,), (3,), (4,), (6,)]

CASES = [
    (program, _NUMBERS)
    for program in (
        factorial, fibonacci, accumulated, even, in_a_closure, method, in_a_loop,
        ends_with_an_exception, raised_at_the_bottom, printed_on_the_way, counts_levels,
        loop_inside, catches_each_level, ackermann_of_two, python_depth,
    )
]
