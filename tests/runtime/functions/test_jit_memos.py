"""Functions that store the results of calls, and cached functions: as plain Python in each call."""

import functools

import pytest

import runtime as tf
from tests.runtime.functions import memo_programs


def outcome(function, args):
    try:
        return function(*args)
    except Exception as error:
        return type(error), str(error)


@pytest.mark.parametrize(
    "function, calls", memo_programs.CASES, ids=[f.__name__ for f, _ in memo_programs.CASES]
)
def test_results_are_stored_as_in_plain_python(function, calls):
    staged = tf.jit(function)
    for args in calls:
        assert outcome(staged, args) == outcome(function, args)


def test_each_result_of_a_recursion_is_computed_once():
    assert tf.jit(memo_programs.cached_recursion)(15) == 1548008755920  # else it takes years


def test_a_cached_function_can_be_traced_itself():
    staged = tf.jit(memo_programs.fibonacci)
    assert [staged(n) for n in (1, 10, 50)] == [1, 55, 12586269025]


def test_python_values_use_the_cache_itself():
    memo_programs.sign.cache_clear()
    memo_programs.cached_condition(1)
    before = memo_programs.sign.cache_info()
    assert tf.jit(memo_programs.cached_condition)(5) == 2
    after = memo_programs.sign.cache_info()
    assert after.currsize == before.currsize  # nothing staged is kept
    assert after.hits > before.hits  # sign(2)


def test_a_staged_result_of_python_values_is_not_kept():
    assert tf.jit(with_global)(3) == 6
    assert offset(3) == 6  # the cache has no tensor of the trace


def with_global(n):
    global OFFSET
    OFFSET = n
    return offset(3)


OFFSET = 0


@functools.cache
def offset(k):
    return OFFSET + k


@pytest.mark.parametrize("n, value", [(3, "int"), (2.5, "float"), ("a", "other")])
def test_single_dispatch_is_by_the_class_of_the_value(n, value):
    assert tf.jit(dispatching)(n) == dispatching(n) == value


@functools.singledispatch
def _kind(value):
    return "other"


@_kind.register
def _(value: int):
    return "int" if value > 0 else "negative"


@_kind.register
def _(value: float):
    return "float"


def dispatching(value):
    return _kind(value)
