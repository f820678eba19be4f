"""Recursion in graphs: how deep it may go, and what is refused.  Programs: tests/programs."""

from __future__ import annotations

import sys

import numpy as np
import pytest

import autograph
import runtime as tf
from autograph.errors import EffectError, JoinError


def total(n):
    if n <= 0:
        return 0
    return n + total(n - 1)


def endless(n):
    if n > 100:
        return n
    return endless(n) + 1


def test_as_deep_as_python_allows():
    depth = sys.getrecursionlimit() - 50
    assert int(tf.function(total)(tf.constant(depth))) == depth * (depth + 1) // 2


@pytest.mark.parametrize("function, argument", [(total, 100_000), (endless, 1)])
def test_too_deep(function, argument):
    with pytest.raises(RecursionError, match="maximum recursion depth exceeded"):
        tf.function(function)(tf.constant(argument))


def test_depth_is_counted_anew_by_the_next_run():
    run = tf.function(total)
    with pytest.raises(RecursionError):
        run(tf.constant(100_000))
    assert int(run(tf.constant(100))) == 5050


def test_the_function_is_traced_once_for_all_depths():
    with tf.Graph().as_default() as graph, tf.Session() as session:
        n = tf.placeholder(tf.int32, ())
        result = autograph.to_graph(total)(n)
        assert [session.run(result, {n: k}) for k in (0, 1, 2, 10)] == [0, 1, 3, 55]
        assert len(graph.get_operations()) < 20


def test_what_changes_in_objects_is_carried():
    class Walker:
        steps = 0

        def __init__(self):
            self.steps = 0

        def walk(self, n):
            self.steps += 1
            if n <= 0:
                return 0
            return self.walk(n - 1) + 1

    def steps(n):
        walker = Walker()
        walker.walk(n)
        return walker.steps

    staged = tf.function(steps)
    assert [int(staged(tf.constant(n))) for n in (3, 0, 40)] == [4, 1, 41]
    walker = Walker()
    walk = tf.function(walker.walk)
    assert [int(walk(tf.constant(n))) for n in (3, 0, 40)] == [3, 0, 40]
    assert walker.steps == 46


def test_python_ends_what_only_python_counts():
    class Counted:
        def __init__(self):
            self.left = 5

        def step(self, x):
            self.left -= 1
            if self.left == 0:
                return x
            return self.step(x * 2)

    assert int(tf.function(Counted().step)(tf.constant(1))) == 16


def test_shapes_that_grow_become_unknown():
    def grow(x, n):
        if n <= 0:
            return x
        return grow(tf.concat([x, x], axis=0), n - 1)

    assert tf.function(grow)(tf.constant([1.0]), tf.constant(4)).shape == (16,)


def test_deep_calls_have_the_variables_of_their_session():
    with tf.Session(graph=tf.Graph()) as session:
        v = tf.Variable(0)

        @autograph.to_graph
        def down(n):
            v.assign_add(1)
            if n > 0:
                return down(n - 1) + 1
            return n

        n = tf.placeholder(tf.int32, [])
        result = down(n)
        session.run(v.initializer)
        assert session.run(result, {n: 5}) == 5 and session.run(v) == 6
        assert session.run(result, {n: 40}) == 40 and session.run(v) == 47


def row_total(n, row):
    if n == 0:
        return 2.5
    return row_total(n - 1, row) + row[n % 3]


def nested(n, rows):
    if n == 0:
        return rows[0][0]
    return nested(n - 1, (rows[1], rows[0])) * 2.0


def doubled(n, row):
    if n == 0:
        return row.sum()
    return doubled(n - 1, row * 2) + row[1]


@pytest.mark.parametrize("jit", [tf.jit, tf.function])
def test_arrays_are_passed_on(jit):
    row, n = np.array([1.0, 0.5, 0.25]), 5 if jit is tf.jit else tf.constant(5)
    assert float(jit(row_total)(n, row)) == row_total(5, row)
    rows = (row, row * 3)
    assert float(jit(nested)(n, rows)) == nested(5, rows)
    assert float(jit(doubled)(n, row)) == doubled(5, row)
def inside(n):
    return None if n == 0 else (inside(n - 1),)


def unused(n):
    inside(n)
    return 1


class Node:
    def __init__(self, left, right):
        self.left = left
        self.right = right


def tree(items):
    number = items.pop(0)
    if number == 0:
        return None
    return Node(tree(items), tree(items))


def nodes(n):
    items = [1]
    for _ in range(n):
        items.append(0)
    tree(items)
    return n


@pytest.mark.parametrize("function", [inside, unused, nodes])
@pytest.mark.parametrize("staged", [tf.jit, lambda f: lambda n: tf.function(f)(tf.constant(n))])
def test_results_of_other_types_in_each_call(function, staged):
    with pytest.raises(JoinError, match="change with every recursive call"):
        staged(function)(2)


def coins(n, kinds):
    """Functions that call themselves and the next one, as a chain of them does."""

    def first(n):
        return 1 if n <= 0 else first(n - 1) + 1

    def chained(step, following):
        def ways(n):
            return 0 if n < 0 else ways(n - step) + following(n)

        return ways

    ways = first
    for kind in kinds:
        ways = chained(kind, ways)
    return ways(n)


def test_chains_are_traced_once():
    kinds = (1, 2, 5, 10, 20, 50, 100)
    assert tf.jit(lambda n: coins(n, kinds))(7) == coins(7, kinds)


class Rate:
    value = 1


def paid(n):
    return 0 if n == 0 else paid(n - 1) + Rate.value


def paid_twice(n):
    Rate.value = 1
    first = paid(n)
    Rate.value = 2
    return first, paid(n), paid(n + 1)


def even(n):
    return True if n == 0 else odd(n - 1)


def odd(n):
    return False if n == 0 else even(n - 1)


def parities(n):
    return even(n), odd(n), even(n + 1), odd(n + 2)


@pytest.mark.parametrize("function", [paid_twice, parities])
def test_a_second_call_of_a_function(function):
    assert tf.jit(function)(5) == function(5)


def handed_back(x, n):
    if n <= 0:
        return x
    return handed_back(x * 2, n - 1)


def test_an_array_argument_returned_as_it_is():
    with pytest.raises(EffectError, match=r"returns its argument 'x' as it is(?s:.*)x\.copy\(\)"):
        tf.jit(handed_back, strict=True)(np.ones(3), 3)
