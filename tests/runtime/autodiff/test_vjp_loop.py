"""What loops save for their derivatives, and loops that save less."""

from __future__ import annotations

import numpy as np
import pytest

import autograph
import runtime as tf
from autograph import StagingError
from runtime.autodiff.vjp_graph import vjp_graph_of
from runtime.graph.extensions import newest_operations


def saving(function, *args):
    """The loop of the version of a function that saves for its derivative, and what it pushes."""
    graph = tf.function(function).get_concrete_function(*args).graph
    floats = tuple(i for i, t in enumerate(graph.inputs) if t.dtype.is_floating)
    forward = vjp_graph_of(graph, (0,), floats, ()).forward
    (loop,) = [node for node in newest_operations(forward) if node.op_def.name == "while"]
    pushes = [n for n in loop.attrs["body_graph"].operations if n.op_def.name == "list_push"]
    return loop, [t.op.op_def.name for node in pushes for t in node.inputs[1:]]


X, W = tf.constant(0.7), tf.constant(0.9)


def test_only_what_the_derivative_reads_is_saved():
    def f(x, w):
        s = x
        for _ in tf.range(5):
            unused = tf.exp(s) * 3.0
            s = tf.sin(s) + w * x + unused * 0.0
        return s

    def g(x, w):
        s = x
        for _ in tf.range(5):
            s = tf.sin(s) + w * x
        return s

    assert saving(g, X, W)[1] == ["placeholder"], "the loop variable alone"
    assert set(saving(f, X, W)[1]) == {"placeholder", "exp"}


def test_loop_invariants_are_not_saved():
    def f(x, w):
        s = x
        for _ in tf.range(5):
            s = s * tf.tanh(w * x) + x
        return s

    loop, saved = saving(f, X, W)
    assert saved == ["placeholder"]
    with tf.GradientTape() as tape:
        tape.watch([X, W])
        y = tf.function(f)(X, W)
    with tf.GradientTape() as plain:
        plain.watch([X, W])
        z = f(X, W)
    np.testing.assert_allclose(tape.gradient(y, [X, W]), plain.gradient(z, [X, W]), rtol=1e-5)


def test_a_loop_without_anything_to_save_counts_its_turns():
    def f(x, w):
        s = x
        while s < 100.0:
            s = s * 2.0
        return s

    loop, saved = saving(f, X, W)
    assert saved == [] and loop.outputs[-1].dtype is tf.int64


def test_sizes_are_saved_instead_of_what_is_only_measured():
    def f(x, w):
        s = x
        for _ in tf.range(3):
            s = s + w
        return s

    big = tf.TensorSpec([None, None])
    _, saved = saving(f, big, big)
    assert "placeholder" not in saved


def checkpointed(every):
    def f(x, w):
        s = x
        for _ in tf.range(10):
            autograph.set_loop_options(checkpoint=every)
            s = tf.sin(s) * tf.exp(s * w) * 0.3 + x
            if s > 5.0:
                break
        return s

    return f


def orders(function, *xs):
    with tf.GradientTape() as outer:
        outer.watch(xs)
        with tf.GradientTape() as tape:
            tape.watch(xs)
            y = function(*xs)
        first = tape.gradient(y, xs)
    return [y, *first, *outer.gradient(first, xs)]


@pytest.mark.parametrize("every", [1, 3, 100])
def test_checkpoints_change_nothing_but_what_is_saved(every):
    xs = (tf.constant(0.7, tf.float64), tf.constant(0.9, tf.float64))
    expected = orders(checkpointed(0), *xs)
    np.testing.assert_allclose(orders(tf.function(checkpointed(every)), *xs), expected)
    _, saved = saving(checkpointed(every), *xs)
    assert set(saved) <= {"placeholder"}, "of a chunk of turns only what it starts with"
    assert "exp" in saving(checkpointed(0), *xs)[1]


def test_checkpoints_are_refused_where_turns_have_effects():
    v = tf.Variable(2.0)

    def f(x):
        s = x
        for _ in tf.range(3):
            autograph.set_loop_options(checkpoint=2)
            v.assign_add(1.0)
            s = s * x
        return s

    with tf.GradientTape() as tape:
        tape.watch(X)
        y = tf.function(f)(X)
    with pytest.raises(StagingError) as caught:
        tape.gradient(y, X)
    assert "set_loop_options(checkpoint=...)" in str(caught.value)
    assert "test_vjp_loop.py" in str(caught.value)
    with pytest.raises(ValueError, match="checkpoint must be a number of iterations, got 'often'"):
        tf.function(checkpointed("often"))(X, W)


def test_many_turns():
    @tf.function
    def f(x, n):
        s = x
        for _ in tf.range(n):
            s = tf.sin(s) * x + s * 0.1
        return s

    x = tf.constant(0.5, tf.float64)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = f(x, tf.constant(5000))
    s, d = 0.5, 1.0
    for _ in range(5000):
        s, d = np.sin(s) * 0.5 + s * 0.1, np.cos(s) * d * 0.5 + np.sin(s) + d * 0.1
    np.testing.assert_allclose(tape.gradient(y, x), d)
    assert float(y) == s


@pytest.mark.parametrize("staged", [False, True], ids=["eager", "function"])
def test_handwritten_loops_without_derivative(staged):
    def f(x):
        kept = tf.while_loop(lambda i, _: i < 3, lambda i, s: (i + 1, s * x), (0, x))[1]
        cut = tf.while_loop(
            lambda i, _: i < 3, lambda i, s: (i + 1, s * x), (0, x), back_prop=False
        )[1]
        return kept + cut

    with tf.GradientTape() as tape:
        tape.watch(X)
        y = (tf.function(f) if staged else f)(X)
    np.testing.assert_allclose(tape.gradient(y, X), 4 * 0.7**3, rtol=1e-6)


def test_by_eager_tensors_that_inner_graphs_use():
    x = tf.constant(2.0)
    squared = tf.function(lambda: x * x)
    builds = [
        lambda: tf.while_loop(lambda k, _: k < 3, lambda k, a: (k + 1, a * x), (0, 1.0))[1],
        lambda: tf.cond(tf.constant(True), lambda: x * x * x, lambda: x),
        lambda: squared() * x,
        lambda: tf.map_fn(lambda e: e * x * x * x, tf.constant([1.0]))[0],
    ]
    for build in builds:
        assert tf.function(lambda b=build: tf.gradients(b(), [x])[0])().numpy() == 12
        assert tf.function(lambda b=build: tf.hessians(b(), x)[0])().numpy() == 12
        with tf.GradientTape() as outer, tf.GradientTape() as inner:
            outer.watch(x)
            inner.watch(x)
            first = inner.gradient(tf.function(build)(), x)
        assert outer.gradient(first, x).numpy() == 12
