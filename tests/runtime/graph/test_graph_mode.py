"""``disable_eager_execution``: programs of TensorFlow 1 as they stand."""

import threading

import numpy as np
import pytest

import autograph
import runtime as tf


@pytest.fixture
def recording():
    before = tf.constant(2.0)
    tf.reset_default_graph()
    tf.disable_eager_execution()
    yield before
    tf.reset_default_graph()
    tf.enable_eager_execution()
    assert tf.executing_eagerly() and tf.constant(1).numpy() == 1


def test_a_program(recording):
    assert not tf.executing_eagerly() and not tf.executing_eagerly_outside_functions()
    x = tf.placeholder(tf.float32, [None, 2], name="x")
    weights = tf.get_variable("w", [2, 1], initializer=tf.ones_initializer())
    y = tf.matmul(x, weights) * recording
    step = weights.assign_add(tf.ones([2, 1]))
    assert y.graph is tf.get_default_graph() and tf.global_variables()[0] is weights
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        assert session.run(y, {x: [[1, 2]]}).tolist() == [[6]]
        session.run(step.op)
        assert session.run(y, {x: [[1, 2]]}).tolist() == [[12]]


def test_operators_of_eager_tensors_record(recording):
    y = recording + recording
    z = np.float32(1) + (-recording)
    with pytest.raises(AttributeError, match="eager"):
        y.numpy()
    with tf.Session() as session:
        assert session.run([y, z]) == [4, -1]


def test_converted_code_and_functions(recording):
    @tf.function
    def clipped(v):
        if v > 3:
            return v * 0 + 3
        return v

    @autograph.to_graph
    def total(n):
        s = 0
        for i in tf.range(n):
            s += clipped(i)
        return s

    n = tf.placeholder(tf.int32, [])
    fetched = total(n)
    with tf.Session() as session:
        assert session.run(fetched, {n: 6}) == 0 + 1 + 2 + 3 + 3 + 3


def test_blocks_and_threads(recording):
    default = tf.get_default_graph()
    found = []
    thread = threading.Thread(target=lambda: found.append(tf.constant(1).graph))
    thread.start()
    thread.join()
    with tf.Graph().as_default() as other:
        assert tf.constant(1).graph is other
    assert found == [default] and tf.constant(1).graph is default
    with pytest.raises(ValueError, match="at program startup"):
        tf.enable_eager_execution()
    tf.reset_default_graph()
    assert tf.constant(1).graph is tf.get_default_graph() is not default


def test_eager_as_before():
    assert tf.executing_eagerly_outside_functions()
    tf.enable_eager_execution()
    with tf.Graph().as_default():
        assert not tf.executing_eagerly_outside_functions()

    @tf.function
    def traced():
        return tf.executing_eagerly(), tf.executing_eagerly_outside_functions()

    assert [bool(v) for v in traced()] == [False, True]
