"""Programs with long loops over known numbers; ``x`` is a number, ``a`` a vector of four.

``STAGED`` lists those whose loops become loops of the graph, ``UNROLLED`` those whose loops cannot.
"""

from __future__ import annotations

import numpy as np

import autograph

CALLS = {"n": 0}


class Account:
    """Object that a program changes."""

    def __init__(self) -> None:
        self.total = 0
        self.count = 0


def total(a):
    s = 0.0
    for i in range(len(a) * 30):
        s += a[i % 4]
    return s, i


def integers_beside_floats(x):
    n, r = 1, 0.0
    for i in range(1, 100):
        n = n * 3 % 1009
        r = r * 0.5 + x / i
        x = x + n // 2
    return n, r, x


def matrix_product(a):
    left, size = a.reshape(2, 2), 12
    found = np.zeros((size, size))
    for i in range(size):
        for j in range(size):
            s = 0.0
            for k in range(size):
                s += left[i % 2, k % 2] * left[k % 2, j % 2]
            found[i, j] = s
    return found


def sorted_in_place(a):
    b = np.concatenate([a, a[::-1], a * 0.5])
    for i in range(len(b)):
        for j in range(len(b) - 1 - i):
            if b[j] > b[j + 1]:
                b[j], b[j + 1] = b[j + 1], b[j]
    return b


def left_by_return(x):
    for i in range(40):
        for j in range(40):
            x = x + j
            if i * j == 300:
                return i, j, x
    return -1, -1, x


def left_by_staged_break(a):
    for i in range(1000):
        if a[i % 4] * i > 500.0:
            break
    else:
        i = -1
    return i


def skips(x):
    for i in range(200, 0, -3):
        if i % 2:
            continue
        x = x * 0.9 + i
    return x


def counter_in_while(x):
    i, j = 0, 100
    while i < j:
        x = x * 0.5 + i
        i, j = i + 1, j - 1
    return x, i, j


def endless_until_break(x):
    i = 0
    while True:
        x, i = x + i, i + 1
        if i >= 300:
            break
    return x, i


def assigns_in_test(x):
    n = 200
    while (n := n - 1) > 0:
        x += n
    return x, n


def list_is_made(a):
    made = []
    for i in range(60):
        made.append(a[i % 4] * i)
    return made


def list_keeps_its_aliases(x):
    one = [0.0] * 5
    other = one
    for i in range(100):
        one[i % 5] += x
    return one, other, one is other


def object_is_changed(x):
    account = Account()
    for i in range(60):
        account.total += x * i
        account.count += 1
    return account.total, account.count


def text_is_made(x):
    text = ""
    for i in range(60):
        text += f"{i:>3},"
        x += len(text)
    return text, x


def type_is_asked(x):
    for i in range(60):
        if type(i) is not int or not isinstance(i, int):
            return "no int"
        x += i and 3
    return x


def function_with_a_loop(x, n):
    for i in range(n):
        x = x * 0.99 + i
    return x


def calls_with_other_lengths(x):
    for n in range(30):
        x = function_with_a_loop(x, n)
    return x


def global_is_changed(x):
    CALLS["n"] = 0
    for i in range(60):
        CALLS["n"] += i
        x = x + CALLS["n"]
    return x


def raises_in_the_middle(x):
    for i in range(100):
        x = x + i
        if x > 1000:
            raise ValueError(i)
    return x


def index_leaves_the_array(a):
    s = 0.0
    for i in range(100):
        s += a[i]
    return s


def narrow_integers(a):
    b = a.astype(np.uint8)
    for i in range(100):
        b[i % 4] = b[i % 4] // 2 + b[(i + 1) % 4]
    return b


def number_does_not_fit(a):
    b = a.astype(np.int8)
    s = b[0] * 0
    for i in range(200):
        s = s * 0 + b[i % 4] + i
    return s


def sum_of_a_generator(a):
    return sum(a[i % 4] * i for i in range(200)), max(a[i % 4] - i for i in range(60))


def generators_that_are_used_again(x):
    first, second, third = ((i * x for i in range(60)) for _ in range(3))
    filtered = (i * x for i in range(200) if i % 2)
    found = sum(first), list(first), next(second), sum(second), sum(filtered), sum(filtered)
    return found, max(third), list(third)


def list_comprehension(x):
    return [[i * x + k for k in range(3)] for i in range(60)], [i * x for i in range(120) if i % 2]


def options_are_those_of_staged_loops_alone(x):
    for i in range(60):
        autograph.set_loop_options(maximum_iterations=5)
        x = x + i
    return x


def best_so_far(a):
    best = at = None
    for i in range(100):
        if best is None or a[i % 4] > best:
            best, at = a[i % 4], i
    return best, at


def functions_by_number(x):
    several = [lambda v: v + 1.0, lambda v: v * 0.5, lambda v: (v, 1)[0]] * 20
    for i in range(60):
        x = several[i](x)
    return x


# -- what cannot be staged, or not exactly -------------------------------------------------------


def number_becomes_an_array_scalar(a):
    last = 0
    for i in range(60):
        if i == 50:
            last = a[3]
        print(last)
    return last


def number_beside_an_array_scalar(a):
    s = 0.0
    for i in range(60):
        before = 0 if i == 0 else a[(i - 1) % 4]
        print(before)
        s += a[i % 4] - before
    return s


def shape_changes(a):
    b = a[:1]
    for i in range(60):
        b = np.concatenate([b, a[:1] * i])
    return b


FLOATS, BOOLS = np.ones(2), np.ones(2, bool)


def tuple_of_several_types(x):
    made = ()
    for i in range(60):
        made = (*made, i if i % 2 else "even")
        x += 1
    return made, x


def tuple_of_several_dtypes(x):
    made = ()
    for i in range(60):
        made = (*made, FLOATS if i % 2 else BOOLS)
        x += 1
    return made, x


def layers_by_number(a):
    layers = [np.full((3 + i % 2, 4 - i % 2), 0.25) for i in range(60)]
    b = a
    for i in range(60):
        b = layers[i] @ b
    return b


def unsigned_of_64_bits(x):
    h = 14695981039346656037
    for i in range(100):
        h = ((h ^ i) * 1099511628211) & (2**64 - 1)
        x += 1.0
    return h, x


def length_is_counted(a):
    n = 0
    for _ in range(60):
        n += 1
        a = a + 1.0
    return np.zeros(n) + a[0], [0] * n, range(n)


def list_is_added_up(a):
    made = [a[i % 4] * i for i in range(60)]
    s = 0
    for one in made:
        print(s)
        s += one
    return s, len(made)


def count_chooses_a_type(a):
    n = 0
    for _ in range(60):
        n += 1
        a = a + 1.0
    print(0 if n > 3 else a[0])
    return a


def inner_loop_cannot_be_staged(x):
    made = ()
    for i in range(20):
        made = ()
        for k in range(4):
            made = (*made, FLOATS if k % 2 else BOOLS)
            x = x * 0.9 + i * k
    return made, x


def closures_keep_numbers(x):
    several = []
    for i in range(60):
        x += i
        several.append(lambda i=i: i)
    return x, [one() for one in several]


def changes_before_it_fails(x):
    CALLS["n"] = 5
    made = ()
    for i in range(60):
        CALLS["n"] += 1
        x = x + CALLS["n"]
        made = (*made, FLOATS if i % 2 else BOOLS)
    return x, made


# -- numbers that need more than 64 bits ---------------------------------------------------------


def product_of_many(a):
    p, s = 1, 0.0
    for i in range(80):
        p *= 3
        s += a[i % 4]
    return s, p


def mask_of_70_bits(x):
    mask = 0
    for i in range(70):
        mask |= 1 << i
        x += 1.0
    return mask, x


def powers_of_both_signs(x):
    s = 0
    for i in range(-30, 30):
        s += x * 2**i
    return s


STAGED = [
    number_beside_an_array_scalar, list_is_added_up,
    total, tuple_of_several_types, count_chooses_a_type, integers_beside_floats, matrix_product,
    sorted_in_place, left_by_return, powers_of_both_signs,
    left_by_staged_break, skips, counter_in_while, endless_until_break, assigns_in_test,
    list_is_made, list_keeps_its_aliases, object_is_changed, text_is_made, type_is_asked,
    calls_with_other_lengths, global_is_changed, raises_in_the_middle, index_leaves_the_array,
    narrow_integers, number_does_not_fit, best_so_far, functions_by_number,
    sum_of_a_generator, list_comprehension, options_are_those_of_staged_loops_alone,
]  # fmt: skip
UNROLLED = [
    number_becomes_an_array_scalar, shape_changes,
    tuple_of_several_dtypes, layers_by_number, unsigned_of_64_bits,
    length_is_counted, closures_keep_numbers, changes_before_it_fails,
    product_of_many, mask_of_70_bits,
]  # fmt: skip
BOTH = [inner_loop_cannot_be_staged, generators_that_are_used_again]
