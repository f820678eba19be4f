"""``np.ndindex``, ``np.ndenumerate`` and ``ndarray.flat`` of staged sizes and arrays."""

from __future__ import annotations

import numpy as np
import pytest

import runtime

TABLE = np.arange(6.0).reshape(2, 3)


def indexes(n, m):
    total = 0
    for i, j in np.ndindex(n, m):
        total = total * 3 + i * 10 + j
    return total


def listed(n):
    return [index for index in np.ndindex((n, 2))]


def doubled(a):
    found = np.zeros(a.shape)
    for index in np.ndindex(a.shape):
        found[index] = a[index] * 2
    return found


def weighed(a):
    total = a.sum()
    for (i, j), value in np.ndenumerate(a):
        if value > 1:
            total = total * 0.5 + value * i - j
    return total


def first_above(a, least):
    for index, value in np.ndenumerate(a):
        if value > least:
            return index
    return (-1, -1)


def flattened(a):
    total = a.sum()
    for value in a.flat:
        total = total * 0.5 + value
    return total, a.flat[3], len(a.flat)


def set_in_flat(a):
    found = a.copy()
    found.flat[2] = 7
    return found


@pytest.mark.parametrize("function, arguments", [
    (indexes, (2, 3)), (indexes, (0, 3)), (indexes, (2, 0)), (listed, (2,)), (doubled, (TABLE,)),
    (weighed, (TABLE,)), (weighed, (TABLE.T,)), (weighed, (np.zeros((2, 0)),)),
    (first_above, (TABLE, 3)), (first_above, (TABLE, 9)), (flattened, (TABLE,)),
    (flattened, (TABLE.T,)), (set_in_flat, (TABLE,)),
])  # fmt: skip
def test_results_are_those_of_numpy(function, arguments):
    found, wanted = runtime.jit(function)(*arguments), function(*arguments)
    np.testing.assert_equal(found, wanted)
    assert type(found) is type(wanted)


def test_negative_sizes_raise():
    for function in indexes, runtime.jit(indexes):
        with pytest.raises(ValueError, match="negative dimensions are not allowed"):
            function(-1, 2)
