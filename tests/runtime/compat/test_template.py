"""make_template: variables made once, in scopes of their own, eagerly and in graphs."""

import contextlib

import pytest

import runtime as tf


@pytest.fixture(params=["eager", "graph"])
def mode(request):
    with tf.Graph().as_default() if request.param == "graph" else contextlib.nullcontext():
        with tf.variable_scope(None, request.node.name.partition("[")[0]) as scope:
            yield request.param, scope.name


def dummy(trainable=True):
    return tf.get_variable("dummy", [1], trainable=trainable, initializer=tf.zeros_initializer())


def named(scope_name):
    with tf.variable_scope(scope_name):
        return dummy()


def test_names(mode):
    first, second = tf.make_template("s", dummy), tf.make_template("s", dummy)
    with tf.variable_scope("in"):
        v, w = first(), second()
    assert first.variable_scope.name == f"{mode[1]}/in/s"
    with tf.variable_scope("elsewhere"):
        assert first() is v
    assert (v.name, w.name) == (f"{mode[1]}/in/s/dummy:0", f"{mode[1]}/in/s_1/dummy:0")
    assert (first.name, first.func, first.variables) == ("s", dummy, [v])
    with pytest.raises(ValueError, match="name cannot be None"):
        tf.make_template(None, dummy)


def test_arguments_and_inner_scopes(mode):
    bound, free = tf.make_template("s", named, scope_name="x"), tf.make_template("t", named)
    assert bound() is bound() and bound().name == f"{mode[1]}/s/x/dummy:0"
    assert free("x") is free("x")
    with pytest.raises(ValueError):
        free("y")


def test_the_scope_may_be_made_at_once(mode):
    with tf.variable_scope("here"):
        now, later = tf.make_template("a", dummy, True), tf.make_template("b", dummy)
    assert now.variable_scope.name == f"{mode[1]}/here/a" and later.variable_scope is None
    assert now().name == f"{mode[1]}/here/a/dummy:0"
    assert later().name == f"{mode[1]}/b/dummy:0"


def test_getters_and_failures(mode):
    calls = []

    def getter(following, name, *args, **kwargs):
        calls.append(name)
        return following(name, *args, **kwargs)

    template = tf.make_template("s", dummy, custom_getter_=getter)
    with pytest.raises(TypeError):
        template(unknown=1)
    assert template() is template()
    assert calls == [f"{mode[1]}/s/dummy"] * 2


def test_variables_are_kept(mode):
    def scaled(x):
        return x * tf.get_variable("w", [], initializer=tf.ones_initializer())

    template = tf.make_template("s", scaled)
    results = [template(tf.constant(3.0)), template(tf.constant(4.0))]
    (w,) = template.trainable_variables
    assert not template.non_trainable_variables and not template.local_variables
    assert template.global_variables == [w] if mode[0] == "graph" else True
    if mode[0] == "graph":
        with tf.Session() as session:
            session.run(tf.global_variables_initializer())
            assert session.run(results) == [3, 4]
    else:
        w.assign(2.0)
        assert template(tf.constant(3.0)).numpy() == 6


def test_later_calls_make_nothing_to_be_trained(mode):
    def more(name):
        return tf.get_variable(name, [1])

    template = tf.make_template("s", more)
    template("a")
    with pytest.raises(ValueError):
        template("b")
    if mode[0] == "graph":
        plain = tf.make_template("t", lambda trainable: tf.Variable([1.0], trainable))
        plain(True)
        plain(False)
        with pytest.raises(ValueError, match="make all of them at the first call"):
            plain(True)


def test_unique_names():
    with pytest.raises(ValueError, match="cannot be used in eager mode"):
        tf.make_template("_", dummy, unique_name_="s")
    with tf.Graph().as_default():
        v = tf.make_template("_", dummy, unique_name_="s")()
        with pytest.raises(ValueError, match="s/dummy already exists"):
            tf.make_template("_", dummy, unique_name_="s")()
        tf.get_variable_scope().reuse_variables()
        assert tf.make_template("_", dummy, unique_name_="s")() is v


def test_names_of_operations():
    with tf.Graph().as_default():
        template = tf.make_template("foo", lambda: tf.constant(1) + 1, True)
        assert [template().name, template().name] == ["foo/add:0", "foo_1/add:0"]
