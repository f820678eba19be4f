"""TensorFlow 1's flat names: casts, division, switches, Print, and names of what moved."""

import numpy as np
import pytest

import runtime as tf


def test_casts():
    x = tf.constant([1.7, -2.0])
    for cast, dtype in (
        (tf.to_float, tf.float32), (tf.to_double, tf.float64), (tf.to_int32, tf.int32),
        (tf.to_int64, tf.int64), (tf.to_complex64, tf.complex64), (tf.to_complex128, tf.complex128),
    ):  # fmt: skip
        assert cast(x).dtype is dtype
    assert tf.to_int32(x).numpy().tolist() == [1, -2]


def test_division_as_in_python_2():
    assert tf.div(7, 2).numpy() == 3 and tf.div(tf.constant([-7]), 2).numpy().tolist() == [-4]
    assert tf.div(7.0, 2.0).numpy() == 3.5 and tf.div(7, tf.constant(2.0)).numpy() == 3.5


def test_what_moved_to_submodules():
    x = tf.constant([[2.0, 1.0], [1.0, 3.0]])
    for old, new in (
        (tf.matrix_inverse, tf.linalg.inv), (tf.matrix_determinant, tf.linalg.det),
        (tf.matrix_transpose, tf.linalg.matrix_transpose), (tf.cholesky, tf.linalg.cholesky),
        (tf.trace, tf.linalg.trace), (tf.self_adjoint_eigvals, tf.linalg.eigvalsh),
        (tf.diag_part, tf.linalg.tensor_diag_part), (tf.digamma, tf.math.digamma),
    ):  # fmt: skip
        np.testing.assert_array_equal(old(x).numpy(), new(x).numpy())
    assert tf.diag([1, 2]).numpy().tolist() == [[1, 0], [0, 2]]
    assert tf.arg_max([[1, 3], [5, 4]], 1).numpy().tolist() == [1, 0]
    assert tf.arg_min([1, 3], 0, tf.int32).dtype is tf.int32
    assert tf.dimension_at_index(tf.TensorShape([3, None]), 0) == 3
    assert tf.dimension_at_index(tf.TensorShape(None), 0) is None is tf.dimension_value(None)


def test_switches_that_choose_nothing():
    tf.enable_control_flow_v2()
    tf.disable_control_flow_v2()
    tf.enable_resource_variables()
    assert tf.control_flow_v2_enabled() and tf.resource_variables_enabled()


def test_programs_of_tensorflow_1_begin_so():
    tf.disable_v2_behavior()
    try:
        x = tf.placeholder(tf.int32, [])
        with tf.Session() as session:
            assert session.run(tf.to_float(x) / 2.0, {x: 3}) == 1.5
    finally:
        tf.reset_default_graph()
        tf.enable_v2_behavior()
    assert tf.executing_eagerly()


DATA = [[1, 2, 3, 4], [[1.5, 2.0], [3.0, 4.25]], "text", True]


@pytest.mark.parametrize(
    ("summarize", "shown"),
    [(None, "[1 2 3...][[1.5 2][3...]...][text][1]"), (-1, "[1 2 3 4][[1.5 2][3 4.25]][text][1]")],
)
def test_print_shows_tensors_when_they_are_computed(capsys, summarize, shown):
    data = lambda: [tf.constant(value) for value in DATA]
    assert tf.Print(7, data(), "data: ", summarize=summarize).numpy() == 7
    assert capsys.readouterr().err == f"data: {shown}\n"
    with tf.Graph().as_default(), tf.Session() as session:
        x = tf.Print(tf.constant(7), data(), summarize=summarize)
        twice = x * 2
        assert capsys.readouterr().err == ""
        assert session.run(twice) == 14
        assert capsys.readouterr().err == f"{shown}\n"


def test_print_stops_after_the_first(capsys):
    @tf.function
    def f(n):
        return tf.while_loop(lambda k: k < n, lambda k: tf.Print(k, [k], first_n=2) + 1, [0])[0]

    assert f(tf.constant(5)).numpy() == 5
    assert capsys.readouterr().err == "[0]\n[1]\n"


def test_a_loop_of_one_variable_gives_its_value():
    below_ten = lambda k: k < 10
    with tf.Graph().as_default(), tf.Session() as session:
        start = tf.constant(0)
        alone = tf.compat.v1.while_loop(below_ten, lambda k: k + 1, [start])
        assert session.run(alone) == 10
        assert session.run(tf.compat.v1.while_loop(below_ten, lambda k: [k + 1], [start])) == 10
        kept = tf.compat.v1.while_loop(
            below_ten, lambda k: k + 1, [start], return_same_structure=True
        )
        assert session.run(kept) == [10]
        two = tf.compat.v1.while_loop(lambda k, _: k < 10, lambda k, j: (k + 1, j), [start, start])
        assert session.run(two) == [10, 0]
        options = None, 10, True, False, "loop", 3
        named = tf.compat.v1.while_loop(below_ten, lambda k: k + 1, [start], *options)
        assert session.run(named) == 3
    assert tf.compat.v1.while_loop(below_ten, lambda k: k + 1, [tf.constant(0)]).numpy() == 10
    assert tf.compat.v1.while_loop(below_ten, lambda k: [k + 1], [tf.constant(0)])[0].numpy() == 10
