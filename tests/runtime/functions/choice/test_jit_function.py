"""Functions of ``runtime.jit`` give what plain Python gives, however their calls run."""

from __future__ import annotations

import contextlib
import io
import itertools
import os
import pickle
import queue
import traceback
import warnings

import numpy as np
import pytest

import runtime as tf
from autograph.errors import AutoGraphError
from runtime.errors import JitWarning
from runtime.functions.choice import jit_warning, trace_budget
from runtime.types.flags import JIT, JIT_STRICT
from tests.support.extras import needs

CALLS = 12


def total(n):
    result = 0
    for i in range(n):
        result += i * i
    return result


def power(base, n):
    result = 1
    for _ in range(n):
        result *= base
    return result


def words(text):
    counts = {}
    for word in text.split():
        counts[word] = counts.get(word, 0) + 1
    return counts


def titles(text):
    length = 0
    for _ in range(len(text)):
        length += len(text.title().swapcase())
    return length


def fib(n):
    return n if n < 2 else fib(n - 1) + fib(n - 2)


def push(values, n):
    values.append(n)
    if n > 2:
        raise ValueError(n)
    return len(values)


def every_call(function, *args):
    """What some calls of a ``jit`` function give, without warnings."""
    function = tf.jit(function)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", JitWarning)
        return [function(*args) for _ in range(CALLS)]


@pytest.mark.parametrize(("function", "args"), [
    (total, (50,)), (words, ("a b a",)), (power, (3, 100)), (fib, (9,)),
])  # fmt: skip
def test_calls_give_what_python_gives(function, args, at_once):
    expected = function(*args)
    for result in every_call(function, *args):
        assert result == expected
        assert type(result) is type(expected)


@needs("jit")
def test_machine_code_is_chosen_where_it_is_faster(at_once):
    staged = tf.jit(total)
    for _ in range(40):
        assert staged(3000) == total(3000)
    assert "runs as machine code (Python" in staged.explain()
    assert staged.experimental_get_tracing_count() == 1


@needs("jit")
def test_an_int_beyond_64_bits_is_pythons(at_once):
    staged = tf.jit(power)
    for _ in range(30):
        staged(2, 40)
    assert staged(3, 100) == 3**100
    assert staged(2, 40) == 2**40


@needs("jit")
def test_a_refusal_is_said_once(at_once):
    staged = tf.jit(titles)
    with pytest.warns(JitWarning) as caught:
        for _ in range(CALLS):
            staged("a b a")
    (warning,) = caught
    text = str(warning.message)
    assert text.startswith(f"titles ({__file__}:")
    assert "runs as plain Python: its loops call kernels" in text
    assert "in line" in text
    assert warning.filename == __file__
    assert "runs as plain Python" in staged.explain()
    assert "a call" in staged.explain()


@needs("jit")
def test_a_refused_trace_leaves_nothing(at_once):
    log: list[int] = []

    class Meter:
        count = 0

    meter = Meter()

    def step(x):
        meter.count += 1
        log.append(meter.count)
        import time

        return x + 0 * time.monotonic()

    staged = tf.jit(step)
    with pytest.warns(JitWarning, match="monotonic"):
        for number in range(1, CALLS):
            assert staged(1) == 1
            assert log == [*range(1, number + 1)]


@needs("jit")
def test_the_first_call_tells_how_long_plain_calls_take(at_once, monkeypatch):
    from runtime.engine.python_executable import PythonExecutable

    told, promote = [], PythonExecutable.promote
    monkeypatch.setattr(
        PythonExecutable, "promote", lambda self, x: told.append(x) or promote(self, x)
    )
    staged = tf.jit(total)
    for _ in range(3):
        staged(10)
    assert len(told) == 1 and told[0] > 0


def long_sum(n):
    x = n
    for k in [*range(600)]:
        x = x + k * n
    return x


@needs("jit")
def test_a_trace_that_was_too_long_may_take_longer_later(at_once, monkeypatch):
    monkeypatch.setattr(trace_budget, "LONGEST_TRACE", 1e-6)
    monkeypatch.setattr(trace_budget, "TRACED_AGAIN", 0.0)
    monkeypatch.setattr(trace_budget, "OPERATIONS_A_SECOND", 0)
    f = tf.jit(long_sum)
    with pytest.warns(JitWarning, match="tracing was given up"):
        assert [f(2) for _ in range(3)] == [long_sum(2)] * 3
    monkeypatch.setattr(trace_budget, "OPERATIONS_A_SECOND", 1e12)  # what few operations take
    assert [f(2) for _ in range(12)] == [long_sum(2)] * 12
    assert f.experimental_get_tracing_count()


@needs("jit")
def test_strict_raises(at_once):
    def clock(x):
        import time

        return x + time.monotonic()

    with pytest.raises(AutoGraphError, match="monotonic"):
        tf.jit(clock, strict=True)(1)
    with pytest.raises(AutoGraphError, match="monotonic"):
        tf.jit(clock, jit_compile=True)(1)


def test_options_are_checked():
    with pytest.raises(ValueError, match="stage_numbers=True"):
        tf.function(total, strict=False)
    with pytest.raises(ValueError, match="jit_compile"):
        tf.function(total, stage_numbers=True, strict=False, jit_compile=True)


def test_errors_are_pythons_own(at_once):
    staged = tf.jit(push)
    values: list[int] = []
    for number in range(CALLS):
        if number > 2:
            with pytest.raises(ValueError, match=str(number)) as caught:
                staged(values, number)
            lines = traceback.format_tb(caught.value.__traceback__)
            assert "raise ValueError(n)" in lines[-1]
        else:
            assert staged(values, number) == number + 1
    assert values == [*range(CALLS)]


def test_arguments_that_do_not_fit(at_once):
    staged = tf.jit(total)
    for _ in range(CALLS):
        with pytest.raises(TypeError, match=r"total\(\) missing 1 required positional argument"):
            staged()
        assert staged(n=4) == 14


@needs("jit")
def test_under_a_tape_and_in_a_function_calls_are_staged(at_once):
    def clock(x):
        import time

        return x + time.monotonic()

    with pytest.raises(AutoGraphError), tf.GradientTape():
        tf.jit(clock)(tf.constant(1.0))

    @tf.function
    def outer(x):
        return tf.jit(total)(x)

    assert int(outer(tf.constant(5))) == 30


def test_an_iterator_is_not_advanced_by_a_trace(at_once):
    def first_two(items):
        return next(items) + next(items)

    assert every_call(first_two, iter(range(100))) == [4 * k + 1 for k in range(CALLS)]


def test_arrays_are_changed_once(at_once):
    def add(a, x):
        a += x
        return a.sum()

    array = np.zeros(3)
    assert every_call(add, array, 1.0) == [3.0 * k for k in range(1, CALLS + 1)]


def test_print_prints_once_a_call(at_once, capsys):
    def show(x):
        print("x is", x)
        return x

    every_call(show, 3)
    assert capsys.readouterr().out == "x is 3\n" * CALLS


def test_recursion_is_as_deep_as_pythons(at_once):
    def depth(n):
        return 0 if n == 0 else 1 + staged(n - 1)

    staged = tf.jit(depth)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", JitWarning)
        for _ in range(CALLS):
            assert staged(600) == 600


def test_methods(at_once):
    class Account:
        def __init__(self):
            self.sum = 0

        @tf.jit
        def add(self, amounts):
            for amount in amounts:
                self.sum += amount
            return self.sum

    account = Account()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", JitWarning)
        assert [account.add([1, 2]) for _ in range(CALLS)] == [*range(3, 3 * CALLS + 1, 3)]


def test_without_the_extra(monkeypatch):
    monkeypatch.setattr(jit_warning, "why_unavailable", lambda: "llvmlite is not here; get it")
    monkeypatch.setattr(jit_warning, "_SAID", set())
    with JIT_STRICT(False), pytest.warns(JitWarning) as caught:
        for function in (total, words):
            staged = tf.jit(function)
            argument = 5 if function is total else "a b"
            assert staged(argument) == function(argument)
            assert staged(argument) == function(argument)
    assert ["llvmlite is not here; get it" in str(one.message) for one in caught] == [True]


def test_a_function_of_a_module_is_pickled_by_its_parts():
    with JIT_STRICT(False):
        staged = tf.jit(total)
    assert pickle.loads(pickle.dumps(staged))(5) == 30


def test_a_function_that_takes_derivatives_is_staged(at_once):
    def slope(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = np.exp(x).sum()
        return tape.gradient(y, x)

    x = np.array([0.5, 2.0])
    np.testing.assert_allclose(tf.jit(slope)(x), np.exp(x))


BASKET: queue.Queue[int] = queue.Queue()
NUMBERS = itertools.count()
BUFFER = io.StringIO()


def put(x):
    BASKET.put(x)
    return x


def counted(x):
    return next(NUMBERS)


def written(x):
    BUFFER.write("x")
    return x


def environment(x):
    os.environ["JIT_TEST"] = os.environ.get("JIT_TEST", "") + "x"
    return x


@pytest.mark.parametrize(("function", "seen", "expected"), [
    (put, lambda: [*BASKET.queue], [3] * CALLS),
    (counted, lambda: next(NUMBERS), CALLS),
    (written, lambda: BUFFER.getvalue(), "x" * CALLS),
    (environment, lambda: os.environ.pop("JIT_TEST"), "x" * CALLS),
])  # fmt: skip
def test_effects_that_nobody_knows_happen_once_a_call(function, seen, expected, at_once):
    every_call(function, 3)
    assert seen() == expected


@needs("jit")
def test_the_flag_stages_the_first_call():
    with JIT_STRICT(False), JIT("always"):
        staged = tf.jit(total)
        assert staged(5) == 30
        assert staged.experimental_get_tracing_count() == 1


def test_machine_code_that_is_forbidden(at_once):
    staged = tf.jit(total, jit_compile=False)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert [staged(5) for _ in range(CALLS)] == [30] * CALLS
    assert "jit_compile=False forbids machine code" in staged.explain()
    assert staged.experimental_get_tracing_count() == 0


def test_an_error_behind_a_try_leaves_in_arguments_what_python_leaves(at_once):
    def changed(values, array, n):
        values.append(n)
        try:
            array[n] = 5.0
        except IndexError:
            values.append(-1)
        return array[n]

    def left(function):
        found = []
        for n in (1, 2, 5, 1, 7, 5):
            values, array = [1, 2], np.zeros(3)
            with contextlib.suppress(IndexError):
                found.append(float(function(values, array, n)))
            found.append((values, array.tolist()))
        return found

    assert left(tf.jit(changed)) == left(changed)
