"""``runtime.jit`` of functions that change NumPy arrays among their arguments."""

from __future__ import annotations

import numpy as np
import pytest

import runtime as tf
from autograph.errors import ConcreteValueError, EffectError
from runtime.types import flags
from tests.support.extras import needs


def test_the_result_may_be_the_changed_argument():
    @tf.jit
    def scaled(values, factor):
        values *= factor
        return values, values[0]

    for factor in (2, 3.0, np.float64(0.5)):
        given = np.array([1.0, 2.0])
        found, first = scaled(given, factor)
        assert found is given
        assert found.tolist() == [factor, 2 * factor]
        assert first == factor
        assert type(first) is np.float64


def test_numpy_scalars_among_the_arguments_leave_arrays_arrays():
    @tf.function
    def scale(values, factor):
        values *= factor

    for factor in (np.float64(2.0), np.array(2.0), np.float64(0.5)):
        given = np.array([1.0, 2.0])
        scale(given, factor)
        assert given.tolist() == [factor, 2 * factor]


def test_an_exception_leaves_what_python_leaves():
    @tf.jit
    def fill(values, items, n):
        for i in range(n):
            items.append(i)
            values[i] = items[-1] + 1

    for _ in range(3):
        values, items = np.zeros(2), []
        fill(values, items, 2)
        assert (values.tolist(), items) == ([1.0, 2.0], [0, 1])
        with pytest.raises(IndexError, match="out of bounds"):
            fill(values, items, 5)
        assert (values.tolist(), items) == ([1.0, 2.0], [0, 1, 0, 1, 2])


@pytest.mark.parametrize("jit_compile", [pytest.param(True, marks=needs("jit")), False])
def test_an_exception_leaves_in_lists_what_python_leaves(jit_compile):
    @tf.function(stage_numbers=True, jit_compile=jit_compile)
    def fill(items, n):
        for i in range(n):
            items[i] = 10 + i

    for _ in range(3):
        items = [1, 2, 3]
        fill(items, 2)
        assert items == [10, 11, 3]
        with pytest.raises(IndexError, match="list assignment index out of range"):
            fill(items, 5)
        assert items == [10, 11, 12]


def filled_past_the_end(items, n):
    for i in range(n):
        tf.print("item", i)
        items[i] = 10 + i


def test_an_exception_amid_effects_says_that_lists_are_as_before(capsys):
    items = [1, 2]
    with pytest.raises(IndexError) as caught:
        tf.jit(filled_past_the_end)(items, 5)
    assert items == [1, 2]
    assert caught.value.__notes__[-1] == (
        "note: filled_past_the_end() raised this after it had changed its arguments, maybe; "
        "the lists, dicts and arrays among them are left as they were before the call"
    )


def test_what_always_raises_changes_its_arguments_first():
    def changed(items, array, n):
        items.append(n)
        array[0] = n
        return int("five")

    for engine in ("auto", "always", "never"):
        staged = tf.jit(changed)
        for _ in range(3):
            items, array = [1], np.zeros(2)
            with flags.JIT(engine), pytest.raises(ValueError, match="invalid literal"):
                staged(items, array, 5)
            assert (items, array[0]) == ([1, 5], 5)


def test_overlapping_arguments():
    @tf.jit
    def shift(one, other, n):
        for _ in range(n):
            one[1:] = other[:-1]
            other[0] = one[1] + 1

    def plain(one, other, n):
        shift.python_function(one, other, n)

    base, wanted = np.arange(6.0), np.arange(6.0)
    shift(base[1:], base[:-1], 2)
    plain(wanted[1:], wanted[:-1], 2)
    assert base.tolist() == wanted.tolist()


def test_a_concrete_function_changes_arrays():
    @tf.jit
    def note(values, number):
        values[0] = number

    values = np.zeros(2)
    trace = note.get_concrete_function(values, 1.0)
    assert values.tolist() == [0.0, 0.0]
    trace(values, 5.0)
    assert values.tolist() == [5.0, 0.0]


class Counter:
    """What is called, and how often."""

    def __init__(self):
        self.calls = 0

    @tf.jit
    def note(self, values, number):
        self.calls += number
        values[0] = self.calls


def test_beside_carried_state_it_is_refused():
    counter, values = Counter(), np.zeros(2)
    with pytest.raises(EffectError, match="'values' beside state that it carries from call"):
        counter.note(values, 1)
    assert (counter.calls, values[0]) == (0, 0.0)


SWAPPED = np.array([1.0, 2.0], ">f8")


@pytest.mark.parametrize("function", [
    lambda n: SWAPPED, lambda n: [SWAPPED[1:], n], lambda n: {"a": np.arange(3.0).astype(">f8")},
])  # fmt: skip
def test_results_of_the_other_byte_order_are_refused(function):
    with pytest.raises(ConcreteValueError, match=r"an array of dtype '>f8', whose byte order"):
        tf.jit(function, strict=True)(1)
    computed = tf.jit(lambda n: SWAPPED + n, strict=True)(1)
    assert computed.dtype.str == "<f8" and computed.tolist() == [2.0, 3.0]
