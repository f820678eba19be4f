"""Weak tensors: staged stand-ins for Python numbers."""

import pytest

import runtime as tf
from runtime.graph.func_graph import FuncGraph


def weak(graph, dtype, name="w"):
    """A weak scalar: what loop state that began as a Python number is traced with."""
    t = graph.apply(
        tf.placeholder(dtype, []).op.op_def, (), {"shape": tf.TensorShape([]), "dtype": dtype}, name
    )
    t.weak = True
    return t


@pytest.fixture
def graph():
    with tf.Graph().as_default() as g:
        yield g


def test_gives_way_to_tensors(graph):
    i, f = weak(graph, tf.int64), weak(graph, tf.float64)
    x32, n8 = tf.placeholder(tf.float32), tf.placeholder(tf.int8)
    for result, dtype in ((i + x32, tf.float32), (x32 * f, tf.float32), (n8 - i, tf.int8)):
        assert result.dtype is dtype and not result.weak
    with pytest.raises(TypeError, match="Cannot convert a Python float to a tensor of dtype int8"):
        n8 + f


def test_meets_python_numbers_as_python_does(graph):
    i, f = weak(graph, tf.int64), weak(graph, tf.float64)
    for result, dtype in ((i + 1, tf.int64), (i * 1.5, tf.float64), (i + f, tf.float64)):
        assert result.weak and result.dtype is dtype
    assert (i < 3).dtype is tf.bool and (i < 3).weak
    assert (i < f).dtype is tf.bool
    with tf.Session() as sess:
        assert sess.run(i * 1.5, {i: 3}) == 4.5
        assert sess.run(i < 2.5, {i: 2})


def test_settles_where_a_tensor_is_asked_for(graph):
    i, f = weak(graph, tf.int64), weak(graph, tf.float64)
    assert tf.convert_to_tensor(i).dtype is tf.int32
    assert tf.convert_to_tensor(i, tf.float32).dtype is tf.float32
    assert tf.stack([i, i]).dtype is tf.int32
    assert tf.reduce_sum(f).dtype is tf.float32
    assert tf.cast(i, tf.int64).dtype is tf.int64 and not tf.cast(i, tf.int64).weak
    with pytest.raises(TypeError, match="Python float"):
        tf.convert_to_tensor(f, tf.int32)
    with tf.Session() as sess:
        assert sess.run(i + 1, {i: 1}).dtype == "int32"
        assert sess.run(f, {f: 0.5}).dtype == "float32"
        assert sess.run(tf.cast(i, tf.int64), {i: 2**40}) == 2**40


def test_numbers_that_do_not_fit_are_an_error(graph):
    i = weak(graph, tf.int64)
    total = tf.constant([1]) + i
    with tf.Session() as sess:
        with pytest.raises(tf.errors.InvalidArgumentError, match="does not fit dtype int32"):
            sess.run(total, {i: 2**40})
        with pytest.raises(tf.errors.InvalidArgumentError, match="does not fit dtype int32"):
            sess.run(i, {i: 2**40})


def test_stays_weak_through_captures(graph):
    i = weak(graph, tf.int64)
    body = FuncGraph("body", "loop body")
    with body.as_default():
        assert (i + 1).weak
    assert body.captures[0][0] is i


LISTS = {
    "concat": (lambda i: tf.concat(([0, 0], tf.constant([4]), [i]), 0), "int32"),
    "list on the right": (lambda i: tf.constant([1, 2]) + [i, 3], "int32"),
    "list on the left": (lambda i: [i, 3] * tf.constant([1.5, 2.0]), "float32"),
    "list of lists": (lambda i: tf.constant([[1], [2]]) + [[i], [i + 1]], "int32"),
    "asked for": (lambda i: tf.convert_to_tensor([i], tf.float64), "float64"),
    "alone": (lambda i: tf.stack([[i], [i + 1]]), "int64"),
    "weak beside": (lambda i: tf.add([i, i], 3), "int64"),
}


@pytest.mark.parametrize("name", LISTS)
def test_lists_of_tensors_take_the_dtype_of_the_tensor_beside(name):
    function, dtype = LISTS[name]
    eager = function(tf.constant(7, tf.int64))
    assert eager.dtype.name == dtype
    graph = tf.function(function)(tf.constant(7, tf.int64))
    assert graph.dtype.name == dtype
    assert graph.numpy().tolist() == eager.numpy().tolist()


@pytest.mark.parametrize("function", [
    lambda x: tf.constant([1, 2]) + [x, x],  # a fraction would be lost
    lambda x: tf.stack([tf.constant(1), x]),  # no list of tensors stands for one tensor here
    lambda x: tf.constant([1, 2]) + x,
    lambda x: tf.constant([True, False]) & [tf.cast(x, tf.int32), 1],
])
def test_other_dtypes_still_do_not_mix(function):
    for run in (function, tf.function(function)):
        with pytest.raises(tf.errors.MismatchedTypesError):
            run(tf.constant(7.5))


@pytest.mark.parametrize("values", [(1, 2**40), (2**40, 1), (-(2**40), 3)])
def test_python_ints_alone_take_the_dtype_of_the_largest(values):
    for run in (tf.add, tf.function(tf.add)):
        total = run(*values)
        assert (total.dtype, total.numpy()) == (tf.int64, sum(values))


def test_what_a_list_was_cast_from_has_a_gradient():
    x = tf.constant(2.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.reduce_sum(tf.constant([1.0, 3.0], tf.float64) * [x, x])
    assert tape.gradient(y, x).numpy() == 4
