"""Graphs and functions on virtual GPUs: parts on several devices, variables, sessions' options."""

from __future__ import annotations

import numpy as np
import pytest

import runtime as tf
from tests.support.extras import needs

pytestmark = [needs("xla"), pytest.mark.usefixtures("gpus")]

GPU = "/job:localhost/replica:0/task:0/device:GPU:"


def engine_line(function):
    return next(line for line in function.explain().splitlines() if "engine:" in line).strip()


def test_a_session_cuts_a_graph_where_the_device_changes():
    graph = tf.Graph()
    with graph.as_default():
        x = tf.placeholder(tf.float32, [2, 2])
        with tf.device("/gpu:0"):
            y = tf.matmul(x, x)
        with tf.device("/gpu:1"):
            z = tf.reduce_sum(y * 2.0)
        with tf.device("/cpu:0"):
            text = tf.strings.as_string(z)
    with tf.Session(graph=graph) as session:
        found = session.run([y, z, text], {x: [[1.0, 2.0], [0.0, 1.0]]})
        (run, _), = session._executables.values()
        assert found[0].tolist() == [[1.0, 4.0], [0.0, 1.0]] and found[1:] == [12.0, b"12.000000"]
        assert (run.engine, run.progress) == (
            "xla", "on /device:GPU:0, /device:GPU:1, /device:CPU:0"
        )  # fmt: skip


def test_variables_of_a_graph_stay_on_their_device():
    graph = tf.Graph()
    with graph.as_default(), tf.device("/gpu:1"):
        v = tf.Variable([1.0, 2.0], name="v")
        step = v.assign_add(v * 0.5)
    assert v.device == "/device:GPU:1"
    with tf.Session(graph=graph) as session:
        session.run(v.initializer)
        for _ in range(2):
            session.run(step)
        assert session.run(v).tolist() == [2.25, 4.5]
        assert not isinstance(session._values[v._storage], np.ndarray)


def test_an_absent_device_is_an_error_without_soft_placement():
    graph = tf.Graph()
    with graph.as_default(), tf.device("/gpu:7"):
        y = tf.add(tf.placeholder_with_default(1.0, []), 2.0, name="y")
    with tf.Session(graph=graph) as session:
        with pytest.raises(tf.errors.InvalidArgumentError) as caught:
            session.run(y)
    assert f"available devices are [ /job:localhost/replica:0/task:0/device:CPU:0, {GPU}0, " in (
        caught.value.message
    )
    assert "explicitly assigned to /device:GPU:7" in caught.value.message
    soft = tf.ConfigProto(allow_soft_placement=True)
    with tf.Session(graph=graph, config=soft) as session:
        assert session.run(y) == 3.0


def test_devices_are_logged(capsys):
    graph = tf.Graph()
    with graph.as_default():
        x = tf.placeholder(tf.float32, [], name="x")
        with tf.device("/gpu:0"):
            y = tf.sin(x, name="y")
    with tf.Session(graph=graph, config=tf.ConfigProto(log_device_placement=True)) as session:
        session.run(y, {x: 1.0})
    assert f"y: (Sin): {GPU}0\n" in capsys.readouterr().err


def test_scopes_in_functions():
    @tf.function
    def f(x, n):
        with tf.device("/gpu:0"):
            y = tf.tanh(x)
            for _ in tf.range(n):
                y = y * 2.0
        with tf.device("/gpu:1"):
            return tf.reduce_sum(y), y

    total, y = f(tf.constant([1.0, 2.0]), tf.constant(3))
    expected = np.tanh(np.array([1, 2], np.float32)) * 8
    np.testing.assert_allclose(y, expected, rtol=1e-6)
    np.testing.assert_allclose(total, expected.sum(), rtol=1e-6)
    assert engine_line(f) == "engine: xla: on /device:GPU:0, /device:GPU:1"
    with tf.device("/gpu:1"):
        assert f(tf.constant([1.0, 2.0]), tf.constant(3))[1].device == f"{GPU}1"


def test_a_function_of_a_variable_on_a_device_runs_there():
    with tf.device("/gpu:1"):
        u = tf.Variable([3.0, 4.0])
    v = tf.Variable([1.0, 2.0])

    @tf.function
    def f(x):
        u.assign_add(x)
        v.assign_add(x)
        return u + v

    assert f(tf.constant([1.0, 1.0])).numpy().tolist() == [6.0, 8.0]
    assert u.numpy().tolist() == [4.0, 5.0] and v.numpy().tolist() == [2.0, 3.0]
    assert engine_line(f) == "engine: xla: on /device:GPU:1"


def test_a_part_that_raises_is_repeated_on_the_cpu_and_leaves_earlier_effects():
    with tf.device("/gpu:0"):
        v = tf.Variable([0])

    @tf.function
    def f(x):
        v.assign_add([1])
        with tf.device("/gpu:1"):
            return x // v

    assert f(tf.constant([7])).numpy().tolist() == [7]
    v.assign([-1])
    with pytest.raises(tf.errors.InvalidArgumentError, match="division by zero"):
        f(tf.constant([7]))
    assert v.numpy().tolist() == [0]


def test_what_xla_refuses_runs_on_the_cpu_and_says_so():
    @tf.function
    def f(x):
        with tf.device("/gpu:0"):
            return tf.linalg.sqrtm(x * 2.0)

    assert f(tf.constant([[2.0, 0.0], [0.0, 8.0]])).numpy().tolist() == [[2.0, 0.0], [0.0, 4.0]]
    assert "the last run on /device:GPU:0 was the CPU's: op" in engine_line(f)


def test_without_soft_placement_a_function_refuses_an_absent_device():
    @tf.function
    def f(x):
        with tf.device("/gpu:5"):
            return x * 2.0

    assert float(f(tf.constant(2.0))) == 4.0
    tf.config.set_soft_device_placement(False)
    with pytest.raises(tf.errors.InvalidArgumentError, match="Could not satisfy device specifica"):
        f(tf.constant(2.0))


def test_a_slice_of_declared_size_between_bounds_of_the_run():
    @tf.function
    def f(x, first, last):
        with tf.device("/gpu:0"):
            total = tf.zeros([3])
            for k in tf.range(first, last):
                rows = x[k * 3 : (k + 1) * 3]
                rows.set_shape([3])
                total += rows
            return total

    x = tf.range(9.0)
    assert f(x, tf.constant(0), tf.constant(3)).numpy().tolist() == [9.0, 12.0, 15.0]
    assert engine_line(f) == "engine: xla: on /device:GPU:0"
    with pytest.raises((tf.errors.OpError, ValueError)):  # as on the CPU: there are no rows 9 to 11
        f(x, tf.constant(2), tf.constant(4))
