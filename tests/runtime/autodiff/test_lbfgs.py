"""L-BFGS finds least values: eagerly, in functions and sessions, one search or a batch of them."""

from __future__ import annotations

import numpy as np
import pytest

import runtime as tf
from runtime.optimizer import converged_any, lbfgs_minimize, value_and_gradient

START = np.array([-1.2, 1.0, -0.5, 0.8])


def valley(x):
    """Rosenbrock's function along the last axis."""
    return tf.reduce_sum(
        100.0 * tf.square(x[..., 1:] - tf.square(x[..., :-1])) + tf.square(1.0 - x[..., :-1]), -1
    )


def in_valley(x):
    return value_and_gradient(valley, x)


def test_function_and_session_find_what_eager_execution_finds():
    search = lambda x: lbfgs_minimize(in_valley, x, max_iterations=100)
    eager = search(tf.constant(START))
    assert eager.converged and not eager.failed and 0 < int(eager.num_iterations) < 100
    np.testing.assert_allclose(eager.position, np.ones(4), atol=1e-8)
    assert eager.position_deltas.shape == (10, 4)
    with tf.Graph().as_default(), tf.Session() as session:
        fed = session.run(search(tf.constant(START)))
    for found in fed, tf.function(search)(tf.constant(START)):
        for value, wanted in zip(found, eager, strict=True):
            np.testing.assert_allclose(value, wanted, rtol=1e-6, atol=1e-9)


def test_a_batch_is_searched_member_by_member():
    starts = np.stack([START, START[::-1], np.ones(4)])
    found = lbfgs_minimize(in_valley, tf.constant(starts), max_iterations=100)
    assert found.converged.numpy().all()
    np.testing.assert_allclose(found.position, np.ones((3, 4)), atol=1e-7)
    np.testing.assert_allclose(found.position_deltas[:, 2], np.zeros((10, 4)))
    first = lbfgs_minimize(
        in_valley, tf.constant(starts), max_iterations=100, stopping_condition=converged_any
    )
    assert int(first.num_iterations) == 0
    assert first.converged.numpy().tolist() == [False, False, True]


def test_a_search_goes_on_where_another_one_stopped():
    half = lbfgs_minimize(in_valley, tf.constant(START), max_iterations=6)
    rest = lbfgs_minimize(in_valley, None, previous_optimizer_results=half, max_iterations=6)
    whole = lbfgs_minimize(in_valley, tf.constant(START), max_iterations=12)
    np.testing.assert_array_equal(rest.position, whole.position)
    assert int(rest.num_iterations) == 12 and not rest.converged


def test_ifs_of_the_function_are_staged_and_tolerances_end_the_search():
    def hinged(x):
        value = tf.reduce_sum(tf.square(x - 3.0))
        if value > 1.0:
            value = 2.0 * tf.sqrt(value) - 1.0
        return value

    search = tf.function(lambda x: lbfgs_minimize(lambda x: value_and_gradient(hinged, x), x))
    np.testing.assert_allclose(search(tf.zeros([3])).position, [3.0, 3.0, 3.0], rtol=1e-5)
    loose = lbfgs_minimize(in_valley, tf.constant(START), tolerance=1.0, f_absolute_tolerance=0.5)
    assert loose.converged and float(loose.objective_value) > 1e-6


def test_what_has_no_least_value_fails():
    nan = lbfgs_minimize(
        lambda x: value_and_gradient(lambda x: np.nan * tf.reduce_sum(x), x), tf.zeros([2])
    )
    assert nan.failed and not nan.converged and int(nan.num_iterations) == 0
    endless = lbfgs_minimize(
        lambda x: value_and_gradient(tf.reduce_sum, x), tf.zeros([2]), max_iterations=8
    )
    assert not endless.converged


def test_wrong_arguments():
    for error, wrong in (
        (ValueError, {"initial_position": None}),
        (NotImplementedError, {"initial_position": START, "initial_inverse_hessian_estimate": 1.0}),
    ):
        with pytest.raises(error):
            lbfgs_minimize(in_valley, **wrong)
