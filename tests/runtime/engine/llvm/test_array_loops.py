"""Loops along an axis and to computed places: what the samples of the definitions do not reach."""

from __future__ import annotations

import numpy as np
import pytest

import runtime as tf
from tests.runtime.engine.llvm.native_arrays import agree, modules_of
from tests.support.extras import needs
from tests.support.nightly import diagonal

pytestmark = needs("jit")

RANDOM = np.random.default_rng(0)
SHAPES = [(1000,), (7, 600), (600, 7), (3, 5, 300), (1, 1), (2, 0), (0, 2)]


@pytest.mark.parametrize("shape, kind", diagonal(SHAPES, ["float32", "int8", "bool"]))
def test_extremes_of_long_rows_and_many_columns(shape, kind):
    x = (RANDOM.normal(size=shape) * 50).astype(kind)
    for axis in range(len(shape)):
        agree(lambda x, axis=axis: [tf.argmax(x, axis), tf.argmin(x, axis, tf.int32)], x)


@pytest.mark.parametrize("places", [(0,), (999,), (300, 700), ()])
def test_the_first_nan_is_the_extreme(places):
    for base in (RANDOM.normal(size=1000), np.full(1000, np.inf), np.full(1000, -np.inf)):
        for dtype in ("float32", "float64"):
            x = base.astype(dtype)
            x[list(places)] = np.nan
            for y in (x, np.stack([x, x[::-1]]), np.stack([x, x[::-1]], 1)):
                agree(lambda x: [f(x, a) for f in (tf.argmax, tf.argmin)
                                 for a in range(len(x.shape))], y)  # fmt: skip


@pytest.mark.parametrize("shape", SHAPES)
def test_scans_are_equal_to_the_bit(shape):
    x = RANDOM.normal(size=shape)
    x[tuple(n // 2 for n in shape) if 0 not in shape else slice(0)] = -0.0
    for axis in range(len(shape)):
        def f(x, axis=axis):
            return [
                scan(x, axis, exclusive, reverse) for scan in (tf.cumsum, tf.math.cumprod)
                for exclusive in (False, True) for reverse in (False, True)
            ]  # fmt: skip

        for found, other in zip(agree(f, x), agree(f, np.asfortranarray(x)), strict=True):
            assert found.tobytes() == other.tobytes()


INDEXES = [[0, 2, 2, 0, 2], [], [1], [0, 3], [-1, 0], [-4]]


@pytest.mark.parametrize(
    "indexes, dtype, known", diagonal(INDEXES, ["float32", "int64"], [True, False])
)
def test_updates_at_indexes(indexes, dtype, known):
    i = np.array(indexes, np.int32)
    x, u = np.arange(6).reshape(3, 2).astype(dtype), RANDOM.normal(size=(len(i), 2)) * 9
    specs = None if known else [
        tf.TensorSpec([None, None], dtype), tf.TensorSpec([None, None], dtype),
        tf.TensorSpec([None], "int32"),
    ]  # fmt: skip
    changes = [
        lambda x, u, i: tf.tensor_scatter_nd_update(x, i[:, None], u),
        lambda x, u, i: tf.tensor_scatter_nd_add(x, i[:, None], u),
        lambda x, u, i: tf.tensor_scatter_nd_max(x, i[:, None], u),
        lambda x, u, i: tf.scatter_nd(i[:, None], u, tf.shape(x)),
        lambda x, u, i: tf.math.unsorted_segment_sum(u, i, 3),
        lambda x, u, i: tf.math.unsorted_segment_min(u, i, tf.shape(x)[0]),
        lambda x, u, i: tf.math.segment_max(u, i),
        lambda x, u, i: tf.math.bincount(i, minlength=2),
    ]
    for change in changes:
        agree(change, x, u.astype(dtype), i, specs=specs)


def test_the_array_of_the_caller_does_not_change():
    x, before = np.zeros((3, 2)), np.zeros((3, 2))

    def f(x, i):
        y = tf.tensor_scatter_nd_add(x, i, tf.ones([2, 2], "float64"))
        return y, tf.tensor_scatter_nd_update(y, i, y[:2]), x + y

    agree(f, x, np.array([[0], [0]]))
    np.testing.assert_array_equal(x, before)


def test_assignments_at_arrays_of_indexes():
    def f(a, i, x):
        a = a.copy()
        a[i] = x
        a[i] += 1.0
        a[:, i] = 7.0
        return a

    jitted = tf.jit(f)
    for i in ([0, 2, 2], [-1, 0, 1], []):
        args = np.zeros((3, 3)), np.array(i, int), np.arange(3.0 * len(i)).reshape(-1, 3)
        np.testing.assert_array_equal(jitted(*args), f(*args))
    with pytest.raises(IndexError, match="index 3 is out of bounds for axis 0 with size 3"):
        jitted(np.zeros((3, 3)), np.array([0, 3]), np.ones((2, 3)))


def test_loops_change_one_array_in_place():
    """A histogram that is filled again and again is not copied: the loop makes no new array."""

    def f(i):
        def body(n, counts):
            return n + 1, tf.tensor_scatter_nd_add(counts, i[:, None], tf.ones_like(i))

        return tf.while_loop(lambda n, _: n < 3, body, [tf.constant(0), tf.zeros(4, "int32")])[1]

    found, text = modules_of(f, tf.constant([1, 1, 3]))
    np.testing.assert_array_equal(found, [0, 6, 0, 3])
    body = text[text.index("body("):]
    assert "scatter" in body
    assert "callback" not in body


@pytest.mark.parametrize("axis", [0, 1, -1])
def test_gradients_of_gathers(axis):
    x, i = RANDOM.integers(-3, 4, (4, 5)) / 2, np.array([[3, 0], [3, 3]])

    def f(x, i):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = tf.reduce_sum(tf.gather(x, i, axis=axis) * 2.0) + tf.reduce_sum(x[i[0]] * 3.0)
            y += tf.reduce_sum(tf.math.cumprod(x, axis))
        return tape.gradient(y, x)

    (found,) = agree(f, tf.constant(x), tf.constant(i))
    assert np.isfinite(found).all()


def test_several_arrays_of_equal_elements():
    def f(x):
        return tf.zeros_like(x), tf.ones_like(x, dtype="int8"), tf.zeros([2, 2]), tf.fill([3], x[0])

    agree(f, np.array([2.5, 1.0]))


def ordered_inputs(shape, dtype):
    """Numbers with equal ones, and zeros of both signs, NaNs and infinities among floats."""
    x = (RANDOM.normal(size=shape) * 100).astype("int64" if dtype[0] == "u" else dtype)
    x = abs(x).astype(dtype) if dtype[0] == "u" else x
    if dtype[0] == "f" and x.size > 20:
        x.flat[:8] = [np.nan, -0.0, 0.0, -np.nan, np.inf, -np.inf, 1.0, 1.0]
    return x


@pytest.mark.parametrize("shape, dtype", diagonal(
    [(1000,), (3, 60), (60, 3), (2, 0), (0, 2)],
    ["float32", "int64", "float64", "int8", "uint16"],
))  # fmt: skip
def test_orders(shape, dtype):
    x = ordered_inputs(shape, dtype)
    for axis in range(len(shape)):
        agree(lambda x, axis=axis: [
            order(x, axis, way) for order in (tf.sort, tf.argsort)
            for way in ("ASCENDING", "DESCENDING")
        ], x)  # fmt: skip
    for k in (0, 2, 60, 5000):
        agree(lambda x, k=k: tf.math.top_k(x, k), x)
    agree(lambda x, v: [
        tf.searchsorted(tf.sort(x), v, side=side) for side in ("left", "right")
    ], x, x)  # fmt: skip


@pytest.mark.parametrize("shape", [(100,), (7, 3), (0,), (2, 0)])
def test_rows_that_masks_choose(shape):
    x = ordered_inputs(shape, "float64")
    agree(lambda x: [x[x > 0], tf.boolean_mask(x, x[..., 0] > 0 if len(shape) > 1 else x > 0),
                     tf.where(x), tf.dynamic_partition(x, tf.cast(x > 0, "int32"), 2)], x)
    specs = [tf.TensorSpec([None] * len(shape), "float64"), tf.TensorSpec([None], "bool")]
    for size in {shape[0], shape[0] + 1}:
        agree(lambda x, m: x[m] * 2, x, np.arange(size) % 3 == 0, specs=specs)
    agree(lambda x, n: tf.dynamic_partition(x, n, 2), x, np.arange(x.size).reshape(shape) % 3)
