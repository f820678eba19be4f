"""Texts of staged arrays and NumPy scalars: printed, formatted and raised as NumPy writes them."""

from __future__ import annotations

import numpy as np
import pytest

import runtime as tf
from autograph import Feature
from autograph.errors import ConcreteValueError

VALUES = (
    np.array([1.5, 2.0]), np.arange(4).reshape(2, 2), np.array(2.5), np.array(0.1, np.float32),
    np.float64(2.5), np.float32(0.1), np.int64(3), np.bool_(True), np.complex128(1 + 2j),
    np.zeros((0, 3)), np.arange(2000.0), np.array([1, 2], np.uint8),
)  # fmt: skip


def shown(a):
    print(a)
    print([a, a * 2], (a,), {"k": a}, sep=";")
    if a.sum() > 1:
        print(f"large {a} {a!r} {a!s:>30}")
    else:
        print("small %s %r" % (a, a))
    i = 0 * a.sum()
    while i < 2:
        print(i, repr(i), a)
        i = i + 1
    return 0


def texts(a):
    return str(a), repr(a), f"{a}", "{0!r}".format(a)


def raised(a):
    try:
        raise ValueError(a)
    except ValueError as error:
        return str(error)


@pytest.mark.parametrize("stage", [
    tf.jit, lambda f: tf.function(f, experimental_autograph_options=Feature.PRINT),
])  # fmt: skip
def test_prints_are_numpys(stage, capsys):
    staged = stage(shown)
    for value in VALUES:
        shown(value)
        wanted = capsys.readouterr().out
        for _ in range(2):
            staged(value)
            assert capsys.readouterr().out == wanted


@pytest.mark.parametrize("function", [texts, raised])
def test_texts_are_numpys(function):
    staged = tf.jit(function)
    for value in VALUES:
        wanted = function(value)
        assert staged(value) == wanted
        assert staged(value) == wanted


def test_tensors_keep_their_own_text():
    staged = tf.jit(lambda x: str(x))
    array = np.array([1.0, 2.0], np.float32)
    for _ in range(2):
        assert staged(array) == "[1. 2.]"
        assert staged(tf.constant(array)) == "tf.Tensor([1. 2.], shape=(2,), dtype=float32)"


def test_a_text_shows_the_array_as_it_was():
    def changed(a):
        before = str(a), f"{a[1:]}", "%s" % ([a],), repr([a, (a,)])
        a[1] = 7
        return before, str(a)

    staged = tf.jit(changed)
    for _ in range(2):
        assert staged(np.array([1, 2])) == changed(np.array([1, 2]))


def test_texts_of_arrays_of_texts_are_refused():
    def show(a):
        print(a)
        return 0

    with pytest.raises(ConcreteValueError, match="whether they are str or bytes is not known"):
        tf.jit(show)(np.array(["a", "bc"]))
