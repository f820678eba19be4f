"""Every way to the derivatives of a program, of several orders, to be compared."""

from __future__ import annotations

from typing import Any

import numpy as np

import autograph
import runtime as tf
from tests.support.ways import CALLS, Program


def _derivative(function: Program) -> Program:
    """The gradients of what a function returns by its arguments, zeros where there is no path."""

    def derivative(*xs: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch(list(xs))
            result = function(*xs)
        return _filled(tape.gradient(result, list(xs)), xs)

    return derivative


def _filled(gradients: Any, xs: Any) -> list[Any]:
    pairs = zip(gradients, xs, strict=True)
    return [tf.zeros_like(x) if gradient is None else gradient for gradient, x in pairs]


def _orders(function: Program, count: int) -> Program:
    """The result and its derivatives up to an order, each by a tape around the one before."""

    def orders(*xs: Any) -> list[Any]:
        found, current = [function(*xs)], function
        for _ in range(count):
            current = _derivative(current)
            found.append(current(*xs))
        return found

    return orders


def eager(function: Program, args: Any, count: int) -> Any:
    """Plain Python on eager tensors, under tapes."""
    return _orders(function, count)(*args)


def converted(function: Program, args: Any, count: int) -> Any:
    """Converted, on eager tensors, under tapes."""
    return _orders(autograph.to_graph(function), count)(*args)


def _called(run: Program, args: Any) -> Any:
    """The result of the last of several calls, all of which must give the same."""
    *earlier, last = [run(*args) for _ in range(CALLS)]
    for found in earlier:
        for one, other in zip(numbers(found), numbers(last), strict=True):
            np.testing.assert_allclose(one, other, rtol=1e-9, atol=1e-9)
    return last


def around(function: Program, args: Any, count: int) -> Any:
    """Tapes around calls of a function."""
    return _called(_orders(tf.function(function), count), args)


def inside(function: Program, args: Any, count: int) -> Any:
    """Tapes inside of a function, around converted code."""
    return _called(tf.function(_orders(autograph.to_graph(function), count)), args)


def both(function: Program, args: Any, count: int) -> Any:
    """A tape around a function that has the tapes of the lower orders inside."""
    if not count:
        return eager(function, args, count)
    lower = tf.function(_orders(autograph.to_graph(function), count - 1))
    found = lower(*args)
    return [*found, _derivative(lambda *xs: lower(*xs)[-1])(*args)]


def session(function: Program, args: Any, count: int) -> Any:
    """``gradients`` of a graph, run in a session."""
    with tf.Graph().as_default():
        holders = [tf.placeholder(x.dtype, x.shape) for x in args]
        return _in_session(function, holders, args, count)


def unknown_sizes(function: Program, args: Any, count: int) -> Any:
    """As ``session``, where no size is known."""
    with tf.Graph().as_default():
        holders = [tf.placeholder(x.dtype, [None] * x.ndim) for x in args]
        return _in_session(function, holders, args, count)


def _in_session(function: Program, holders: Any, args: Any, count: int) -> Any:
    found = [autograph.to_graph(function)(*holders)]
    for _ in range(count):
        found.append(_filled(tf.gradients(found[-1], holders), holders))
    with tf.Session() as running:
        running.run(tf.global_variables_initializer())
        return running.run(found, dict(zip(holders, map(np.asarray, args), strict=True)))


WAYS = (converted, around, inside, both, session, unknown_sizes)


def numbers(found: Any) -> list[Any]:
    """All arrays of a result, flat."""
    return [np.asarray(value) for value in tf.nest.flatten(found)]


def differences(function: Program, args: Any) -> list[Any]:
    """The derivatives of the sum of a function's result, by central differences."""
    step = 1e-6
    points = [np.array(x, np.float64) for x in args]

    def total() -> float:
        result = function(*[tf.constant(p.copy()) for p in points])
        return float(sum(np.sum(np.asarray(leaf)) for leaf in tf.nest.flatten(result)))

    slopes = []
    for point in points:
        slope = np.zeros_like(point)
        for place in np.ndindex(point.shape):
            before = point[place]
            point[place] = before + step
            ahead = total()
            point[place] = before - step
            slope[place] = (ahead - total()) / (2 * step)
            point[place] = before
        slopes.append(slope)
    return slopes
