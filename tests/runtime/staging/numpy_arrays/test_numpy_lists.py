"""Lists of staged length among the arguments of NumPy's functions."""

from __future__ import annotations

import numpy as np
import pytest

import runtime
from autograph.errors import ConcreteValueError

ROWS = np.arange(12, dtype=np.float32).reshape(4, 3)

ENTRIES = {
    "arrays": lambda row: row,
    "numbers of an array": lambda row: row[0],
    "Python numbers": lambda row: float(row[0]),
    "rows of one": lambda row: (row[0],),
    "lists of one": lambda row: [row[0]],
    "pairs": lambda row: (row[0], row[1] * 2),
    "ints and floats": lambda row: [int(row[0]), 0.5],
    "numbers and numbers of an array": lambda row: (row[0], 1),
    "tables": lambda row: [[row[0], 1], [2, 3]],
    "lists of their items": lambda row: [item for item in row],
}


@pytest.mark.parametrize("name", ENTRIES)
def test_arrays_of_lists(name):
    entry = ENTRIES[name]

    def chosen(rows):
        found = []
        for row in rows:
            if row.sum() > 5:
                found.append(entry(row))
        return np.array(found)

    for rows in ROWS, ROWS[:2]:
        wanted, found = chosen(rows), runtime.jit(chosen)(rows)
        assert (found.dtype, found.shape) == (wanted.dtype, wanted.shape)
        assert found.tolist() == wanted.tolist()


def joined(rows):
    found = [rows[0]]
    for row in rows:
        if row[0] > 2:
            found.append(row)
    return (
        np.concatenate(found), np.stack(found), np.vstack(found), np.hstack(found), np.sum(found),
        np.column_stack(found), np.mean(found, axis=0), np.max(found, 1), np.dot(found, rows[0]),
        np.asarray(found, dtype=np.float64), np.array(found).T, np.argmax(found),
    )  # fmt: skip


def pieces(n):
    found = []
    for size in range(n):
        found.append(np.arange(size))
    return (np.concatenate(found),)


def uneven(n):
    return (np.array([np.arange(size) for size in range(n)]),)


@pytest.mark.parametrize("function, argument", [(joined, ROWS), (joined, ROWS[:1]), (pieces, 4)])
def test_functions_of_lists_of_arrays(function, argument):
    for found, wanted in zip(runtime.jit(function)(argument), function(argument), strict=True):
        assert (found.dtype, found.shape) == (wanted.dtype, wanted.shape)
        np.testing.assert_array_equal(found, wanted)


def test_rows_of_different_lengths_raise_as_numpy_does():
    for function in uneven, runtime.jit(uneven):
        with pytest.raises(ValueError, match="inhomogeneous shape"):
            function(3)


def test_lists_of_anything_else_are_refused():
    def of_dicts(n):
        found = []
        for k in range(n):
            found.append({"k": k})
        return np.array(found)

    with pytest.raises(ConcreteValueError, match=r"test_numpy_lists.py:\d+: .*and this is one of "):
        runtime.jit(of_dicts)(3)
