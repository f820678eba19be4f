"""Staged lists, dicts and sets given to code in C: as plain Python, or refused with the line."""

import array
import copy
import decimal
import fractions
import json
import operator
import pickle
import pprint
import re

import pytest

import runtime as tf
from autograph.errors import ConcreteValueError


def deep_copy(v):
    found = copy.deepcopy(v)
    found.append(7)
    return v, found


def reversed_in_place(v):
    list.reverse(v)
    return v


def sorted_in_place(v):
    list.sort(v, reverse=True)
    return v


def spliced(v):
    items = [0, 0, 0, 0]
    items[1:3] = v
    return items


def removed(v):
    list.append(v, 4)
    list.insert(v, 0, 9)
    return list.pop(v), v


SAME = (
    lambda v: sum(list.copy(v)),
    lambda v: list.__len__(v),
    lambda v: v.__len__(),
    lambda v: list(map(list.__len__, [v])),
    lambda v: list.index(v, 2),
    lambda v: list.__getitem__(v, 1),
    lambda v: (list.__contains__(v, 2), list.__contains__(v, 5), v.__contains__(2)),
    lambda v: list.__eq__(v, [3, 1, 2]),
    lambda v: list.__add__(v, v),
    lambda v: [8].__add__(v),
    lambda v: list.count(v, 2),
    lambda v: set.union(set(v), {9}) == {1, 2, 3, 9},
    lambda v: set.__len__(set(v)),
    lambda v: dict.get({x: x + 1 for x in v}, 2),
    lambda v: operator.length_hint(v),
    lambda v: (operator.contains(v, 2), operator.countOf(v, 2), operator.indexOf(v, 2)),
    lambda v: copy.copy(v),
    deep_copy,
    reversed_in_place,
    sorted_in_place,
    removed,
    spliced,
)


@pytest.mark.parametrize("function", SAME)
def test_methods_of_classes_are_those_of_the_staged_list(function):
    staged = tf.jit(function)
    for items in ([3, 1, 2], [2, 2, 1], [3, 1, 2]):
        assert staged(list(items)) == function(list(items))


def from_list(v):
    found = array.array("q")
    found.fromlist(v)
    return sum(found)


def extended(v):
    found = bytearray()
    found.extend(v)
    return len(found)


def into_bytearray(v):
    found = bytearray(4)
    found[0:2] = v
    return found[0]


class Stack(list):
    pass


REFUSED = (
    (lambda v: sum(array.array("q", v)), r"array\(\)"),
    (lambda v: sum(bytes(v)), r"bytes\(\)"),
    (lambda v: sum(bytearray(v)), r"bytearray\(\)"),
    (from_list, r"array.fromlist\(\)"),
    (extended, r"bytearray.extend\(\)"),
    (into_bytearray, "a slice of a bytearray"),
    (lambda v: len(Stack(v)), r"Stack\(\)"),
    (lambda v: json.dumps(v), r"json.dumps\(\)"),
    (lambda v: json.dumps({"a": [v]}), r"json.dumps\(\)"),
    (lambda v: json.JSONEncoder().encode(v), r"JSONEncoder.encode\(\)"),
    (lambda v: pprint.pformat(v), r"pprint.pformat\(\)"),
    (lambda v: pickle.dumps({"a": v}), r"pickle.dumps\(\)"),
    (lambda v: json.dumps(v[0]), r"json.dumps\(\)"),
    (lambda v: fractions.Fraction(v[0], 3), r"fractions.Fraction\(\)"),
    (lambda v: decimal.Decimal(v[0]), r"decimal.Decimal\(\)"),
    (lambda v: re.match("a", str(v[0])), r"re.match\(\)"),
    (lambda v: re.compile("a").match(str(v[0])), r"Pattern.match\(\)"),
)


@pytest.mark.parametrize(("function", "name"), REFUSED)
def test_what_needs_the_values_is_refused_with_the_line(function, name):
    staged = tf.jit(function)
    for _ in range(2):
        with pytest.raises(ConcreteValueError, match=name) as caught:
            staged([3, 1, 2])
        assert __file__ in str(caught.value)


def swallowing(n):
    try:
        return int(decimal.Decimal(n))
    except TypeError:
        return -1


def test_a_handler_does_not_take_the_refusal_for_an_error_of_the_program():
    with pytest.raises(ConcreteValueError, match=r"Decimal\(\)"):
        tf.jit(swallowing)(3)


class Shelf:
    def __init__(self, items):
        object.__setattr__(self, "items", items)


class Refusal(Exception):
    pass


def kept_as_they_are(v):
    shelf = Shelf(v)
    error = Refusal(v)
    pair = operator.itemgetter(0, 1)(v)
    return shelf.items, error.args[0], pair


def test_classes_that_keep_their_arguments_take_staged_lists():
    assert tf.jit(kept_as_they_are)([3, 1, 2]) == kept_as_they_are([3, 1, 2])
