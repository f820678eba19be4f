"""Functions of matrices at matrices that are hard: defective, badly scaled, singular, empty."""

import numpy as np
import pytest

import runtime as tf
from tests.support.extras import needs

pytestmark = needs("special")


def test_logarithm_of_a_matrix_without_independent_eigenvectors():
    jordan = np.array([[2.0, 1.0], [0.0, 2.0]], complex)
    found = tf.linalg.logm(jordan).numpy()
    np.testing.assert_allclose(found, [[np.log(2), 0.5], [0, np.log(2)]], atol=1e-15)


def test_exponential_of_badly_scaled_matrices():
    """Of ``[[1, 1e6], [0, -1]]`` the corner is 1e6 sinh(1); small matrices stay exact beside it."""
    both = np.array([[[1.0, 1e6], [0.0, -1.0]], [[1e-3, 0.0], [0.0, -1e-3]]])
    large, small = tf.linalg.expm(both).numpy()
    expected = [[np.e, 1e6 * np.sinh(1.0)], [0.0, 1 / np.e]]
    np.testing.assert_allclose(large, expected, rtol=1e-14)
    np.testing.assert_allclose(np.diag(small), np.exp([1e-3, -1e-3]), rtol=1e-15)


def test_square_roots():
    root = np.array([[1.0, 0.5], [-0.25, 2.0]])
    for dtype, close in ((np.float64, 1e-14), (np.float32, 1e-6), (np.complex64, 1e-6)):
        found = tf.linalg.sqrtm((root @ root).astype(dtype)).numpy()
        assert found.dtype == dtype
        np.testing.assert_allclose(found, root, atol=close)
    beside = np.stack([np.diag([4.0, -1.0]), np.diag([4.0, 9.0])])  # the first has no real root
    found = tf.linalg.sqrtm(beside).numpy()
    assert np.isnan(found[0]).all() and found[1].tolist() == [[2, 0], [0, 3]]
    np.testing.assert_allclose(tf.linalg.sqrtm(beside + 0j)[0], np.diag([2, 1j]), atol=1e-15)


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64, np.complex64])
def test_triangular_factors(dtype):
    matrices = np.array([[[0, 2, 1], [4, 1, 0], [2, 2, 3]], np.eye(3)], dtype)
    both, order = (part.numpy() for part in tf.linalg.lu(matrices))
    assert both.dtype == dtype and order.dtype == np.int32
    lower, upper = np.tril(both, -1) + np.eye(3, dtype=dtype), np.triu(both)
    np.testing.assert_allclose(lower @ upper, np.take_along_axis(
        matrices, order[..., None], -2), atol=1e-3 if dtype == np.float16 else 1e-6)  # fmt: skip
    with pytest.raises(tf.errors.InvalidArgumentError, match="not invertible"):
        tf.linalg.lu(np.ones((2, 2), dtype))


@pytest.mark.parametrize("name", ["expm", "logm", "sqrtm", "lu"])
def test_none_and_nan(name):
    function = getattr(tf.linalg, name)
    for shape in ((0, 0), (0, 2, 2), (3, 0, 0)):
        first = tf.nest.flatten(function(np.zeros(shape, complex)))[0]
        assert first.shape == shape
    for number in (np.nan, np.inf):
        if name != "lu":
            assert np.isnan(function(np.full((2, 2), number, complex))).all()
