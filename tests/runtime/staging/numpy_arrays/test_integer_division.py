"""Staged integers of NumPy's divided by zero: 0, as NumPy has it; Python's numbers raise."""

from __future__ import annotations

import operator
import warnings

import numpy as np
import pytest

import runtime as tf

DIVISIONS = (operator.floordiv, operator.mod, divmod)
INTS, ZEROS = np.array([7, -7, 0, 5]), np.array([0, 2, 0, -3])
PAIRS = (
    (INTS, ZEROS), (INTS, 0), (INTS, 3), (7, ZEROS), (np.int64(7), np.int64(0)), (np.int64(7), 0),
    (7, np.int64(0)), (INTS.astype(np.int32), ZEROS.astype(np.int32)), (ZEROS, np.int64(0)),
    (INTS.astype(np.uint8), ZEROS.astype(np.uint8)), (INTS.astype(np.int8), ZEROS),
    (INTS, np.array([[0], [1]])), (np.array(5), np.array(0)), (INTS * 1.0, ZEROS * 1.0),
    (INTS > 0, ZEROS > 0), (INTS[:0], 0), (INTS, False),
)  # fmt: skip


def outcome(function, *args):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = function(*args)
        return [(type(x), np.asarray(x).dtype, np.asarray(x).tolist())
                for x in (found if isinstance(found, tuple) else (found,))]  # fmt: skip


@pytest.mark.parametrize("divide", DIVISIONS, ids=lambda f: f.__name__)
def test_division_by_zero_gives_what_numpy_gives(divide):
    staged = tf.jit(lambda x, y: divide(x, y))
    for x, y in PAIRS:
        if divide is divmod and np.asarray(x).dtype.kind in "bf":
            continue
        wanted = repr(outcome(lambda x, y: divide(x, y), x, y))
        for _ in range(2):
            assert repr(outcome(staged, x, y)) == wanted, (x, y)


@pytest.mark.parametrize("divide", DIVISIONS, ids=lambda f: f.__name__)
def test_constants_are_divided_as_well(divide):
    for x, y in PAIRS[:3]:
        wanted = repr(outcome(divide, x, y))
        assert repr(outcome(tf.jit(lambda x, y=y: divide(x, y)), x)) == wanted
        assert repr(outcome(tf.jit(lambda y, x=x: divide(x, y)), y)) == wanted


def test_division_in_place_and_in_loops():
    def program(a, b, n):
        a = a.copy()
        a[1:] //= b[1:]
        a %= n
        total = 0
        for i in range(len(a)):
            if b[i] % 2 == 0:
                total += a[i] // b[i] + int(a[i]) % 3
        return a, total

    staged = tf.jit(program)
    for n in (4, 0):
        assert repr(outcome(staged, INTS, ZEROS, n)) == repr(outcome(program, INTS, ZEROS, n))


def test_pythons_numbers_still_raise():
    with pytest.raises(ZeroDivisionError):
        tf.jit(lambda a, n: int(a[0]) // n)(INTS, 0)
    with pytest.raises(tf.errors.InvalidArgumentError):
        tf.function(lambda x, y: x // y)(tf.constant([1]), tf.constant([0]))
