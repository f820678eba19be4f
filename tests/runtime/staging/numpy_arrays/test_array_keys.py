"""Keys that NumPy's arrays do not take, and results that share memory with arguments, staged."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import runtime as tf
from autograph.errors import ConcreteValueError, EffectError


def assign(a: Any, key: Any) -> Any:
    a[key] = 1.0


READS: list[Callable[[Any, Any, Any], Any]] = [
    lambda a, n, x: a[x],
    lambda a, n, x: a[1.0],
    lambda a, n, x: a[n / 2],
    lambda a, n, x: a[a[0]],
    lambda a, n, x: a["k"],
    lambda a, n, x: a[a],
    lambda a, n, x: a[np.array([0.5])],
    lambda a, n, x: a[[0.0, 1.0]],
    lambda a, n, x: a[:x],
    lambda a, n, x: a[1.0:],
    lambda a, n, x: a.reshape(3, 1)[0, x],
    lambda a, n, x: a.nosuch,
    lambda a, n, x: a[0].nosuch,
    lambda a, n, x: assign(a, x),
    lambda a, n, x: assign(a, 1.0),
    lambda a, n, x: assign(a, a),
    lambda a, n, x: assign(a, "k"),
    lambda a, n, x: assign(a, slice(x)),
    lambda a, n, x: np.array(a[0]).round().nosuch,
]


@pytest.mark.parametrize("read", READS)
def test_keys_that_are_none_raise_what_numpy_raises(read: Callable[[Any, Any, Any], Any]) -> None:
    args = np.array([1.5, 2.5, 3.5]), 2, 0.5
    with pytest.raises((IndexError, TypeError, AttributeError)) as expected:
        read(*args)
    with pytest.raises(expected.type) as found:
        tf.jit(read, strict=True)(*args)
    assert str(found.value).split("\n")[0] == str(expected.value)


def test_a_handler_sees_the_index_error() -> None:
    def handled(a: Any, n: Any, x: Any) -> Any:
        try:
            if n > 1:
                return a[x]
            return a[n]
        except IndexError:
            return -1.0

    compiled, a = tf.jit(handled, strict=True), np.array([1.5, 2.5])
    assert [compiled(a, n, 0.5) for n in (1, 2, 0)] == [2.5, -1.0, 1.5]


def test_items_cannot_be_deleted() -> None:
    def deleted(a: Any) -> Any:
        del a[0]

    with pytest.raises(ValueError, match="cannot delete array elements"):
        tf.jit(deleted, strict=True)(np.ones(2))


SHARING: list[Callable[[Any], Any]] = [
    np.trim_zeros,
    lambda a: np.einsum("i->i", a),
    lambda a: np.diff(a, n=0),
    lambda a: np.linalg.matrix_power(a.reshape(1, 3)[:, :1], 1)[0],
    lambda a: np.polyder(a, 0),
    lambda a: np.histogram(np.ones(3), bins=a)[1],
]


@pytest.mark.parametrize("function", SHARING)
def test_changes_of_results_that_share_memory_are_refused(function: Callable[[Any], Any]) -> None:
    def changed(a: Any) -> Any:
        r = function(a)
        r[0] = 9.0
        return a

    def unchanged(a: Any) -> Any:
        return function(a) + 1.0

    a = np.array([1.5, 2.5, 3.5])
    with pytest.raises(EffectError, match="shares memory with, or may share memory with"):
        tf.jit(changed, strict=True)(a)
    assert a.tolist() == [1.5, 2.5, 3.5]
    assert np.array_equal(tf.jit(unchanged, strict=True)(a), unchanged(a))


def test_the_conjugate_of_real_numbers_is_the_array_itself() -> None:
    def changed(a: Any) -> Any:
        r = a.conj()
        r[0] = 9
        return a.conjugate()

    for a in (np.ones(2), np.ones(2, complex), np.ones(2, int)):
        expected, given = changed(b := a.copy()), a.copy()
        found = tf.jit(changed, strict=True)(given)
        assert np.array_equal(found, expected) and np.array_equal(given, b)
        assert found.dtype == expected.dtype


def test_arrays_of_texts_are_no_results() -> None:
    def made(n: Any) -> Any:
        return n, np.array(["a", "b"])

    with pytest.raises(ConcreteValueError, match="returns an array of texts"):
        tf.jit(made, strict=True)(1)
