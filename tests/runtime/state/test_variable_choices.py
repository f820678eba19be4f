"""A staged choice between variables is one of them: assignments and later reads included."""

from __future__ import annotations

import numpy as np
import pytest

import autograph
import runtime as tf


def assigned(t, a, b):
    v = a if t > 0 else b
    v.assign(10.0)
    return v + 1.0


def added(t, a, b):
    if t > 0:
        v = a
    else:
        v = b
    v.assign_add(10.0)
    return v * 2.0


def read_later(t, a, b):
    v = a if t > 0 else b
    a.assign(7.0)
    return v + 0.0


def swapped(t, a, b):
    v, w = a, b
    for _ in tf.range(t + 3):
        v, w = w, v
        v.assign_add(1.0)
    return v * 100.0 + w


def replaced(t, a, b):
    v = a
    while t > 0:
        v = b
        t = t - 1
    v.assign(5.0)
    return tf.maximum(v, 1.0) + tf.exp(v)


def returned(t, a, b):
    if t > 0:
        return a
    return b


def undefined_first(t, a, b):
    if t > 0:
        v = a
    if t <= 0:
        v = b
    v.assign_sub(1.0)
    return v / 2.0


def with_a_tensor(t, a, b):
    v = a if t > 0 else tf.constant(4.0)
    return v + 1.0


def as_loop_start(t, a, b):
    state = a
    for i in range(t + 2):
        state = state * 2.0
    a.assign(state + 0.0)
    return state + 1.0


def in_an_attribute(t, a, b):
    class Holder:
        pass

    holder = Holder()
    holder.chosen = a
    if t > 0:
        holder.chosen = b
    holder.chosen.assign(3.0)
    return holder.chosen + 0.0


PROGRAMS = (
    assigned, added, read_later, swapped, replaced, returned, undefined_first, with_a_tensor,
    as_loop_start, in_an_attribute,
)  # fmt: skip


def by_function(function, t):
    a, b = tf.Variable(1.0), tf.Variable(2.0)
    result = tf.function(lambda t: function(t, a, b))(tf.constant(t))
    return float(result), float(a), float(b)


def by_session(function, t):
    with tf.Graph().as_default(), tf.Session() as session:
        a, b = tf.Variable(1.0), tf.Variable(2.0)
        x = tf.placeholder(tf.int32, [])
        result = autograph.to_graph(function)(x, a, b)
        session.run(tf.global_variables_initializer())
        value = session.run(result, {x: t})
        return float(value), *map(float, session.run((a, b)))


@pytest.mark.parametrize("way", [by_function, by_session])
@pytest.mark.parametrize("function", PROGRAMS, ids=lambda f: f.__name__)
@pytest.mark.parametrize("t", [1, -1])
def test_equals_eager(function, t, way):
    a, b = tf.Variable(1.0), tf.Variable(2.0)
    expected = float(function(tf.constant(t), a, b)), float(a), float(b)
    np.testing.assert_allclose(way(function, t), expected, rtol=1e-6)


def test_of_different_dtypes_names_the_place():
    def f(t, a, b):
        v = a if t > 0 else b
        return v + 1

    a, b = tf.Variable(1.0), tf.Variable(2)
    with pytest.raises(autograph.DtypeJoinError, match="float32 .* int32"):
        tf.function(lambda t: f(t, a, b))(tf.constant(1))
