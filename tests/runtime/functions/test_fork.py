"""Processes forked after parallel runs, or while another thread traces, run functions."""

import builtins
import importlib
import os
import signal
import sys
import threading

import numpy as np
import pytest

import runtime as tf

pytestmark = [
    pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork here"),
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
]


def in_child(call):
    """Whether a forked process ends a call in time, and without an error."""
    process = os.fork()
    if process == 0:
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        signal.alarm(20)
        status = 1
        try:
            call()
            status = 0
        finally:
            os._exit(status)
    return os.waitpid(process, 0)[1] == 0


def test_a_forked_process_runs_operations_in_parallel():
    @tf.function
    def products(a, b):
        return tf.matmul(a, b) + tf.matmul(b, a) + tf.matmul(a, a)

    a = tf.constant(np.ones((500, 500), np.float32))
    for _ in range(4):
        expected = products(a, a)
    assert in_child(lambda: np.testing.assert_array_equal(products(a, a), expected))


def test_a_forked_process_traces_what_another_thread_was_tracing():
    started, go = threading.Event(), threading.Event()

    @tf.function
    def slow(x):
        if not started.is_set():
            started.set()
            go.wait(30)
        return x + 1

    thread = threading.Thread(target=slow, args=(tf.constant(1),))
    thread.start()
    started.wait(30)
    try:
        assert in_child(lambda: np.testing.assert_equal(slow(tf.constant(1)).numpy(), 2))
    finally:
        go.set()
        thread.join()
    assert slow(tf.constant(2)).numpy() == 3


def busy(number):
    def collatz(n):
        steps = number
        while n > 1:
            n = n // 2 if n % 2 == 0 else 3 * n + 1
            steps += 1
        return steps

    # a code object of its own, so that it is converted anew
    collatz.__code__ = collatz.__code__.replace()
    return collatz


@pytest.mark.parametrize("children", [3, pytest.param(60, marks=pytest.mark.nightly)])
def test_forked_processes_run_while_other_threads_convert_and_trace(children):
    stop = threading.Event()
    variable = tf.Variable(0)

    def work(first):
        number = first
        while not stop.is_set():
            number += 1
            assert tf.function(busy(number))(tf.constant(6)).numpy() == 8 + number
            variable.assign_add(1)
            tf.random.uniform([2])

    def call():
        assert tf.function(busy(7))(tf.constant(6)).numpy() == 15
        assert tf.jit(busy(8))(6) == 16
        variable.assign(3)
        assert variable.numpy() == 3
        with tf.Graph().as_default(), tf.Session() as session:
            assert session.run(tf.random.uniform([2]) < 1.0).all()

    call()
    threads = [threading.Thread(target=work, args=(k * 10**6,)) for k in range(3)]
    for thread in threads:
        thread.start()
    try:
        assert all([in_child(call) for _ in range(children)])
    finally:
        stop.set()
        for thread in threads:
            thread.join()


def test_a_forked_process_imports_what_another_thread_was_importing(tmp_path, monkeypatch):
    text = "import builtins as b\nb.import_began.set()\nb.import_ends.wait(30)\nvalue = 3\n"
    (tmp_path / "slowly_imported.py").write_text(text, encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    began, ends = threading.Event(), threading.Event()
    monkeypatch.setattr(builtins, "import_began", began, raising=False)
    monkeypatch.setattr(builtins, "import_ends", ends, raising=False)
    thread = threading.Thread(target=importlib.import_module, args=("slowly_imported",))
    thread.start()
    assert began.wait(30)

    def imported():
        ends.set()
        assert importlib.import_module("slowly_imported").value == 3

    try:
        assert in_child(imported)
    finally:
        ends.set()
        thread.join()
        del sys.modules["slowly_imported"]
