"""Compilation beside the program: runs go on as before until the machine code is there."""

from __future__ import annotations

import os
import threading

import numpy as np
import pytest

import runtime as tf
from runtime.engine import python_engine
from runtime.engine.llvm import beside
from runtime.engine.llvm.engine import Promotion
from runtime.types import flags
from tests.support import extras

pytestmark = extras.needs("jit")


@pytest.fixture
def compiler(monkeypatch):
    """Every graph and loop is hot, and the compiler of another core waits for ``compiler.set()``.
    """
    may_compile = threading.Event()
    promoted = Promotion._compile

    def compile_then(self, *args):
        on_main = threading.current_thread() is threading.main_thread()
        assert on_main is not beside.Beside.is_possible() and may_compile.wait(60)
        return promoted(self, *args)

    monkeypatch.setattr(Promotion, "COMPILE_SECONDS", 0.0)
    monkeypatch.setattr(Promotion, "_compile", compile_then)
    monkeypatch.setattr(beside, "cores", lambda: 2)
    flags.JIT_BESIDE.set(True)
    yield may_compile
    may_compile.set()
    flags.JIT_BESIDE.set(False)


def wait_until_compiled():
    """Wait until the compiler's thread has nothing to do."""
    beside.pool(1, "runtime-compiler").submit(int).result(60)


def test_a_graph_runs_as_before_until_its_code_is_there(compiler):
    traced = tf.function(lambda x: tf.reduce_sum(tf.exp(x) + 1.0))
    x = tf.zeros(100)
    for _ in range(5):
        assert traced(x).numpy() == 200
    assert "while it becomes machine code on another core" in traced.explain()
    compiler.set()
    wait_until_compiled()
    assert traced(x).numpy() == 200
    assert "engine: llvm: machine code" in traced.explain()


def test_a_loop_goes_on_as_machine_code(compiler, monkeypatch):
    monkeypatch.setattr(python_engine, "LOOK", 0.0)
    seen = []

    @tf.function
    def drifted(x, n):
        for i in tf.range(n):
            tf.py_function(watch, [i], [])
            x = tf.sin(x) * 0.5 + tf.cast(i, tf.float32)
        return x

    def watch(i):
        seen.append(int(i))
        if i == 150:
            compiler.set()
            wait_until_compiled()

    monkeypatch.setattr("runtime.engine.llvm.native.why_it_does_not_pay", lambda *_: "")
    x = np.linspace(0, 1, 4, dtype=np.float32)
    result, expected = drifted(x, 400).numpy(), x
    for i in range(400):
        expected = np.sin(expected) * np.float32(0.5) + np.float32(i)
    assert np.allclose(result, expected) and seen == list(range(400))


def test_what_does_not_pay_stays(compiler):
    @tf.function
    def exponential_often(x, n):
        for _ in tf.range(n):
            x = tf.tanh(tf.linalg.expm(x))
        return x

    x = tf.eye(3)
    first = exponential_often(x, tf.constant(300)).numpy()
    compiler.set()
    wait_until_compiled()
    for _ in range(2):
        assert np.array_equal(exponential_often(x, tf.constant(300)).numpy(), first)
    assert "not llvm: its loops call kernels of NumPy or Python" in exponential_often.explain()


def test_one_core_compiles_at_once(compiler, monkeypatch):
    monkeypatch.undo()
    monkeypatch.setattr(Promotion, "COMPILE_SECONDS", 0.0)
    monkeypatch.setattr(beside, "cores", lambda: 1)
    traced = tf.function(lambda x: tf.reduce_sum(tf.exp(x) + 1.0))
    for _ in range(2):
        assert traced(tf.zeros(100)).numpy() == 200
    assert "engine: llvm: machine code" in traced.explain()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="processes are forked on Unix alone")
def test_a_forked_process_compiles_anew(compiler):
    traced = tf.function(lambda x: tf.reduce_sum(tf.exp(x) + 1.0))
    x = tf.zeros(100)
    for _ in range(3):
        traced(x)
    child = os.fork()
    if child == 0:
        try:
            flags.JIT_BESIDE.set(False)
            compiler.set()
            good = [float(traced(x)) for _ in range(3)] == [200] * 3
        finally:
            os._exit(0 if good else 1)
    assert os.waitpid(child, 0)[1] == 0
