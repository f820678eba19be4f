"""Fusions: element-wise operations and reductions of arrays, as one loop of machine code."""

import numpy as np
import pytest

import runtime as tf
from runtime.engine.llvm.printer import print_module
from tests.runtime.engine.llvm.native_arrays import layouts, modules_of, numbers, same
from tests.runtime.engine.llvm.native_programs import lowered_modules
from tests.support.extras import needs

pytestmark = needs("jit")

DTYPES = ("float32", "float64", "int8", "int32", "int64", "uint8", "uint64")
SHAPES = ((0, 3), (1, 1), (1, 7), (5, 1), (4, 3), (17, 33), (2, 9000))


def arithmetic(x, y):
    bigger = tf.maximum(x * y + x, y)
    return bigger, tf.where(x > y, bigger - x, bigger), x >= y


@pytest.mark.parametrize("dtype", DTYPES)
def test_elements_have_the_bits_of_the_kernels(dtype):
    spec = tf.TensorSpec([None, None], dtype)
    native = tf.function(arithmetic, [spec, spec], jit_compile=True)
    for shape in SHAPES:
        x, y = numbers(shape, dtype), numbers(shape, dtype, 1)
        expected = arithmetic(tf.constant(x), tf.constant(y))
        for one in layouts(x):
            for found, wanted in zip(native(one, y), expected):
                np.testing.assert_array_equal(found, wanted, strict=True)


@pytest.mark.parametrize(
    "shapes", [((3,), (4, 3)), ((4, 1), (4, 3)), ((2, 1, 3), (5, 1)), ((1,), ())]
)
def test_broadcasting(shapes):
    x, y = (tf.constant(numbers(shape, "float64")) for shape in shapes)
    same(tf.function(arithmetic, jit_compile=True)(x, y), arithmetic(x, y))
    same(tf.function(arithmetic, jit_compile=True)(y, x), arithmetic(y, x))


def test_sizes_that_differ_at_run_time_are_the_kernels_affair():
    spec = tf.TensorSpec([None, 3], "float64")
    native = tf.function(arithmetic, [spec, spec], jit_compile=True)
    x, y = np.ones((4, 3)), np.full((1, 3), 2.0)
    same(native(x, y), arithmetic(tf.constant(x), tf.constant(y)))
    same(native(y, x), arithmetic(tf.constant(y), tf.constant(x)))
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"\[4,3\] vs. \[2,3\]"):
        native(x, x[:2])


@pytest.mark.parametrize("axis", [None, 0, 1])
def test_products_are_taken_in_order(axis):
    native = tf.function(lambda x: tf.reduce_prod(x, axis), jit_compile=True)
    for dtype in ("float32", "float64", "complex64"):
        x = np.full((3, 9000), 1e30, dtype)  # parts are infinite, and zero times that is NaN
        x[0], x[:, 0] = 0, 0
        np.testing.assert_array_equal(native(x), np.prod(x, axis), strict=True)
        y = (1 + numbers((40, 70), "float32") / 1000).astype(dtype)
        if dtype != "complex64":
            np.testing.assert_array_equal(native(y), np.prod(y, axis), strict=True)


def test_kernels_take_parts_after_the_first_of_an_array():
    def f(x, y):
        _, second = tf.split(y, 2, axis=1)
        return x + second

    native = tf.function(f, [tf.TensorSpec([None, 2]), tf.TensorSpec([None, 4])], jit_compile=True)
    y = np.arange(12, dtype=np.float32).reshape(3, 4)
    np.testing.assert_array_equal(native(y[:, :2], y), y[:, :2] + y[:, 2:])
    np.testing.assert_array_equal(native(y[:1, :2], y), y[:1, :2] + y[:, 2:])  # slowly


def reductions(axis, keepdims):
    def reduce(x):
        y = x * x + x
        some = (axis, keepdims)
        return (
            tf.reduce_sum(y, *some), tf.reduce_max(x, *some), tf.reduce_min(y, *some),
            tf.reduce_prod(x / 9, *some), tf.reduce_any(x > 0, *some), y,
            tf.reduce_all(x > 0, *some), tf.reduce_mean(x, *some),
        )  # fmt: skip

    return reduce


@pytest.mark.parametrize("axis", [None, 0, 1, (0, 1), -1, ()])
@pytest.mark.parametrize("keepdims", [False, True])
def test_reductions(axis, keepdims):
    reduce = reductions(axis, keepdims)
    native = tf.function(reduce, [tf.TensorSpec([None, None], "float64")], jit_compile=True)
    for shape in SHAPES:
        x = numbers(shape, "float64")
        for one in layouts(x):
            same(native(one), reduce(tf.constant(x)))


@pytest.mark.parametrize("dtype", ["int8", "int64", "uint8", "uint64"])
def test_reductions_of_ints_wrap_around(dtype):
    def reduce(x):
        some = [tf.reduce_sum, tf.reduce_prod, tf.reduce_max, tf.reduce_min]
        return [f(x + x, axis) for f in some for axis in (None, 0, 1)]

    x = tf.constant(numbers((40, 30), dtype) * 14)
    same(tf.function(reduce, jit_compile=True)(x), reduce(x))


def test_nan_and_infinities_pass_through_reductions():
    def reduce(x):
        some = [tf.reduce_max, tf.reduce_min, tf.reduce_sum]
        return [f(x, axis) for f in some for axis in (0, 1)]

    x = numbers((40, 50), "float32")
    x[3, 4], x[5, 6], x[7, 8] = np.nan, np.inf, -np.inf
    same(tf.function(reduce, jit_compile=True)(x), reduce(tf.constant(x)))


def test_long_sums_are_accurate():
    x = np.random.default_rng(0).random(3_000_001).astype("float32")
    found = tf.function(tf.reduce_sum, jit_compile=True)(x).numpy()
    exact = x.astype("float64").sum()
    assert abs(found - exact) <= 4 * np.spacing(np.float32(exact))


def test_operations_on_one_shape_are_one_fusion():
    def f(x, y):
        total = tf.reduce_sum(x * y)
        return tf.where(x > 0.0, x * y - 1.0, y), total

    x = tf.constant(numbers((4, 3), "float32"))
    (_, total), text = modules_of(f, x, x)
    same(total, tf.reduce_sum(x * x))
    assert text.count(" = fusion ") == 1
    assert "callback" not in text
    assert "= add over (0, 1)" in text


def test_what_reads_a_reduction_begins_another_fusion():
    def softmax_like(x):
        top = x - tf.reduce_max(x, -1, keepdims=True)
        return top / tf.reduce_sum(top, -1, keepdims=True)

    x = tf.constant(numbers((4, 3), "float64"))
    found, text = modules_of(softmax_like, x)
    same(found, softmax_like(x))
    assert text.count(" = fusion ") == 3


def test_an_int_division_by_zero_raises_as_the_kernel_does():
    def f(x, y):
        return (x + 1) // y

    native = tf.function(f, jit_compile=True)
    x, y = tf.constant([7, 8, 9]), tf.constant([1, 2, 3])
    same(native(x, y), f(x, y))
    with pytest.raises(tf.errors.InvalidArgumentError, match="test_fusions.py"):
        native(x, tf.constant([1, 0, 3]))


def test_results_take_over_memory_that_nobody_else_refers_to():
    def f(x, n):
        y, z = x, x
        for _ in tf.range(n):
            y, z = y * 2.0 + x, y - z
        return y, z

    x = tf.constant(numbers((100,), "float64"))
    before = x.numpy().copy()
    native = tf.function(f, jit_compile=True)
    found = native(x, tf.constant(5))
    same(found, tf.function(f, jit_compile=False)(x, tf.constant(5)))
    np.testing.assert_array_equal(x, before)
    kept = [part.numpy().copy() for part in found]
    native(x, tf.constant(5))
    same(found, kept)


def test_a_fusion_sees_an_array_before_it_is_written():
    def f(a, n):
        before = a * 2.0
        a[n] = 100.0
        return before, a + before

    a = numbers((6,), "float64")
    expected = f(a.copy(), 2)
    same(tf.jit(f)(a.copy(), 2), expected)


def test_fusions_do_not_leak():
    import gc
    import sys

    x = np.ones(1000)
    native = tf.function(lambda x: (tf.reduce_sum(x * 2.0), x + 1.0), jit_compile=True)
    native(x)
    gc.collect()
    count, blocks = sys.getrefcount(x), sys.getallocatedblocks()
    for _ in range(1000):
        native(x)
    assert sys.getrefcount(x) == count
    assert sys.getallocatedblocks() - blocks < 200


def test_an_array_that_does_not_fit_the_memory_is_a_memory_error():
    def f(x, y):
        return x * y

    native = tf.function(
        f, [tf.TensorSpec([None, 1], "float64"), tf.TensorSpec([1, None], "float64")],
        jit_compile=True,
    )  # fmt: skip
    with pytest.raises((MemoryError, tf.errors.ResourceExhaustedError)):
        native(np.ones((2_000_000, 1)), np.ones((1, 2_000_000)))


def test_products_of_vectors_are_sums_of_products():
    def f(a, b, n):
        total = 0.0
        for k in range(n):
            total += np.dot(a[k], b) * (a[k] @ a[-1])
        return total

    a, b = numbers((5, 37), "float64"), numbers((37,), "float64")
    with lowered_modules() as modules:
        same(tf.jit(f)(a, b, 5), f(a, b, 5))
    text = "\n".join(map(print_module, modules))
    assert "product" not in text
    assert "callback" not in text
    with pytest.raises(ValueError, match="37"):
        tf.jit(f)(a, b[:1], 5)


def test_parts_are_put_together_and_taken_apart():
    def f(x, w):
        h, c = tf.zeros([3, 5]), tf.zeros([3, 5])
        for k in tf.range(4):
            i, o, g = tf.split(tf.matmul(tf.concat([x[k], h * 2.0], 1), w), 3, axis=1)
            c = tf.sigmoid(i) * c + tf.tanh(g)
            h = tf.sigmoid(o) * tf.tanh(c)
        whole = tf.stack([h, c, h + c], axis=1)
        first, rest = tf.split(whole, [1, -1], axis=1)
        return whole, tf.concat([rest, first, rest], 1), first

    x, w = (tf.constant(numbers(shape, "float32")) for shape in ((4, 3, 2), (7, 15)))
    found, text = modules_of(f, x, w)
    same(found, f(x, w))
    assert "callback concat" not in text
    assert "callback stack" not in text


def test_a_fusion_that_computes_two_parts_of_an_array():
    def f(x):
        y = tf.tanh(x)
        return tf.concat([y * y, y], 0)

    x = tf.constant(numbers((5, 3), "float64"))
    same(tf.function(f, jit_compile=True)(x), f(x))


def test_an_array_that_is_put_together_twice_is_two_arrays():
    def f(a, n):
        b = np.concatenate([a, a[:1]])
        c = np.stack([a, a])
        b[0] = n
        c[0] = b[1:]
        twice = a * 2.0
        return b, c, np.concatenate([b, np.zeros(0)]), np.concatenate([twice, twice])

    a = numbers((4,), "float64")
    same(tf.jit(f)(a, 7.0), f(a, 7.0))


def test_arrays_of_equal_elements_are_numbers():
    def f(x, n):
        zeros, ones = tf.zeros_like(x), tf.ones_like(x, dtype=tf.float64)
        return tf.where(x > zeros, x - ones * n, zeros), zeros + ones

    x = tf.constant(numbers((3, 4), "float64"))
    found, text = modules_of(f, x, tf.constant(3.0, tf.float64))
    same(found, f(x, 3.0))
    assert "callback" not in text
    kept = tf.function(lambda x: (tf.zeros_like(x), tf.ones_like(x) // tf.cast(x > 0, x.dtype)))
    x = tf.constant([3, 4])
    same(kept(x), (tf.constant([0, 0]), tf.constant([1, 1])))
    with pytest.raises(tf.errors.InvalidArgumentError):
        kept(-x)
