"""Functions of NumPy's that write their result into an array, ``out``, by name or by place."""

from __future__ import annotations

import copy

import numpy as np
import pytest

import runtime as tf
from autograph.errors import ConcreteValueError

X, Y, ROWS = np.array([1.0, 2.0, 0.5]), np.array([3.0, 4.0, 5.0]), np.ones((2, 3))


def zeros(*sizes):
    return np.zeros(sizes)


CALLS = {
    "add": (lambda x, y, out: np.add(x, y, out), (X, Y, zeros(3))),
    "around": (lambda x, out: np.around(x, 0, out), (X, zeros(3))),
    "clip": (lambda x, out: x.clip(0.0, 1.0, out), (X, zeros(3))),
    "sum": (lambda x, out: np.sum(x, 0, None, out), (ROWS, zeros(3))),
    "sum by name": (lambda x, out: np.sum(x, axis=0, out=out), (ROWS, zeros(3))),
    "mean": (lambda x, out: x.mean(0, None, out), (ROWS, zeros(3))),
    "cumsum": (lambda x, out: np.cumsum(x, 0, None, out), (X, zeros(3))),
    "dot": (lambda x, y, out: np.dot(x, y, out), (ROWS, X, zeros(2))),
    "take": (lambda x, out: np.take(x, [0, 1], 0, out), (X, zeros(2))),
    "max": (lambda x, out: x.max(0, out), (ROWS, zeros(3))),
    "into itself": (lambda x: np.cumsum(x, out=x), (X,)),
    "none": (lambda x: (np.add(x, x, None), np.clip(x, 0, 1, None)), (X,)),
    "none before keepdims": (lambda x: np.add.reduce(x, 0, None, None, True), (ROWS,)),
    "concatenate": (lambda x, y, out: np.concatenate([x, y], 0, out), (X, Y, zeros(6))),
}


@pytest.mark.parametrize("name", CALLS)
def test_the_result_is_written(name):
    function, arguments = CALLS[name]
    expected, given = copy.deepcopy(arguments), copy.deepcopy(arguments)
    assert repr(tf.jit(function, strict=True)(*given)) == repr(function(*expected))
    assert repr(given) == repr(expected)


@pytest.mark.parametrize("out", [zeros(3).astype(np.float32), zeros(1, 3)], ids=["dtype", "shape"])
def test_an_array_of_another_type_is_refused(out):
    with pytest.raises(ConcreteValueError, match="'out', of another dtype or size"):
        tf.jit(lambda x, out: np.sum(x, 0, None, out), strict=True)(ROWS, out)


def test_two_results_are_refused():
    with pytest.raises(ConcreteValueError, match="modf"):
        tf.jit(lambda x, a, b: np.modf(x, a, b), strict=True)(X, zeros(3), zeros(3))
