"""Derivatives by name: RegisterGradient, NotDifferentiable, gradient_override_map."""

import itertools

import pytest

import runtime as tf

NUMBERS = itertools.count()


@pytest.fixture
def name():
    return f"Test{next(NUMBERS)}"


def test_operations_get_the_derivative_of_a_name(name):
    seen = []

    @tf.RegisterGradient(name)
    def clipped(op, gradient):
        seen.append(op.name)
        return tf.clip_by_value(gradient, -1.0, 1.0) * op.inputs[0]

    with tf.Graph().as_default() as graph, tf.Session() as session:
        x = tf.placeholder(tf.float32)
        with graph.gradient_override_map({"Identity": name}):
            y = tf.identity(x, name="mine")
            other = tf.square(x)
        after = tf.identity(x)
        found = tf.gradients([y * 5.0, other, after], x)[0]
        assert session.run(found, {x: 3.0}) == 1 * 3 + 6 + 1
    assert seen == ["mine"]


def test_built_in_derivatives_let_gradients_through():
    def rounded(x):
        with tf.get_default_graph().gradient_override_map({"Round": "Identity"}):
            return tf.round(x) * x

    x = tf.constant([1.4, -2.0])
    f = tf.function(rounded)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = f(x)
    assert tape.gradient(y, x).numpy() == pytest.approx([2.4, -4.0])
    with tf.autodiff.ForwardAccumulator(x, tf.ones_like(x)) as forward:
        y = f(x)
    assert forward.jvp(y).numpy() == pytest.approx([2.4, -4.0])


def test_blocks_nest_and_end(name):
    @tf.RegisterGradient(name)
    def doubled(op, gradient):
        return 2.0 * gradient

    tf.NotDifferentiable(f"{name}None")
    with tf.Graph().as_default() as graph:
        x = tf.constant(1.0)
        with graph.gradient_override_map({"Identity": name, "Neg": f"{name}None"}):
            with graph.gradient_override_map({"Identity": "Square"}):
                squared = tf.identity(x * 3.0)
            twice, nothing = tf.identity(x), -x
        once = tf.identity(x)
        with tf.Session() as session:
            found = [tf.gradients(y, x)[0] for y in (squared, twice, once)]
            assert session.run(found) == [18, 2, 1]
        assert tf.gradients(nothing, x) == [None]


def test_functions_that_branches_and_loops_run(name):
    @tf.RegisterGradient(name)
    def tripled(op, gradient):
        return [3.0 * gradient]

    @tf.function
    def f(x):
        def turn(k, a):
            with tf.get_default_graph().gradient_override_map({"Identity": name}):
                return k + 1, tf.identity(a)

        y = tf.while_loop(lambda k, _: k < 2, turn, (0, x))[1]
        return tf.gradients(y, x)[0]

    assert f(tf.constant(1.0)).numpy() == 9


def test_what_does_not_fit_is_refused(name):
    @tf.RegisterGradient(name)
    def two(op, gradient):
        return gradient, gradient

    with pytest.raises(KeyError, match="Registering two gradient"):
        tf.RegisterGradient(name)(two)
    with pytest.raises(KeyError, match="Registering two gradient"):
        tf.NotDifferentiable("MatMul")
    with pytest.raises(TypeError, match="op_type must be a string"):
        tf.RegisterGradient(3)
    with tf.Graph().as_default() as graph:
        x = tf.constant(1.0)
        with graph.gradient_override_map({"Identity": name}):
            y = tf.identity(x)
        with graph.gradient_override_map({"Identity": "Nobody"}):
            z = tf.identity(x)
        with pytest.raises(ValueError, match="Num gradients 2 generated for op 'Identity' do not"):
            tf.gradients(y, x)
        with pytest.raises(LookupError, match=r"\(op type: Nobody\)"):
            tf.gradients(z, x)
        with pytest.raises(TypeError, match="mapping strings to strings"):
            graph.gradient_override_map({"Identity": 3}).__enter__()


@pytest.mark.parametrize("op, kind", [(tf.sign, "Sign"), (tf.round, "Round"), (tf.floor, "Floor")])
def test_straight_through(op, kind):
    """What is flat, or has no gradient at all, passes gradients on as the identity does."""
    with tf.Graph().as_default() as graph, tf.Session() as session:
        x = tf.constant([0.4, -1.6])
        with graph.gradient_override_map({kind: "Identity"}), tf.GradientTape() as tape:
            tape.watch(x)
            y = op(x) * [3.0, 5.0]
        found = [tape.gradient(y, x), tf.gradients(y, x)[0]]
        assert [g.tolist() for g in session.run(found)] == [[3.0, 5.0]] * 2


def test_inside_of_what_is_traced_in_the_block():
    with tf.Graph().as_default() as graph, tf.Session() as session:
        x, flag = tf.constant(2.25), tf.placeholder(tf.bool)

        @tf.function
        def rounded(x):
            return tf.round(x) * 2.0

        with graph.gradient_override_map({"Round": "Identity"}):
            y = tf.cond(flag, lambda: tf.round(x) * 3.0, lambda: rounded(x))
            _, z = tf.while_loop(lambda i, _: i < 3, lambda i, a: (i + 1, tf.round(a * x)), [0, x])
        found = [tf.gradients(y, x)[0], tf.gradients(z, x)[0]]
        assert session.run(found[0], {flag: True}) == 3.0
        assert session.run(found[0], {flag: False}) == 2.0
        a, slope = 2.25, 1.0
        for _ in range(3):
            slope, a = slope * 2.25 + a, round(a * 2.25)
        assert session.run(found[1]) == slope


def test_numbers_are_gradients_too(name):
    tf.RegisterGradient(name)(lambda op, gradient: (None, 7.0))
    with tf.Graph().as_default() as graph, tf.Session() as session:
        x, y = tf.constant(2.0), tf.constant(3.0)
        with graph.gradient_override_map({"Mul": name}):
            product = x * y
        dx, dy = tf.gradients(product, [x, y])
        assert dx is None and session.run(dy) == 7.0
