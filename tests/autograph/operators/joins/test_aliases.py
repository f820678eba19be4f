"""Two names of one list, dict, set or object on some path: no change of one is lost in the other.

Staging joins what paths make into copies.  Programs that would tell a copy from the object are
refused; others give what plain Python gives.
"""

from __future__ import annotations

import numpy as np
import pytest

import runtime as tf
from autograph.errors import ConcreteValueError, EffectError
from tests.autograph.operators.joins import alias_programs


def name(function):
    return function.__name__


@pytest.mark.parametrize("function", alias_programs.REFUSED, ids=name)
def test_a_change_that_another_name_would_show_is_refused(function):
    with pytest.raises((EffectError, ConcreteValueError)) as caught:
        tf.function(function)(tf.constant(2))
    file, line = caught.value.where
    assert file == alias_programs.__file__
    first = function.__code__.co_firstlineno
    assert first < line < first + 20


@pytest.mark.parametrize("function", alias_programs.RIGHT, ids=name)
def test_what_shows_no_difference_is_staged(function):
    staged = tf.function(function)
    for n in range(5):
        found = tf.nest.map_structure(lambda t: np.asarray(t).tolist(), staged(tf.constant(n)))
        assert found == function(n), n


def test_what_may_be_none_is_assigned_in_a_list():
    def merged(left, right):
        found = [None] * (len(left) + len(right))
        i = j = 0
        while i < len(left) and j < len(right):
            if left[i] < right[j]:
                found[i + j] = left[i]
                i += 1
            else:
                found[i + j] = right[j]
                j += 1
        while i < len(left):
            found[i + j] = left[i]
            i += 1
        while j < len(right):
            found[i + j] = right[j]
            j += 1
        return found

    def sort(numbers):
        if len(numbers) < 2:
            return numbers
        half = len(numbers) // 2
        return merged(sort(numbers[:half]), sort(numbers[half:]))

    assert tf.jit(sort)([3, 1, 2]) == [1, 2, 3]


def test_classes_are_as_before_after_the_trace():
    tf.function(alias_programs.objects_are_only_read)(tf.constant(2))
    assert vars(alias_programs.Box).keys().isdisjoint(("__getattribute__", "__setattr__"))


def test_a_list_in_what_is_returned_is_stale_at_the_line_that_changed_another():
    def returned(n):
        w = [1]
        x = (w,)
        for i in range(n):
            w = [i]
        w[0] += 1
        return {"x": x}  # the function has returned when the list is read

    with pytest.raises(EffectError, match="this list may be the same object") as caught:
        tf.function(returned)(tf.constant(2))
    assert caught.value.where == (__file__, returned.__code__.co_firstlineno + 5)


def test_objects_that_each_turn_makes_and_passes_on_come_to_an_end():
    def passed_on(n):
        o, q = alias_programs.Box(n), alias_programs.Box(2)
        for _ in range(n):
            q, o = o, q
            q = alias_programs.Box(2)
        return o.p

    staged = tf.function(passed_on)
    assert [int(staged(tf.constant(n))) for n in range(4)] == [passed_on(n) for n in range(4)]
