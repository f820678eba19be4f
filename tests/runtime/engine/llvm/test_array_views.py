"""Views of arrays in machine code: read where they lie, and written in place."""

import numpy as np
import pytest

import runtime as tf
from runtime.engine.llvm.printer import print_module
from tests.runtime.engine.llvm.native_arrays import layouts, numbers, same
from tests.runtime.engine.llvm.native_programs import lowered_modules
from tests.support.extras import needs

pytestmark = needs("jit")


def stencil(a, n):
    return a[1:-1, 1:-1] + a[:-2, 1:-1] * 2.0 + a[2:, 1:-1] - a[1:-1, :-2] / a[1:-1, 2:]


def of_rows(a, n):
    total = a[0] * 0.0
    for k in range(n):
        total = total + a[k] * a[-1 - k] - a[-3]
    return total


def views(a, n):
    left, right = a[:, None, :], a[None, :, ::-1]
    steps = a[::2][:, 1::3] + a.T[1::3, ::2].T
    return left - right, steps, np.flip(a, 0) * a[::-1], a[3:2] + 1.0, (a[1:] * 2.0)[:-1] + 1.0


@pytest.mark.parametrize("function", [stencil, of_rows, views], ids=lambda f: f.__name__)
def test_views_are_read_where_they_lie(function):
    a = np.random.default_rng(0).normal(size=(6, 8))
    with lowered_modules() as modules:
        native = tf.jit(function)
        for one in layouts(a):
            same(native(one, 3), function(one, 3))
    text = "\n".join(map(print_module, modules))
    assert "fusion" in text
    assert "callback getitem" not in text


def test_broadcast_arrays_are_read_where_they_lie(monkeypatch):
    from runtime.engine.llvm import callbacks

    def no_slow_function(*args):
        return lambda *arrays: pytest.fail("the kernels were called one after the other")

    def broadcast(column, row, full):
        columns, rows = tf.broadcast_to(column, [5, 3]), tf.broadcast_to(row, [2, 5, 3])
        return (
            columns * full, tf.reduce_sum(columns * full, 0), rows - full, columns * rows + 1.0,
            tf.reduce_max(tf.broadcast_to(column, [5, 1]) - 1.0, 1),
        )  # fmt: skip

    monkeypatch.setattr(callbacks, "slow_function", no_slow_function)
    args = [numbers(shape, "float32") for shape in ((5, 1), (3,), (5, 3))]
    native = tf.function(broadcast, jit_compile=True)
    for _ in range(2):
        for one, other in zip(native(*args), broadcast(*args), strict=True):
            same(one.numpy(), other.numpy())


def test_a_view_that_is_needed_is_made():
    def f(a):
        middle = a[1:-1]
        return np.sort(middle) + middle, middle

    a = numbers((6, 3), "float64")
    same(tf.jit(f)(a), f(a))


def test_a_view_of_a_written_array_keeps_its_elements():
    def f(a, n):
        for k in range(n):
            a[1:-1] = a[2:] + a[:-2]
            a[k] = 1.0
        return a

    a = numbers((9,), "float64")
    expected = f(a.copy(), 5)
    same(tf.jit(f)(a.copy(), 5), expected)


def test_rows_of_unknown_number():
    def f(a, b):
        return a[:, 0] * b[0] + a[:, 1], a[:, ::-1] - b

    spec = tf.TensorSpec([None, 2], "float32")
    native = tf.function(f, [spec, tf.TensorSpec([2], "float32")], jit_compile=True)
    for count in (0, 1, 7):
        a, b = numbers((count, 2), "float32"), numbers((2,), "float32")
        same(native(a, b), f(tf.constant(a), tf.constant(b)))


def jacobi(a, b, n):
    for _ in range(n):
        b[1:-1] = 0.5 * (a[:-2] + a[2:])
        a[1:-1] = 0.5 * (b[:-2] + b[2:])
    return a


def rows(a, b, n):
    for k in range(n):
        a[k] = b[k] * 2.0
        a[-k - 1, ::2] = 7.0
        b[k, 1:] = a[k, :-1]
    a[:, -1] = b[:, 0]
    a[2] = a[1]
    return a, b


def of_itself(a, b, n):
    a[1:] = a[:-1]
    a[:-1] = a[1:] + a[:-1]
    kept = a[1:-1]
    a[...] = b
    a[:, ::-1] = a
    return kept, a


@pytest.mark.parametrize("function", [jacobi, rows, of_itself], ids=lambda f: f.__name__)
def test_slices_are_written_in_place(function):
    a = np.random.default_rng(0).normal(size=(6, 8))
    native = tf.jit(function)
    with lowered_modules() as modules:
        for one in layouts(a):
            if not one.dtype.isnative:
                continue
            expected = [one.copy(), a.copy()]
            wanted = function(*expected, 4)
            given = [one.copy(order="K"), a.copy()]
            same(native(*given, 4), wanted)
            same(given, expected)
    assert "callback assign_items" not in "\n".join(map(print_module, modules))


def test_a_row_that_does_not_exist_is_an_index_error():
    def f(a, n):
        a[n] = a[0]
        return a

    native = tf.jit(f)
    native(np.ones((3, 4)), 2)
    for n in (3, -4):
        with pytest.raises(IndexError, match="out of bounds"):
            native(np.ones((3, 4)), n)


def test_a_value_of_another_shape_or_dtype_is_the_kernels_affair():
    def f(a, x):
        a[1:] = x
        return a

    for x in (np.ones((2, 1)), np.ones((1, 4)), 2.5, np.arange(4), np.float32(0.1)):
        a = np.zeros((3, 4))
        same(tf.jit(f)(a.copy(), x), f(a.copy(), x))
        ints = np.zeros((3, 4), int)
        same(tf.jit(f)(ints.copy(), x), f(ints.copy(), x))
    with pytest.raises(ValueError, match="broadcast"):
        tf.jit(f)(np.zeros((3, 4)), np.ones(3))


@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.float16])
@pytest.mark.parametrize("given", [np.float64, np.float32, np.int64, np.uint8, bool])
def test_values_of_other_dtypes_become_floats_in_place(dtype, given):
    def f(a, b, n):
        for k in range(n):
            a[:, k] = b[k, : len(a)]
            a[k, 1:-1] = b[k, 1]
        a[2:] = b[:1]
        return a

    native = tf.jit(f)
    a, b = np.zeros((6, 8), dtype), (np.arange(64).reshape(8, 8) * 1.7 + 1e-9).astype(given)
    with lowered_modules() as modules:
        same(native(a.copy(), b, 4), f(a.copy(), b, 4))
    assert "callback assign_items" not in "\n".join(map(print_module, modules))
