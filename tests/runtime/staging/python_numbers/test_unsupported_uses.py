"""Staged numbers, texts and arrays used as what they are not: the errors are Python's."""

import numpy as np
import pytest

import runtime as tf
from autograph.errors import ConcreteValueError
from tests.runtime.staging.python_numbers.test_number_operands import outcome


def calls(n):
    return n(1, a=2)


def goes_through(n):
    for _ in n:
        pass


def removes_an_item(n):
    del n[0]


def assigns_an_item(n):
    n[0] = 1


def enters(n):
    with n:
        pass


def adds_none(n):
    n += None
    return n


def multiplies_itself(n):
    n @= n
    return n


def in_an_index(n):
    items = [1, 2, 3]
    items[n / 1] = 4
    return items


def removed_by_index(n):
    items = [1, 2, 3]
    del items[n / 1]
    return items


def in_a_list_of_staged_length(n):
    items = []
    for i in range(n):
        items.append(i)
    return items[n / 2]


USES = [
    calls, goes_through, removes_an_item, assigns_an_item, enters, adds_none, multiplies_itself,
    lambda n: len(n),
    lambda n: n[0],
    lambda n: n[1:2],
    lambda n: next(n),
    lambda n: list(reversed(n)),
    lambda n: sum(n),
    lambda n: 1 in n,
    lambda n: (None < n, 0),
    lambda n: [1] >= n,
    lambda n: {} < n,
    lambda n: n <= "a",
    lambda n: (1,) + n,
    lambda n: [1] + n,
    lambda n: [1] * (n / 2),
    lambda n: n @ n,
    lambda n: ~(n / 2),
    lambda n: divmod(None, n),
    lambda n: isinstance(n, 3),
]  # fmt: skip

INDICES = [
    in_an_index, removed_by_index, in_a_list_of_staged_length,
    lambda n: [1, 2, 3][n / 2],
    lambda n: [1, 2, 3][n / 2 :],
    lambda n: [1, 2, 3].pop(n / 2),
    lambda n: [1, 2, 3].insert(n / 2, 0),
    lambda n: list(range(n / 2)),
]  # fmt: skip


@pytest.mark.parametrize("function", USES)
def test_of_numbers(function):
    jitted = tf.jit(function)
    for n in (2, 2.5, 2):
        assert outcome(jitted, n) == outcome(function, n)


@pytest.mark.parametrize("function", INDICES)
def test_floats_are_no_indices(function):
    assert outcome(tf.jit(function), 2) == outcome(function, 2)


@pytest.mark.parametrize(
    "function", [calls, adds_none, lambda s: s + 1, lambda s: 1 < s, lambda s: s - s, lambda s: -s,
                 assigns_an_item],
)  # fmt: skip
def test_of_texts(function):
    assert outcome(tf.jit(function), "abc") == outcome(function, "abc")


@pytest.mark.parametrize(
    "function",
    [lambda a: len(a[0]), lambda a: a[0][0], lambda a: goes_through(a[1]), calls, adds_none,
     lambda a: calls(a[0]), lambda a: None < a, lambda a: "a" + a[0], lambda a: [1] + a[0],
     lambda a: assigns_an_item(a[0])],
)  # fmt: skip
def test_of_arrays(function):
    for array in (np.array([1, 2]), np.array([1.5, 2.5])):
        assert outcome(tf.jit(function), array) == outcome(function, array)


def reached_or_not(n):
    if n > 100:
        return len(n)
    if n > 90:
        return n()
    if n > 80:
        return [i for i in n]
    try:
        return n[0] if n > 2 else n
    except TypeError:
        return -1


def test_they_are_raised_where_control_reaches_them():
    jitted = tf.jit(reached_or_not)
    for n in (1, 5, 85, 95, 105, 1):
        assert outcome(jitted, n) == outcome(reached_or_not, n)


def test_of_a_tensor():
    def reached(x):
        if x > 10:
            return len(x)
        try:
            return x() if x > 5 else x
        except TypeError:
            return x - 1

    function = tf.function(reached)
    for n in (3, 7, 11, 3):
        assert outcome(function, tf.constant(n)) == outcome(reached, tf.constant(n))


SLICES = [
    lambda n: (1, 2, 3)[n:],
    lambda n: sum((1, 2, 3)[:-n]),
    lambda n: ("hello"[n:], "hello"[::-n], "hello"[:n] + "x"),
]


@pytest.mark.parametrize("function", SLICES)
def test_slices_of_constants(function):
    jitted = tf.jit(function)
    for n in (1, 2, 1):
        assert outcome(jitted, n) == outcome(function, n)


def sliced_range(n):
    return range(10)[n:]


def test_a_range_is_not_sliced_by_staged_bounds():
    with pytest.raises(ConcreteValueError, match="a range is sliced") as caught:
        tf.jit(sliced_range)(3)
    assert caught.value.where == (__file__, sliced_range.__code__.co_firstlineno + 1)


def are_one(first, second):
    return first is second, first == second


def is_its_own(first, second):
    made = [1]
    return first is first, first is not made, made is not second, first is not None


@pytest.mark.parametrize("kind", [list, dict.fromkeys, set])
def test_whether_arguments_are_one_object_is_not_known(kind):
    for other in (kind([1, 2]), kind([1])):
        with pytest.raises(ConcreteValueError, match="the identity of a staged value"):
            tf.jit(are_one)(kind([1, 2]), other)
        assert tf.jit(is_its_own)(other, kind([1])) == (True, True, True, True)
    assert tf.jit(are_one)([1], {1: 2}) == (False, False)


def test_lists_that_are_nested_too_deeply_or_contain_themselves():
    deep, endless = [], [1]
    endless.append(endless)
    for _ in range(2000):
        deep = [deep]
    for value in (deep, endless):
        with pytest.raises(RecursionError, match=r"in 'items' of count\(\): pass a flat one"):
            tf.jit(count, strict=True)(value, 2)


def count(items, more):
    return len(items) + more
