"""When graphs become machine code without being asked: once that pays."""

from __future__ import annotations

import math

import numpy as np
import pytest

import runtime as tf
from runtime.engine.llvm.engine import Promotion
from runtime.types import flags
from tests.runtime.engine.llvm.native_programs import lowered_modules
from tests.support import extras

pytestmark = extras.needs("jit")


@pytest.fixture(autouse=True)
def at_once(monkeypatch):
    """Every graph and loop is hot, and no kernel takes long."""
    from runtime.engine.llvm import native

    monkeypatch.setattr(Promotion, "COMPILE_SECONDS", 0.0)
    monkeypatch.setattr(native, "LONG_CALL", math.inf)



def square_sum(n):
    total = i = n - n
    while i < n:
        total += i * i
        i += 1
    return total


def test_a_loop_on_numbers_goes_on_as_machine_code():
    traced = tf.function(square_sum)
    n = 1000
    assert [int(traced(tf.constant(n))) for _ in range(3)] == [sum(i * i for i in range(n))] * 3
    assert "engine: llvm: machine code" in traced.explain()


def test_a_loop_that_calls_kernels_stays():
    @tf.function
    def exponential_often(x, n):
        for _ in tf.range(n):
            x = tf.tanh(tf.linalg.expm(x))
        return x

    x = tf.constant(np.eye(3, dtype=np.float32))
    for _ in range(3):
        exponential_often(x, tf.constant(300))
    text = exponential_often.explain()
    assert "engine: python_codegen" in text
    assert "not llvm: its loops call kernels of NumPy or Python (expm in line" in text


def test_a_graph_whose_kernels_take_the_time_stays():
    traced = tf.function(lambda x: tf.linalg.expm(x) + 1.0)
    for _ in range(3):
        traced(tf.eye(3))
    assert "not llvm: it calls kernels of NumPy or Python (expm in line" in traced.explain()


def test_a_graph_whose_kernels_take_long_is_promoted(monkeypatch):
    from runtime.engine.llvm import native

    monkeypatch.setattr(native, "LONG_CALL", 1.0)
    with lowered_modules() as modules:
        tf.function(lambda x: tf.linalg.expm(x) + 1.0, jit_compile=True)(tf.eye(3))
    (module,) = modules
    assert "it calls kernels of NumPy or Python (expm in line" in native.why_it_does_not_pay(module)
    assert native.why_it_does_not_pay(module, 0.5)
    assert not native.why_it_does_not_pay(module, 2.0)


def test_a_graph_of_fused_operations_is_promoted():
    traced = tf.function(lambda x: tf.reduce_sum(tf.exp(x) + 1.0))
    for _ in range(3):
        traced(tf.constant([1.0, 2.0]))
    assert "engine: llvm: machine code" in traced.explain()


def test_recursion_is_promoted():
    @tf.jit
    def fib(n):
        return n if n < 2 else fib(n - 1) + fib(n - 2)

    assert [fib(12) for _ in range(3)] == [144] * 3
    assert "engine: llvm" in fib.explain()


def test_recursion_is_promoted_while_it_runs(monkeypatch):
    monkeypatch.setattr(Promotion, "COMPILE_SECONDS", 1e9)
    plans, plan = [], Promotion.plan
    monkeypatch.setattr(
        Promotion, "plan", lambda self, *args: plans.append(plan(self, *args)) or plans[-1]
    )

    @tf.jit
    def fib(n):
        return n if n < 2 else fib(n - 1) + fib(n - 2)

    assert fib(20) == 6765
    assert plans and not any(isinstance(found, str) for found in plans)
    assert [fib(n) for n in range(12)] == [0, 1, 1, 2, 3, 5, 8, 13, 21, 34, 55, 89]


@pytest.mark.parametrize("choice", ["never", "auto", "always"])
def test_the_flag(choice):
    with flags.JIT(choice):
        traced = tf.function(square_sum)
        assert [int(traced(tf.constant(500))) for _ in range(3)] == [41541750] * 3
        text = traced.explain()
    assert ("engine: llvm" in text) is (choice != "never")
    if choice == "never":
        assert "RUNTIME_JIT=never forbids it" in text


def test_a_wrong_flag_is_refused(monkeypatch):
    monkeypatch.setenv("RUNTIME_TEST", "perhaps")
    with pytest.raises(ValueError, match="expected auto, always or never"):
        flags.EngineFlag("RUNTIME_TEST", "auto", "a test", flags._choice)


def test_a_fault_of_the_compiler_leaves_the_program_as_it_was(monkeypatch):
    def broken(*_):
        raise LookupError("no such opcode")

    monkeypatch.setattr("runtime.engine.llvm.native.generate", broken)
    traced = tf.function(square_sum)
    assert [int(traced(tf.constant(300))) for _ in range(3)] == [8955050] * 3
    assert "not llvm: fault of the compiler: LookupError: no such opcode" in traced.explain()


def test_a_long_graph_is_not_compiled_unasked(monkeypatch):
    monkeypatch.setattr("runtime.engine.llvm.native.MOST_PROMOTED", 5)
    traced = tf.function(square_sum)
    assert [int(traced(tf.constant(300))) for _ in range(3)] == [8955050] * 3
    assert "which take too long to compile unasked" in traced.explain()


@pytest.fixture
def compiled(monkeypatch):
    """What is compiled, in order: plans and loops."""
    kinds = []
    for kind in ("plan", "loop"):
        original = getattr(Promotion, kind)
        monkeypatch.setattr(
            Promotion, kind,
            lambda self, *args, kind=kind, original=original:
                kinds.append(kind) or original(self, *args),
        )  # fmt: skip
    return kinds


def triangle(n):
    total = n - n
    for i in tf.range(n):
        for k in tf.range(i):
            total += k % 7
    return total


def test_a_run_without_effects_begins_again_as_machine_code(compiled, monkeypatch):
    monkeypatch.setattr("runtime.engine.python_executable.LONGEST_REPEATED", math.inf)  # busy cores
    traced = tf.function(triangle)
    assert int(traced(tf.constant(60))) == sum(k % 7 for i in range(60) for k in range(i))
    assert compiled == ["plan"]
    assert "engine: llvm: machine code" in traced.explain()


def test_a_run_with_effects_is_never_begun_again(compiled):
    count = tf.Variable(0)

    @tf.function
    def counting(n):
        count.assign_add(1)
        return triangle(n)

    assert int(counting(tf.constant(60))) == sum(k % 7 for i in range(60) for k in range(i))
    assert count.numpy() == 1
    assert compiled[0] == "loop"


def test_a_run_that_took_long_goes_on(compiled, monkeypatch):
    monkeypatch.setattr("runtime.engine.python_executable.LONGEST_REPEATED", 0.0)
    traced = tf.function(triangle)
    assert int(traced(tf.constant(60))) == sum(k % 7 for i in range(60) for k in range(i))
    assert compiled[0] == "loop"


def test_a_handler_for_everything_does_not_see_that_a_run_begins_again():
    @tf.jit
    def guarded(n, by):
        total = 0
        try:
            for i in range(n):
                for k in range(i):
                    total += k % by
        except:  # noqa: E722
            return -1
        return total

    assert guarded(60, 7) == sum(k % 7 for i in range(60) for k in range(i))
    assert guarded(60, 0) == -1


def largest_value(a):
    return np.linalg.svd(a, compute_uv=False)[0]


def rows_by_largest_value(a, n):
    total = 0.0
    for k in range(n):
        top = largest_value(a + k)
        for i in range(len(a)):
            for j in range(len(a)):
                total += a[i, j] * top + i - j
    return total


def largest_values(a, n):
    total = 0.0
    for k in range(n):
        total += largest_value(a + k)
    return total


@pytest.mark.parametrize(("function", "pays"), [(rows_by_largest_value, True),
                                                (largest_values, False)])  # fmt: skip
def test_kernels_called_around_a_native_loop_do_no_harm(function, pays):
    a = np.arange(900.0).reshape(30, 30) % 7
    from runtime.engine.llvm.native import why_it_does_not_pay

    with lowered_modules() as modules:
        native = tf.jit(function, jit_compile=True)
        np.testing.assert_allclose(native(a, 3), function(a, 3), rtol=1e-12)
    assert modules
    assert all((why_it_does_not_pay(module) == "") is pays for module in modules)
