"""What asks whether a value is a Python number, one on some paths and an array on others.

A variable that begins as ``0.0`` is an array in all turns of a staged loop; the answer differs
from turn to turn, so the question is refused.
"""

from __future__ import annotations

import functools
import re

import numpy as np
import pytest

from autograph.errors import ConcreteValueError
from tests.backends.libraries import library

LIBRARIES = ["jax", "tensorflow", "torch"]


def instance(xs):
    y = 0.0
    for x in xs:
        if isinstance(y, float):
            y = y + x
        else:
            y = y + 100 * x
    return y


def class_of(xs):
    y, n = 0.0, 0
    for x in xs:
        if type(y) is float:
            n = n + 1
        y = y + x
    return n


def pattern(xs):
    y, n = 0.0, 0
    for x in xs:
        match y:
            case float():
                n = n + 1
        y = y + x
    return n


def member(xs):
    y, n = 0.0, 0
    for x in xs:
        if hasattr(y, "is_integer"):
            n = n + 1
        y = y + x
    return n


@functools.singledispatch
def words(value):
    return 1


@words.register
def _(value: float):
    return 2


def dispatch(xs):
    y, n = 0.0, 0
    for x in xs:
        n = n + words(y)
        y = y + x
    return n


def of_what_it_computes(xs):
    y, n = 0.0, 0
    for x in xs:
        z = y + 1
        if isinstance(z, float):
            n = n + 1
        y = y + x
    return n


def after_the_loop(xs):
    y = 0.0
    for x in xs:
        y = y + x
    z = y * 2 + 1
    return isinstance(z, float)


def after_a_branch(xs):
    y = 0.0
    if xs[0] > 1:
        y = y + xs[1]
    if xs[0] > 2:
        y = y * 2
    return isinstance(y, float)



def in_an_inner_branch(xs):
    y, n = 0.0, 0
    for x in xs:
        y = y + x
    z = y + 2
    for x in xs:
        if x > 1:
            if isinstance(z * 2, float):
                n = n + 1
    return n


@pytest.mark.parametrize("name", LIBRARIES)
@pytest.mark.parametrize("function", [
    instance, class_of, pattern, member, dispatch, of_what_it_computes, after_the_loop,
    after_a_branch, in_an_inner_branch,
])  # fmt: skip
def test_is_refused(name, function):
    kit = library(name)
    with pytest.raises(ConcreteValueError, match="Python number on one path") as caught:
        kit.traced(function, kit.array(np.array([1.5, 2.0, 3.0], np.float32)))
    assert re.search(r"test_possible_numbers\.py", caught.value.where[0])
    assert caught.value.help


def array(xs):
    y, n = 0.0, 0
    for x in xs:
        z = y + x
        if isinstance(z, float) or isinstance(x, float):
            n = n + 1
        y = z
    return n


def other_class(xs):
    y, n = 0.0, 0
    for x in xs:
        if isinstance(y, str) or hasattr(y, "append"):
            n = n + 1
        y = y + x
    return n


def number(xs):
    y, n = 1.0, 0
    for x in xs:
        if isinstance(y, float) and x > 1:
            n = n + 1
        y = y * 2
    return n


@pytest.mark.parametrize("name", LIBRARIES)
@pytest.mark.parametrize("function", [array, other_class, number])
def test_is_answered_where_all_paths_agree(name, function):
    kit = library(name)
    xs = kit.array(np.array([1.5, 2.0, 3.0], np.float32))
    assert int(kit.traced(function, xs)) == function(xs)


def longer(xs):
    items = [1.5]
    for x in xs:
        if x > 2:
            items.append(x)
    if xs[0] > 1:
        items.append(2.5)
    print(items)
    return len(items)


@pytest.mark.parametrize("name", LIBRARIES)
def test_entries_of_lists_are_shown(name, capsys):
    kit = library(name)
    values = np.array([1.5, 2.0, 3.0], np.float32)
    assert int(kit.traced(longer, kit.array(values))) == 3
    printed = capsys.readouterr().out
    assert longer(list(map(float, values))) == 3
    expected = capsys.readouterr().out
    assert printed == expected or name == "jax" and printed.count("Array(") == 3
