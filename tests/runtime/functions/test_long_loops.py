"""Long loops over known numbers become loops of the graph under ``runtime.jit``, or are unrolled.

Which of the two it is must not show but in the time that it takes.
"""

import contextlib
import functools
import io

import numpy as np
import pytest

import runtime as tf
from autograph.errors import DtypeJoinError, UnrollingWarning
from autograph.operators.control import long_loops
from runtime.graph.operation import subgraphs
from tests.runtime.functions import long_loop_programs as programs
from tests.runtime.functions import long_nest_programs as nests
from tests.runtime.functions.jit_results import same
from tests.support.extras import needs

EVERY = [*programs.STAGED, *programs.UNROLLED, *programs.BOTH]


def argument(program):
    name = program.__code__.co_varnames[0]
    return np.array([0.5, 3.0, -1.5, 2.0]) if name == "a" else 1.5


def outcome(function, given):
    """What a call returns or raises, what it prints, and what it leaves in the globals."""
    printed, given = io.StringIO(), np.copy(given) if isinstance(given, np.ndarray) else given
    with contextlib.redirect_stdout(printed), np.errstate(over="ignore"):
        try:
            result = function(given)
        except (ValueError, OverflowError, IndexError) as error:
            result = next(k.__name__ for k in type(error).__mro__ if k.__module__ == "builtins")
    return result, given, printed.getvalue(), programs.CALLS["n"]


def count(function, given):
    return len(function.get_concrete_function(given).graph.operations)


@pytest.mark.parametrize("compiled", [False, pytest.param(True, marks=needs("jit"))])
@pytest.mark.parametrize("program", EVERY, ids=lambda p: p.__name__)
def test_the_results_are_those_of_python(program, compiled):
    staged, given = tf.jit(program, jit_compile=compiled), argument(program)
    for _ in range(3):
        expected, found = outcome(program, given), outcome(staged, given)
        assert same(list(expected), list(found)), (expected, found)
    if program in programs.STAGED:
        assert count(staged, given) < 200
    elif program in programs.UNROLLED:
        assert count(staged, given) >= 60


def test_only_what_cannot_be_staged_is_unrolled():
    staged = tf.jit(programs.inner_loop_cannot_be_staged)
    assert 4 * 3 < count(staged, 1.5) < 20 * 4 * 3


def test_explain_says_what_was_unrolled_and_why():
    program = programs.tuple_of_several_dtypes
    staged = tf.jit(program)
    staged(1.5)
    (shown,) = [line for line in staged.explain().splitlines() if "unrolled" in line]
    line = program.__code__.co_firstlineno + 2
    assert f"unrolled: the loop at {programs.__file__}:{line}: " in shown
    assert "dtype float64 and shape (2,) on one path and a tensor of dtype bool" in shown


def test_a_short_loop_and_a_loop_that_records_nothing_are_unrolled():
    def short(x):
        powers = [1]
        for _ in range(1000):
            powers.append(powers[-1] * 3)
        for i in range(5):
            x = x + i
        return x, powers[-1]

    staged = tf.jit(short)
    assert same(staged(1.5), short(1.5))
    kinds = [node.op_def.name for node in staged.get_concrete_function(1.5).graph.operations]
    assert kinds.count("add") == 5 and "while" not in kinds


def test_a_million_turns_are_traced_at_once():
    def long(x):
        for i in range(10**6):
            if i % 3 == 0:
                x = x + i
        return x

    staged = tf.jit(long)
    assert staged.get_concrete_function(1).graph.operations[-1].op_def.name == "while"
    assert count(staged, 1) < 20


def test_a_loop_of_very_many_turns_that_cannot_be_staged_is_refused(monkeypatch):
    def grows(x, last):
        made = ()
        for i in range(10**6):
            made = (*made, programs.FLOATS if i % 2 else programs.BOOLS)
            x = x + 1
            if i == last:
                break
        return x, made

    monkeypatch.setattr(long_loops, "ENOUGH", 200)
    bound = [functools.partial(grows, last=last) for last in (50, 500)]
    assert same(tf.jit(bound[0])(1), bound[0](1))
    for _ in range(2):
        with pytest.raises(DtypeJoinError, match="otherwise: programs.BOOLS") as caught:
            tf.jit(bound[1])(1)
        (note,) = caught.value.__notes__
        assert note == "note: unrolled, the loop records more than 200 operations"


def test_iterators_of_the_program_are_left_where_python_leaves_them():
    def goes_on(x, last):
        numbers = iter(range(200))
        for i in numbers:
            x = x + i
            if i == last:
                break
        return x, next(numbers, None), sum(numbers)

    for last in (50, 199, 300):
        program = functools.partial(goes_on, last=last)
        assert same(tf.jit(program)(1.5), program(1.5))


def test_under_function_loops_over_numbers_are_unrolled():
    @tf.function
    def total(x):
        for i in range(60):
            x = x + i
        return x

    traced = total.get_concrete_function(tf.constant(1.0))
    assert [node.op_def.name for node in traced.graph.operations].count("add") == 60
    assert float(tf.jit(lambda x: total(x))(tf.constant(1.0))) == 1771.0


def test_very_many_turns_that_are_unrolled_are_a_warning(monkeypatch):
    @tf.function
    def total(x):
        for i in range(70):
            x = x + i
        return x

    monkeypatch.setattr(long_loops, "VERY_MANY", 60)
    with pytest.warns(UnrollingWarning, match="first 60 turns have put 1[0-9]{2} op") as caught:
        total(tf.constant(1.0))
    assert [one.filename for one in caught] == [__file__]


def test_effects_of_abandoned_traces_do_not_stay():
    seen = []

    def appends(x):
        made = ()
        for i in range(60):
            seen.append(i)
            made = (*made, i if i % 2 else "even")
            x = x + 1
        return x, made

    staged = tf.jit(appends)
    for call in (1, 2, 3):
        assert staged(1.5)[0] == 61.5
        assert seen == list(range(60)) * call


def test_a_number_of_more_than_64_bits_is_an_error_after_effects():
    def prints(x):
        p = 1
        for i in range(80):
            p *= 3
            print(x + i)
        return p

    with pytest.raises(OverflowError, match="64 bits"), contextlib.redirect_stdout(io.StringIO()):
        tf.jit(prints)(1.5)


@pytest.mark.parametrize("length", [60, 5])
def test_gradients_are_those_of_python(length):
    def converges(x):
        y, i = x, 0
        for k in range(length):
            y = tf.tanh(y * 1.1) + x * (0.01 * k)
        while i < length:
            y, i = y * 0.99 + x * x, i + 1
        return tf.reduce_sum(y)

    def derivatives(function, x):
        with tf.GradientTape() as outer:
            outer.watch(x)
            with tf.GradientTape() as inner:
                inner.watch(x)
                y = function(x)
            gradient = inner.gradient(y, x)
            squares = tf.reduce_sum(gradient * gradient)
        return [np.asarray(value) for value in (y, gradient, outer.gradient(squares, x))]

    x, staged = tf.constant([0.3, 0.7, -0.2], tf.float64), tf.jit(converges)
    for _ in range(3):
        for found, expected in zip(derivatives(staged, x), derivatives(converges, x), strict=True):
            np.testing.assert_allclose(found, expected, rtol=1e-12)


def test_nests_that_assign_items_are_traced_once_for_each_level(monkeypatch):
    """The bodies of inner loops, which stand beside the outer one's, tell what iterations change.
    """
    from autograph.operators.control.traced_loop import TracedLoop

    rounds, body = [], TracedLoop.body
    monkeypatch.setattr(
        TracedLoop, "body", lambda self, *args: rounds.append(1) or body(self, *args)
    )

    def spread(a, b):
        for i in range(len(a)):
            for j in range(len(a)):
                for k in range(len(a)):
                    b[j] += a[i] * a[k]

    a, b = np.arange(120.0), np.zeros(120)
    tf.jit(spread)(a, b)
    np.testing.assert_allclose(b, a.sum() ** 2)
    assert len(rounds) == 6  # the first iterations run as Python, too: one more for each level



@needs("jit")
@pytest.mark.parametrize("program", nests.ALL, ids=lambda p: p.__name__)
def test_nests_give_what_python_gives(program):
    staged, given = tf.jit(program, jit_compile=True), np.arange(-4.0, 8.0)
    for _ in range(2):
        assert same(staged(given), program(given))


def test_a_nest_holds_few_copies_of_what_is_inside():
    def count(graph):
        inside = [inner for node in graph.operations for inner in subgraphs(node)]
        here = sum(node.op_def.name == "log1p" for node in graph.operations)
        return here + sum(map(count, inside))

    graph = tf.jit(nests.deep).get_concrete_function(np.arange(4.0)).graph
    assert count(graph) <= 8  # each loop that is unrolled in part doubled them: 32
