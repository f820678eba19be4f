"""Programs that choose a function or class by a condition, and call it later."""


def double(x):
    return x * 2 if x > 1 else x


def triple(x):
    return x * 3


class Small:
    rate = 2

    def __init__(self, x):
        self.x = x

    def value(self):
        return self.x * self.rate


class Large(Small):
    rate = 5


def lambdas(n):
    f = (lambda v: v + 1) if n > 0 else (lambda v: v * 10)
    return f(n)


def defined_in_branches(n):
    if n > 0:
        def step(v):
            return v + n
    else:
        def step(v):
            return v - n
    return step(n) + step(1)


def functions_by_name(n):
    f = double
    if n > 2:
        f = triple
    elif n < 0:
        f = abs
    return f(n)


def called_in_a_loop(n):
    f = double if n > 2 else triple
    total = 0
    while n > 0:
        total += f(n)
        n -= 1
    return total


def changed_in_a_loop(n):
    f = double
    total = 0
    for i in range(n):
        total += f(i)
        if i == 2:
            f = triple
    return total


def bound_methods(n):
    small, large = Small(3), Large(4)
    f = small.value if n > 1 else large.value
    return f()


def class_attribute(n):
    kind = Small if n > 1 else Large
    return kind.rate * n


def identity(n):
    f = double if n > 1 else triple
    return 1 if f is triple else 2


def none_or_two(n):
    f = None
    if n > 2:
        f = double
    elif n > 0:
        f = triple
    return n if f is None else f(n)


def in_a_tuple(n):
    pair = (double, n)
    if n > 1:
        pair = (triple, n + 1)
    f, x = pair
    return f(x)


def closure_over_state(n):
    k = 1
    if n > 0:
        k = 5
        f = lambda v: v + k  # noqa: E731
    else:
        f = lambda v: v - k  # noqa: E731
    k += 1
    return f(n)


class Counter:
    def __init__(self):
        self.n = 0

    def up(self):
        self.n += 1

    def down(self, by=1):
        self.n -= by


def method_with_effect(n):
    counter = Counter()
    change = counter.up if n > 0 else counter.down
    change()
    change()
    return counter.n


def object_or_none(n):
    first, second = Counter(), Counter()
    node = None
    if n > 0:
        node = first
    if node is not None:
        node.n = 5
    if node is not None and n > 2:
        node.down(3)
    return first.n * 10 + second.n


def unguarded_attribute(n):
    counter = Counter()
    node = counter if n > 1 else None
    node.n = 3
    return counter.n + n


def function_with_effect(n):
    total = [0]

    def add(v):
        total[0] += v

    f = None
    if n > 0:
        f = add
    if f:
        f(n)
    return total[0]


NUMBERS = [(-1,), (0,), (1,), (3,), (5,)]

CASES = [
    (function, NUMBERS)
    for function in (
        lambdas, defined_in_branches, functions_by_name, called_in_a_loop, changed_in_a_loop,
        bound_methods, class_attribute, identity, none_or_two, in_a_tuple,
        closure_over_state, method_with_effect, object_or_none, unguarded_attribute,
        function_with_effect,
    )
]
