"""Items of arrays, such as numpy.int64, as keys of dicts and sets under ``jit``."""

from __future__ import annotations

from collections import Counter, defaultdict

import numpy as np
import pytest

import runtime as tf


def counted(array):
    counts = {}
    for x in array:
        counts[x] = counts.get(x, 0) + 1
    return counts


def of_set(array):
    seen = set()
    for x in array:
        seen.add(x)
    seen.discard(array[0])
    return seen, array[0] in seen, array[1] in set(array), sorted(set(array))


def of_collections(array):
    places = defaultdict(list)
    for i in range(len(array)):
        places[array[i]].append(i)
    return dict(places), Counter(array).most_common(1)


def of_pairs(array):
    pairs = {(array[i], array[i + 1]) for i in range(len(array) - 1)}
    return sorted(pairs)


def looked_up(array, keys):
    places = {}
    for i in range(len(array)):
        places[array[i]] = i
    return places[keys[0]], places.get(keys[1], -1), keys[1] in places


ARRAYS = (
    np.array([1, 2, 2]),
    np.array([3.5, np.nan, -0.0, 0.0, np.nan]),
    np.array([1, 2.5, 1], np.float32),
    np.array([1, 2, 1, 7], np.uint8),
    np.array([True, False, True]),
    np.array([1 + 2j, 1 + 2j]),
)


def assert_same_call(function, *args):
    assert repr(tf.jit(function, strict=True)(*args)) == repr(function(*args))


@pytest.mark.parametrize("array", ARRAYS, ids=lambda array: str(array.dtype))
@pytest.mark.parametrize("function", [counted, of_set, of_collections, of_pairs])
def test_items_are_keys(function, array):
    if array.dtype.kind == "c" and function in (of_set, of_pairs):
        pytest.skip("complex numbers have no order")
    if np.isnan(array).any() and function is not counted:
        pytest.skip("sets find a NaN by its identity, and sorting leaves it where they had it")
    assert_same_call(function, array)


@pytest.mark.parametrize(
    "keys", [np.array([1, 5]), np.array([1.0, 5.0]), np.array([1, 5], np.int8), [1, 5]], ids=repr
)
def test_numbers_of_other_classes_find_them(keys):
    assert_same_call(looked_up, np.array([1, 2, 3]), keys)
    assert_same_call(looked_up, [1, 2, 3], keys)


def test_a_key_that_is_missing_is_that_of_the_array():
    with pytest.raises(KeyError, match=r"np.int64\(9\)"):
        tf.jit(looked_up, strict=True)(np.array([1, 2]), np.array([9, 9]))
