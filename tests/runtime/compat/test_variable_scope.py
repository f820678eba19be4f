"""Variables by name, and collections of them."""

import contextlib

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


def test_a_scope_ends_before_the_one_around_it():
    outer, inner = tf.variable_scope("a"), tf.variable_scope("b")
    outer.__enter__()
    inner.__enter__()
    with pytest.raises(RuntimeError, match="Improper nesting"):
        outer.__exit__(None, None, None)
    inner.__exit__(None, None, None)
    outer.__exit__(None, None, None)
    assert tf.get_variable_scope().name == ""


def test_the_outermost_scope_keeps_what_is_set(sess):
    v = tf.get_variable("v", [1])
    tf.get_variable_scope().reuse_variables()
    assert tf.get_variable("v", [1]) is v
    with tf.Graph().as_default():
        assert tf.get_variable("v", [1]) is not v
    assert tf.get_variable_scope().reuse


def test_each_graph_has_scopes_of_its_own(sess):
    with tf.variable_scope("a"):
        with tf.Graph().as_default():
            assert tf.get_variable("w", [1]).name == "w:0"
        assert tf.get_variable("w", [1]).name == "a/w:0"


def scope_of_names():
    with tf.name_scope("at") as scope:
        return scope


def test_names_of_operations(sess):
    with tf.name_scope("x"):
        with tf.variable_scope("tower") as tower:
            assert scope_of_names() == "x/tower/at/"
        with tf.variable_scope(tower):
            assert scope_of_names() == "x/tower_1/at/"
    assert tower.original_name_scope == "x/tower/"
    with tf.name_scope("y"):
        with tf.variable_scope(tower) as again:
            assert again.original_name_scope == "x/tower/"
            assert tf.get_variable("w", []).name == "tower/w:0"
        with tf.variable_scope("bare", auxiliary_name_scope=False) as bare:
            assert (bare.original_name_scope, scope_of_names()) == ("y/", "y/at/")
            assert tf.get_variable("w", []).name == "bare/w:0"
    with pytest.raises(TypeError, match="auxiliary_name_scope"):
        tf.variable_scope("z", auxiliary_name_scope="no")


def test_default_names_are_counted(sess):
    names = []
    for default in ("a", "a", "ab", "a"):
        with tf.variable_scope(None, default), tf.variable_scope(None, "in") as inner:
            names.append(inner.name)
    assert names == ["a/in", "a_1/in", "ab/in", "a_2/in"]
    with tf.variable_scope("o") as outer, tf.variable_scope(None, "in"):
        tf.get_variable("w", [])
    with tf.variable_scope("o") as outer:
        with tf.variable_scope(None, "in") as first:
            pass
        with tf.variable_scope(outer):
            pass
        with tf.variable_scope(None, "in") as second:
            pass
    assert (first.name, second.name) == ("o/in", "o/in_1")
    with pytest.raises(ValueError, match="reuse=True cannot be used"):
        tf.variable_scope(None, "a", reuse=True)


def test_regularizers_of_scopes(sess):
    def weigh(by):
        return lambda v: tf.reduce_sum(v) * by

    ones = tf.ones_initializer()
    with tf.variable_scope("a", regularizer=weigh(1.0), initializer=ones) as scope:
        tf.get_variable("u", [2])
        scope.set_regularizer(weigh(10.0))
        tf.get_variable("v", [2])
        tf.get_variable("w", [2], regularizer=tf.no_regularizer)
        with tf.variable_scope("in", regularizer=tf.no_regularizer):
            tf.get_variable("x", [2])
    with tf.variable_scope("a", reuse=True, regularizer=weigh(1.0)):
        tf.get_variable("u", [2])
    losses = tf.get_collection(tf.GraphKeys.REGULARIZATION_LOSSES)
    sess.run(tf.global_variables_initializer())
    assert sess.run(losses) == [2, 20]
    assert losses[0].name.startswith("a/u/Regularizer/")


def test_what_initialises(sess):
    text = tf.get_variable("text", [], tf.string)
    number = tf.get_variable("number", initializer=lambda: [2])
    real = tf.get_variable("real", initializer=lambda scale=2: [scale], dtype=tf.float64)
    with tf.variable_scope("s", initializer=tf.constant([1, 2])):
        value = tf.get_variable("value")
    sess.run(tf.global_variables_initializer())
    assert (number.dtype, real.dtype, value.dtype) == (tf.int32, tf.float64, tf.int32)
    assert sess.run([text, number, real]) == [b"", [2], [2.0]]
    with pytest.raises(ValueError, match="initializer passed is not valid"):
        tf.get_variable("bad", initializer=lambda x: x)
    with pytest.raises(ValueError, match="don't match"):
        tf.get_variable("bad", initializer=tf.constant(1), dtype=tf.float64)
    with pytest.raises(ValueError, match="An initializer for variable bad"):
        tf.get_variable("bad", [1], dtype=tf.complex64)


def test_collections_of_scopes(sess):
    keys = tf.GraphKeys
    with tf.variable_scope("foo_"):
        tf.get_variable("a", [])
    with tf.variable_scope("foo") as scope:
        tf.get_variable("a", [])
        tf.get_local_variable("b", [], collections=["mine"])
        tf.Variable(1.0, name="c")
    assert [v.name for v in scope.trainable_variables()] == ["foo/a:0", "foo/c:0"]
    assert [v.name for v in scope.get_collection(keys.LOCAL_VARIABLES)] == ["foo/b:0"]
    assert [v.name for v in tf.get_collection("mine")] == ["foo/b:0"]


@pytest.mark.parametrize("mode", ["eager", "graph"])
def test_custom_getters(mode):
    calls = []

    def noting(getter, name, *args, **kwargs):
        calls.append((name, kwargs["reuse"], kwargs["dtype"]))
        return getter(name, *args, **kwargs)

    def force_version(getter, name, **kwargs):
        return getter(f"{name}/0", **kwargs) + getter(f"{name}/1", **kwargs)

    with tf.Graph().as_default() if mode == "graph" else contextlib.nullcontext():
        with tf.variable_scope(f"getters_{mode}", custom_getter=noting) as scope:
            v = tf.get_variable("v", [1])
            with tf.variable_scope("in", custom_getter=force_version):
                total = tf.get_variable("w", [2], tf.float64)
        with tf.variable_scope(scope, reuse=True):
            assert tf.get_variable("v", [1]) is v
        assert tf.get_variable("x", [1], custom_getter=lambda *_, **__: 7) == 7
    at = f"getters_{mode}"
    assert calls == [
        (f"{at}/v", False, tf.float32), (f"{at}/in/w/0", False, tf.float64),
        (f"{at}/in/w/1", False, tf.float64), (f"{at}/v", True, tf.float32),
    ]  # fmt: skip
    assert total.dtype is tf.float64
    with pytest.raises(ValueError, match="not callable"):
        tf.variable_scope("s", custom_getter=3)


def test_partitioners_may_not_divide(sess):
    def in_two(shape, **_):
        return [2] + [1] * (shape.rank - 1)

    with tf.variable_scope("s", partitioner=in_two) as scope:
        assert scope.partitioner is in_two
        assert tf.get_variable("number", []).shape == []
        with pytest.raises(NotImplementedError, match=r"divides 's/v' into \[2, 1\] parts"):
            tf.get_variable("v", [4, 1])
        assert tf.get_variable("w", [4], partitioner=lambda **_: [1]).shape == [4]
