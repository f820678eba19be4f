"""Operators of frozensets and of views of dicts whose right operand is a staged set."""

import pytest

import runtime as tf
from autograph.errors import ConcreteValueError


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


@pytest.mark.parametrize("function", [
    in_place, taken_in_place, of_an_attribute, attribute_in_place, of_a_helper,
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


@pytest.mark.parametrize("function", [keys, items_in_place, compared, equal_views, numbers])
def test_views_and_numbers(function):
    strict = tf.jit(function, strict=True)
    for x in (1, 3, 5):
        arguments = frozenset({1, 2, 3}), {1: 2, 3: 4}
        assert strict(x, *arguments) == function(x, *arguments)
