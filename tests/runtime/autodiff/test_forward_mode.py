"""Forward mode, alone and with reverse mode; and the gradient checker."""

from __future__ import annotations

import numpy as np
import pytest

import runtime as tf
from runtime.autodiff.gradient_checker import max_error
from tests.runtime.autodiff.programs import CASES, arguments
from tests.support import ways
from tests.support.nightly import diagonal

Accumulator = tf.autodiff.ForwardAccumulator


def directions(args):
    return [tf.constant(np.linspace(0.5, 1.5, int(tf.size(a))).reshape(a.shape)) for a in args]


def products(function, args, tangents):
    """The product with the Jacobian, and with the Hessian of the sum."""
    with Accumulator(list(args), list(tangents)) as forward:
        with tf.GradientTape() as tape:
            tape.watch(list(args))
            result = function(*args)
        gradients = tape.gradient(result, list(args))
    zero = tf.UnconnectedGradients.ZERO
    pairs = zip(gradients, args, strict=True)
    gradients = [tf.zeros_like(a) if g is None else g for g, a in pairs]
    return [forward.jvp(result, zero), *[forward.jvp(g, zero) for g in gradients]]


@pytest.mark.parametrize("case, way", diagonal(CASES, ["eager", "around", "inside"]))
def test_products_with_jacobian_and_hessian(case, way):
    function, args = case
    xs = arguments(args)
    vs = directions(xs)
    _, first, second = ways.eager_derivatives(lambda *a: tf.reduce_sum(function(*a)), xs, 2)
    slope = sum(np.sum(np.asarray(g) * np.asarray(v)) for g, v in zip(first, vs, strict=True))
    run = tf.function(function) if way == "around" else function
    if way == "inside":
        found = tf.function(lambda xs, vs: products(function, xs, vs))(xs, vs)
    else:
        found = products(run, xs, vs)
    np.testing.assert_allclose(np.sum(np.asarray(found[0])), slope, rtol=1e-9)
    # the sum over the rows of the Hessian, along ones
    ones = products(run if way != "inside" else function, xs, [tf.ones_like(x) for x in xs])[1:]
    for one, other in zip(ones, second, strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-8, atol=1e-9)


def test_forward_over_forward():
    x, v = tf.constant([1.0, 2.0]), tf.constant([1.0, -1.0])
    with Accumulator(x, v) as outer:
        with Accumulator(x, v) as inner:
            y = tf.reduce_sum(x * x * x)
        first = inner.jvp(y)
    assert float(first) == 3.0 - 12.0
    assert float(outer.jvp(first)) == 6.0 + 12.0


@pytest.mark.parametrize("wrap", [lambda f: f, tf.function], ids=["eager", "function"])
def test_products_asked_for_after_the_blocks(wrap):
    @wrap
    def products(x, one):
        with tf.GradientTape() as tape:
            tape.watch(x)
            with Accumulator(x, one) as outer, Accumulator(x, one) as inner:
                y = x**5.0
        first = inner.jvp(y)
        second = outer.jvp(first)
        return first, second, tape.gradient(second, x), inner.jvp(outer.jvp(y))

    first, second, third, inwards = products(tf.constant(2.0), tf.constant(1.0))
    assert (float(first), float(second), float(third)) == (80.0, 160.0, 240.0)
    assert inwards is None  # the inner one is not told of what the outer one computes


def test_a_tape_within_the_block_is_not_told_of_the_product():
    x = tf.constant(1.0)
    with Accumulator(x, tf.constant(0.1)) as forward, tf.GradientTape() as tape:
        tape.watch(x)
        product = forward.jvp(tf.cos(x))
    assert tape.gradient(product, x) is None


def test_variables_nests_and_unconnected_results():
    v, x = tf.Variable(2.0), tf.constant(3.0)
    with Accumulator([v, x], [tf.constant(1.0), tf.constant(10.0)]) as acc:
        y = v * x
        assert float(acc.jvp(y)) == 23.0
        z = y * y
    found = acc.jvp({"z": z, "n": tf.constant(1.0), "i": tf.constant(2)})
    assert float(found["z"]) == 276.0 and found["n"] is None and found["i"] is None
    zero = tf.UnconnectedGradients.ZERO
    assert float(acc.jvp(tf.constant(1.0), unconnected_gradients=zero)) == 0.0


def test_misuse():
    x = tf.constant(3.0)
    with pytest.raises(ValueError, match="specified as a primal multiple times"):
        Accumulator([x, x], [x, x])
    with pytest.raises(ValueError, match="does not fit the primal of shape"):
        Accumulator(x, tf.constant([1.0, 2.0]))
    with pytest.raises(ValueError, match="same nested structure"):
        Accumulator([x], [x, x])
    acc = Accumulator(x, x)
    with pytest.raises(ValueError, match="without first tracing anything"):
        acc.jvp(x)
    with acc, pytest.raises(ValueError, match="already recording"), acc:
        pass


def test_checker():
    x = [tf.constant([[1.0, 2.0]], tf.float64), np.array([[3.0], [0.5]])]
    theoretical, numeric = tf.test.compute_gradient(tf.matmul, x)
    assert [m.shape for m in theoretical] == [(1, 2), (1, 2)]
    for one, other in zip(theoretical, numeric, strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-6)
    np.testing.assert_allclose(theoretical[0], [[3.0, 0.5]])


def test_checker_counts_complex_numbers_as_two():
    z = tf.constant([1.0 + 2.0j], tf.complex128)
    theoretical, numeric = tf.test.compute_gradient(lambda z: z * z, [z], delta=1e-4)
    np.testing.assert_allclose(theoretical[0], [[2.0, -4.0], [4.0, 2.0]])
    np.testing.assert_allclose(numeric[0], theoretical[0], rtol=1e-6)
    with pytest.raises(ValueError, match="`x` must be a list or tuple"):
        tf.test.compute_gradient(lambda z: z, z)


def test_checker_of_empty_results():
    empty, full = np.zeros((0, 3)), np.ones((3, 4))
    for found in tf.test.compute_gradient(tf.matmul, [empty, full]):
        assert [m.shape for m in found] == [(0, 0), (0, 12)]

    @tf.custom_gradient
    def turned(x):
        return tf.identity(x), tf.transpose

    with pytest.raises(ValueError, match=r"wrong shape: expected \(0, 3\), got \(3, 0\)"):
        tf.test.compute_gradient(turned, [empty])


def test_the_largest_difference_is_nan_wherever_one_is():
    one, nan = np.ones((1, 1)), np.full((1, 1), np.nan)
    assert max_error([one, one], [one, one - 0.5]) == 0.5 and max_error([], []) == 0.0
    for other in ([one, nan], [nan, one]):
        assert np.isnan(max_error([one, one], other))
