"""Programs on XLA: control flow, lists, gradients, variables, exceptions, and what it refuses."""

from __future__ import annotations

import re
import threading

import numpy as np
import pytest

import runtime as tf
from runtime.engine.xla import jax_library
from runtime.types import flags
from tests.programs import programs
from tests.support import ways
from tests.support.extras import needs
from tests.support.nightly import NIGHTLY, selected
from tests.test_programs import PRINTED_ONCE

pytestmark = needs("xla")

XLA = ways.Way(ways.FUNCTION.prepare, lambda: flags.ENGINE("xla"))
PROGRAMS = selected(
    pytest.param(f, inputs[:2], id=f.__name__, marks=() if number % 16 == 3 else NIGHTLY)
    for number, (f, inputs) in enumerate(p for p in programs("tensors") if p[1])
)


@pytest.mark.parametrize("program, inputs", PROGRAMS)
def test_as_plain_python(program, inputs):
    expected = ways.outcomes(program, inputs, ways.FUNCTION)
    found = ways.outcomes(program, inputs, XLA)
    assert program in PRINTED_ONCE or list(map(named, found)) == list(map(named, expected))


HANDLES = re.compile(r"0x[0-9a-f]+|(?<=Tensor\(\")[^\"]*|(?<=tf\.Tensor \')[^\']*")
"""Addresses of objects, and names of tensors, which a trace prints: they differ between traces."""


def named(outcome):
    """An outcome without the handles in what it prints."""
    return outcome._replace(printed=HANDLES.sub("...", outcome.printed))


def on_xla(function):
    return tf.function(function, jit_compile="xla")


def engine_line(function):
    return next(line for line in function.explain().splitlines() if "engine:" in line).strip()


def collatz(n):
    steps = 0
    while n != 1:
        n = n // 2 if n % 2 == 0 else 3 * n + 1
        steps += 1
    return steps


def test_a_loop_runs_on_xla():
    traced = on_xla(collatz)
    assert [int(traced(tf.constant(n))) for n in (27, 97, 1)] == [111, 118, 0]
    assert engine_line(traced) == "engine: xla"


def test_a_loop_over_elements_is_called_slow():
    def smoothed(u):
        for i in tf.range(1, 7):
            for j in tf.range(1, 7):
                u = tf.tensor_scatter_nd_update(u, [[i, j]], [u[i - 1, j] + u[i, j + 1]])
        return u

    def summed(rows):
        total = tf.zeros([8])
        for row in rows:
            total += row
        return total

    square = tf.constant(np.arange(64, dtype=np.float32).reshape(8, 8))
    slow, fast = on_xla(smoothed), on_xla(summed)
    np.testing.assert_array_equal(slow(square), tf.function(smoothed)(square))
    fast(square)
    line = smoothed.__code__.co_firstlineno + 1
    assert f"test_programs.py:{line} takes single elements of arrays" in engine_line(slow)
    assert engine_line(fast) == "engine: xla"


def test_a_division_by_zero_raises_what_the_cpu_raises():
    traced = on_xla(lambda x, y: x // y)
    assert traced(tf.constant([7, -7]), tf.constant([2, 2])).numpy().tolist() == [3, -4]
    assert engine_line(traced) == "engine: xla"
    with pytest.raises(tf.errors.InvalidArgumentError, match="division by zero"):
        traced(tf.constant([7, -7]), tf.constant([2, 0]))
    assert "CPU" in engine_line(traced)


@pytest.mark.parametrize("index", [3, -4])
def test_an_index_out_of_range_raises(index):
    traced = on_xla(lambda x, k: x[k])
    assert traced(tf.constant([5, 6, 7]), tf.constant(-1)).numpy() == 7
    with pytest.raises((IndexError, tf.errors.InvalidArgumentError)):
        traced(tf.constant([5, 6, 7]), tf.constant(index))


def test_ints_of_python_that_leave_64_bits_do_not_wrap():
    traced = tf.jit(lambda n: n * n * n, strict=True, jit_compile="xla")
    assert traced(2_000_000) == 8 * 10**18
    with pytest.raises(OverflowError):
        traced(3_000_000)


def test_nan_is_no_int():
    traced = on_xla(lambda x: tf.cast(x, tf.int32))
    plain = tf.function(lambda x: tf.cast(x, tf.int32), jit_compile=False)
    x = tf.constant([1.7, -2.5, float("nan"), 1e20])
    assert traced(x).numpy().tolist() == plain(x).numpy().tolist()


def test_a_run_that_fails_changes_no_variable():
    counter = tf.Variable(1)

    @on_xla
    def divided(x):
        counter.assign_add(1)
        return 10 // x

    assert divided(tf.constant(5)).numpy() == 2
    assert counter.numpy() == 2
    with pytest.raises(tf.errors.InvalidArgumentError):
        divided(tf.constant(0))
    plain = tf.Variable(2)
    assert counter.numpy() == plain.numpy() + 1  # the CPU's engine did it once, as it always does


def test_threads_add_to_one_variable():
    counter = tf.Variable(0)
    traced = on_xla(lambda x: counter.assign_add(x))
    traced(tf.constant(0))

    def add():
        for _ in range(200):
            traced(tf.constant(1))

    threads = [threading.Thread(target=add) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert counter.numpy() == 800


def test_an_assertion_in_a_branch_that_is_not_taken_does_not_fail():
    @on_xla
    def root(x):
        if x > 0:
            assert x < 100, "large"
            return tf.sqrt(x)
        return -x

    assert root(tf.constant(4.0)).numpy() == 2
    assert root(tf.constant(-400.0)).numpy() == 400
    with pytest.raises(AssertionError, match="large"):
        root(tf.constant(400.0))


def rnn(weights, rows):
    with tf.GradientTape() as tape:
        state = tf.zeros([3], tf.float64)
        outputs = []
        for row in rows:
            state = tf.tanh(tf.linalg.matvec(weights, state) + row)
            outputs.append(state)
        loss = tf.reduce_sum(tf.stack(outputs) ** 2)
    return loss, tape.gradient(loss, weights)


@pytest.mark.parametrize("length", [1, 5, 40])
def test_gradients_of_loops_with_lists(length):
    rng = np.random.default_rng(0)
    weights = tf.Variable(rng.normal(size=(3, 3)))
    rows = tf.constant(rng.normal(size=(length, 3)))
    traced = on_xla(lambda rows: rnn(weights, rows))
    for found, expected in zip(traced(rows), rnn(weights, rows), strict=True):
        np.testing.assert_allclose(found.numpy(), expected.numpy(), rtol=1e-12)
    assert engine_line(traced) == "engine: xla"


@pytest.mark.parametrize("turns", [3, 100, 700])
def test_a_list_gets_more_room_when_it_needs_it(turns):
    @on_xla
    def halved(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = x
            while y > 1.0:
                y = tf.sin(y) * 0.0 + y - 1.0
        return tape.gradient(y, x)

    assert halved(tf.constant(float(turns))).numpy() == 1
    assert engine_line(halved) == "engine: xla"


def test_what_a_branch_assigns_is_assigned_on_its_path_alone():
    first, second = tf.Variable(1.0), tf.Variable(2.0)

    @on_xla
    def swap(x):
        if x > 0:
            before = first.read_value()
            first.assign(second)
            second.assign(before + x)
        return first + second

    assert swap(tf.constant(-1.0)).numpy() == 3
    assert swap(tf.constant(10.0)).numpy() == 13
    assert (first.numpy(), second.numpy()) == (2, 11)


def test_a_size_among_the_arguments_is_compiled_for_each_value():
    traced = on_xla(lambda n: tf.reduce_sum(tf.range(n) ** 2))
    assert [int(traced(tf.constant(n))) for n in (3, 5, 3)] == [5, 30, 5]
    assert engine_line(traced) == "engine: xla"


def test_what_xla_does_not_run_runs_on_the_cpu_with_the_reason():
    traced = on_xla(lambda x: tf.numpy_function(np.negative, [x], tf.float32) + x)
    assert traced(tf.constant(1.0)).numpy() == 0
    assert "py_func" in engine_line(traced)
    assert "test_programs.py" in engine_line(traced)


def test_other_words_are_no_engine():
    with pytest.raises(ValueError, match="True, False, None or 'xla', got 'gpu'"):
        tf.function(lambda x: x, jit_compile="gpu")


def test_without_jax_the_error_names_the_extra(monkeypatch):
    monkeypatch.setattr(
        "runtime.engine.xla.engine.missing", lambda: "XLA needs JAX, which the extra xla installs"
    )
    with pytest.raises(tf.errors.UnimplementedError, match="extra xla"):
        on_xla(lambda x: x + 1)(tf.constant(1))
    with flags.ENGINE("xla"):  # all graphs: not an error for each of them
        assert tf.function(lambda x: x + 1)(tf.constant(1)).numpy() == 2


def test_jax_is_there():
    assert jax_library.missing() == ""


def levels():
    """How many calls Python allows inside of one another, from here."""
    def deeper(level):
        try:
            return deeper(level + 1)
        except RecursionError:
            return level

    return deeper(0)


def test_lists_leave_pythons_recursion_limit_as_it_is():
    def grown_on_one_path(x):
        names = {"rows": [x]}
        if x > 0:
            names["rows"].append(x * 2)
        return tf.stack(names["rows"])

    before = levels()
    traced = on_xla(grown_on_one_path)
    for x in (1.0, -1.0):
        assert len(traced(tf.constant(x))) == 1 + (x > 0)
    assert levels() == before
