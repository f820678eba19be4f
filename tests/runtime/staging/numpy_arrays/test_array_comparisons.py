"""What arrays are compared with, rounded to and tested for in ``runtime.jit``: as in NumPy."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest

import runtime
from tests.runtime.functions.jit_results import as_python

FLOATS, INTS, FLAGS = np.array([0.5, 1.5, -2.5]), np.arange(3), np.array([True, False, True])


def equal(a: Any, b: Any) -> Any:
    return a == b, a != b


def less(a: Any, b: Any) -> Any:
    return a < b, a >= b


def added(a: Any, b: Any) -> Any:
    a += b
    return a, b - a


def test_shapes_that_do_not_fit_are_an_error() -> None:
    pairs = [
        (FLOATS, np.zeros(2)), (FLOATS, np.zeros(0)), (FLOATS, np.zeros((3, 2))),
        (INTS, np.zeros(2)), (FLAGS, np.zeros(2, bool)), (np.zeros((2, 1, 3)), np.zeros((4, 2))),
    ]  # fmt: skip
    as_python(added, *pairs[:4], texts=True)
    for function in (equal, less):
        as_python(function, *pairs, texts=True)
        with pytest.raises(ValueError, match="[Ss]hapes"):
            runtime.jit(function)(FLOATS, [1, 2])  # of any length, says its trace
        as_python(function, (FLOATS, np.zeros(1)), (np.zeros((2, 3)), FLOATS))


def caught(a: Any, b: Any, n: int) -> Any:
    if n > 1:
        try:
            return a == b
        except ValueError:
            return a + n
    return a * 1


def test_the_error_is_raised_where_control_reaches_it() -> None:
    as_python(caught, (FLOATS, np.zeros(2), 1), (FLOATS, np.zeros(2), 2))


def test_no_item_equals_what_is_no_number() -> None:
    for array in (FLOATS, INTS, FLAGS, np.zeros((2, 2)), np.zeros(0), np.float64(1.0)):
        as_python(equal, *((array, other) for other in (None, "x", b"x", {}, {1})))
        as_python(equal, (None, array), ("x", array))


def truth(a: Any) -> Any:
    return bool(a)


def negated(a: Any) -> Any:
    return not a


def chosen(a: Any) -> int:
    return 1 if a else 2


def test_truth_of_arrays() -> None:
    arrays = [(FLOATS,), (np.zeros(0),), (np.zeros((1, 1)),), (np.array(2),), (np.float64(0.0),)]
    for function in (truth, negated, chosen):
        as_python(function, *arrays, texts=True)


def rounded(a: Any) -> Any:
    return round(a)


def rounded_to(a: Any) -> Any:
    return round(a, 1), round(a, -1)


def rounded_items(a: Any, i: int) -> Any:
    total = 0
    for x in a:
        total += round(x)
    return total, round(a[i]), round(a[i], 1)


def test_rounded_scalars_are_ints() -> None:
    scalars = [(kind(2.56),) for kind in (np.float64, np.float32, np.int64, np.uint8, np.bool_)]
    for function in (rounded, rounded_to):
        as_python(function, *scalars, (FLOATS,), (np.array(1.5),), texts=True)
    as_python(rounded, (np.float64("nan"),), (np.float64("inf"),), texts=True)
    for array in (FLOATS, INTS, FLOATS.astype(np.float32), np.array([1, 7], np.uint8)):
        as_python(rounded_items, (array, 1), (array, 0), texts=True)


def as_float(a: Any) -> Any:
    return float(a)


def as_int(a: Any) -> Any:
    return int(a), a.dtype.name


def test_numbers_of_arrays_with_axes() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # what NumPy deprecated before it was an error
        for function in (as_float, as_int):
            as_python(function, (np.ones((1, 1)),), (np.ones(1),), (np.array(2.5),), texts=True)
            as_python(function, (np.ones(2),), (np.ones((0, 1)),))


def collected(a: Any) -> Any:
    return sorted(a), list(a), tuple(a), [*a], {i: x for i, x in enumerate(a)}, list(zip(a, a))


def test_items_of_empty_arrays() -> None:
    as_python(collected, (np.zeros(0),), (np.zeros(0, int),), (np.array([2.5, 1.0]),))
    assert runtime.function(lambda x: list(x) or 3)(runtime.zeros([0])).numpy() == 3
