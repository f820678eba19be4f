"""NumPy arrays that a function of ``runtime.jit`` makes and changes in place, as NumPy does."""

import warnings

import numpy as np
import pytest

import runtime as tf
from autograph.errors import EffectError
from tests.runtime.functions import made_array_programs as programs


def outcome(function, *args):
    """The result, or the exception."""
    try:
        return function(*args)
    except Exception as error:
        return error


def same(mine, its):
    """Whether both are of one type, one dtype, and equal; exceptions may be of a subclass."""
    if isinstance(its, Exception):
        return isinstance(mine, type(its))
    if type(mine) is not type(its):
        return False
    if isinstance(its, list | tuple):
        return len(mine) == len(its) and all(map(same, mine, its))
    if isinstance(its, np.ndarray | np.generic):
        return mine.dtype == its.dtype and np.array_equal(mine, its, equal_nan=its.dtype != object)
    return mine == its


def two_buffers(n):
    buffers = [np.zeros(3), np.ones(3)]
    for t in range(n):
        now, after = buffers[t % 2], buffers[(t + 1) % 2]
        after[0] = now[0] + t
        after[1:] = now[:-1]
        buffers[n % 2][:] = after + 1
    return buffers


def view_of_one_of_two(n):
    tables = (np.zeros((2, 3)), np.ones((2, 3)))
    tables[n % 2][1, 2] = 5
    row = tables[n % 2][n % 2]
    row[0] = 9
    return tables


PROGRAMS = [*programs.PROGRAMS, two_buffers, view_of_one_of_two]


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda p: p.__name__)
def test_arrays_that_are_made_change_as_in_numpy(program):
    jitted = tf.jit(program)
    for n in (1, 2, 3, 2, 9):
        expected, found = outcome(program, n), outcome(jitted, n)
        assert same(found, expected), (n, found, expected)
    assert jitted.experimental_get_tracing_count() <= 1


def test_two_calls_give_two_arrays():
    def made(n):
        a = np.zeros(2)
        a[0] = n
        return a

    jitted = tf.jit(made)
    one, other = jitted(1), jitted(2)
    one[1] = 5
    assert (one.tolist(), other.tolist(), jitted(1).tolist()) == ([1, 5], [2, 0], [1, 0])


def test_under_function_the_array_becomes_a_tensor():
    @tf.function
    def running(x):
        total = np.zeros(4)
        total[0] = x[0]
        for i in tf.range(1, 4):
            total[i] = total[i - 1] + x[i]
        return total

    x = np.array([1.0, 2.0, 3.0, 4.0])
    for _ in range(3):
        found = running(tf.constant(x))
        assert found.dtype is tf.float64
        assert found.numpy().tolist() == np.cumsum(x).tolist()


def test_gradients_flow_through_items():
    @tf.function
    def squares(x):
        a = np.zeros(2)
        a[0] = x * x
        a[1] = 3.0
        return tf.reduce_sum(tf.convert_to_tensor(a))

    x = tf.constant(3.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = squares(x)
    assert float(tape.gradient(y, x)) == 6.0


def test_what_python_does_once_happens_once():
    notes = []

    @tf.function
    def noted(n):
        notes.append("traced")
        a = np.zeros(2)
        a[0] = n
        return a

    noted(tf.constant(1.0))
    noted(tf.constant(2.0))
    assert notes == ["traced"]


CONSTANT = np.arange(3.0)


def test_an_array_from_outside_is_no_new_one():
    def same_memory(n):
        a = np.asarray(CONSTANT)
        a[0] = n
        return a

    def computed(n):
        a = CONSTANT * 2
        a[0] = n
        return a

    for program in (same_memory, computed):
        with pytest.raises(EffectError, match=r"test_made_arrays.py:\d+: an array that tracing"):
            tf.jit(program)(1.0)
    assert CONSTANT.tolist() == [0.0, 1.0, 2.0]


def row_sums(starts, values):
    """Sums that begin as Python's numbers, written to an array made before a long loop."""
    sums = np.zeros(len(starts) - 1)
    for i in range(len(starts) - 1):
        total = 0.0
        for k in range(starts[i], starts[i + 1]):
            total += values[k]
        sums[i] = total
    return sums


def test_numbers_of_two_kinds_are_written_to_a_made_array():
    starts = np.arange(0, 5_002, 2) // 3
    values = np.linspace(0, 1, int(starts[-1]))
    staged = tf.jit(row_sums, strict=True)
    for _ in range(5):
        np.testing.assert_array_equal(staged(starts, values), row_sums(starts, values))


def test_c_code_that_gets_a_staged_value_is_no_error_of_the_program():
    def written(values, k):
        sums = memoryview(bytearray(16)).cast("d")
        total = 0.0
        for j in range(k):
            total += values[j]
        sums[0] = total
        return sums[0]

    staged = tf.jit(written)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for _ in range(3):
            assert staged(np.arange(3.0), 2) == 1.0
