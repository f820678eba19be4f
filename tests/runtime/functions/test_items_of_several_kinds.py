"""The item at a staged index among values of several kinds is that item itself, no copy."""

from __future__ import annotations

import copy

import pytest

import runtime as tf
from autograph.errors import EffectError


def appended(index, value):
    items = [1, [2], "x"]
    items[index].append(value)
    return items


def appended_to_copy(index, value, items=("HELLO", 5, [], True)):
    items = copy.deepcopy(items)
    items[index].append(value)
    return items


def appended_in_loop(index, count):
    items = {"a": 1, 1: [2], (1, 2): "x"}
    for i in range(count):
        items[index].append(i)
    return items


def assigned(index, value):
    items = [1, {2: 3}, "x"]
    chosen = items[index]
    chosen[0] = value
    return items


def nested(index, value):
    items = [1, [[2], [3]], "x"]
    items[index][1].append(value)
    return items


def beside_none(index, value):
    items = [None, [2]]
    chosen = items[index]
    if chosen is not None:
        chosen.append(value)
    return items


def added_in_place(index, value):
    items = [(2,), [1]]
    chosen = items[index]
    chosen += (value,)
    return items, chosen


@pytest.mark.parametrize(
    ("function", "index"),
    [
        (appended, 1),
        (appended_to_copy, 2),
        (appended_in_loop, 1),
        (assigned, 1),
        (nested, 1),
        (beside_none, 0),
        (beside_none, 1),
        (added_in_place, 0),
        (added_in_place, 1),
    ],
)
def test_the_item_is_changed(function, index):
    assert tf.jit(function, strict=True)(index, 5) == function(index, 5)


def test_what_does_not_change_is_refused_as_python_refuses_it():
    with pytest.raises(AttributeError, match="append"):
        tf.jit(appended, strict=True)(0, 5)


def test_what_may_be_a_changed_list_is_refused():
    def in_tuple(index, value):
        items = [1, ([2], [3]), "x"]
        items[index][1].append(value)
        return items

    with pytest.raises(EffectError, match="may be the same object"):
        tf.jit(in_tuple, strict=True)(1, 5)
