"""Derivatives go through tensor arrays: written and read in loops, and as a whole."""

from __future__ import annotations

import numpy as np
import pytest

import runtime as tf
from tests.runtime.autodiff.programs import arguments
from tests.support import ways
from tests.support.differences import differences


def recurrent(x):
    states = tf.TensorArray(tf.float64, size=0, dynamic_size=True, clear_after_read=False)
    states = states.write(0, x)
    i = 1
    while i < 4:
        states = states.write(i, states.read(i - 1) * tf.sin(x) + tf.cast(i, tf.float64))
        i += 1
    return tf.reduce_sum(states.stack() ** 2.0)


def overwritten(x):
    values = tf.TensorArray(tf.float64, size=2, clear_after_read=False)
    values = values.write(0, x).write(1, x * x).write(0, tf.sin(x))
    return tf.reduce_sum(values.read(0) * values.read(1))


def as_a_whole(x):
    rows = tf.TensorArray(tf.float64, size=2).unstack(tf.stack([x, x * x]))
    parts = tf.TensorArray(tf.float64, size=2, infer_shape=False, clear_after_read=False)
    parts = parts.split(tf.concat([x, x * 3.0, x], 0), [2, 4])
    placed = tf.TensorArray(tf.float64, size=3, clear_after_read=False)
    placed = placed.scatter([2, 0, 1], tf.stack([x * x, x * x * x, x]))
    sums = [
        tf.reduce_sum(rows.read(1) * x),
        tf.reduce_sum(parts.concat() ** 3.0),
        tf.reduce_sum(parts.read(1) ** 2.0),
        tf.reduce_sum(placed.gather([2, 2, 0]) ** 2.0),
    ]
    return tf.add_n(sums)


def partly_read(x):
    values = tf.TensorArray(tf.float64, size=3).unstack(tf.stack([x, x, x]))
    return values.read(1) * x


CASES = [
    (recurrent, ([0.3, 0.7],)),
    (overwritten, ([0.3, 0.7],)),
    (as_a_whole, ([0.3, 0.7],)),
    (partly_read, ([0.3, 0.7],)),
]


@pytest.mark.parametrize(("function", "args"), CASES)
def test_gradient_is_the_difference(function, args):
    _, first = ways.eager_derivatives(function, arguments(args), 1)
    for found, slope in zip(first, differences(function, arguments(args)), strict=True):
        np.testing.assert_allclose(found, slope, rtol=1e-6, atol=1e-7)


@pytest.mark.parametrize("way", ways.DERIVATIVES, ids=lambda way: way.__name__)
@pytest.mark.parametrize(("function", "args"), CASES)
def test_every_way(function, args, way):
    expected = ways.numbers(ways.eager_derivatives(function, arguments(args), 2))
    found = ways.numbers(way(function, arguments(args), 2))
    for one, other in zip(found, expected, strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-9, atol=1e-9)
