"""Programs that call functions, methods, closures and lambdas."""

import functools


def clip(x, low=0, high=10):
    if x < low:
        return low
    if x > high:
        return high
    return x


def helper(x):
    return clip(x) + clip(x, low=2) + clip(x, high=3)


def inner_function(x):
    def double(v):
        if v > 2:
            return v * 2
        return v

    return double(x) + double(1)


def closure(x):
    k = 3

    def add(v):
        if v > 0:
            return v + k
        return v - k

    k = 4
    return add(x)


def lambdas(x):
    f = lambda v: v if v > 0 else -v
    return f(x) + (lambda a, b=2: a * b)(x)


def star_arguments(x):
    args = (x,)
    options = {"high": 4}
    return clip(*args, **options)


class Counter:
    step = 2

    def __init__(self, start):
        self.value = start

    def bump(self, x):
        if x > 0:
            return self.value + self.step
        return self.value

    @staticmethod
    def half(x):
        if x % 2 == 0:
            return x // 2
        return x

    @classmethod
    def scaled(cls, x):
        if x > 3:
            return x * cls.step
        return x

    def __call__(self, x):
        if x > 1:
            return x + self.value
        return x


class Doubled(Counter):
    def bump(self, x):
        if x > 5:
            return super().bump(x) * 2
        return super().bump(x)


def methods(x):
    c = Counter(5)
    d = Doubled(7)
    return c.bump(x) + d.bump(x) + c.half(x) + Counter.scaled(x) + c(x)


def partials(x):
    return functools.partial(clip, high=6)(x)


def attributes(x):
    c = Counter(0)
    if x > 0:
        c.value = x
    else:
        c.value = 1
    return c.value


def attribute_in_loop(n):
    c = Counter(0)
    for i in range(n):
        c.value += i
    return c.value


def item_in_loop(n):
    d = {"s": 0}
    for i in range(n):
        d["s"] += i
    return d["s"]


def higher_order(x):
    def twice(f, v):
        return f(f(v))

    return twice(lambda v: v + 1 if v < 5 else v, x)


def recursion(x, depth=3):
    if depth == 0:
        return x
    if x > 2:
        x = x - 1
    return recursion(x, depth - 1)


def nonlocal_state(n):
    total = 0

    def add(v):
        nonlocal total
        if v > 1:
            total = total + v

    for i in (1, 2, 3):
        add(n + i)
    return total


CASES = [
    (clip, [(-1,), (5,), (11,)]),
    (helper, [(-1,), (5,), (11,)]),
    (inner_function, [(1,), (3,)]),
    (closure, [(1,), (-3,)]),
    (lambdas, [(1,), (-3,)]),
    (star_arguments, [(1,), (9,)]),
    (methods, [(1,), (4,), (9,), (-2,)]),
    (partials, [(1,), (9,)]),
    (attributes, [(3,), (-3,)]),
    (attribute_in_loop, [(0,), (4,)]),
    (item_in_loop, [(0,), (4,)]),
    (higher_order, [(1,), (4,), (5,)]),
    (recursion, [(1,), (9,)]),
    (nonlocal_state, [(0,), (-1,)]),
]
