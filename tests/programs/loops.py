"""Programs with ``while`` and ``for``."""


def collatz(n):
    steps = 0
    while n != 1:
        if n % 2 == 0:
            n = n // 2
        else:
            n = 3 * n + 1
        steps += 1
    return steps


def total(n):
    s = 0
    for i in range(n):
        s = s + i
    return s


def total_from(a, b, c):
    s = 0
    for i in range(a, b, c):
        s += i * i
    return s


def power(x, n):
    r = 1.0
    while n > 0:
        r = r * x
        n -= 1
    return r


def nested_loops(n):
    s = 0
    for i in range(n):
        j = 0
        while j < i:
            s += i * j
            j += 1
    return s


def loop_variable_after(n):
    i = -1
    for i in range(n):
        pass
    return i


def two_variables(n):
    a, b = 0, 1
    while n > 0:
        a, b = b, a + b
        n -= 1
    return a


def mixed_scalars(n):
    s = 0
    i = 0
    while i < n:
        s = s + 0.5
        i = i + 1
    return s


def zero_turns(n):
    x = 5
    while n > 100:
        x = x + 1
        n = n - 1
    return x


def temporaries(n):
    s = 0
    for i in range(n):
        t = i * 2
        u = t + 1
        s = s + u
    return s


def search_root(x):
    guess = x * 0.5
    while abs(guess * guess - x) > 0.001:
        guess = 0.5 * (guess + x / guess)
    return guess


def python_loop(x):
    for k in [1, 2, 3]:
        if x > k:
            x = x - k
    return x


def python_loop_over_pairs(x):
    s = 0
    for k, v in {"a": 1, "b": 2}.items():
        if x > v:
            s = s + v * x
    return s


def loop_in_branch(x):
    if x > 0:
        while x > 5:
            x = x - 5
    else:
        for _ in range(3):
            x = x + 1
    return x


def state_in_tuple(n):
    pair = (0, 1)
    while n > 0:
        pair = (pair[1], pair[0] + pair[1])
        n = n - 1
    return pair[0]


def captured_later(n):
    s = 0
    while n > 0:
        f = lambda v: v + n
        s = s + f(1)
        n = n - 1
    return s


def walrus_in_test(n):
    total = 0
    while (n := n - 1) > 0:
        total = total + n
    return total * 10 + n


def walrus_in_test_and_break(n):
    total = 0
    while (k := n * 2) > 4:
        n = n - 1
        if k == 10:
            break
        total = total + k
    return total


CASES = [
    (walrus_in_test, [(4,), (0,)]),
    (walrus_in_test_and_break, [(4,), (9,), (1,)]),
    (collatz, [(1,), (27,), (6,)]),
    (total, [(0,), (5,)]),
    (total_from, [(2, 11, 3), (5, 0, -2), (3, 3, 1)]),
    (power, [(2.0, 5), (2.0, 0)]),
    (nested_loops, [(0,), (5,)]),
    (loop_variable_after, [(0,), (4,)]),
    (two_variables, [(10,), (0,)]),
    (mixed_scalars, [(3,), (0,)]),
    (zero_turns, [(3,)]),
    (temporaries, [(4,)]),
    (search_root, [(2.0,), (81.0,)]),
    (python_loop, [(10,), (2,)]),
    (python_loop_over_pairs, [(2,), (5,)]),
    (loop_in_branch, [(13,), (-7,)]),
    (state_in_tuple, [(7,)]),
    (captured_later, [(4,)]),
]
