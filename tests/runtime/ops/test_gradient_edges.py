"""How derivatives are settled where there is no slope, or more than one: as TensorFlow does.

The numbers are TensorFlow's (2.21), but for those said to be exact where its own are not.
"""

from __future__ import annotations

import numpy as np
import pytest

import runtime as tf
from tests.support.differences import gradient
from tests.support.extras import needs

INF, NAN = np.inf, np.nan


def first(function, *points, seed=None):
    """The gradients of one output, in double precision."""
    dtype = np.result_type(np.float64, *[np.asarray(p) for p in points])
    tensors = [tf.constant(np.asarray(p, dtype)) for p in points]
    shape = function(*tensors)
    seeds = tf.ones_like(shape) if seed is None else tf.constant(seed, shape.dtype)
    return [g.numpy() for g in gradient(lambda *x: [function(*x)], [seeds], *tensors)]


def second(function, *points):
    """The gradients of the sum of the gradient by the first point."""
    tensors = [tf.constant(np.asarray(p, np.float64)) for p in points]

    def slope(*x):
        seeds = [tf.ones_like(function(*x))]
        return gradient(lambda *x: [function(*x)], seeds, *x)[:1]

    return [g.numpy() for g in gradient(slope, [tf.ones_like(tensors[0])], *tensors)]


ONE = {
    "abs": (tf.abs, [-2.0, 0.0, 3.0], [-1, 0, 1]),
    "sign": (tf.sign, [-2.0, 0.0, 3.0], [0, 0, 0]),
    "relu": (tf.nn.relu, [-1.0, 0.0, 2.0], [0, 0, 1]),
    "relu6": (tf.nn.relu6, [0.0, 3.0, 6.0, 7.0], [0, 1, 0, 0]),
    "leaky relu": (lambda x: tf.nn.leaky_relu(x, 0.25), [-1.0, 0.0, 2.0], [0.25, 0.25, 1]),
    "elu": (tf.nn.elu, [0.0, 2.0], [1, 1]),
    "sqrt": (tf.sqrt, [0.0, 4.0], [INF, 0.25]),
    "acosh outside": (tf.acosh, [0.5, 1.0], [NAN, INF]),
    "clip": (lambda x: tf.clip_by_value(x, -1, 1), [-2.0, -1, 0, 1, 2, NAN], [0, 1, 1, 1, 0, 0]),
    "clip_by_norm of zeros": (lambda x: tf.clip_by_norm(x, 1.0), [0.0, 0.0], [1, 1]),
    "norm of zeros": (tf.norm, [0.0, 0.0], [NAN, NAN]),
    "max": (tf.reduce_max, [1.0, 3, 3, 2, 3], [0, 1 / 3, 1 / 3, 0, 1 / 3]),
    "max of NaN": (tf.reduce_max, [1.0, NAN], [NAN, NAN]),
    "min": (tf.reduce_min, [2.0, 2.0, 3.0], [0.5, 0.5, 0]),
    "prod, a zero": (tf.reduce_prod, [0.0, 3, 5], [15, 0, 0]),
    "prod, two zeros": (tf.reduce_prod, [0.0, 0, 5], [0, 0, 0]),
    "softplus": (tf.math.softplus, [-1000.0, 0.0, 1000.0], [0, 0.5, 1]),
    "log_sigmoid": (tf.math.log_sigmoid, [-1000.0, 0.0, 1000.0], [1, 0.5, 0]),
    "pow, exact at 0": (lambda x: tf.pow(x, [0.0, 1, 2, 0]), [0.0, 0, 0, 3], [0, 1, 0, 0]),
    "cast and back": (lambda x: tf.cast(tf.cast(x, tf.float32), tf.float64), [1.5], [1]),
    "through integers": (lambda x: tf.cast(tf.cast(x, tf.int32), tf.float64), [1.5], [0]),
    "where": (lambda x: tf.where(x > 0, tf.sqrt(x), 0.0), [-1.0, 0.0, 4.0], [0, 0, 0.25]),
    "logsumexp": (tf.reduce_logsumexp, [1000.0, 1000.0, -INF], [0.5, 0.5, 0]),
}  # fmt: skip


@pytest.mark.parametrize("case", ONE)
def test_one_input(case):
    function, x, expected = ONE[case]
    np.testing.assert_allclose(first(function, x)[0], expected, rtol=1e-12)


TWO = {
    "maximum": (tf.maximum, [1.0, 2, 2], [2.0, 2, 1], [0, 1, 1], [1, 0, 0]),
    "minimum": (tf.minimum, [1.0, 2, 2], [2.0, 2, 1], [1, 1, 0], [0, 0, 1]),
    "floormod": (tf.math.floormod, [7.0, -7], [3.0, 3], [1, 1], [-2, 3]),
    "divide_no_nan": (tf.math.divide_no_nan, [1.0, INF, 3], [0.0, 0, 2], [0, 0, 0.5],
                      [0, 0, -0.75]),
    "multiply_no_nan": (tf.math.multiply_no_nan, [INF, 2], [0.0, 3], [0, 3], [INF, 2]),
    "xlogy": (tf.math.xlogy, [0.0, 0, 2], [0.0, 3, 1], [0, 0, 0], [0, 0, 2]),
    "xdivy": (tf.math.xdivy, [0.0, 0, 2], [0.0, 3, 1], [0, 0, 1], [0, 0, -2]),
    "pow": (tf.pow, [-2.0, -2, 2], [2.0, 3, 0], [-4, 12, 0], [0, 0, np.log(2)]),
    "update": (lambda x, u: tf.tensor_scatter_nd_update(x, [[1], [1]], u), [1.0, 2], [5.0, 6],
               [1, 0], [0, 1]),
    "scatter max": (lambda x, u: tf.tensor_scatter_nd_max(x, [[1], [1]], u), [1.0, 5], [5.0, 6],
                    [1, 0], [0, 1]),
}  # fmt: skip


@pytest.mark.parametrize("case", TWO)
def test_two_inputs(case):
    function, x, y, dx, dy = TWO[case]
    found = first(function, x, y)
    np.testing.assert_allclose(found[0], dx, rtol=1e-12)
    np.testing.assert_allclose(found[1], dy, rtol=1e-12)


def test_products_are_exact_at_zeros():
    x, seed = [2.0, 0.0, 3.0, 0.0, 4.0], [1.0, 5.0, 7.0, 2.0, 3.0]
    (found,) = first(tf.math.cumprod, x, seed=seed)
    np.testing.assert_array_equal(found, [1, 2 * 5 + 6 * 7, 0, 0, 0])
    (found,) = second(lambda x: tf.reduce_prod(x), [0.0, 0.0, 5.0])
    np.testing.assert_array_equal(found, [5, 5, 0])
    (found,) = second(lambda x: tf.math.unsorted_segment_prod(x, [1, 1, 1, -1], 2), [0.0, 0, 5, 9])
    np.testing.assert_array_equal(found, [5, 5, 0, 0])


def test_a_vanishing_seed_hides_what_is_infinite():
    for function in (tf.sqrt, tf.math.rsqrt, tf.math.reciprocal):
        (found,) = first(function, [0.0, -1.0], seed=[0.0, 0.0])
        np.testing.assert_array_equal(found, [0, 0])


def test_losses_are_stable():
    labels, logits = [[0.0, 1.0]], [[1000.0, -1000.0]]
    _, dlogits = first(tf.nn.softmax_cross_entropy_with_logits, labels, logits)
    np.testing.assert_array_equal(dlogits, [[1, -1]])
    _, dlogits = first(tf.nn.sigmoid_cross_entropy_with_logits, [0.0, 1, 1], [-1e3, 0, 1e3])
    np.testing.assert_array_equal(dlogits, [0, -0.5, 0])
    (found,) = second(lambda x: tf.nn.sparse_softmax_cross_entropy_with_logits([1], x), logits)
    np.testing.assert_array_equal(found, [[0, 0]])


def test_complex_gradients_point_uphill():
    (found,) = first(tf.abs, [3 + 4j, 0j])
    np.testing.assert_allclose(found, [0.6 + 0.8j, 0])
    np.testing.assert_array_equal(first(tf.math.real, [1 + 2j])[0], [1])
    np.testing.assert_array_equal(first(tf.math.imag, [1 + 2j])[0], [1j])
    np.testing.assert_array_equal(first(tf.math.conj, [1 + 2j], seed=[1j])[0], [-1j])
    np.testing.assert_array_equal(first(tf.square, [1 + 2j])[0], [2 - 4j])
    np.testing.assert_allclose(first(tf.math.angle, [2j])[0], [-0.5])


def test_complex_eigenvectors_where_their_phase_does_not_matter():
    noise = np.random.default_rng(0)
    x = noise.normal(size=(3, 3)) + 1j * noise.normal(size=(3, 3))
    x = x + x.conj().T
    weights = noise.normal(size=(3, 3))
    along = noise.normal(size=(3, 3)) + 1j * noise.normal(size=(3, 3))
    along = along + along.conj().T

    def loss(x):
        values, vectors = np.linalg.eigh(x)
        return np.sum(weights * np.abs(vectors) ** 2) + np.sum(values**3)

    def staged(x):
        values, vectors = tf.linalg.eigh(x)
        return tf.reduce_sum(weights * tf.square(tf.abs(vectors))) + tf.reduce_sum(values**3)

    (found,) = first(staged, x)
    step = 1e-6
    slope = (loss(x + step * along) - loss(x - step * along)) / (2 * step)
    np.testing.assert_allclose(np.sum((found.conj() * along).real), slope, rtol=1e-6)


def along_a_line(function, staged, x, along):
    """The gradient and the difference of a function that NumPy has, too, in a direction."""
    (found,) = first(staged, x)
    step = 1e-6
    slope = (function(x + step * along) - function(x - step * along)) / (2 * step)
    np.testing.assert_allclose(np.sum((found.conj() * along).real), slope, rtol=1e-5)


def test_complex_vectors_of_other_decompositions():
    noise = np.random.default_rng(1)
    x, along = (noise.normal(size=(3, 3)) + 1j * noise.normal(size=(3, 3)) for _ in range(2))
    weights = noise.normal(size=(3, 3))

    def by_svd(module, u, s, v):
        total = module.sum if module is np else tf.reduce_sum
        both = module.abs((u * s) @ v)  # both sides turn together
        return total(weights * module.abs(u) ** 2.0) + total(weights * both)

    def numpys(x):
        u, s, vh = np.linalg.svd(x)
        return by_svd(np, u, np.sqrt(s), vh)

    def ours(x):
        s, u, v = tf.linalg.svd(x)
        return by_svd(tf, u, tf.cast(tf.sqrt(s), x.dtype), tf.linalg.adjoint(v))

    along_a_line(numpys, ours, x, along)
    along_a_line(
        lambda x: np.sum(weights * np.abs(np.linalg.eig(x)[1])),
        lambda x: tf.reduce_sum(weights * tf.abs(tf.linalg.eig(x)[1])),
        x + np.diag([3, 0, -3]), along,
    )  # fmt: skip


def test_what_is_not_offered_says_why():
    with pytest.raises(NotImplementedError, match="rcond=None"):
        first(lambda x: tf.linalg.pinv(x, 0.5), np.ones((3, 2)))
    tall = tf.constant(np.ones((3, 2)))
    with pytest.raises(NotImplementedError, match="full_matrices=False"):
        first(lambda x: tf.linalg.qr(x, full_matrices=True)[0], tall)


@needs("special")
def test_special_functions_that_are_not_derived_say_so():
    with pytest.raises(LookupError, match="betainc by its first argument"):
        first(lambda a: tf.math.betainc(a, 2.0, 0.5), 1.0)
    with pytest.raises(LookupError, match="igamma twice by its first argument"):
        second(lambda a: tf.math.igamma(a, 2.0), 1.0)


def test_the_next_number_moves_with_the_first_argument_alone():
    one, other = first(tf.math.nextafter, [1.0, 2.0], [2.0, 1.0])
    assert one.tolist() == [1.0, 1.0] and other.tolist() == [0.0, 0.0]
