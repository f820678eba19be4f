import itertools


def f(x):
    signs = itertools.cycle([1, -1])
    total = 0
    while x > 0:
        total += x * next(signs)
        x -= 1
    return total


ARGS = (2,)
