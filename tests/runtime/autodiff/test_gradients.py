"""``gradients`` and ``hessians`` of graphs: arguments, and what they refuse."""

from __future__ import annotations

import numpy as np
import pytest

import runtime as tf


@pytest.fixture(autouse=True)
def graph():
    with tf.Graph().as_default() as graph:
        yield graph


def run(fetches, feeds=None):
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        return session.run(fetches, feeds)


def test_a_list_as_long_as_xs():
    x, y = tf.constant(3.0), tf.constant(2.0)
    z = x * x * y
    assert len(tf.gradients(z, x)) == 1
    assert run(tf.gradients([z, x * 10.0], [x, y])) == [22.0, 9.0]
    assert tf.gradients(x, y) == [None]
    zero = tf.UnconnectedGradients.ZERO
    assert run(tf.gradients(x, [y], unconnected_gradients=zero)) == [0.0]


def test_given_gradients_and_names():
    x = tf.constant([1.0, 2.0])
    (found,) = tf.gradients([x * x, x], x, grad_ys=[tf.constant([1.0, 10.0]), None], name="back")
    assert run(found).tolist() == [3.0, 41.0]
    assert found.op.name.startswith("back/")
    with pytest.raises(ValueError, match="as many entries as ys: 1, got 2"):
        tf.gradients(x, x, grad_ys=[x, x])
    with pytest.raises(ValueError, match="was given a gradient of shape"):
        tf.gradients(x, x, grad_ys=tf.constant([1.0, 2.0, 3.0]))
    with pytest.raises(TypeError, match="must be floating"):
        tf.gradients(x, x, grad_ys=tf.constant([1, 2]))


def test_tensors_that_stop_gradients():
    a = tf.constant(1.0)
    b = a * 2.0
    assert run(tf.gradients(a + b, [a, b])) == [3.0, 1.0]
    assert run(tf.gradients(a + b, [a, b], stop_gradients=[a, b])) == [1.0, 1.0]
    assert run(tf.gradients(a * b, [a], stop_gradients=[b])) == [2.0]


def test_intermediate_tensors_and_variables():
    v = tf.Variable(3.0)
    y = v * v
    z = y * y
    assert run(tf.gradients(z, [y, v])) == [18.0, 108.0]
    updated = v.assign(5.0) * 2.0
    assert run(tf.gradients(updated, v)) == [2.0], "the value after it is assigned is the variable"


def test_integers_have_none_and_complex_targets_need_a_start():
    n, z = tf.constant(3), tf.constant(1.0 + 2.0j)
    assert tf.gradients(n * n, n) == [None]
    with pytest.raises(TypeError, match="Gradients of complex tensors must set grad_ys"):
        tf.gradients(z * z, z)


def test_through_functions_and_again():
    @tf.function
    def f(x):
        for _ in tf.range(3):
            if x < 2.0:
                x = x * x
        return x

    x = tf.placeholder(tf.float64, [])
    y = f(x)
    orders = [y]
    for _ in range(3):
        orders += tf.gradients(orders[-1], x)
    found = run(orders, {x: 1.2})
    np.testing.assert_allclose(found, [1.2**4, 4 * 1.2**3, 12 * 1.2**2, 24 * 1.2])
    with tf.Session() as session:  # y alone, and once more with its gradient
        assert session.run(y, {x: 1.2}) == found[0]
        assert session.run([y, orders[1]], {x: 1.2}) == found[:2]


def test_effects_of_what_is_differentiated_happen_once():
    v = tf.Variable(0.0)

    @tf.function
    def f(x):
        v.assign_add(1.0)
        return tf.sin(x) * tf.exp(x)

    x = tf.constant(0.5)
    (gradient,) = tf.gradients(f(x), x)
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        session.run(gradient)
        assert session.run(v) == 1.0


def test_through_captures_from_inside():
    x = tf.placeholder(tf.float32, [])
    y = x * x

    def branch():
        z = y * 3.0
        return tf.gradients(z, [x, y])

    found = tf.cond(x > 0.0, branch, lambda: [x, x])
    assert run(found, {x: 2.0}) == [12.0, 3.0]


def test_hessians():
    x = tf.placeholder(tf.float64, [None])
    y = tf.reduce_sum(x * x * x) + x[0] * x[1]
    (hessian,) = tf.hessians(y, x)
    assert run(hessian, {x: [1.0, 2.0]}).tolist() == [[6.0, 1.0], [1.0, 12.0]]
    (linear,) = tf.hessians(x * 2.0, x)
    assert run(linear, {x: [1.0, 2.0]}).tolist() == [[0.0, 0.0], [0.0, 0.0]]
    with pytest.raises(ValueError, match="the result does not depend on"):
        tf.hessians(tf.constant(1.0), x)


def test_an_op_without_derivative_names_the_line():
    x = tf.placeholder(tf.float32, [3])
    y = tf.random.shuffle(x)
    with pytest.raises(LookupError) as caught:
        tf.gradients(y, x)
    assert "No gradient defined for the op 'random_shuffle'" in str(caught.value)
    assert "test_gradients.py:" in str(caught.value)


@pytest.mark.parametrize(
    "method", ["ADD_N", "DEFAULT", "EXPERIMENTAL_TREE", "EXPERIMENTAL_ACCUMULATE_N"]
)
def test_every_aggregation_method_adds_up(method):
    with tf.Graph().as_default(), tf.Session() as session:
        x = tf.constant(2.0)
        y = x * x + 3.0 * x
        chosen = getattr(tf.AggregationMethod, method)
        (g,) = tf.gradients(y, x, aggregation_method=chosen, colocate_gradients_with_ops=True)
        (h,) = tf.hessians(y, x, False, chosen, "second", colocate_gradients_with_ops=True)
        assert session.run([g, h]) == [7.0, 2.0]
        for function in (tf.gradients, tf.hessians):
            with pytest.raises(ValueError, match="Invalid aggregation_method specified 7"):
                function(y, x, aggregation_method=7)


def test_rows_as_the_gradient_to_start_from():
    with tf.Graph().as_default(), tf.Session() as session:
        x = tf.placeholder(tf.float32, [None, 2])
        rows = tf.IndexedSlices(tf.constant([[1.0, 2.0]]), tf.constant([1]))
        (g,) = tf.gradients(3.0 * x, x, grad_ys=rows)
        assert session.run(g, {x: [[0.0, 0.0]] * 3}).tolist() == [[0, 0], [3, 6], [0, 0]]


def test_each_branch_has_what_it_saved():
    x, y = (tf.placeholder(tf.float64, []) for _ in range(2))
    z = tf.cond(x > 0, lambda: tf.exp(x) * tf.sin(y), lambda: tf.cos(y) * tf.exp(x * y))
    slopes = tf.gradients(z, [x, y])
    for a, b in (0.7, 0.4), (-0.7, 0.4):
        if a > 0:
            expected = [np.exp(a) * np.sin(b), np.exp(a) * np.cos(b)]
        else:
            power = np.exp(a * b)
            expected = [b * np.cos(b) * power, (a * np.cos(b) - np.sin(b)) * power]
        np.testing.assert_allclose(run(slopes, {x: a, y: b}), expected, rtol=1e-12)
