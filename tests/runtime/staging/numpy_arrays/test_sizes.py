"""``np.shape`` and its like, of arrays, lists, tuples and numbers that only the run knows."""

from __future__ import annotations

import numpy as np
import pytest

import runtime as tf
from autograph.errors import ConcreteValueError


def asked(x):
    return np.shape(x), np.ndim(x), np.size(x), np.iterable(x)


def asked_of_items(x):
    return np.shape([x, x]), np.ndim((x, [x][0])), np.size([[x], [x]])


def grown(n):
    items = []
    for i in range(n):
        items.append(i * 0.5)
    return np.shape(items), np.ndim(items), np.size(items), np.iterable(items)


def parts(x):
    return np.real(x), np.imag(x)


def enumerated(x):
    return list(np.ndenumerate(x))


ARGUMENTS = [3.5], [2], ["text"], [[1, 2, 3]], [[[1.0, 2.0]]], [(1, 2)], [np.ones((2, 3))]


@pytest.mark.parametrize("args", ARGUMENTS, ids=repr)
def test_sizes_are_numpys(args):
    assert tf.jit(asked, strict=True)(*args) == asked(*args)


@pytest.mark.parametrize("function", [asked_of_items, grown])
def test_sizes_of_what_holds_numbers(function):
    assert tf.jit(function, strict=True)(3) == function(3)


@pytest.mark.parametrize("argument", [[1, 2], [1 + 2j, 3.0], np.array([1j, 2]), 3.5], ids=repr)
def test_parts_of_complex_numbers(argument):
    assert repr(tf.jit(parts, strict=True)(argument)) == repr(parts(argument))


@pytest.mark.parametrize("argument", [[3, 1], 3.5, np.ones((2, 1), np.float32)], ids=repr)
def test_items_are_numpys(argument):
    assert repr(tf.jit(enumerated, strict=True)(argument)) == repr(enumerated(argument))


@pytest.mark.parametrize("function", [np.min_scalar_type, np.iscomplexobj, np.poly1d])
def test_no_staged_list_is_taken_for_one_object(function):
    with pytest.raises(ConcreteValueError, match="known only at run time"):
        tf.jit(lambda x: function(x), strict=True)([3, 1, 2])


def test_lists_and_scalars_stay_what_numpy_makes_of_them():
    with pytest.raises(ConcreteValueError, match=r"trim_zeros\(\) of staged values"):
        tf.jit(lambda x: np.trim_zeros(x), strict=True)([0, 1, 2])
    for x in 3.5, np.array([1.0, 2.0]):
        result = tf.jit(lambda x: (np.kron(x, x), np.pad(x, 1)), strict=True)(x)
        assert repr(result) == repr((np.kron(x, x), np.pad(x, 1)))
