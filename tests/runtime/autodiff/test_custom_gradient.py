"""Functions with their own derivative, those that compute again, and the older helpers."""

from __future__ import annotations

import inspect
import pickle

import numpy as np
import pytest

import autograph
import runtime as tf


@tf.custom_gradient
def log1pexp(x):
    e = tf.exp(x)

    def grad(upstream):
        return upstream * (1.0 - 1.0 / (1.0 + e))

    return tf.math.log(1.0 + e), grad


def orders(function, x, count):
    """The value and the derivatives, each by a tape around the one before."""

    def derivative(k, x):
        if k == 0:
            return function(x)
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = derivative(k - 1, x)
        return tape.gradient(y, x)

    return [derivative(k, x) for k in range(count + 1)]


def in_session(function, x, count):
    with tf.Graph().as_default(), tf.Session() as session:
        holder = tf.placeholder(x.dtype, x.shape)
        found = [autograph.to_graph(function)(holder)]
        for _ in range(count):
            found += tf.gradients(found[-1], holder)
        session.run(tf.global_variables_initializer())
        return session.run(found, {holder: np.asarray(x)})


WAYS = {
    "eager": orders,
    "around": lambda f, x, n: orders(tf.function(f), x, n),
    "inside": lambda f, x, n: tf.function(lambda x: orders(f, x, n))(x),
    "session": in_session,
}
way = pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)


@way
def test_softplus_stays_finite(way):
    assert np.isfinite(way(log1pexp, tf.constant(88.0), 1)).all()
    x = tf.constant(0.5, tf.float64)
    s = 1 / (1 + np.exp(-0.5))
    expected = [np.log1p(np.exp(0.5)), s, s * (1 - s), s * (1 - s) * (1 - 2 * s)]
    np.testing.assert_allclose(way(log1pexp, x, 3), expected)


@way
def test_own_derivative_counts_not_the_true_one(way):
    @tf.custom_gradient
    def tenfold(x):
        return x * x, lambda upstream: upstream * 10.0

    def outer(x):
        return tenfold(x) * x

    # d/dx (x^2 * x) with 10 for the derivative of x^2
    found = way(outer, tf.constant(3.0, tf.float64), 2)
    np.testing.assert_allclose(found, [27.0, 39.0, 20.0])


@way
def test_nested_and_in_control_flow(way):
    @tf.custom_gradient
    def inner(x):
        @tf.custom_gradient
        def derivative(y):
            return y * 5.0, lambda upstream: upstream * 7.0

        return x * 2.0, lambda upstream: derivative(upstream * x)

    def outer(x):
        for _ in tf.range(2):
            if x > 0.0:
                x = inner(x)
        return x

    _, first = way(outer, tf.constant(3.0, tf.float64), 1)
    np.testing.assert_allclose(first, 3.0 * 5.0 * 6.0 * 5.0)


@pytest.mark.parametrize("staged", [False, True], ids=["eager", "function"])
def test_variables(staged):
    v = tf.Variable(2.0)

    @tf.custom_gradient
    def scaled(x):
        def grad(upstream, variables=None):
            assert variables == [v]
            return upstream * 10.0, [upstream * 100.0]

        return x * v, grad

    x = tf.constant(3.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = (tf.function(scaled) if staged else scaled)(x)
    assert [float(g) for g in tape.gradient(y, [x, v])] == [10.0, 100.0]


@pytest.mark.parametrize("staged", [False, True], ids=["eager", "function"])
def test_several_results_and_arguments_without_gradient(staged):
    @tf.custom_gradient
    def both(x, pair):
        def grad(first, second):
            return first + second, None, first * 2.0

        return (x + pair[0], x * pair[1]), grad

    def total(x, y, z):
        a, b = both(x, (y, z))
        return a * 3.0 + b

    args = [tf.constant(v) for v in (1.0, 2.0, 4.0)]
    with tf.GradientTape() as tape:
        tape.watch(args)
        y = (tf.function(total) if staged else total)(*args)
    found = tape.gradient(y, args)
    assert [None if g is None else float(g) for g in found] == [4.0, None, 6.0]


@pytest.mark.parametrize("staged", [False, True], ids=["eager", "function"])
def test_mistakes(staged):
    v, x = tf.Variable(2.0), tf.constant(3.0)

    def gradient(function):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = (tf.function(function) if staged else function)(x)
        return tape.gradient(y, x)

    cases = {
        r"must accept a 'variables' keyword argument. It uses Variable:0": (
            TypeError, lambda x: (x * v, lambda upstream: upstream)
        ),
        "expected to return 1 gradients, but returned 2 instead": (
            ValueError, lambda x: (x * x, lambda upstream: (upstream, upstream))
        ),
        "must return its result and a function that computes the gradient": (
            TypeError, lambda x: x * x
        ),
        "Must return gradient for each variable": (
            ValueError, lambda x: (x * v, lambda upstream, variables: (upstream, [1.0, 2.0]))
        ),
    }  # fmt: skip
    for message, (kind, function) in cases.items():
        with pytest.raises(kind, match=message):
            gradient(tf.custom_gradient(function))


@way
def test_computing_again(way):
    v = tf.Variable(1.5, dtype=tf.float64)

    def plain(x):
        return tf.sin(x) * x * x

    x = tf.constant(0.7, tf.float64)
    np.testing.assert_allclose(way(tf.recompute_grad(plain), x, 2), way(plain, x, 2))
    if way is WAYS["session"]:
        return

    def variable_too(function):
        with tf.GradientTape() as tape:
            y = function(x)
        return float(tape.gradient(y, v))

    again = tf.recompute_grad(lambda x: tf.sin(x) * v * x)
    assert variable_too(again) == variable_too(lambda x: tf.sin(x) * v * x)


def test_computing_again_saves_only_inputs():
    turns = []

    def f(x):
        turns.append(1)
        return tf.exp(tf.sin(x))

    x = tf.constant(0.5)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.recompute_grad(f)(x)
    assert len(turns) == 1
    np.testing.assert_allclose(tape.gradient(y, x), np.cos(0.5) * np.exp(np.sin(0.5)), rtol=1e-6)
    assert len(turns) == 2


@way
def test_passing_gradients_through(way):
    rounded = tf.grad_pass_through(tf.round)
    found = way(lambda x: rounded(x) * x, tf.constant(2.4, tf.float64), 1)
    np.testing.assert_allclose(found, [4.8, 4.4])


def test_gradients_function():
    f = lambda x, y: x * x * y  # noqa: E731
    assert [float(g) for g in tf.gradients_function(f)(3.0, 2.0)] == [12.0, 9.0]
    assert [float(g) for g in tf.gradients_function(f, params=["y"])(3.0, 2.0)] == [9.0]
    value, (dx,) = tf.value_and_gradients_function(f, params=[0])(3.0, 2.0)
    assert (float(value), float(dx)) == (18.0, 12.0)
    assert float(tf.gradients_function(f)(3.0, 2.0, dy=tf.constant(10.0))[0]) == 120.0
    cube = lambda x: x * x * x  # noqa: E731
    twice = tf.gradients_function(lambda x: tf.gradients_function(cube)(x)[0])
    assert float(twice(2.0)[0]) == 12.0
    assert tf.gradients_function(lambda x, n: x * x)(3.0, 2)[1] is None


def test_gradients_function_mistakes():
    with pytest.raises(ValueError, match="returns None; did you forget to return a value from"):
        tf.gradients_function(lambda x: None)(3.0)
    with pytest.raises(ValueError, match="cannot receive keyword arguments, got y"):
        tf.gradients_function(lambda x, y: x)(3.0, y=2.0)
    with pytest.raises(ValueError, match="params must be all strings or all integers"):
        tf.gradients_function(lambda x: x, params=["x", 0])(3.0)
    with pytest.raises(ValueError, match="no argument 'z'"):
        tf.gradients_function(lambda x: x, params=["z"])(3.0)
    with pytest.raises(ValueError, match="not all among the 1 arguments"):
        tf.gradients_function(lambda x: x, params=[1])(3.0)
    with pytest.raises(TypeError, match="parameter 0 is of dtype int32. Pass 3.0 instead of 3"):
        tf.gradients_function(lambda x: x * x)(3)


def test_implicit_gradients():
    second, first = tf.Variable(3.0), tf.Variable(2.0)
    f = lambda x: first * second * second * x  # noqa: E731
    pairs = tf.implicit_gradients(f)(10.0)
    assert [v for _, v in pairs] == [second, first], "in the order in which they were made"
    assert [float(g) for g, _ in pairs] == [120.0, 90.0]
    value, pairs = tf.implicit_value_and_gradients(tf.function(f))(10.0)
    assert float(value) == 180.0 and [float(g) for g, _ in pairs] == [120.0, 90.0]
    with pytest.raises(ValueError, match="No trainable variables were accessed"):
        tf.implicit_gradients(lambda x: x)(tf.constant(1.0))
    with pytest.raises(ValueError, match="did you forget to return a value from"):
        tf.implicit_gradients(lambda: None)()


class Layer:
    def __init__(self):
        self.w = tf.Variable(2.0)

    @tf.custom_gradient
    def product(self, a, b):
        """A times b."""
        return a * b, lambda upstream: (upstream * a, upstream * b)

    @tf.custom_gradient
    def scaled(self, a, b):
        def grad(upstream, variables):
            return (upstream * self.w, None), [10.0 * upstream]

        return a * self.w, grad

    @tf.recompute_grad
    def again(self, a, b):
        return a * self.w * b

    @tf.grad_pass_through
    def rounded(self, a):
        return tf.round(a)


@pytest.mark.parametrize("wrap", [lambda f: f, tf.function], ids=["eager", "function"])
@pytest.mark.parametrize("name, expected", [
    ("product", [3.0, 5.0, None]), ("scaled", [2.0, None, 10.0]), ("again", [10.0, 6.0, 15.0]),
])  # fmt: skip
def test_methods_leave_their_object_out(name, expected, wrap):
    layer = Layer()

    @wrap
    def found(a, b):
        with tf.GradientTape() as tape:
            tape.watch([a, b])
            y = getattr(layer, name)(a, b)
        return tape.gradient(y, [a, b, layer.w])

    gradients = found(tf.constant(3.0), tf.constant(5.0))
    assert [None if g is None else float(g) for g in gradients] == expected


def test_decorated_methods_are_described_as_written():
    assert Layer.product.__doc__ == "A times b."
    assert list(inspect.signature(Layer().product).parameters) == ["a", "b"]
    x = tf.constant(0.25)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = Layer().rounded(x)
    assert float(y) == 0.0 and float(tape.gradient(y, x)) == 1.0
    assert pickle.loads(pickle.dumps(log1pexp)) is log1pexp


def test_recomputing_takes_keyword_arguments_eagerly():
    power = tf.recompute_grad(lambda a, k=2.0, *, b: a**k * b["b"])
    x, b = tf.constant(3.0), tf.constant(2.0)
    with tf.GradientTape() as tape:
        tape.watch([x, b])
        y = power(x, k=3.0, b={"b": b})
    assert [float(g) for g in tape.gradient(y, [x, b])] == [54.0, 27.0]
