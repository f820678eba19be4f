"""Sizes, axes and numbers of turns that are items of arrays: ``np.zeros(ends[1] - ends[0])``."""

from __future__ import annotations

import numpy as np
import pytest

import runtime
from tests.runtime.functions.jit_results import as_python


def made(ends):
    size = ends[1] - ends[0]
    return np.zeros(size), np.arange(size), np.linspace(0, 1, size), np.ones((size, 2))


def between(ends):
    return np.arange(ends[0], ends[1]), np.full(ends[1], 2), np.eye(ends[1]), np.tile(ends, ends[1])


def slices(ends, width):
    rows = np.zeros((len(ends) - 1, width))
    for n in range(len(ends) - 1):
        rows[n, ends[n] : ends[n + 1]] = np.linspace(0, 1, ends[n + 1] - ends[n])
    return rows


def axes(m):
    axis = m[0, 1] % 2
    return np.sum(m, axis), np.cumsum(m, axis), np.take(m, 1, axis), np.clip(m, m[0, 0], m[0, 1])


@pytest.mark.parametrize("dtype", [np.int64, np.uint8])
def test_results_are_numpys(dtype):
    ends = np.array([0, 3, 5, 9], dtype)
    as_python(made, (ends,), (ends[1:],), (ends[::3].copy(),))
    as_python(between, (ends,), (ends[1:],))
    as_python(slices, (ends, 10), (ends[1:], 9))


def test_axes():
    for first in (0, 1):
        as_python(axes, (np.array([[0, first], [2, 5]]),))


def test_in_a_function_of_arrays():
    ends = np.array([2, 5])
    found = runtime.function(lambda ends: np.zeros(ends[1] - ends[0]))(ends)
    assert np.shape(found) == (3,)
