"""Derivatives through ``py_function``: eagerly, in functions and in sessions."""

from __future__ import annotations

import numpy as np
import pytest

import runtime as tf

WRAPS = pytest.mark.parametrize("wrap", [lambda f: f, tf.function], ids=["eager", "function"])


class Program:
    """A Python function as an operation, and how often it was called."""

    def __init__(self):
        self.calls = 0

    def python(self, x, y):
        self.calls += 1
        return x * x * y, tf.cast(x > 0.0, tf.int32), tf.sin(x)

    def call(self, x, y):
        outputs = tf.py_function(self.python, [x, y], [tf.float64, tf.int32, tf.float64])
        for output in outputs:
            output.set_shape([])
        return outputs

    def results(self, x, y):
        once, _, other = self.call(x, y)
        turned = x
        for _ in tf.range(3):
            turned = self.call(turned, y)[0] * 0.5
        chosen = x * 3.0
        if x > 0.0:
            chosen = self.call(x, y)[0]
        mapped = tf.map_fn(lambda e: self.call(e, y)[2], tf.stack([x, y]))
        return 2.0 * once + other, turned, chosen, tf.reduce_sum(mapped)

    def gradients(self, x, y):
        with tf.GradientTape(persistent=True) as tape:
            tape.watch([x, y])
            results = self.results(x, y)
        return [tape.gradient(result, [x, y]) for result in results]


@pytest.mark.parametrize("x", [1.5, -1.5])
def test_as_eagerly_with_as_many_calls(x):
    program = Program()
    x, y = tf.constant(x, tf.float64), tf.constant(2.0, tf.float64)
    expected = program.gradients(x, y)
    calls, program.calls = program.calls, 0
    found = tf.function(program.gradients)(x, y)
    assert program.calls == calls
    for one, other in zip(tf.nest.flatten(found), tf.nest.flatten(expected), strict=True):
        np.testing.assert_allclose(0.0 if one is None else one, 0.0 if other is None else other)
    np.testing.assert_allclose(found[0][0], 8.0 * x + np.cos(float(x)))


def test_of_a_function_that_is_called_under_a_tape():
    calls = []

    @tf.function
    def cubed(x):
        return tf.py_function(lambda x: calls.append(1) or x**3, [x], tf.float32) * 2.0

    x = tf.constant(2.0)
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y = cubed(x)
        z = cubed(y)
    assert [float(tape.gradient(y, x)) for _ in range(2)] == [24.0, 24.0]
    assert float(tape.gradient(z, x)) == 6.0 * 16.0**2 * 24.0 and len(calls) == 2


def test_in_a_session():
    with tf.Graph().as_default(), tf.Session() as session:
        x = tf.placeholder(tf.float32, [None])
        y = tf.py_function(lambda x: x**3, [x], tf.float32)
        (once,) = tf.gradients(y, x)
        (twice,) = tf.gradients(2.0 * y, x)
        assert once.shape.as_list() == [None]
        found = session.run([y, once, twice], {x: [1.0, 2.0]})
        assert [a.tolist() for a in found] == [[1.0, 8.0], [3.0, 12.0], [6.0, 24.0]]
        with pytest.raises(LookupError, match="Take both derivatives within the function"):
            tf.gradients(once, x)


@WRAPS
def test_variables_are_passed_in(wrap):
    x, v = tf.constant(2.0), tf.Variable(3.0)

    @wrap
    def given():
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = tf.py_function(lambda a, w: a * w * tf.stop_gradient(v), [x, v], tf.float32)
        return tape.gradient(y, [x, v])

    assert [float(g) for g in given()] == [9.0, 6.0]


def test_variables_that_are_read_inside_are_refused_in_graphs():
    x, v = tf.constant(2.0), tf.Variable(3.0, name="weight")

    def product(a):
        return a * v

    @tf.function
    def f():
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = tf.py_function(product, [x], tf.float32)
        return tape.gradient(y, x)

    with pytest.raises(LookupError, match="'product' in a graph .* reads the variable 'weight:0'"):
        f()


@WRAPS
def test_numpy_functions_have_none(wrap):
    @wrap
    def f(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = tf.numpy_function(np.sin, [x], tf.float32)
        return tape.gradient(y, x)

    if wrap is tf.function:
        with pytest.raises(LookupError, match="use py_function or custom_gradient"):
            f(tf.constant(1.0))
    else:
        assert f(tf.constant(1.0)) is None
