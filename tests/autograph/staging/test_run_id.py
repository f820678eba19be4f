"""Run ids: one for each outermost call of converted code, wherever it runs."""

from __future__ import annotations

import contextvars
import threading

import autograph
import runtime as tf
from autograph.staging import current_run, run_id
from autograph.staging.run_id import RUN


def run_of(x):
    return current_run()


def twice(x):
    return run_of(x), run_of(x)


def numbers(x):
    for _ in range(2):
        yield current_run()


def note_run(found):
    found.append(current_run())


def staged(function):
    """What a conversion gives where a graph is built."""
    with tf.Graph().as_default():
        return autograph.to_graph(function)(tf.placeholder(tf.float32))


def test_outside_of_converted_code_there_is_none():
    assert current_run() == 0
    with tf.Graph().as_default():
        assert current_run() == 0


def test_calls_inside_a_run_belong_to_it():
    first, second = staged(twice)
    assert first == second > 0


def test_each_outermost_call_is_a_run_that_ends():
    first, second = staged(run_of), staged(run_of)
    assert 0 < first < second
    assert current_run() == 0


def test_a_run_ends_with_an_exception():
    def fails(x):
        assert current_run()
        raise KeyError(x)

    try:
        staged(fails)
    except KeyError:
        assert RUN.get().number == 0
    else:
        raise AssertionError


def test_threads_have_runs_of_their_own():
    def other(x):
        thread = threading.Thread(target=note_run, args=(found,))
        thread.start()
        thread.join()
        return current_run()

    found: list[int] = []
    assert staged(other) > 0
    assert found == [0]


def test_generators_belong_to_who_resumes_them():
    def inside(x):
        return current_run(), list(numbers(x))

    run, found = staged(inside)
    assert found == [run, run]
    with tf.Graph().as_default():
        outside = autograph.to_graph(numbers)(tf.placeholder(tf.float32))
        first = next(outside)
        assert current_run() == 0
        assert first > 0


def test_a_context_that_outlives_its_run_is_in_none():
    def keep(x):
        kept.append(contextvars.copy_context())
        return kept[0].run(current_run)

    kept: list[contextvars.Context] = []
    assert staged(keep) > 0
    assert kept[0].run(current_run) == 0


def test_recording_in_a_run_looks_at_no_frames(monkeypatch):
    def count(n):
        while n < 10:
            n = n + 1
        return n

    def look():
        looks.append(None)
        return 0

    looks: list[None] = []
    monkeypatch.setattr(run_id, "_unannounced", look)
    staged(count)
    assert len(looks) <= 2  # for the placeholder, and at the start of the run
