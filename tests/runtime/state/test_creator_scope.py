"""``variable_creator_scope``: who makes variables, with which arguments."""

import pytest

import runtime as tf


def noting(seen, note):
    def create(next_creator, **kwargs):
        seen.append((note, kwargs["name"]))
        return next_creator(**{**kwargs, "trainable": False})

    return create


def test_the_innermost_creator_comes_first_and_may_change_arguments():
    seen = []
    with tf.variable_creator_scope(noting(seen, "outer")):
        with tf.variable_creator_scope(noting(seen, "inner")):
            v = tf.Variable(1.0, name="v")
        w = tf.Variable(2.0, name="w")
    u = tf.Variable(3.0)
    assert seen == [("inner", "v"), ("outer", "v"), ("outer", "w")]
    assert (v.trainable, w.trainable, u.trainable) == (False, False, True)
    assert v.name == "v:0"


def test_creators_are_given_all_arguments_and_may_return_anything():
    def create(next_creator, **kwargs):
        assert kwargs["initial_value"] == 1.0
        assert kwargs["trainable"] is None
        assert kwargs["dtype"] is tf.float64
        assert {"shape", "constraint", "synchronization", "aggregation"} <= kwargs.keys()
        return "made"

    with tf.variable_creator_scope(create):
        assert tf.Variable(1.0, dtype=tf.float64) == "made"


def test_creators_see_the_variables_of_functions_graphs_and_get_variable():
    made, kept = [], []

    def create(next_creator, **kwargs):
        made.append(next_creator(**kwargs))
        return made[-1]

    @tf.function
    def f():
        if not kept:
            kept.append(tf.Variable(1.0))
        return kept[0] + 1.0

    with tf.variable_creator_scope(create):
        assert f().numpy() == 2.0
        with tf.Graph().as_default():
            kept.append(tf.get_variable("x", [2]))
            kept.append(tf.Variable(1.0))
    assert [a is b for a, b in zip(kept, made, strict=True)] == [True] * 3


def test_subclasses_make_their_own_and_creators_must_be_callable():
    class Own(tf.Variable):
        """Not asked about."""

    with tf.variable_creator_scope(lambda next_creator, **kwargs: None):
        assert isinstance(Own(1.0), Own)
    with pytest.raises(TypeError, match="must be callable"), tf.variable_creator_scope(3):
        pass
    scope = tf.variable_creator_scope(lambda next_creator, **kwargs: int("no number"))
    with pytest.raises(ValueError, match="no number"), scope:
        tf.Variable(1.0)
    assert isinstance(tf.Variable(1.0), tf.Variable)
