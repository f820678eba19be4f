"""Shapes, joining, gathering, sorting and creation against NumPy; static shapes; messages."""

from __future__ import annotations

import numpy as np
import pytest

import runtime as tf
from runtime import errors

X = np.arange(24, dtype=np.float32).reshape(2, 3, 4)


def test_ranges_have_pythons_numbers():
    for args in [(5,), (2, 5), (5, 2), (5, 0, -2), (0,), (0, 10, 3), (-3, -10, -3)]:
        assert tf.range(*args).numpy().tolist() == list(range(*args))
    assert tf.range(3).dtype == tf.int32
    assert tf.range(3.0).dtype == tf.float32
    assert tf.range(tf.constant(2, tf.int64)).dtype == tf.int64
    assert tf.range(0, 1, 0.25).numpy().tolist() == [0, 0.25, 0.5, 0.75]
    assert tf.range(3, dtype=tf.float64).dtype == tf.float64
    assert tf.range(2**40, 2**40 + 2).numpy().tolist() == [2**40, 2**40 + 1]
    with pytest.raises(errors.InvalidArgumentError, match="delta must not be 0"):
        tf.range(0, 5, 0)
    with pytest.raises(ValueError, match="start must be a scalar"):
        tf.range([1, 2], 5)


def test_creation():
    assert tf.zeros([2, 0]).shape == (2, 0)
    assert tf.ones(tf.constant([2]), tf.int64).numpy().tolist() == [1, 1]
    assert tf.zeros([], tf.string).numpy() == b""
    assert tf.fill([2], "a").numpy().tolist() == [b"a", b"a"]
    assert tf.zeros_like([1, 2]).dtype == tf.int32
    assert tf.eye(2, batch_shape=[3]).shape == (3, 2, 2)
    assert tf.one_hot([0, 2], 3, on_value=5, off_value=1).numpy().tolist() == [[5, 1, 1], [1, 1, 5]]
    assert tf.one_hot(1, 2).dtype == tf.float32
    assert tf.sequence_mask([1, 3]).numpy().tolist() == [[True, False, False], [True] * 3]
    assert [g.shape.as_list() for g in tf.meshgrid([1, 2, 3], [1, 2])] == [[2, 3], [2, 3]]


def test_shape_changes():
    x = tf.constant(X)
    assert tf.reshape(x, [-1, 2]).shape == (12, 2)
    assert tf.transpose(x, [2, 0, 1]).shape == (4, 2, 3)
    assert tf.squeeze(tf.expand_dims(x, -1), -1).shape == (2, 3, 4)
    np.testing.assert_array_equal(tf.reverse(x, [0, -1]).numpy(), X[::-1, :, ::-1])
    np.testing.assert_array_equal(tf.roll(x, [1, -1], [0, 2]).numpy(), np.roll(X, [1, -1], [0, 2]))
    np.testing.assert_array_equal(tf.tile(x, [1, 2, 1]).numpy(), np.tile(X, [1, 2, 1]))
    np.testing.assert_array_equal(tf.pad([1, 2], [[1, 1]]).numpy(), [0, 1, 2, 0])
    np.testing.assert_array_equal(tf.pad([True], [[1, 0]]).numpy(), [False, True])
    np.testing.assert_array_equal(tf.repeat([1, 2], [2, 1]).numpy(), [1, 1, 2])
    assert [p.shape[2] for p in tf.split(x, [1, -1], axis=2)] == [1, 3]
    assert tf.shape(x)[None].shape == (1, 3)
    assert tf.shape(x).dtype == tf.int32 and tf.shape(x, tf.int64).dtype == tf.int64
    assert (tf.size(x).numpy(), tf.rank(x).numpy()) == (24, 3)


@pytest.mark.parametrize(("shape", "wanted", "result"), [
    ((0, 6), [0, -1, 3], (0, 2, 3)), ((0, 2), [0, -1], (0, 2)), ((2, 0, 3), [-1, 0], (6, 0)),
    ((0, 2), [-1, 2], (0, 2)), ((0, 2), [4, -1], (4, 0)),
])  # fmt: skip
def test_reshape_of_nothing_goes_by_the_other_sizes(shape, wanted, result):
    assert tf.reshape(tf.zeros(shape), wanted).shape == result
    with tf.Graph().as_default() as graph:
        assert tf.reshape(tf.zeros(shape), wanted).shape == result
        x = tf.placeholder(tf.float32, [None] * len(shape))
        y = tf.reshape(x, wanted)
        found = tf.Session(graph=graph).run(y, {x: np.zeros(shape)})
    assert found.shape == result and y.shape.is_compatible_with(result)


@pytest.mark.parametrize("k", [-(2**31), 1 - 2**31, 2**31 - 1, -3, 4])
def test_diagonals_beyond_the_matrix_are_empty(k):
    assert tf.linalg.diag_part(tf.ones([2, 3, 4]), k=k).shape == (2, 0)


def test_unstack_of_nothing():
    assert tf.unstack(tf.zeros([0, 2])) == [] == tf.unstack(tf.zeros([2, 0]), axis=1)
    with pytest.raises(ValueError, match="has 3 entries, expected 0"):
        tf.unstack(tf.zeros([3]), num=0)
    with tf.Graph().as_default():
        assert tf.unstack(tf.zeros([0, 2])) == []
        with pytest.raises(ValueError, match="num=0 needs a known size"):
            tf.unstack(tf.placeholder(tf.float32, [None]), num=0)


def test_static_shapes_survive_computed_ones():
    with tf.Graph().as_default():
        x = tf.placeholder(tf.float32, [None, 6])
        rows = tf.shape(x)[0]
        assert tf.reshape(x, [rows, 2, 3]).shape.as_list() == [None, 2, 3]
        assert tf.reshape(x, tf.concat([tf.shape(x)[:1], [3, -1]], 0)).shape.as_list() == [
            None, 3, None,
        ]  # fmt: skip
        assert tf.zeros(tf.shape(x)).shape.as_list() == [None, 6]
        assert tf.shape(x)[None].shape == (1, 2)
        assert tf.zeros([tf.shape(x)[1], rows]).shape.as_list() == [6, None]
        assert tf.ones(tf.shape(x)[::-1]).shape.as_list() == [6, None]
        assert tf.random.normal(tf.shape(x)).shape.as_list() == [None, 6]
        y = tf.placeholder(tf.float32, [4, 6])
        assert tf.reshape(y, [tf.shape(y)[0], 2, -1]).shape == (4, 2, 3)
        assert tf.zeros(tf.shape(y)).shape == (4, 6)
        assert tf.zeros([tf.size(y) // 2]).shape == (12,)
        assert tf.range(tf.shape(y)[1]).shape == (6,)
        assert tf.concat([x, y], 0).shape.as_list() == [None, 6]
        assert tf.stack([x[0], y[0]]).shape == (2, 6)


def test_gather_and_scatter():
    assert tf.gather([10, 20, 30], [[2, 0]]).numpy().tolist() == [[30, 10]]
    np.testing.assert_array_equal(tf.gather(X, [1, 1], axis=1).numpy(), X[:, [1, 1]])
    np.testing.assert_array_equal(tf.gather_nd(X, [[0, 2], [1, 1]]).numpy(), X[[0, 1], [2, 1]])
    assert tf.scatter_nd([[1], [1]], [2, 3], [3]).numpy().tolist() == [0, 5, 0]
    x = tf.constant([1, 2, 3])
    assert tf.tensor_scatter_nd_update(x, [[0]], [9]).numpy().tolist() == [9, 2, 3]
    assert tf.tensor_scatter_nd_add(x, [[0], [0]], [9, 1]).numpy().tolist() == [11, 2, 3]
    assert x.numpy().tolist() == [1, 2, 3]
    np.testing.assert_array_equal(tf.slice(X, [0, 1, 0], [1, -1, 2]).numpy(), X[0:1, 1:, 0:2])
    found = tf.strided_slice(X, [0, 2, 0], [2, 0, 4], [1, -1, 2], end_mask=2, shrink_axis_mask=1)
    np.testing.assert_array_equal(found.numpy(), X[0, 2::-1, 0:4:2])
    assert tf.boolean_mask(X, X[0] > 5, axis=1).shape == (2, 6)
    assert tf.where([[True, False], [False, True]]).numpy().tolist() == [[0, 0], [1, 1]]


def test_order():
    x = tf.constant([[3, 1, 2], [5, 5, 4]])
    assert tf.sort(x, direction="DESCENDING").numpy().tolist() == [[3, 2, 1], [5, 5, 4]]
    assert tf.argsort(x, direction="DESCENDING").numpy().tolist() == [[0, 2, 1], [0, 1, 2]]
    values, indices = tf.math.top_k(x, k=2)
    assert values.numpy().tolist() == [[3, 2], [5, 5]]
    assert indices.numpy().tolist() == [[0, 2], [0, 1]]
    y, idx, count = tf.unique_with_counts([4, 2, 4, 1])
    assert (y.numpy().tolist(), idx.numpy().tolist(), count.numpy().tolist()) == (
        [4, 2, 1], [0, 1, 0, 2], [2, 1, 1],
    )  # fmt: skip
    assert tf.searchsorted([1, 3, 5], [3], side="right").numpy().tolist() == [2]
    assert tf.math.invert_permutation([2, 0, 1]).numpy().tolist() == [1, 2, 0]


def test_linear_algebra():
    a = np.array([[2.0, 1.0], [1.0, 3.0]])
    np.testing.assert_allclose(tf.linalg.inv(a).numpy() @ a, np.eye(2), atol=1e-12)
    np.testing.assert_allclose(tf.linalg.det(a).numpy(), 5)
    np.testing.assert_allclose(a @ tf.linalg.solve(a, [[1.0], [2.0]]).numpy(), [[1], [2]])
    lower = tf.linalg.cholesky(a).numpy()
    np.testing.assert_allclose(lower @ lower.T, a)
    assert tf.linalg.matvec(a, [1.0, 1.0]).numpy().tolist() == [3, 4]
    assert tf.linalg.trace(a).numpy() == 5
    assert tf.norm([3.0, 4.0]).numpy() == 5 and tf.norm([3.0, -4.0], ord=1).numpy() == 7
    assert tf.linalg.band_part(a, 0, -1).numpy().tolist() == [[2, 1], [0, 3]]
    assert tf.matmul(a, a, transpose_b=True).numpy().tolist() == (a @ a.T).tolist()
    np.testing.assert_allclose(tf.einsum("bij,bjk->bik", X, X.transpose(0, 2, 1)).numpy(),
                               X @ X.transpose(0, 2, 1))  # fmt: skip
    q, r = tf.linalg.qr(a)
    np.testing.assert_allclose(q.numpy() @ r.numpy(), a)


MISTAKES = {
    "reshape": (lambda: tf.reshape(X, [5, -1]), ValueError, "24 values.* multiple of 5"),
    "reshape twice": (lambda: tf.reshape(X, [-1, -1]), ValueError, "may hold one -1"),
    "concat": (lambda: tf.concat([X, X[:, :1]], 0), ValueError, "should match except along axis 0"),
    "concat axis": (lambda: tf.concat([X, X], 3), errors.InvalidArgumentError, "concat: axis 3"),
    "stack": (lambda: tf.stack([X, X[0]]), ValueError, "Shapes of all inputs must match"),
    "split": (lambda: tf.split(X, 3, axis=2), ValueError, "4 is no multiple of 3"),
    "gather": (lambda: tf.gather(X, 2), IndexError, r"indices = 2 is not in \[0, 2\)"),
    "gather below": (lambda: tf.gather(X, [0, -1]), IndexError, r"indices\[1\] = -1 is not in"),
    "squeeze": (lambda: tf.squeeze(X, 1), ValueError, "expected a dimension of 1, got 3"),
    "transpose": (lambda: tf.transpose(X, [0, 1]), errors.InvalidArgumentError, "3 axes once"),
    "top_k": (lambda: tf.math.top_k(X, 5), errors.InvalidArgumentError, "at least k columns"),
    "matmul": (lambda: tf.matmul(X, X), ValueError, "must be equal, but are 4 and 3"),
    "singular": (lambda: tf.linalg.inv(np.zeros((2, 2))), errors.InvalidArgumentError,
                 "inv: Input is not invertible"),
    "not square": (lambda: tf.linalg.det(X), ValueError, "must be square"),
    "where": (lambda: tf.where([1, 0], 1, 2), TypeError, "condition must be bool, got int32"),
    "fill": (lambda: tf.fill([2], [1]), ValueError, "value must be a scalar"),
    "shape of floats": (lambda: tf.zeros([2.0]), TypeError, "whole numbers, got dtype float32"),
    "unknown size": (lambda: tf.zeros([None, 2]), ValueError, "has an unknown dimension"),
    "broadcast_to": (lambda: tf.broadcast_to(X, [2, 3]), ValueError, r"Incompatible shapes: \[2,3"),
    "slice": (lambda: tf.slice(X, [0, 0, 0], [3, 1, 1]), errors.InvalidArgumentError, "do not fit"),
    "einsum": (lambda: tf.einsum("ij->i", X), ValueError, "does not fit an input of rank 3"),
}  # fmt: skip


@pytest.mark.parametrize("mistake", MISTAKES)
def test_mistakes_are_named(mistake):
    make, error, message = MISTAKES[mistake]
    with pytest.raises(error, match=message) as eager:
        make()
    with tf.Graph().as_default() as graph, pytest.raises(type(eager.value), match=message):
        tf.Session(graph=graph).run(make())
