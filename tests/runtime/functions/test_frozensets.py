"""Operators of frozensets and of views of dicts whose right operand is a staged set."""

import copy
import operator

import pytest

import runtime as tf
from autograph.errors import ConcreteValueError, EffectError

OUTSIDE = {2, 3, 4}


class Holder:
    def __init__(self):
        self.known = frozenset({1, 2, 3})
        self.seen = {4}


def in_place(x, known, items):
    known |= {x}
    return len(known)


def taken_in_place(x, known, items):
    known -= {x}
    return len(known), x in known


def of_an_attribute(x, known, items):
    holder = Holder()
    holder.seen = {x}
    return len(holder.known & holder.seen)


def attribute_in_place(x, known, items):
    holder = Holder()
    holder.known &= {x, 9}
    return len(holder.known)


def of_a_helper(x, known, items):
    def both(left, right):
        return len(left ^ right)

    return both(known, {x})


def without_an_attribute(x, known, items):
    holder = Holder()
    holder.seen.add(x)
    return len(holder.known - holder.seen)


def without_what_a_call_gives(x, known, items):
    items = {x}
    return sorted((lambda: known)() - items)


def with_an_item(x, known, items):
    seen = set(items)
    seen.add(x)
    return len([known][0] | seen)


def without_in_a_helper(x, known, items):
    def apart(left, right):
        return left - right

    return len(apart(known, {x, 7}))


@pytest.mark.parametrize("function", [
    in_place, without_in_a_helper, taken_in_place, of_an_attribute, attribute_in_place, of_a_helper,
    without_an_attribute, without_what_a_call_gives, with_an_item,
])  # fmt: skip
def test_frozensets_of_staged_items_are_refused(function):
    line = function.__code__.co_firstlineno
    with pytest.raises(ConcreteValueError, match="a frozenset of staged items") as caught:
        tf.jit(function, strict=True)(1, frozenset({1, 2, 3}), {1: 2})
    assert caught.value.where[0] == __file__ and line < caught.value.where[1] < line + 5


def keys(x, known, items):
    return len(items.keys() | {x}), x in (items.keys() | {x}), sorted({x, 7} - items.keys())


def items_in_place(x, known, items):
    found = {x}
    found |= known
    found &= items.keys()
    return sorted(found)


def compared(x, known, items):
    holder = Holder()
    holder.seen.add(x)
    return holder.known <= holder.seen, holder.known > holder.seen, [known][0] >= {x}


def apart(left, right):
    return left - right


def in_order(left, right):
    return left < right, left <= right, left > right, left >= right, left == right


def in_order_in_a_helper(x, known, items):
    return in_order(known, {x, 1, 2, 3}), in_order(frozenset({5}), {x, 5}), in_order({x}, known)


def of_a_set_from_outside(x, known, items):
    holder = Holder()
    return sorted(apart(OUTSIDE, {x, 7})), len(OUTSIDE | holder.seen), holder.seen <= OUTSIDE


def equal_views(x, known, items):
    seen = {1, x}
    grown = {1: 2}
    grown[x] = 4
    return (
        items.keys() == seen, seen == items.keys(), seen != items.keys(), grown.keys() == seen,
        seen == grown.keys(), grown.keys() == items.keys(), grown.items() == {(1, 2), (x, 4)},
        {3: x}.keys() - seen, [*grown.values()] == [2, 4],
    )  # fmt: skip


def numbers(x, known, items):
    left, right = x + 6, x + 3
    left |= right
    left ^= 1
    return left & right, left | right, left ^ right, left


@pytest.mark.parametrize("function", [
    keys, items_in_place, compared, equal_views, in_order_in_a_helper, of_a_set_from_outside,
    numbers,
])  # fmt: skip
def test_views_and_numbers(function):
    strict = tf.jit(function, strict=True)
    for x in (1, 3, 5):
        arguments = frozenset({1, 2, 3}), {1: 2, 3: 4}
        assert strict(x, *arguments) == function(x, *arguments)


def less(left, right):
    left -= right


def by_the_function(left, right):
    operator.isub(left, right)


def of_an_item(left, right):
    sets = [left]
    sets[0] -= right


@pytest.mark.parametrize("change", [less, by_the_function, of_an_item])
def test_sets_from_outside_are_changed_in_place(change):
    def function(x, items):
        change(items, {x, 7})
        return len(items)

    def call(function):
        items = {1, 2, 7}
        try:
            return function(1, items), items
        except EffectError as error:
            return str(error), items

    count, items = call(tf.jit(function, strict=True))
    assert (count, items) == call(function) or "is written to a set" in count
    assert call(tf.jit(function)) == call(function)


def test_a_set_made_while_tracing_is_a_set():
    def function(x):
        items = {1, 2}
        checks = (
            isinstance(items, set), type(items) is set, isinstance(items, frozenset),
            hasattr(items, "items"), items == {2, 1}, {1, 2} == items, items in [{1, 2}],
            frozenset(items) == items, repr(items), copy.copy(items), copy.deepcopy([items]),
        )  # fmt: skip
        items |= {3}
        return checks, items & {x}, items ^ {x, 9}, sorted(items), {x} | items

    for x in (1, 4):
        assert tf.jit(function, strict=True)(x) == function(x)
