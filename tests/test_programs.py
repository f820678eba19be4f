"""Every program behaves the same whichever way it runs on tensors.

Plain Python on eager tensors is the yardstick; converted, in a session, and as a function, a
program gives the same values and dtypes, prints the same text and raises the same exceptions.
"""

from __future__ import annotations

import contextlib
import io
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import autograph
import runtime as tf
from autograph import staging
from autograph.errors import AutoGraphError
from runtime.types import flags
from tests.programs import cases, comprehensions, generators, items, iterables
from tests.support.nightly import first_input_always

PROGRAMS = cases("tensors")
FEW = first_input_always(PROGRAMS)
ARRAYS = first_input_always([p for p in PROGRAMS if any(map(np.ndim, p.values[1]))])
SIZED = comprehensions.SIZED | generators.SIZED | iterables.SIZED


# In a graph a variable has one dtype: a Python int that a loop makes a float is one from the start.
WIDENED = {("mixed_scalars", "(0,)")}


_RAISED = (
    AssertionError, ArithmeticError, AttributeError, LookupError, NameError, TypeError, ValueError,
)


def outcome(run: Callable[[], Any]) -> tuple[Any, str, Any]:
    """What a run returns (as dtypes and numbers), prints and raises."""
    printed = io.StringIO()
    value = error = None
    with contextlib.redirect_stdout(printed):
        try:
            value = described(run())
        except _RAISED as raised:
            error = (type(raised), raised.args)
    return value, printed.getvalue(), error


def described(value: Any) -> Any:
    """Dtype and number of a tensor, of what becomes one, or of a nest of those."""
    if isinstance(value, tuple | list):
        return [described(item) for item in value]
    if value is None:
        return None
    array = np.asarray(tf.convert_to_tensor(value))
    return array.dtype.name, array.tolist()


def in_session(
    function: Callable[..., Any], args: tuple[Any, ...], sizes_known: bool = True
) -> Any:
    """Build a graph for placeholders of the arguments' types, and run it once."""
    with tf.Session(graph=tf.Graph()) as session:
        holders = []
        for arg in args:
            shape = np.shape(arg)
            dtype = tf.constant(arg).dtype
            holders.append(tf.placeholder(dtype, shape if sizes_known else [None] * len(shape)))
        result = function(*holders)
        if result is None:
            return None
        result = tf.nest.map_structure(fetched, result)
        return session.run(result, dict(zip(holders, args, strict=True)))


def fetched(value: Any) -> Any:
    """What a session can fetch for a value."""
    return tf.constant(value) if type(value) in (bool, int, float) else value


def tensors(args: tuple[Any, ...]) -> list[Any]:
    return [tf.constant(arg) for arg in args]


@pytest.mark.parametrize("functional", [False, True], ids=["plain", "functional"])
@pytest.mark.parametrize("function, args", FEW)
def test_converted_on_eager_tensors(function, args, functional):
    expected = outcome(lambda: function(*tensors(args)))
    with staging.force_version(functional):
        assert outcome(lambda: autograph.to_graph(function)(*tensors(args))) == expected


@pytest.mark.parametrize("function, args", PROGRAMS)
def test_in_a_session(function, args):
    expected = outcome(lambda: function(*tensors(args)))
    converted = autograph.to_graph(function)
    for optimized in (True, False):
        # written out at once, as plans that run often are, or walked
        with flags.OPTIMIZE(optimized), flags.WRITE_AFTER(int(optimized)):
            staged = outcome(lambda: in_session(converted, args))
        assert same(function, args, staged, expected), f"{optimized=}"


@pytest.mark.parametrize("function, args", ARRAYS)
def test_of_unknown_sizes(function, args):
    converted = autograph.to_graph(function)
    if function in SIZED:
        with pytest.raises(AutoGraphError):
            in_session(converted, args, sizes_known=False)
        return
    expected = outcome(lambda: function(*tensors(args)))
    staged = outcome(lambda: in_session(converted, args, sizes_known=False))
    assert same(function, args, staged, expected)


@pytest.mark.parametrize("function, args", PROGRAMS)
def test_as_function(function, args):
    value, printed, error = outcome(lambda: function(*tensors(args)))
    staged = outcome(lambda: tf.function(function)(*tensors(args)))
    shown = staged[1] if printed else ""  # a bare print runs while tracing, as in TensorFlow
    assert same(function, args, (staged[0], shown, staged[2]), (value, shown, error))


def same(function: Any, args: tuple[Any, ...], staged: Any, expected: Any) -> bool:
    if (function.__name__, str(args)) in WIDENED:
        return bool(staged[0][1] == expected[0][1] and staged[1:] == expected[1:])
    return bool(staged == expected)


# What eager tensors can do in converted code only: converted, run eagerly, is the yardstick.
CONVERTED = [
    pytest.param(function, args, id=f"{function.__name__}{args}")
    for function, inputs in items.EAGER_CASES
    for args in inputs
]


@pytest.mark.parametrize("function, args", CONVERTED)
def test_staged_as_converted(function, args):
    converted = autograph.to_graph(function)
    value, printed, error = outcome(lambda: converted(*tensors(args)))
    if error is not None:
        error = (error[0], [str(a).partition("\n")[0] for a in error[1]])
    for run in (lambda: in_session(converted, args), lambda: tf.function(function)(*tensors(args))):
        staged_value, staged_text, staged_error = outcome(run)
        if staged_error is not None:
            first = [str(a).partition("\n")[0] for a in staged_error[1]]
            staged_error = (staged_error[0], first)
        assert (staged_value, staged_text, staged_error) == (value, printed, error)
