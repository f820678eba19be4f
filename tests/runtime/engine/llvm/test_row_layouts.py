"""Arrays of other layouts than native code takes for granted: results and errors are the same."""

import gc
import sys

import numpy as np
import pytest

import runtime as tf
from runtime.engine.llvm.native import _AnyLayout
from runtime.engine.llvm.row_layouts import row_by_row
from runtime.types.flags import JIT

pytest.importorskip("llvmlite")


@pytest.fixture(autouse=True)
def _at_once():
    with JIT("always"):
        yield


def weighted(a):
    out = np.zeros((a.shape[0], a.shape[1]))
    total = 0.0
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            out[i, j] = a[i, j] * (i + 1) + a[i - 1, j]
            total += out[i, j] * (j + 1)
    return out, total


def doubled(a):
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            a[i, j] *= 2.0


def misaligned(shape):
    count = int(np.prod(shape))
    return np.zeros(count * 8 + 1, "u1")[1:].view("f8").reshape(shape)


LAYOUTS = {
    "row by row": lambda: np.zeros((3, 4)),
    "column by column": lambda: np.zeros((3, 4), order="F"),
    "transposed": lambda: np.zeros((4, 3)).T,
    "strided": lambda: np.zeros((6, 8))[::2, ::2],
    "reversed": lambda: np.zeros((3, 4))[::-1, ::-1],
    "misaligned": lambda: misaligned((3, 4)),
    "byte-swapped": lambda: np.zeros((3, 4), ">f8"),
    "part of rows": lambda: np.zeros((5, 4))[1:4],
    "subclass": lambda: np.zeros((3, 4)).view(np.memmap),
    "another shape": lambda: np.zeros((4, 3)),
    "empty": lambda: np.zeros((0, 4)),
    "axes of one": lambda: np.zeros((5, 7))[1:2, 3:4],
    "other numbers": lambda: np.zeros((3, 4), "f4"),
}


def filled(layout):
    array = LAYOUTS[layout]()
    array[...] = np.arange(1.0, array.size + 1).reshape(array.shape) / 4
    return array


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("decorate", [tf.jit, tf.function])
def test_arrays_of_any_layout_are_read(layout, decorate):
    compiled = decorate(weighted)
    for _ in range(3):
        compiled(filled("row by row"))
    array = filled(layout)
    for _ in range(3):
        found, wanted = compiled(array), weighted(array)
        np.testing.assert_array_equal(found[0], wanted[0])
        assert float(found[1]) == wanted[1]


@pytest.mark.parametrize("layout", LAYOUTS)
def test_arrays_of_any_layout_are_changed(layout):
    compiled = tf.jit(doubled)
    for _ in range(3):
        compiled(filled("row by row"))
    array = filled(layout)
    for _ in range(3):
        compiled(array)
    np.testing.assert_array_equal(array, filled(layout) * 8)


def test_indexes_out_of_known_sizes_raise():
    def beyond(a, k):
        out = np.zeros(4)
        for i in range(4):
            out[i] = a[i + k] + out[i - 4]
        return out

    compiled, array = tf.jit(beyond), np.arange(4.0)
    for k in 0, 0, 0, -3, 1, -5, 4:
        try:
            wanted = beyond(array, k).tolist()
        except IndexError:
            with pytest.raises(IndexError, match="out of bounds"):
                compiled(array, k)
        else:
            assert compiled(array, k).tolist() == wanted


def test_constants_of_any_layout():
    for table in np.arange(12.0).reshape(3, 4), np.arange(12.0).reshape(4, 3).T, np.zeros((3, 0)):

        def looked_up(n, table=table):
            total = 0.0
            for i in range(n):
                for j in range(table.shape[1]):
                    total = total * 0.5 + table[i, j]
            return total

        compiled = tf.jit(looked_up)
        assert [compiled(n) for n in (3, 3, 2)] == [looked_up(n) for n in (3, 3, 2)]
        if table.size:
            with pytest.raises(IndexError):
                compiled(4)


def test_constants_of_equal_rows_need_no_code_for_any_layout(monkeypatch):
    def called(self, own, *args):
        raise AssertionError("code for any layout was compiled")

    monkeypatch.setattr(_AnyLayout, "call", called)

    @tf.function(jit_compile=True)
    def summed(x, n):
        total, rows = tf.zeros([3, 4]), tf.broadcast_to(tf.constant([1.0, 2.0, 3.0, 4.0]), [3, 4])
        for _ in range(n):
            total += x * rows
        return total

    x = tf.ones([3, 4])
    assert summed(x, tf.constant(2)).numpy().tolist() == [[2.0, 4.0, 6.0, 8.0]] * 3


def test_large_constants_of_equal_rows_are_not_copied():
    equal = np.broadcast_to(np.float32(2.0), (600, 600))
    assert row_by_row(equal) is equal
    small = np.broadcast_to(np.float32(2.0), (3, 4))
    assert row_by_row(small).flags.c_contiguous and (row_by_row(small) == small).all()


def test_arrays_that_kernels_make_of_any_layout():
    def turned(a):
        columns = (a + 1.0).T
        total = 0.0
        for i in range(columns.shape[0]):
            for j in range(columns.shape[1]):
                columns[i, j] += i
                total = total * 0.5 + columns[i, j] * a[j, i]
        return columns, total

    compiled, array = tf.jit(turned), np.arange(6.0).reshape(2, 3)
    for _ in range(3):
        found, wanted = compiled(array), turned(array)
        assert found[0].tolist() == wanted[0].tolist() and found[1] == wanted[1]


def test_code_for_any_layout_keeps_nothing():
    compiled, array = tf.jit(weighted), filled("strided")
    for _ in range(3):
        compiled(filled("row by row"))
    before = sys.getrefcount(array)
    for _ in range(3):
        compiled(array)
    gc.collect()
    assert sys.getrefcount(array) == before
