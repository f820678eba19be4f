"""Independent operations side by side: same results, same effects, same failures."""

import contextlib
import sys
import threading
from unittest import mock

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import runtime as tf
from autograph.staging.run_id import Run
from autograph.tracing import load_announced
from runtime import errors
from runtime.engine import blas_library, parallel, thread_pool
from runtime.ops.op import TABLE, define
from runtime.types import flags
from tests.support.nightly import examples


@contextlib.contextmanager
def always_parallel():
    """Within the block, every plan runs by a schedule in which every pure step is a long one."""
    constants = {"LONG_RUN": -1.0, "_LONG_STEP": -1.0, "_LEAST_GAIN": -9.0, "_TRIES": 10**9}
    with mock.patch.multiple(parallel, **constants), thread_pool.limited(3):
        with mock.patch.object(parallel, "_FOREVER", float("inf")):
            yield


@contextlib.contextmanager
def op(name, kernel):
    """An op for a test."""
    try:
        yield define(name, kernel=kernel, infer=lambda x: x, never_raises=False)
    finally:
        TABLE.pop(name, None)


@pytest.fixture(autouse=True)
def walked():
    with flags.WRITE_AFTER(0), flags.OPTIMIZE(False):
        yield


def runs(session, fetches, feeds=None, times=3):
    """Several runs: the first is walked or timed, the others go by the schedule."""
    return [session.run(fetches, feeds) for _ in range(times)]


def test_two_operations_run_at_once():
    barrier = threading.Barrier(2)

    def meet(x):
        if waiting:
            barrier.wait(20)
        return x + 1

    waiting = []
    with always_parallel(), op("test_meet", meet) as row, tf.Session(graph=tf.Graph()) as session:
        x = tf.placeholder(tf.float32, [])
        total = row(x) + row(x * 2.0)
        assert session.run(total, {x: 1.0}) == 5
        waiting.append(True)
        assert runs(session, total, {x: 1.0}) == [5, 5, 5]


def test_a_session_may_ask_for_one_thread():
    used = set()

    def note(x):
        used.add(threading.get_ident())
        return x + 1

    config = tf.ConfigProto(inter_op_parallelism_threads=1)
    with always_parallel(), op("test_note", note) as row:
        with tf.Session(graph=tf.Graph(), config=config) as session:
            x = tf.placeholder(tf.float32, [])
            runs(session, tf.add_n([row(x * float(k)) for k in range(9)]), {x: 1.0})
    assert used == {threading.get_ident()}


def test_effects_stay_in_order_and_failures_stop_them():
    ran = []

    def slow(x):
        threading.Event().wait(0.002)
        return x + 1

    with always_parallel(), op("test_slow", slow) as row, tf.Session(graph=tf.Graph()) as session:
        x = tf.placeholder(tf.int32, [])
        v = tf.Variable(0)
        session.run(v.initializer)
        load_announced()  # as the first conversion does: graphs ask the backend for runs
        with Run():
            first = row(x)
            seen = tf.print("first", v, output_stream=Sink(ran))
            v.assign_add(1)
            late = [row(x * k) for k in range(4)]
            quotient = 12 // x
            tf.print("second", v.read_value(), output_stream=Sink(ran))
            v.assign_add(10)
            result = tf.add_n([first, quotient, *late])
        assert seen is not None
        for number in range(1, 4):
            assert session.run(result, {x: 1}) == 2 + 12 + 10
            assert session.run(v) == 11 * number
        assert ran == [f"{w} {n}\n" for k in range(3) for w, n in (("first", 11 * k),
                                                                   ("second", 11 * k + 1))]
        del ran[:]
        for number in range(1, 4):
            with pytest.raises(errors.InvalidArgumentError, match="in operation 'FloorDiv'"):
                session.run(result, {x: 0})
            assert session.run(v) == 33 + number
        assert ran == ["first 33\n", "first 34\n", "first 35\n"]


class Sink:
    def __init__(self, lines):
        self.write = lines.append

    def flush(self):
        pass

    def __deepcopy__(self, memo):
        return self


def test_the_first_failure_of_the_program_is_raised():
    def fail(x):
        threading.Event().wait(0.01 if x == 1 else 0)
        raise ValueError(f"number {int(x)}")

    with always_parallel(), tf.Session(graph=tf.Graph()) as session:
        x = tf.placeholder(tf.int32, [])
        with op("test_fail", fail) as row:
            both = row(x * 1) + row(x * 2)
            for _ in range(4):
                with pytest.raises(errors.InvalidArgumentError, match="number 1 "):
                    session.run(both, {x: 1})
        assert session.run(x + 1, {x: 1}) == 2


def test_schedules_are_made_for_long_runs_of_like_sizes_only():
    steps = [mock.Mock(sources=(0,), targets=(n + 1,), dead=()) for n in range(4)]
    for step in steps:
        step.operation.stateful = False
        step._replace = lambda step=step, **_: step
    with thread_pool.limited(2):
        schedule = parallel.Schedule(steps, [0.01] * 4, 0.04, 1000)
        assert schedule.gain == pytest.approx(0.5) and schedule.worthwhile()
        assert schedule.fits([np.zeros(100)]) and not schedule.fits([np.zeros(10)])
        assert not parallel.Schedule(steps[:1], [0.01], 0.01, 0).worthwhile()
        schedule._tries, schedule._best = 3, 0.05
        assert not schedule.worthwhile()
        pace = parallel.AdaptiveScheduler()
        for _ in range(5):
            pace.run(steps, lambda env, steps: None, [], [])
        assert pace.schedule is None and not pace.timed


def test_chains_gain_nothing():
    steps = [mock.Mock(sources=(n,), targets=(n + 1,), dead=()) for n in range(4)]
    for step in steps:
        step.operation.stateful = False
        step._replace = lambda step=step, **_: step
    with thread_pool.limited(4):
        assert parallel.Schedule(steps, [0.01] * 4, 0.04, 0).gain == pytest.approx(0)


def test_how_many_threads():
    threads = tf.config.threading
    assert threads.get_inter_op_parallelism_threads() == 0 and thread_pool.cores() >= 1
    try:
        threads.set_inter_op_parallelism_threads(3)
        assert threads.get_inter_op_parallelism_threads() == thread_pool.inter_op_threads() == 3
        with thread_pool.limited(2):
            assert thread_pool.inter_op_threads() == 2
        with thread_pool.limited(0):
            assert thread_pool.inter_op_threads() == thread_pool.cores()
        for wrong, error in ((-1, ValueError), (1.5, TypeError)):
            with pytest.raises(error):
                threads.set_inter_op_parallelism_threads(wrong)
    finally:
        threads.set_inter_op_parallelism_threads(0)


def test_threads_of_one_matrix_product():
    library = blas_library.blas_library()
    if library is None:
        pytest.skip("NumPy has another BLAS")
    used, threads = library.scipy_openblas_get_num_threads64_, tf.config.threading
    before = used()
    threads.set_intra_op_parallelism_threads(1)
    assert threads.get_intra_op_parallelism_threads() == 1 and used() == 1
    threads.set_intra_op_parallelism_threads(3)
    assert used() == 3
    threads.set_intra_op_parallelism_threads(0)
    assert threads.get_intra_op_parallelism_threads() == 0 and used() == thread_pool.cores()
    blas_library.set_blas_threads(before)


def test_threads_of_another_library():
    threads, control = tf.config.threading, mock.Mock()
    with mock.patch.object(blas_library, "blas_library", lambda: None):
        with mock.patch.dict(sys.modules, threadpoolctl=control):
            threads.set_intra_op_parallelism_threads(2)
            control.threadpool_limits.assert_called_once_with(2, "blas")
        with mock.patch.dict(sys.modules, threadpoolctl=None):
            threads.set_intra_op_parallelism_threads(3)
            assert threads.get_intra_op_parallelism_threads() == 3
            with pytest.raises(ValueError, match="0 or more"):
                threads.set_intra_op_parallelism_threads(-1)
            threads.set_intra_op_parallelism_threads(0)


@settings(max_examples=examples(40, kept=20), deadline=None)
@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 99), st.integers(0, 99)), max_size=25))
def test_random_graphs(choices):
    functions = [tf.add, tf.multiply, tf.maximum, lambda a, b: tf.unstack(tf.stack([a, b]))[1]]
    with always_parallel(), tf.Session(graph=tf.Graph()) as session:
        x = tf.placeholder(tf.int32, [3])
        known = [x, x * 2]
        for which, a, b in choices:
            known.append(functions[which](known[a % len(known)], known[b % len(known)]) % 1000)
        feeds = {x: [1, -2, 3]}
        first, *others = runs(session, known, feeds, 4)
        for values in others:
            for a, b in zip(first, values, strict=True):
                np.testing.assert_array_equal(a, b)
