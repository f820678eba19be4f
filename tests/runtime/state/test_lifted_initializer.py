"""Variables made while a function is traced: initial values, names, and what cannot be known."""

import pytest

import runtime as tf


def once(make):
    """A function that makes its variable on the first call, by ``make(x)``, and gives v * x."""
    kept = []

    @tf.function
    def scaled(x):
        if not kept:
            kept.append(make(x))
        return kept[0] * x

    return scaled, kept


def test_an_initial_value_may_depend_on_the_arguments_of_the_first_call():
    scaled, _ = once(lambda x: tf.Variable(2.0 * x + 1.0))
    assert scaled(tf.constant(1.0)).numpy() == 3.0
    assert scaled(tf.constant(5.0)).numpy() == 15.0


def test_also_through_the_functions_around():
    scaled, kept = once(lambda x: tf.Variable(tf.zeros_like(x) + 4.0))

    @tf.function
    def outer(x):
        return scaled(x + 1.0)

    assert outer(tf.constant([1.0, 2.0])).numpy().tolist() == [8.0, 12.0]
    assert kept[0].shape == [2]


def test_without_values_there_is_no_such_initial_value():
    scaled, _ = once(lambda x: tf.Variable(2.0 * x))
    with pytest.raises(ValueError, match=r"depends on arguments of the function 'scaled'"):
        scaled.get_concrete_function(tf.TensorSpec([], tf.float32))
    with tf.Graph().as_default(), pytest.raises(ValueError, match="depends on arguments"):
        scaled(tf.constant(1.0))


def test_in_a_graph_it_may_be_computed_from_constants():
    scaled, _ = once(lambda x: tf.Variable(tf.sqrt(tf.constant(16.0)) + 2.0))
    with tf.Graph().as_default(), tf.Session() as session:
        result = scaled(tf.constant(3.0))
        session.run(tf.global_variables_initializer())
        assert session.run(result) == 18.0


def test_random_initial_values_are_drawn_once():
    tf.random.set_seed(3)
    expected = [tf.random.normal([]).numpy() for _ in range(3)]
    kept = []

    @tf.function
    def draw():
        if not kept:
            kept.extend([tf.Variable(tf.random.normal([])) for _ in range(2)])
        return kept[0] + 0.0, kept[1] + 0.0, tf.random.normal([])

    tf.random.set_seed(3)
    assert [value.numpy() for value in draw()] == expected


def test_a_draw_of_every_call_is_no_initial_value():
    kept = []

    @tf.function
    def draw():
        x = tf.random.normal([])
        if not kept:
            kept.append(tf.Variable(x))
        return kept[0] - x

    with pytest.raises(ValueError, match="drawn again"):
        draw()


def test_a_random_variable_of_every_call_is_refused_as_such():
    class Dense(tf.Module):
        def __init__(self):
            super().__init__()
            self.first_rows = None

        @tf.function
        def __call__(self, rows):
            if self.first_rows is None:  # a tensor of the call: each trace begins without it
                self.first_rows = rows
                self.weight = tf.Variable(tf.random.normal([rows.shape[-1], 2]))
            return rows @ self.weight

    with pytest.raises(ValueError, match=r"may create variables on its first call only.*"):
        Dense()(tf.ones([3, 4]))


def test_what_comes_before_may_not_change_the_initial_value():
    w = tf.Variable(1.0)

    def after_write(x):
        w.assign_add(1.0)
        return tf.Variable(w * 2.0)

    def after_branch(x):
        tf.cond(x > 0.0, lambda: w.assign_add(1.0), lambda: w.read_value())
        return tf.Variable(w * 2.0)

    def after_seed(x):
        tf.random.set_seed(1)
        return tf.Variable(tf.random.normal([]))

    def written(x):
        return tf.Variable(w.assign_add(1.0))

    for make in (after_write, after_branch, after_seed, written):
        with pytest.raises(ValueError, match=r"reads variables or draws random .* has its effect"):
            once(make)[0](tf.constant(1.0))
    assert w.numpy() == 1.0


def test_other_effects_may_come_before():
    steps, kept = tf.Variable(0), []

    @tf.function
    def train(x):
        steps.assign_add(1)
        for depth in range(2):
            if len(kept) == depth:
                kept.append(tf.Variable(tf.random.normal([], 1.0, 0.0)))
            x = x * kept[depth] + tf.random.uniform([], 0.0, 1e-9)
        return x

    assert [train(tf.constant(3.0)).numpy() for _ in range(2)] == [3.0, 3.0]
    assert steps.numpy() == 2


def test_assertions_and_prints_may_come_before(capsys):
    def make(x):
        tf.print("making")
        tf.debugging.assert_positive(x)
        return tf.Variable(tf.random.normal([]) * 0.0 + 2.0)

    scaled, _ = once(make)
    assert scaled(tf.constant(3.0)).numpy() == 6.0


def test_names_are_in_the_scope_of_the_function():
    def make(x):
        with tf.name_scope("layer"), tf.name_scope("inner"):
            return tf.Variable(1.0, name="w")

    scaled, kept = once(make)
    with tf.name_scope("around"):
        scaled(tf.constant(1.0))
    assert kept[0].name == "layer/inner/w:0"
    scaled, kept = once(make)
    with tf.Graph().as_default():
        scaled(tf.constant(1.0))
        assert kept[0].name == "layer/inner/w:0"
        assert tf.Variable(1.0, name="w").name == "w:0"


def test_names_of_eager_variables_are_in_their_scope():
    with tf.name_scope("a") as outer, tf.name_scope("b") as inner:
        assert (outer, inner) == ("a/", "a/b/")
        assert tf.Variable(1.0, name="v").name == "a/b/v:0"
        with tf.name_scope("c/") as absolute:
            assert absolute == "c/"
            assert tf.Variable(1.0).name == "c/Variable:0"
        with tf.name_scope(None) as none:
            assert none == ""
            assert tf.Variable(1.0).name == "Variable:0"
    with tf.name_scope("a"), tf.variable_scope("s"):
        assert tf.get_variable("v", [1]).name == "s/v:0"


def test_variables_of_the_first_call_live_as_long_as_the_function():
    @tf.function
    def count():
        with tf.variable_scope("counted", reuse=tf.AUTO_REUSE):
            return tf.get_variable("n", initializer=0).assign_add(1)

    assert [count().numpy() for _ in range(3)] == [1, 2, 3]
