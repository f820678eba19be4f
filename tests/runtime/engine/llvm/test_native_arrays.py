"""Programs that read elements of NumPy's arrays in native code."""

import numpy as np
import pytest

import runtime as tf
from tests.runtime.engine.llvm.native_programs import check_native, lowered_modules, outcome

pytest.importorskip("llvmlite")

DTYPES = ("int8", "int32", "int64", "uint8", "uint16", "uint64", "float32", "float64")


def total(a, n):
    found = a[0]
    for i in range(1, n):
        if a[i] > found:
            found = a[i]
    return found


def rows(a, n):
    found = 0.0
    for i in range(n):
        for j in range(n):
            found = found * 0.5 + a[i, j] * a[-1 - j][i]
    return found


def bisected(a, x, n):
    low = 0
    high = n
    while low < high:
        middle = (low + high) // 2
        if a[middle] < x:
            low = middle + 1
        else:
            high = middle
    return low


def last_true(a, n):
    found = -1
    for i in range(n):
        if a[i]:
            found = i
    return found


def test_bools():
    array = np.array([False, True, False, True, False])
    check_native(last_true, (array, 5), (array, 2), (array[::-2], 3), (array[1:2], 1))


@pytest.mark.parametrize("dtype", DTYPES)
def test_numbers(dtype):
    values = np.array([3, 0, 250, 7, 1, 99, 120, 5, 77]) % 128
    array = values.astype(dtype)
    wide = np.repeat(array, 3)
    swapped = array.astype(array.dtype.newbyteorder(">"))
    check_native(total, (array, 9), (array, 1))
    check_native(total, (array[::-1], 9), (wide[::3], 9), (wide[:27:3], 5))
    check_native(total, (swapped, 9), (np.frombuffer(b"x" + array.tobytes(), dtype, 9, 1), 9))


def test_rows():
    square = np.arange(16.0).reshape(4, 4) / 3
    check_native(rows, (square, 4), (square.T, 3), (square[::-1, ::-1], 4), (square[:, 1:], 3))
    check_native(bisected, (np.arange(50.0), 12.5, 50), (np.arange(50.0), -1.0, 50))


@pytest.mark.parametrize("index", [4, -5, 2**31 - 1, -(2**31), 2**40, -(2**63)])
def test_indices_that_do_not_exist(index):
    def one(a, i):
        return a[i]

    def two(a, i):
        return a[1][i]

    def three(a, i):
        row = a[i]
        print("read")
        return row[0]

    for function, array in (one, np.ones(4)), (two, np.ones((4, 4))), (three, np.ones((4, 4))):
        never = outcome(tf.jit(function, jit_compile=False), array, index)
        with lowered_modules():
            assert outcome(tf.jit(function), array, index) == never
        assert issubclass(never[0], IndexError)


def test_what_python_prints_before_a_row_that_does_not_exist(capsys):
    def program(a, i):
        print("before", i)
        row = a[i]
        print("after")
        return row[0]

    with lowered_modules():
        compiled = tf.jit(program)
        assert compiled(np.ones((2, 2)), 1) == 1.0
        with pytest.raises(IndexError):
            compiled(np.ones((2, 2)), 2)
    assert capsys.readouterr().out == "before 1\nafter\nbefore 2\n"


def rows_of_changing_arrays(a, n):
    found = 0.0
    for i in range(n):
        row = a[i]
        for j in range(n):
            found += row[j]
        a = a * 2.0
        if found > 30.0:
            a = a[::-1]
    return found, a[0][1]


def test_arrays_that_a_loop_replaces():
    array = np.arange(9.0).reshape(3, 3)
    with lowered_modules():
        assert tf.jit(rows_of_changing_arrays)(array, 3) == rows_of_changing_arrays(array, 3)


def test_calls_see_the_array_as_it_is():
    array = np.arange(4.0)
    compiled = tf.jit(total, jit_compile=True)
    for change in (5.0, 9.0, -1.0, 100.0):
        array[1] = change
        assert compiled(array, 4) == total(array, 4)
    assert compiled(np.arange(4), 4) == 3
    assert compiled(array.astype("f4"), 4).dtype == np.float32
    assert compiled(array[:3], 3) == 100.0
    assert compiled(np.asfortranarray(np.arange(4.0)[::-1]), 4) == 3.0
    assert compiled(array.view(type("Sub", (np.ndarray,), {})), 4) == 100.0


def test_arrays_with_unknown_sizes():
    @tf.function(
        autograph=False, jit_compile=True,
        input_signature=[tf.TensorSpec([None, None], "float64"), tf.TensorSpec([], "int32")],
    )
    def element(a, i):
        return a[i][1] + a[0, i]

    for array in np.arange(6.0).reshape(2, 3), np.arange(6.0).reshape(3, 2):
        assert element(array, 1) == array[1][1] + array[0, 1]
        with pytest.raises(tf.errors.OpError, match="out of bounds"):
            element(array, 3)
