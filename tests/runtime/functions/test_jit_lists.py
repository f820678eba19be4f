"""Programs on lists and tuples under ``runtime.jit``: as plain Python, natively and not."""

import contextlib
import copy
import io

import pytest

import runtime as tf
from autograph.errors import EffectError
from runtime.types import flags
from tests.programs import list_slices, nested_lists, repetitions, tuples
from tests.runtime.functions.jit_results import same

CASES = [
    *list_slices.CASES, *list_slices.OF_NUMBERS, *repetitions.CASES,
    *tuples.CASES, *nested_lists.CASES, *tuples.OF_NUMBERS,
]  # fmt: skip


def outcome(function, args):
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        try:
            value = function(*args)
        except Exception as error:
            value = type(error), str(error)
    return [value, list(args), printed.getvalue()]


@pytest.mark.parametrize("engine", ["never", "auto", "always"])
@pytest.mark.parametrize("function, inputs", [pytest.param(*c, id=c[0].__name__) for c in CASES])
def test_as_plain_python(function, inputs, engine):
    with flags.JIT(engine):
        staged = tf.jit(function)
        for args in inputs * 3:
            expected = outcome(function, copy.deepcopy(args))
            assert same(outcome(staged, copy.deepcopy(args)), expected), args


def changed_or_copied(xs, n):
    if n > 3:
        xs = xs[:]
    xs.append(n)
    return xs


def changed_unless_replaced(xs, n):
    while n > 3:
        xs = []
        n -= 1
    xs.append(n)
    return n


@pytest.mark.parametrize("function", [changed_or_copied, changed_unless_replaced])
@pytest.mark.parametrize("given", [[], [1]])
def test_changes_of_what_may_be_an_argument_are_refused(function, given):
    with pytest.raises(EffectError, match="this list may be the same object as another list"):
        tf.jit(function)(given, 2)
