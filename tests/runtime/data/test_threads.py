"""Work in the background: what runs at once, in which order it comes out, and that it ends."""

import gc
import itertools
import signal
import subprocess
import sys
import threading
import time

import pytest

import runtime as tf
from tests.support.processes import child
from tests.support.ways import elements

D = tf.data.Dataset


def wait_until(holds):
    """Gives threads up to ten seconds."""
    for _ in range(1000):
        if holds():
            return True
        time.sleep(0.01)
    return False


def numbers(function):
    """A dataset without end of the numbers for which a Python function was called."""

    def generate():
        for number in itertools.count():
            function(number)
            yield number

    return D.from_generator(generate, output_signature=tf.TensorSpec((), tf.int64))


class Stream:
    """A file for prints: what a function does in the middle of a graph."""

    def __init__(self, write):
        self.write = write

    def flush(self):
        pass


BEFORE: set[threading.Thread] = set()
"""Threads of datasets that other tests of the process left."""


def others():
    return [
        t for t in threading.enumerate()
        if t.name.startswith(("prefetch", "map")) and t not in BEFORE
    ]  # fmt: skip


@pytest.fixture(autouse=True)
def no_thread_is_left():
    BEFORE.clear()
    BEFORE.update(others())
    yield
    gc.collect()
    assert wait_until(lambda: not others()), others()


def test_prefetch_works_ahead():
    made = []
    iterator = iter(numbers(made.append).prefetch(3))
    assert next(iterator) == 0
    assert wait_until(lambda: len(made) >= 4)
    assert made[:4] == [0, 1, 2, 3]


def test_prefetch_stops_at_its_limit():
    made = []
    iterator = iter(numbers(made.append).prefetch(2))
    next(iterator)
    assert wait_until(lambda: len(made) >= 3)
    time.sleep(0.05)
    assert len(made) <= 4  # one in hand, two kept, one waiting for room


def test_threads_end_with_the_iterator():
    iterator = iter(numbers(lambda n: None).prefetch(3).map(lambda x: x + 1, 2).prefetch(2))
    next(iterator)
    assert others()
    del iterator
    gc.collect()
    assert wait_until(lambda: not others())


def test_threads_end_when_a_loop_is_left():
    for x in numbers(lambda n: None).prefetch(3):
        if x == 5:
            break
    assert wait_until(lambda: not others())


def test_threads_end_at_the_end():
    iterator = iter(D.range(3).map(lambda x: x, 2).prefetch(1))
    assert len(list(iterator)) == 3
    assert wait_until(lambda: not others())
    assert next(iterator, "end") == "end"


def test_functions_run_at_the_same_time():
    """Three calls that wait for each other: they would never end one after the other."""
    meeting = threading.Barrier(3, timeout=20)

    def meet(x):
        tf.print(x, output_stream=Stream(lambda text: meeting.wait()))
        return x

    data = D.range(6).map(meet, num_parallel_calls=3)
    assert elements(data) == [0, 1, 2, 3, 4, 5]


def test_datasets_are_gone_through_at_the_same_time():
    meeting = threading.Barrier(2, timeout=20)

    def generate(n):
        meeting.wait()
        yield n

    def made(n):
        return D.from_generator(generate, tf.int64, (), args=(n,))

    data = D.range(2).interleave(made, cycle_length=2, num_parallel_calls=2)
    assert elements(data) == [0, 1]


def slower_first(x):
    tf.print(x, output_stream=Stream(lambda text: time.sleep(0.1 if text == "0\n" else 0)))
    return x


def test_order_is_kept_unless_it_need_not_be():
    assert elements(D.range(6).map(slower_first, 3)) == [0, 1, 2, 3, 4, 5]
    loose = elements(D.range(6).map(slower_first, 3, deterministic=False))
    assert sorted(loose) == [0, 1, 2, 3, 4, 5]


@pytest.mark.parametrize("data", [
    D.range(5).map(lambda x: tf.gather([10, 11, 12], x), num_parallel_calls=2),
    D.range(5).map(lambda x: tf.gather([10, 11, 12], x)).prefetch(4),
    D.range(5).map(lambda x: tf.gather([10, 11, 12], x)),
], ids=["parallel", "prefetched", "plain"])  # fmt: skip
def test_errors_keep_their_place(data):
    iterator = iter(data)
    assert [int(next(iterator)) for _ in range(3)] == [10, 11, 12]
    for _ in range(2):
        with pytest.raises(tf.errors.InvalidArgumentError, match="test_threads.py"):
            next(iterator)
    with pytest.raises(StopIteration):
        next(iterator)


@pytest.mark.parametrize("cycle", [1, 2, 4])
def test_errors_keep_their_turn_in_interleave(cycle):
    numbers = D.from_tensor_slices([1, 0, 2, 0, 4]).map(lambda x: 8 // x)
    iterator = iter(numbers.interleave(D.from_tensors, cycle, 1, num_parallel_calls=2))
    for expected in (8, None, 4, None, 2):
        if expected is None:
            with pytest.raises(tf.errors.InvalidArgumentError):
                next(iterator)
        else:
            assert next(iterator) == expected
    assert next(iterator, None) is None


def test_many_threads_share_an_iterator():
    iterator = iter(D.range(2000).map(lambda x: x * 2))
    found = []

    def take():
        found.extend([int(x) for x in iterator])

    workers = [threading.Thread(target=take) for _ in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert sorted(found) == list(range(0, 4000, 2))


def test_iteration_is_lazy():
    made = []
    data = numbers(made.append).map(lambda x: x + 1).filter(lambda x: x % 2 == 0).batch(2)
    assert made == []
    iterator = iter(data)
    next(iterator)
    assert made == [0, 1, 2, 3]


def test_generators_are_closed_with_the_iterator():
    closed = []

    def generate():
        try:
            yield from range(10)
        finally:
            closed.append(True)

    data = D.from_generator(generate, output_signature=tf.TensorSpec((), tf.int32))
    iterator = iter(data.map(lambda x: x))
    next(iterator)
    del iterator
    gc.collect()
    assert closed == [True]


INTERRUPTED = """
import itertools, time
import runtime as tf

def slow():
    for n in itertools.count():
        time.sleep(0.01)
        yield n

data = tf.data.Dataset.from_generator(slow, output_signature=tf.TensorSpec((), tf.int32))
try:
    for x in data.map(lambda x: x + 1, 2).prefetch(2):
        if x == 1:
            print("ready", flush=True)
except KeyboardInterrupt:
    print("interrupted", flush=True)
"""


def test_an_interrupt_ends_a_loop():
    with child(
        [sys.executable, "-c", INTERRUPTED], stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout.readline() == "ready\n"
        process.send_signal(signal.SIGINT)
        assert process.stdout.readline() == "interrupted\n"
        assert process.wait(20) == 0
