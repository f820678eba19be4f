"""Comprehensions keep Python's scopes, order and exceptions on Python values."""

from __future__ import annotations

import pytest

import autograph


def early_read(x):
    return [i * x for i in (1, 2) for x in [i + x]]


def early_read_in_a_test(x):
    return [i * x for i in (1, 2) if x > 0 for x in [i]]


def own_iterable(x):
    return [x for x in (1, 2) for x in x]


def rebound(rows):
    return [x for x in rows for x in x], rows


def first_iterable_is_outside(x):
    return [x + 1 for x in [x, x + 1]], x


def too_many(pairs):
    return [a + b for a, b in pairs]


def too_few(pairs):
    return {a: c for a, (b, c) in pairs}


def stop_inside(items):
    rest = iter(items)
    return [next(rest) for _ in range(3)]


def stop_inside_a_generator(items):
    rest = iter(items)
    return list(next(rest) for _ in range(3))


def not_iterable_at_once(x):
    made = (i for i in x)
    return made


def lazy(items):
    seen = []
    made = (seen.append(i) or i for i in items if seen.append(-i) or i != 2)
    before = list(seen)
    return before, next(made), list(seen), list(made), seen


def order_of_dict_parts(items):
    seen = []
    made = {seen.append(("key", i)) or i: seen.append(("value", i)) for i in items}
    return made, seen


def class_scope(items):
    class Holder:
        factor = 3
        values = [i for i in items if i]

    return Holder.values


def same_name_twice(items):
    return [_ for _, _ in items], [a for a, _, _ in [(1, 2, 3)]]


def starred(items):
    return [(first, rest) for first, *rest in items], [b for [a, (b, *_)] in [(1, (2, 3))]]


CASES = [
    (early_read, 3), (early_read_in_a_test, 3), (own_iterable, 3), (rebound, [(1, 2), (3,)]),
    (first_iterable_is_outside, 3), (too_many, [(1, 2, 3)]), (too_few, [(1, 2)]),
    (stop_inside, [1]), (stop_inside_a_generator, [1]), (not_iterable_at_once, 3),
    (lazy, [1, 2, 3]), (order_of_dict_parts, [1, 2]), (class_scope, [0, 1]),
    (same_name_twice, [(1, 2)]), (starred, [(1, 2, 3), "ab"]),
]  # fmt: skip


def outcome(function, argument):
    try:
        return function(argument)
    except Exception as error:
        return type(error), str(error)


@pytest.mark.parametrize("function, argument", CASES)
@pytest.mark.parametrize("tracing", [False, True])
def test_as_in_python(function, argument, tracing):
    expected = outcome(function, argument)
    converted = autograph.to_graph(function)
    if not tracing:
        assert outcome(converted, argument) == expected
        return
    import runtime as tf

    with tf.Graph().as_default():
        assert outcome(converted, argument) == expected
