"""Variables by name, and collections of them."""

import pytest

import runtime as tf


@pytest.fixture
def sess():
    with tf.Graph().as_default(), tf.Session() as session:
        yield session


def test_names_and_reuse(sess):
    with tf.variable_scope("a") as scope:
        w = tf.get_variable("w", [2, 3])
        with tf.variable_scope("b"):
            inner = tf.get_variable("w", [1], initializer=tf.ones_initializer())
    assert (w.name, inner.name, scope.name) == ("a/w:0", "a/b/w:0", "a")
    with tf.variable_scope("a", reuse=True):
        assert tf.get_variable("w") is w
        with tf.variable_scope("b"):
            assert tf.get_variable("w", [1]) is inner
    with tf.variable_scope(scope, reuse=tf.AUTO_REUSE):
        assert tf.get_variable("w", [2, 3]) is w
        assert tf.get_variable("new", initializer=3).dtype is tf.int32
    sess.run(tf.global_variables_initializer())
    assert sess.run(inner).tolist() == [1.0] and sess.run(w).shape == (2, 3)


def test_what_is_wrong_is_said(sess):
    with tf.variable_scope("a"):
        tf.get_variable("w", [2])
    with tf.variable_scope("a"), pytest.raises(ValueError, match="a/w already exists, disallowed"):
        tf.get_variable("w", [2])
    with tf.variable_scope("a", reuse=True):
        with pytest.raises(ValueError, match="a/x does not exist"):
            tf.get_variable("x", [2])
        with pytest.raises(ValueError, match=r"specified shape \(3,\) and found shape \(2,\)"):
            tf.get_variable("w", [3])
        with pytest.raises(ValueError, match="specified dtype int32"):
            tf.get_variable("w", [2], dtype=tf.int32)
    with pytest.raises(ValueError, match="must be fully defined"):
        tf.get_variable("y")
    with pytest.raises(ValueError, match="do not specify shape"):
        tf.get_variable("y", [1], initializer=3.0)
    with pytest.raises(TypeError, match="name_or_scope is required"), tf.variable_scope(None):
        pass


def test_defaults_of_a_scope(sess):
    with tf.variable_scope("s", initializer=tf.constant_initializer(7), dtype=tf.int32):
        v = tf.get_variable("v", [2])
        assert tf.get_variable_scope().name == "s"
    with tf.variable_scope(None, default_name="s") as other:
        assert other.name == "s_1"
    sess.run(v.initializer)
    assert sess.run(v).tolist() == [7, 7]


def test_collections(sess):
    v = tf.get_variable("v", [1])
    frozen = tf.get_variable("f", [1], trainable=False)
    local = tf.get_local_variable("l", [], initializer=tf.zeros_initializer())
    assert [x.name for x in tf.global_variables()] == [v.name, frozen.name]
    assert [x.name for x in tf.trainable_variables()] == ["v:0"]
    assert [x.name for x in tf.local_variables()] == ["l:0"]
    assert sess.run(tf.report_uninitialized_variables()).tolist() == [b"v", b"f", b"l"]
    sess.run([tf.global_variables_initializer(), tf.local_variables_initializer()])
    assert sess.run(tf.report_uninitialized_variables()).tolist() == []
    assert sess.run(local) == 0


def test_regularizers(sess):
    tf.get_variable("v", initializer=[3.0, 4.0], regularizer=lambda v: tf.reduce_sum(v * v))
    sess.run(tf.global_variables_initializer())
    (loss,) = tf.get_default_graph().get_collection("regularization_losses")
    assert sess.run(loss) == 25


def test_eagerly_they_are_shared_when_asked():
    with tf.variable_scope("eager", reuse=tf.AUTO_REUSE):
        v = tf.get_variable("v", [2], initializer=tf.zeros_initializer())
        assert tf.get_variable("v", [2]) is v
    assert v.numpy().tolist() == [0, 0]
    with tf.variable_scope("eager"):
        assert tf.get_variable("v", [2]) is not v


def test_in_functions_they_are_made_once():
    @tf.function
    def scaled(x):
        with tf.variable_scope("traced", reuse=tf.AUTO_REUSE):
            return x * tf.get_variable("w", [2], initializer=tf.ones_initializer())

    assert scaled(tf.constant(2.0)).numpy().tolist() == [2, 2]
    assert scaled(tf.constant([2.0, 3.0])).numpy().tolist() == [2, 3]
    with tf.variable_scope("traced", reuse=True):
        w = tf.get_variable("w")
    assert w.name == "traced/w:0"
    w.assign([5.0, 6.0])
    assert scaled(tf.constant(1.0)).numpy().tolist() == [5, 6]
