"""Inner functions that read variables which are assigned on some paths only."""

from __future__ import annotations


def lambda_reads(x):
    if x > 0:
        i = x + 3
    return (lambda: i * 2)()


def function_in_a_function_reads(x):
    if x > 0:
        i = x + 3

    def outer():
        def inner():
            return i * 2
        return inner() + i
    return outer()


def method_reads(x):
    if x > 0:
        i = x + 3

    class Adder:
        def add(self, y):
            return i + y

    if x > -5:
        return Adder().add(1)
    return 0


def generator_reads(x):
    if x > 0:
        i = x + 3
    return sum(i * v for v in (1, 2))


def parameter_of_the_same_name(x):
    if x > 0:
        i = x + 3
    return (lambda i: i + 1)(x)


def changed_from_inside(x):
    if x > 0:
        i = x + 3

    def change():
        nonlocal i
        i += 1
        return i
    return change() + i


def changed_in_place(x):
    if x > 0:
        i = x + 3
    i += 1
    return i


def caught(x):
    if x > 0:
        i = x + 3
    try:
        return (lambda: i)()
    except NameError:
        return -1


def loop_variable_read_later(n):
    for i in range(n):
        pass
    return (lambda: i * 10)()


def functions_made_in_a_loop(n):
    functions = []
    for i in range(n):
        functions.append(lambda: i + i)
    total = 0
    for function in functions:
        total += function()
    return total


def assigned_behind_an_early_return(x):
    if x > 0:
        return 0
    y = x * 2
    return (lambda: y)()


def chosen_functions_assign(x):
    count = 0

    def add(n):
        nonlocal count
        count += n

    def subtract(n):
        nonlocal count
        count -= n
    act = add if x > 0 else subtract
    act(5)
    for i in range(3):
        (act if i < x else add)(i)
    act = None
    if x > 1:
        act = add
    if act is not None:
        act(10)
    try:
        act(100)
    except TypeError:
        count += 1000
    return count


def operators_assign(x):
    count = 0

    class Counter:
        def __add__(self, y):
            nonlocal count
            count += 1
            return y

        def __getattr__(self, name):
            nonlocal count
            count += 10
            return x

        @property
        def size(self):
            nonlocal count
            count += 100
            return 4

        def __getitem__(self, key):
            log[0] += key
            return key

    log = [0]
    counter = Counter()
    y = 0
    for i in range(x):
        y += (counter + i) + counter[2]
    if x < 0:
        y = counter.size + counter.width
    return y, count, log[0]


NUMBERS = [(-7,), (-1,), (2,)]

CASES = [
    (function, NUMBERS)
    for function in (
        lambda_reads, function_in_a_function_reads, method_reads, generator_reads,
        parameter_of_the_same_name, changed_from_inside, changed_in_place, caught,
        chosen_functions_assign, operators_assign,
        loop_variable_read_later, functions_made_in_a_loop, assigned_behind_an_early_return,
    )
]
