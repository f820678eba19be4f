"""Gradients through functions of ``runtime.jit``: they flow as through the Python function."""

import numpy as np
import pytest

import runtime as tf

X = tf.constant(3.0)


@tf.jit
def cubed(x):
    y = x
    for _ in range(2):
        y = y * x
    return y


def by_tape(function, x=X):
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = function(x)
    return float(tape.gradient(y, x))


@pytest.mark.parametrize("times", range(3))
def test_a_tape_records_each_call(times):
    for _ in range(times):
        cubed(X)
    assert by_tape(cubed) == 27.0
    assert by_tape(lambda x: cubed(x) + x) == 28.0


def test_other_ways_to_a_derivative():
    with tf.autodiff.ForwardAccumulator(X, tf.constant(1.0)) as forward:
        y = cubed(X)
    assert float(forward.jvp(y)) == 27.0
    (gradient,) = tf.gradients_function(cubed)(X)
    assert float(gradient) == 27.0
    value, (gradient,) = tf.value_and_gradients_function(cubed)(3.0)
    assert (float(value), float(gradient)) == (27.0, 27.0)
    replaced = tf.custom_gradient(lambda x: (cubed(x), lambda dy: dy * 100.0))
    assert by_tape(replaced) == 100.0


def test_second_derivatives():
    with tf.GradientTape() as outer:
        outer.watch(X)
        with tf.GradientTape() as inner:
            inner.watch(X)
            y = cubed(X)
        first = inner.gradient(y, X)
    assert float(outer.gradient(first, X)) == 18.0


def test_of_variables_and_tensors_that_are_no_arguments():
    w, c = tf.Variable(2.0), tf.constant(5.0)

    @tf.jit
    def scaled(n):
        return w * c * n

    for n in (3, 4):
        with tf.GradientTape() as tape:
            tape.watch(c)
            y = scaled(n)
        assert [float(g) for g in tape.gradient(y, [w, c])] == [5.0 * n, 2.0 * n]
    assert type(scaled(1)) is type(w * c)  # a tensor, as without jit


def test_of_what_a_call_carries():
    class Model:
        def __init__(self):
            self.w, self.calls = tf.Variable(2.0), 0

        @tf.jit
        def __call__(self, x):
            self.calls += 1
            return self.w * x

    model = Model()
    for _ in range(3):
        with tf.GradientTape() as tape:
            y = model(X)
        assert float(tape.gradient(y, model.w)) == 3.0
    assert model.calls == 3


def test_lists_numbers_and_texts_beside_tensors():
    @tf.jit
    def mixed(values, scale, text, x):
        total = 0
        for value in values:
            total += value
        values.append(total)
        return total * scale * x, total, text + "!", {"k": [x, scale]}, np.array([scale]) * 2

    for _ in range(3):
        values = [1, 2, 3]
        with tf.GradientTape() as tape:
            tape.watch(X)
            y, total, text, nest, array = mixed(values, 2.5, "a", X)
        assert float(tape.gradient(y, X)) == 15.0
        assert (total, text, values) == (6, "a!", [1, 2, 3, 6])
        assert (type(array), array.tolist()) == (np.ndarray, [5.0])
        assert (float(nest["k"][0]), nest["k"][1]) == (3.0, 2.5)


def test_numbers_alone_stay_numbers():
    with tf.GradientTape() as tape:
        tape.watch(X)
        assert cubed(3) == 27 and type(cubed(3)) is int
        assert type(cubed(2.0)) is float
