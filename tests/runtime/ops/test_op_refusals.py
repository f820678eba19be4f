"""Inputs that do not fit: eager execution and graphs refuse the same ones, with the same class.

Each row's samples are spoiled by inputs of other shapes.  Whatever still has a value has the same
one both ways; whatever has none is an error of the runtime, never NumPy's own.
"""

from __future__ import annotations

import random

import numpy as np
import pytest

import runtime as tf
from runtime.errors import OpError
from runtime.ops.op import RAISES, TABLE
from runtime.ops.random.sampling import RandomStream
from runtime.types.conversion import as_object_scalar
from runtime.types.dtypes import DTYPE_OF_NUMPY
from tests.support.extras import marked
from tests.support.nightly import examples

SHAPES = [(), (1,), (2,), (3,), (0,), (2, 3), (3, 2), (1, 3), (2, 2), (0, 3), (2, 3, 4), (1, 2, 2)]
ROWS = [n for n, op in TABLE.items() if callable(op.samples) and op.inputs
        and RAISES not in op.traits]  # fmt: skip
ROUNDS = examples(12, kept=4)


def spoiled(name, rng):
    """One of the samples with some inputs replaced, and another axis."""
    case = rng.choice(TABLE[name].samples())
    inputs = [other(x.dtype, rng) if rng.random() < 0.5 else x for x in case.inputs]
    attrs = dict(case.attrs)
    if isinstance(attrs.get("axis"), int) and rng.random() < 0.5:
        attrs["axis"] = rng.randrange(-4, 4)
    return inputs, attrs


def other(dtype, rng):
    shape = rng.choice(SHAPES)
    if dtype.kind == "O":
        return np.full(shape, b"ab", object)
    return np.random.RandomState(rng.randrange(10**6)).randint(-2, 5, shape).astype(dtype)


def fresh(attrs):
    return {k: RandomStream(1, 2) if isinstance(v, RandomStream) else v for k, v in attrs.items()}


def arrays(result):
    several = result if isinstance(result, tuple | list) else (result,)
    found = [r.numpy() if isinstance(r, tf.Tensor) else r for r in several]
    return [as_object_scalar(a) if isinstance(a, bytes) else np.asarray(a) for a in found]


def eager(name, inputs, attrs):
    return arrays(TABLE[name](*map(tf.constant, inputs), **fresh(attrs)))


def staged(name, inputs, attrs, known):
    with tf.Graph().as_default() as graph:
        holders = [
            tf.placeholder(DTYPE_OF_NUMPY[x.dtype], x.shape if known else None) for x in inputs
        ]
        result = TABLE[name](*holders, **fresh(attrs))
        tensors = list(result) if isinstance(result, tuple) else [result]
        found = arrays(tf.Session(graph=graph).run(tensors, dict(zip(holders, inputs))))
    for tensor, array in zip(tensors, found):
        assert tensor.shape.is_compatible_with(array.shape)
    return found


def attempt(function, *args):
    try:
        return function(*args), None
    except OpError as error:
        return None, error


@pytest.mark.parametrize("name", marked(ROWS))
def test_eager_and_graph_refuse_alike(name):
    rng = random.Random(name)
    for _ in range(ROUNDS):
        inputs, attrs = spoiled(name, rng)
        expected, error = attempt(eager, name, inputs, attrs)
        for known in (True, False):
            found, refusal = attempt(staged, name, inputs, attrs, known)
            assert (error is None) == (refusal is None), f"{error!r} but {refusal!r}"
            for e, f in zip(expected or (), found or ()):
                np.testing.assert_array_equal(e, f, strict=True)
