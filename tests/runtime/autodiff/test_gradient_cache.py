"""Gradients of tapes that recur: written out as functions they are what walking back gives."""

from __future__ import annotations

import gc
import itertools
import random
import weakref
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import runtime as tf
from runtime.autodiff import gradient_cache as recurring
from tests.support.nightly import examples

TURNS = recurring.SIGHTS + 2
UNARY = (tf.tanh, tf.exp, tf.square, tf.negative, lambda x: tf.reduce_sum(x, 0, keepdims=True))
BINARY = (tf.add, tf.multiply, tf.subtract, tf.maximum, lambda x, y: tf.concat([x, y, x], 0)[:3])


def written() -> list[Any]:
    """The functions that there are."""
    return [found for found in recurring._functions.values() if found is not None]


@pytest.fixture(autouse=True)
def forgotten() -> None:
    recurring._functions.clear()
    recurring._sights.clear()


@settings(max_examples=examples(60, kept=25), deadline=None)
@given(
    st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9), st.integers(0, 9)), max_size=7),
    st.booleans(), st.booleans(),
)  # fmt: skip
def test_random_programs(steps: Any, persistent: bool, variable: bool) -> None:
    recurring._functions.clear()
    start = np.array([0.5, -1.5, 2.0])
    w: Any = tf.Variable(start) if variable else tf.constant(start)

    def gradients(shift: float) -> list[Any]:
        x = tf.constant(start[::-1] + shift)
        with tf.GradientTape(persistent=persistent) as tape:
            if not variable:
                tape.watch(w)
            values = [w * 1.0, x, x + w]
            for op, left, right in steps:
                a, b = values[left % len(values)], values[right % len(values)]
                values.append(UNARY[op](a) if op < len(UNARY) else BINARY[op - len(UNARY)](a, b))
            y = tf.reduce_sum(values[-1])
        return [None if g is None else g.numpy() for g in tape.gradient(y, [w, x, values[0]])]

    first = [gradients(shift / 8) for shift in range(TURNS)]
    assert written() or all(g is None for g in first[0])
    recurring._functions.clear()
    for before, shift in zip(first, range(TURNS), strict=True):
        for a, b in zip(before, gradients(shift / 8), strict=True):
            np.testing.assert_array_equal(a, b)


def test_what_differs_is_told_apart() -> None:
    """Programs that differ in an attribute, a shape, a dtype or the wiring alone."""
    x, y = tf.constant([[1.0, 2.0], [3.0, 4.0]]), tf.constant([[1.0, 2.0]])
    c = tf.constant([[5.0, 7.0], [2.0, 3.0]])
    programs: list[tuple[Any, Any]] = [
        (lambda v: tf.reduce_sum(tf.reduce_max(v, axis=0)), x),
        (lambda v: tf.reduce_sum(tf.reduce_max(v, axis=1)), x),
        (lambda v: tf.reduce_sum(tf.reduce_max(v, axis=1)), y),
        (lambda v: tf.reduce_sum(tf.reduce_max(v, axis=1)), tf.cast(x, tf.float64)),
        (lambda v: tf.reduce_sum(v * v * c), x),
        (lambda v: tf.reduce_sum(v * c * v), x),
        (lambda v: tf.reduce_sum(v * c * c), x),
        (lambda v: tf.reduce_sum(tf.nn.leaky_relu(-v, 0.0)), x),
        (lambda v: tf.reduce_sum(tf.nn.leaky_relu(-v, 1.0)), x),
        (lambda v: tf.reduce_sum(tf.where(v > 2, v, 3 * v)), x),
        (lambda v: tf.reduce_sum(tf.boolean_mask(v, v > 2)), x),
        (lambda v: tf.reduce_sum(tf.split(v, 2, axis=0)[1]), x),
        (lambda v: tf.reduce_sum(tf.split(v, 2, axis=1)[1]), x),
    ]

    def gradient(program: Any, v: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch(v)
            y = program(v)
        return tape.gradient(y, v).numpy()

    expected = [gradient(*program) for program in programs]
    for _ in range(TURNS):
        for program, before in zip(programs, expected, strict=True):
            found = gradient(*program)
            assert found.dtype == before.dtype
            np.testing.assert_array_equal(found, before)
    assert len(written()) == len(programs)


def test_values_decide_anew() -> None:
    def gradient(v: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch(v)
            y = tf.reduce_sum(v * v) if v[0] > 0 else tf.reduce_sum(-v)
        return tape.gradient(y, v).numpy().tolist()

    for _ in range(TURNS):
        assert gradient(tf.constant([1.0, 2.0])) == [2.0, 4.0]
        assert gradient(tf.constant([-1.0, 2.0])) == [-1.0, -1.0]


def test_a_training_step_is_written_once() -> None:
    w, b = tf.Variable([[0.5], [0.25]]), tf.Variable([0.0])
    x, y = tf.constant([[1.0, 2.0], [3.0, 4.0]]), tf.constant([[1.0], [0.0]])
    losses = []
    for _ in range(20):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(tf.matmul(x, w) + b - y))
        for variable, gradient in zip((w, b), tape.gradient(loss, [w, b]), strict=True):
            variable.assign_sub(0.02 * gradient)
        losses.append(float(loss))
    assert len(written()) == 1
    assert losses == sorted(losses, reverse=True)


def test_second_order_is_walked_inside_and_written_outside() -> None:
    x = tf.constant(3.0)
    for _ in range(TURNS):
        with tf.GradientTape() as outer:
            outer.watch(x)
            with tf.GradientTape() as inner:
                inner.watch(x)
                y = x * x * x
            first = inner.gradient(y, x)
        assert float(first) == 27.0
        assert float(outer.gradient(first, x)) == 18.0
    assert len(written()) == 1


def test_no_path_and_no_scalar() -> None:
    x, z = tf.constant([1.0, 2.0]), tf.constant(1.0)
    for _ in range(TURNS):
        with tf.GradientTape(persistent=True) as tape:
            tape.watch([x, z])
            y = tf.reduce_sum(x * x)
            v = x * 2.0
        assert tape.gradient(y, z) is None
        assert tape.gradient(v, x).numpy().tolist() == [2.0, 2.0]
        assert tape.gradient(y, x, tf.constant(2.0)).numpy().tolist() == [4.0, 8.0]
        assert [g if g is None else g.numpy().tolist() for g in tape.gradient(y, [x, z, x])] == [
            [2.0, 4.0], None, [2.0, 4.0],
        ]  # fmt: skip


def test_an_error_says_the_same_every_time() -> None:
    def text() -> str:
        a = tf.constant([[1.0, 2.0], [2.0, 4.0]])
        with tf.GradientTape() as tape:
            tape.watch(a)
            y = tf.reduce_sum(tf.linalg.qr(a[:, :1] @ a[:1, :], full_matrices=True)[0])
        try:
            return str(tape.gradient(y, a).numpy().tolist())
        except Exception as error:
            return f"{type(error).__name__}: {error}"

    assert len({text() for _ in range(TURNS)}) == 1


def test_nothing_is_kept_alive() -> None:
    w = tf.Variable([1.0, 2.0])
    gone = weakref.ref(w)
    for _ in range(TURNS):
        with tf.GradientTape() as tape:
            y = tf.reduce_sum(w * w)
        tape.gradient(y, w)
    assert written()
    del w, tape, y
    gc.collect()
    assert gone() is None


@pytest.mark.parametrize("late", [False, True])
def test_it_matters_which_tensors_come_again(late: bool) -> None:
    """Products of scalars, of one type all: only which of them are used tells them apart."""

    def gradient(chosen: tuple[int, ...], source: int) -> float | None:
        given = tuple([tf.constant(value) for value in (3.0, 5.0, 7.0)])
        with tf.GradientTape() as tape:
            tape.watch(given[0])
            y = given[0] * 1.0
            for place in chosen:
                y = y * given[place]
                if late:
                    tape.watch(given[1])
        found = tape.gradient(y, given[source])
        return None if found is None else float(found)

    def expected(chosen: tuple[int, ...], source: int) -> float | None:
        factors = (0, *chosen)
        if source not in factors:
            return None
        count, whole = factors.count(source), np.prod([(3.0, 5.0, 7.0)[k] for k in factors])
        return float(count * whole / (3.0, 5.0, 7.0)[source])

    programs = list(itertools.product(itertools.product(range(3), repeat=3), range(3)))
    for program in random.Random(1).choices(programs, k=800):
        assert gradient(*program) == expected(*program), program
    assert len(written()) > 20


def test_sources_that_are_not_watched() -> None:
    x, a = tf.constant(3.0), tf.constant(5.0)
    for turn in range(2 * TURNS):
        source, expected = (tf.constant(1.0), None) if turn < TURNS else (a, 3.0)
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = x * a
        found = tape.gradient(y, source)
        assert found is None if expected is None else float(found) == expected


def test_a_tape_around_a_function_may_watch_inside_of_it() -> None:
    x = tf.constant(3.0)
    with tf.GradientTape() as tape:

        @tf.function
        def f(x: Any) -> Any:
            tape.watch(x)
            return x * x

        y = f(x)
    assert float(y) == 9.0 and tape.gradient(y, x) is None
