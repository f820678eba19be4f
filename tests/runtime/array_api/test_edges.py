"""No elements, and sizes that a graph does not know: values as eagerly, or the same refusal."""

from __future__ import annotations

import numpy as np
import pytest

import runtime as tf
import runtime.array_api as xp


def every_way(function, *arrays):
    """The value eagerly, and in graphs that know the ranks only."""
    eager = np.asarray(function(*map(xp.asarray, arrays)))
    with tf.Graph().as_default() as graph:
        holders = [tf.placeholder(a.dtype, [None] * a.ndim) for a in arrays]
        result = function(*holders)
        staged = tf.Session(graph=graph).run(result, dict(zip(holders, arrays, strict=True)))
    assert staged.dtype == eager.dtype
    np.testing.assert_array_equal(staged, eager)
    return eager


def refused_every_way(match, function, *arrays):
    with pytest.raises(ValueError, match=match):
        function(*map(xp.asarray, arrays))
    with pytest.raises(ValueError, match=match):
        with tf.Graph().as_default() as graph:
            holders = [tf.placeholder(a.dtype, [None] * a.ndim) for a in arrays]
            result = function(*holders)
            tf.Session(graph=graph).run(result, dict(zip(holders, arrays, strict=True)))


@pytest.mark.parametrize("name", ["max", "min", "argmax", "argmin"])
@pytest.mark.parametrize("axis", [None, 1])
def test_nothing_has_no_extreme(name, axis):
    none = np.zeros((2, 0), np.float32)
    refused_every_way(f"{name} of no elements", lambda x: getattr(xp, name)(x, axis=axis), none)
    assert every_way(lambda x: getattr(xp, name)(x, axis=0), none).shape == (0,)


def test_the_shape_is_named_as_far_as_it_is_known():
    with tf.Graph().as_default():
        with pytest.raises(ValueError, match=r"max of no elements: the shape is \(None, 0\)"):
            xp.max(tf.placeholder(tf.float32, [None, 0]))
        x = tf.placeholder(tf.float32)
        greatest = xp.max(x)
        assert tf.Session().run(greatest, {x: [1.0, 3.0]}) == 3.0
        with pytest.raises(ValueError, match=r"max of no elements: the shape is \(2, 0\)"):
            tf.Session().run(greatest, {x: np.zeros((2, 0))})


@pytest.mark.parametrize("order", ["fro", "nuc", 1, 2, float("inf")])
def test_norms_of_nothing_are_zero(order):
    for shape in ((0, 0), (3, 0), (2, 0, 2)):
        norms = every_way(lambda x: xp.linalg.matrix_norm(x, ord=order), np.zeros(shape))
        np.testing.assert_array_equal(norms, np.zeros(shape[:-2]))
    if order not in ("fro", "nuc"):
        size = every_way(lambda x: xp.linalg.vector_norm(x, ord=order), np.zeros((0, 2)))
        assert size == 0


@pytest.mark.parametrize("order", [-1, -2, -float("inf")])
def test_nothing_has_no_least_norm(order):
    refused_every_way(
        "matrix_norm of no elements",
        lambda x: xp.linalg.matrix_norm(x, ord=order),
        np.zeros((0, 0)),
    )


def test_least_vector_norm_of_nothing():
    inf = float("inf")
    refused_every_way(
        "vector_norm of no", lambda x: xp.linalg.vector_norm(x, ord=-inf), np.zeros(0)
    )


def test_differences_of_order_zero_are_the_array():
    x = xp.asarray([1, 4, 9])
    assert xp.diff(x, n=0, prepend=x, append=x).numpy().tolist() == [1, 4, 9]
    assert xp.diff(x, n=0).dtype is x.dtype
    with pytest.raises(ValueError, match="n must not be negative"):
        xp.diff(x, n=-1)


def test_deviations_beyond_what_is_free_are_infinite():
    x = np.array([[1.0, 2.0], [5.0, 3.0]])
    for name in ("var", "std"):
        for correction in (2, 3.5):
            found = every_way(lambda x: getattr(xp, name)(x, axis=0, correction=correction), x)
            assert found.tolist() == [np.inf, np.inf]


def test_sizes_that_must_be_equal():
    pair, one = np.ones((3, 2)), np.ones((3, 1))
    refused_every_way(None, xp.vecdot, pair, one)
    assert every_way(xp.vecdot, pair, pair).tolist() == [2.0, 2.0, 2.0]
    refused_every_way(None, xp.linalg.cross, np.ones((2, 4)), np.ones((2, 4)))
    assert every_way(xp.linalg.cross, np.eye(3)[0], np.eye(3)[1]).tolist() == [0, 0, 1]


def test_running_totals_from_the_start():
    x = np.array([[1, 2, 3], [4, 5, 6]], np.int32)
    for function, first in ((xp.cumulative_sum, 0), (xp.cumulative_prod, 1)):
        found = every_way(lambda x: function(x, axis=1, include_initial=True), x)
        assert found.shape == (2, 4) and found[:, 0].tolist() == [first] * 2


def test_power_zero_is_the_identity():
    x = np.array([[np.inf, np.nan], [0.0, 1.0]])
    for matrices in (x, np.stack([x, x, x])):
        found = every_way(lambda x: xp.linalg.matrix_power(x, 0), matrices)
        np.testing.assert_array_equal(found, np.broadcast_to(np.eye(2), matrices.shape))


@pytest.mark.parametrize("inverse", [False, True])
def test_shifts_of_unknown_sizes(inverse):
    x = np.arange(15.0).reshape(3, 5)
    name = "ifftshift" if inverse else "fftshift"
    for axes in (None, 0, (0, 1), (-1,)):
        found = every_way(lambda x: getattr(xp.fft, name)(x, axes=axes), x)
        np.testing.assert_array_equal(found, getattr(np.fft, name)(x, axes))


def test_limits_for_singular_values_go_by_matrix():
    x = np.stack([np.diag([8.0, 2.0, 0.0]), np.diag([8.0, 2.0, 1.0])])
    limits = np.array([0.01, 0.5])
    ranks = every_way(lambda x, r: xp.linalg.matrix_rank(x, rtol=r), x, limits)
    assert ranks.tolist() == [2, 1]
    for rank in (xp.linalg.matrix_rank, tf.linalg.matrix_rank):
        assert every_way(rank, x).tolist() == [2, 3]
    inverses = every_way(lambda x, r: xp.linalg.pinv(x, rtol=r), x, limits)
    np.testing.assert_allclose(inverses, np.linalg.pinv(x, rcond=limits))
    np.testing.assert_allclose(every_way(xp.linalg.pinv, x), np.linalg.pinv(x, rcond=1e-12))
    np.testing.assert_allclose(tf.linalg.pinv(x, limits), np.linalg.pinv(x, rcond=limits))
    with pytest.raises(ValueError, match="Incompatible shapes"):
        tf.linalg.pinv(x, [0.1, 0.1, 0.1])


def test_pseudo_inverses_are_differentiable():
    x = tf.constant([[2.0, 1.0], [0.0, 4.0], [1.0, 1.0]], tf.float64)
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        ours, theirs = xp.sum(xp.linalg.pinv(x)), tf.reduce_sum(tf.linalg.pinv(x))
    np.testing.assert_allclose(tape.gradient(ours, x), tape.gradient(theirs, x))


def test_numpys_numbers_keep_their_dtype():
    assert xp.asarray(np.float64(1.5)).dtype is xp.float64
    assert xp.asarray(np.complex128(1j)).dtype is xp.complex128
    assert xp.asarray(np.int8(3)).dtype is xp.int8


def test_the_operator_divides_as_the_function():
    x, y = xp.asarray([-2.0, 3.0, float("inf")]), xp.asarray([float("inf"), 2.0, 2.0])
    assert (x // y).numpy().tolist()[:2] == [-1.0, 1.0]
    xp.promote_operators()
    try:
        expected = xp.floor_divide(x, y).numpy()
        np.testing.assert_array_equal((x // y).numpy(), expected)
        assert np.signbit((x // y).numpy()).tolist() == [True, False, False]
        assert (7 // xp.asarray([2, -2])).numpy().tolist() == [3, -4]
        assert (xp.asarray([7.0]) // 2).numpy() == 3
    finally:
        xp.promote_operators(False)


def test_membership():
    x, y = np.array([[3, 1, 7], [2, 3, 9]], np.int8), np.array([3, 9, 40], np.int32)
    for invert in (False, True):
        found = every_way(lambda x, y: xp.isin(x, y, invert=invert), x, y)
        np.testing.assert_array_equal(found, np.isin(x, y, invert=invert))
    for none in (y[:0], y[:0, None]):
        assert not every_way(xp.isin, x, none).any()
    assert every_way(lambda x: xp.isin(x, 3), x).tolist() == (x == 3).tolist()
    nan, numbers = float("nan"), np.array([1.0, float("nan"), -0.0])
    found = every_way(xp.isin, numbers, np.array([nan, 0.0, 5.0]))
    np.testing.assert_array_equal(found, np.isin(numbers, [nan, 0.0, 5.0]))


def test_joint_shapes():
    assert xp.broadcast_shapes((2, 1), (3,), ()) == (2, 3) == xp.broadcast_shapes((2, 3))
    assert xp.broadcast_shapes() == () and xp.broadcast_shapes((None, 2), (5, 1)) == (5, 2)
    with pytest.raises(ValueError, match="Incompatible shapes"):
        xp.broadcast_shapes((2,), (3,))


def test_eigenvectors_of_any_matrices():
    x = np.array([[0.0, -1.0], [1.0, 0.0]], np.float32)
    values, vectors = xp.linalg.eig(xp.asarray(x))
    assert values.dtype is vectors.dtype is xp.complex64
    np.testing.assert_allclose(x @ vectors.numpy(), vectors.numpy() * values.numpy(), atol=1e-6)
    found = every_way(xp.linalg.eigvals, x)
    np.testing.assert_allclose(sorted(found, key=np.imag), [-1j, 1j], atol=1e-6)


@pytest.mark.parametrize("error", [IndexError, ValueError])
def test_axes_out_of_range(error):
    x = xp.zeros((2, 3))
    for function in (xp.sum, xp.flip, xp.sort, xp.squeeze, xp.unstack, xp.argmax):
        with pytest.raises(error, match="axis 2 is out of bounds for an array of rank 2"):
            function(x, axis=2)


@pytest.mark.parametrize("k", [2**31, -(2**31) - 1, 2**70, -(2**70)])
def test_diagonals_far_away(k):
    x = np.arange(6.0).reshape(2, 3)
    kept, dropped = (xp.tril, xp.triu) if k > 0 else (xp.triu, xp.tril)
    np.testing.assert_array_equal(every_way(lambda x: kept(x, k=k), x), x)
    assert not every_way(lambda x: dropped(x, k=k), x).any()
    assert every_way(lambda x: xp.linalg.diagonal(x, offset=k), x).shape == (0,)
    assert every_way(lambda x: xp.linalg.trace(x, offset=k), x) == 0
    assert not xp.eye(2, 3, k=k).numpy().any()


@pytest.mark.parametrize("dtype", ["int8", "uint8", "uint32", "uint64"])
def test_positions_of_any_integer_dtype(dtype):
    x, at = np.arange(6.0).reshape(2, 3), np.array([1, 0], dtype)
    assert every_way(lambda x, at: xp.repeat(x, at, axis=0), x, at).tolist() == [[0.0, 1.0, 2.0]]
    for function in (lambda x, at: xp.take(x, at, axis=0), lambda x, at: x[at]):
        np.testing.assert_array_equal(every_way(function, x, at), x[::-1])
    picked = every_way(lambda x, at: xp.take_along_axis(x, at[:, None], axis=1), x, at)
    assert picked.tolist() == [[1.0], [3.0]]


def test_shapes_are_tuples_where_the_rank_is_known():
    shape = tf.ones([2, 3]).shape
    assert isinstance(shape, tuple) and isinstance(shape, tf.TensorShape)
    assert (shape.count(3), shape.index(3)) == (1, 1)
    assert isinstance(tf.TensorShape([None, 2]), tuple)
    assert not isinstance(tf.TensorShape(None), tuple)
    # what TensorFlow's users rely on
    assert (shape.rank, shape.as_list(), shape[0]) == (2, [2, 3], 2)
    assert shape == (2, 3) and (2, 3) == shape and shape == [2, 3] and shape != (3, 2)
    assert shape == (2.0, 3.0) and shape != (-2, 3)  # as tuples
    assert isinstance(shape[1:], tf.TensorShape) and isinstance(shape + [4], tf.TensorShape)
    assert (1,) + shape == [1, 2, 3] and {shape: 0}[2, 3] == 0
    assert "%s" % shape == "(2, 3)" and repr(shape) == "TensorShape([2, 3])"  # noqa: UP031
    assert tf.nest.flatten([shape]) == [shape] and type(tf.nest.flatten([shape])[0]) is type(shape)


@pytest.mark.parametrize("wrap", [lambda f: f, tf.function], ids=["eager", "function"])
def test_shapes_in_functions(wrap):
    @wrap
    def twice(x):
        shape = x.shape
        if isinstance(shape, tuple) and shape[0] == 2:
            return tf.zeros((2, *shape)) + tf.ones((2,) + shape)
        return x

    np.testing.assert_array_equal(twice(tf.ones([2, 3])), np.ones([2, 2, 3]))


def test_bools_become_ints_of_all_sizes():
    assert xp.asarray([False, True], dtype=xp.uint64).numpy().tolist() == [0, 1]


def test_version_2024_gives_lists():
    x = tf.constant([1.0, 2.0])
    assert type(xp.meshgrid(x, x)) is type(xp.broadcast_arrays(x, x)) is list
    assert xp.meshgrid() == xp.broadcast_arrays() == []


@pytest.mark.parametrize("wrap", [lambda f: f, tf.function], ids=["eager", "function"])
def test_special_complex_values(wrap):
    """The rows of the standard that NumPy differs from."""
    inf, nan = np.inf, np.nan
    rows = [
        (xp.expm1, -0.0, 0.0, "0j"), (xp.expm1, inf, 0.0, "(inf+0j)"),
        (xp.expm1, inf, inf, "(inf+nanj)"), (xp.expm1, inf, nan, "(inf+nanj)"),
        (xp.expm1, -inf, inf, "(-1+0j)"), (xp.expm1, -inf, nan, "(-1+0j)"),
        (xp.expm1, nan, 0.0, "(nan+0j)"), (xp.tanh, inf, 2.0, "(1+0j)"),
        (xp.tanh, inf, -3.0, "(1-0j)"), (xp.tanh, -inf, 2.0, "(-1+0j)"),
    ]  # fmt: skip
    for function, real, imag, text in rows:
        value = wrap(function)(tf.constant(complex(real, imag), tf.complex128)).numpy()
        assert repr(complex(value)) == text


def test_a_text_that_begins_like_fields_is_no_dtype():
    assert tf.float32 != "f4 and: more" and tf.float32 not in ["a: b, c"]
