"""Arguments of composed functions whose shapes do not fit are refused, never cut or ignored."""

from __future__ import annotations

import pytest

import runtime as tf

REFUSED = {
    "lu_solve: more rows than the matrix": lambda: tf.linalg.lu_solve(
        tf.eye(2), [0, 1], tf.ones([3, 1])
    ),
    "tridiagonal_matmul: four diagonals": lambda: tf.linalg.tridiagonal_matmul(
        tf.ones([4, 2]), tf.ones([2, 1])
    ),
    "dct of a scalar": lambda: tf.signal.dct(1.0),
    "sufficient_statistics: axis": lambda: tf.nn.sufficient_statistics(tf.ones([2]), [3]),
    "compute_average_loss of a scalar": lambda: tf.nn.compute_average_loss(1.0),
}


@pytest.mark.parametrize("what", REFUSED)
def test_shapes_that_do_not_fit(what):
    with pytest.raises(ValueError) as caught:
        REFUSED[what]()
    assert not isinstance(caught.value, IndexError), "says what is wrong"


def test_lu_solve_checks_the_rows_that_only_a_run_knows():
    @tf.function(input_signature=[tf.TensorSpec([None, 1])])
    def solved(rhs):
        return tf.linalg.lu_solve(tf.eye(2), [0, 1], rhs)

    assert solved(tf.ones([2, 1])).numpy().tolist() == [[1], [1]]
    with pytest.raises(tf.errors.InvalidArgumentError):
        solved(tf.ones([3, 1]))


def test_negative_axes_of_sufficient_statistics():
    count, total, _, _ = tf.nn.sufficient_statistics(tf.ones([2, 3]), [-1])
    assert count.numpy() == 3 and total.numpy().tolist() == [3, 3]


@pytest.mark.parametrize("seed", [[1], [1, 2, 3]])
def test_seeds_of_stateless_ops_are_two_numbers(seed):
    with pytest.raises(tf.errors.InvalidArgumentError, match="seed must have shape"):
        tf.random.experimental.stateless_shuffle([1, 2], seed)
    with pytest.raises(tf.errors.InvalidArgumentError, match="seed must have shape"):
        tf.random.stateless_categorical([[1.0, 2.0]], 2, seed)
