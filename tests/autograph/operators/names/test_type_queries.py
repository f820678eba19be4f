"""``__class__`` of values: that of the Python value which a staged value stands for."""

from __future__ import annotations

import pytest

import autograph
import runtime as tf


class Counter:
    made = 0

    def __init__(self, n):
        self.n = n

    def following(self):
        self.__class__.made += 1
        return self.__class__(self.n + 1)


class Proxy:
    """Object that claims to be an int, as objects of mock libraries claim to be others."""

    @property
    def __class__(self):
        return int


def of_a_number(n):
    return n.__class__.__name__, (n + 1).__class__ is int, (n / 2).__class__ is float


def of_a_variant(n):
    value = "text" if n > 0 else n
    return value.__class__.__name__, value.__class__ is str


def of_a_list(n):
    grown = []
    for i in range(n):
        grown.append(i)
    return grown.__class__ is list, grown.__class__.__name__


def of_an_object(n):
    following = Counter(n).following()
    return following.n, following.__class__ is Counter, following.__class__.__name__


def of_a_proxy(n):
    proxy = Proxy()
    return isinstance(proxy, int), proxy.__class__ is int, type(proxy) is Proxy, n


PROGRAMS = [of_a_number, of_a_variant, of_a_list, of_an_object, of_a_proxy]


@pytest.mark.parametrize("program", PROGRAMS)
def test_class_of_what_a_value_stands_for(program):
    jitted = tf.jit(program)
    for n in (3, 0, -2):
        expected = program(n)
        assert autograph.to_graph(program)(n) == expected == jitted(n)


def test_counters_of_classes():
    Counter.made = 0
    autograph.to_graph(of_an_object)(1)
    assert Counter.made == 1


def of_iterables(n):
    table = {}
    for i in range(n):
        table[i] = i
    views = table.keys(), table.values(), table.items()
    iterators = iter(table), iter(views[1]), zip(range(n), range(n)), (i for i in range(n))
    return [type(one).__name__ for one in (table, *views, *iterators, range(n))]


def test_views_iterators_and_ranges_have_the_names_of_python():
    assert tf.jit(of_iterables, strict=True)(3) == of_iterables(3)


def is_a_view(n):
    table = {}
    for i in range(n):
        table[i] = i
    return isinstance(table.keys(), type({}.keys())), isinstance(range(n), range)


def test_views_and_ranges_are_instances_of_their_classes():
    assert tf.jit(is_a_view, strict=True)(3) == (True, True)
