"""Loops over ``range`` count: no range is made, and items, dtypes and errors are the range's."""

import tracemalloc

import numpy as np
import pytest

import autograph
import runtime as tf
from tests.support.ways import described, staged

MANY = 10**8


def collected(*ends, dtype=None):
    found = []
    for i in tf.range(*ends, dtype=dtype):
        found.append(i)
    return found


def summed(*ends):
    total = tf.constant(0.0, tf.float64)
    last = tf.constant(-1.0, tf.float64)
    for k, i in enumerate(tf.range(*ends)):
        total += tf.cast(i, tf.float64) * k
        last = tf.cast(i, tf.float64)
    return total, last


ENDS = [
    (np.int32(5),), (np.int32(0),), (np.int32(-3),), (np.int64(2), np.int64(9)),
    (np.int32(2), np.int32(9), np.int32(3)), (np.int32(9), np.int32(-2), np.int32(-4)),
    (np.float32(4.5),), (np.float32(0), np.float32(1), np.float32(0.1)),
    (np.float64(0), np.float64(1), np.float64(0.1)),
    (np.float32(3), np.float32(-1), np.float32(-0.3)),
    (np.float64(0.1), np.float64(0.7), np.float64(0.2)), (np.int64(2**40), np.int64(2**40 + 3)),
    (np.int32(2**31 - 3), np.int32(2**31 - 1)), (np.uint8(3), np.uint8(255), np.uint8(60)),
]  # fmt: skip


@pytest.mark.parametrize("ends", ENDS, ids=repr)
def test_items_are_those_of_the_range(ends):
    whole = np.asarray(tf.range(*map(tf.constant, ends)))
    traced = tf.function(collected)
    concrete = traced.get_concrete_function(*[tf.TensorSpec([], e.dtype) for e in ends])
    for _ in range(3):
        for found in (traced(*map(tf.constant, ends)), concrete(*map(tf.constant, ends))):
            assert [t.dtype.as_numpy_dtype for t in found] == [whole.dtype.type] * len(whole)
            assert np.array_equal([t.numpy() for t in found], whole)  # to the last bit
    assert described(staged(summed, ends)) == described(summed(*map(tf.constant, ends)))


def test_dtypes_that_are_asked_for():
    for dtype in (tf.int32, tf.int64, tf.float32, tf.float64):
        traced = tf.function(lambda n, dtype=dtype: collected(n, dtype=dtype))
        for n in (3, 0, 4):
            found = traced(tf.constant(n))
            assert [(t.dtype, t.numpy()) for t in found] == [(dtype, k) for k in range(n)]


def first_over(n, limit):
    found = tf.constant(-1)
    for i in tf.range(n):
        if i * i > limit:
            found = i
            break
    return found


def enumerated(n, limit):
    found = -1, -1
    for k, i in enumerate(tf.range(n)):
        if i > limit:
            found = k, i
            break
    return found[0] + found[1]


def backwards(n, limit):
    found = -1
    for i in reversed(range(n)):
        if i < n - limit:
            found = i
            break
    return found


def reversed_twice(n, limit):
    found = -1
    for a, b in zip(range(n, 0, -2), tf.range(n)):
        if b > limit:
            found = a - b
            break
    return found


@pytest.mark.parametrize("program", [first_over, enumerated, backwards, reversed_twice])
def test_a_loop_that_is_left_early_takes_no_memory(program):
    traced = tf.function(program)
    small = [int(traced(tf.constant(n), tf.constant(7))) for n in (20, 3, 30)]
    assert small == [int(program(tf.constant(n), tf.constant(7))) for n in (20, 3, 30)]
    tracemalloc.start()
    try:
        assert int(traced(tf.constant(MANY), tf.constant(9))) != -1
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert most < 10**8  # a list would take eight times as much; other threads take little


def test_a_step_of_zero_is_the_error_of_range():
    traced = tf.function(collected)
    zero, n = tf.constant(0), tf.constant(5)
    for _ in range(3):
        with pytest.raises(tf.errors.InvalidArgumentError, match="delta must not be 0"):
            traced(zero, n, zero)
        assert len(traced(zero, n, n - 4)) == 5


def test_ends_that_are_no_scalars_are_refused():
    with pytest.raises(ValueError, match="must be a scalar"):
        tf.function(collected)(tf.constant([1, 2]))


def test_the_variable_stays_bound():
    def last(n):
        i = tf.constant(-1)
        for i in tf.range(n):
            pass
        return i

    def unbound(n):
        for i in tf.range(n):
            pass
        return i

    traced, may_fail = tf.function(last), tf.function(unbound)
    assert [traced(tf.constant(n)).numpy() for n in (5, 0, 1)] == [4, -1, 0]
    for n in (3, 0, 2):
        if n:
            assert may_fail(tf.constant(n)).numpy() == n - 1
        else:
            with pytest.raises(UnboundLocalError):
                may_fail(tf.constant(n))


def test_a_range_kept_in_a_variable_is_gone_through_twice():
    def twice(n):
        numbers, total = tf.range(1, n), 0
        for i in numbers:
            for k in numbers:
                total += i * k
            numbers = numbers[:0] if i > 2 else numbers
        return total, numbers

    traced = tf.function(twice)
    for n in (5, 0, 3):
        expected, found = twice(tf.constant(n)), traced(tf.constant(n))
        assert described(found) == described(expected)


def power(x, n):
    result = tf.ones_like(x)
    for i in tf.range(1, n):
        for _ in range(i, n, 2):
            result = result * x + tf.cast(i, tf.float32)
    return result


def over_floats(x, n):
    total = tf.zeros_like(x)
    for t in tf.range(x, x + tf.cast(n, tf.float32), 0.5):
        total += t * x
    return total


@pytest.mark.parametrize("program", [power, over_floats])
def test_gradients(program):
    traced = tf.function(program)
    for n in (4, 1, 3):
        x, found = tf.constant(1.5), []
        for run in (program, autograph.to_graph(program), traced, traced):
            with tf.GradientTape() as outer, tf.GradientTape() as tape:
                outer.watch(x)
                tape.watch(x)
                y = run(x, tf.constant(n))
                slope = tape.gradient(y, x)
            second = outer.gradient(slope, x) if isinstance(slope, tf.Tensor) else None
            found.append([0.0 if t is None else float(t) for t in (y, slope, second)])
        assert all(np.allclose(one, found[0]) for one in found), found


def test_in_a_session_and_in_a_loop_of_its_own_graph():
    with tf.Graph().as_default() as graph:
        n = tf.placeholder(tf.int32, [])
        numbers = tf.range(n)
        total = autograph.to_graph(lambda: first_over(n, 30) + tf.reduce_sum(numbers))()
    with tf.Session(graph=graph) as session:
        assert [session.run(total, {n: k}) for k in (8, 3, 10)] == [28 + 6, 3 - 1, 45 + 6]
