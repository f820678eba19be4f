"""Rows with Python's meaning, applied to Python numbers that are known only at run time."""

from __future__ import annotations

import operator

import pytest

import runtime as tf
from runtime.ops.op import ARITHMETIC, COMPARISON, TABLE

BINARY = {
    "+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv,
    "//": operator.floordiv, "%": operator.mod, "**": operator.pow, "&": operator.and_,
    "|": operator.or_, "^": operator.xor, "<<": operator.lshift, ">>": operator.rshift,
    "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge,
}  # fmt: skip
BITS = [BINARY[sign] for sign in "& | ^ << >>".split()]
WEAK_DTYPE = {int: tf.int64, float: tf.float64}


def weak(value):
    """A placeholder that stands for a Python number of the value's type."""
    tensor = tf.placeholder(WEAK_DTYPE[type(value)], [])
    tensor.weak = True
    return tensor


PAIRS = [(7, 2), (-7, 2), (7, -2.5), (-0.5, 3), (2**20, 3), (1.5, 0.25)]


@pytest.mark.parametrize("sign", BINARY)
@pytest.mark.parametrize(("x", "y"), PAIRS)
def test_operators_are_pythons(sign, x, y):
    function = BINARY[sign]
    if function in BITS and float in (type(x), type(y)):
        # Python's text once numbers are staged in this process, else the operation's
        text = "does not take dtype float64|unsupported operand type"
        with tf.Graph().as_default(), pytest.raises(TypeError, match=text):
            function(weak(x), y)
        return
    expected = function(x, y)
    with tf.Graph().as_default() as graph:
        a, b = weak(x), weak(y)
        results = [function(a, b), function(a, y), function(x, b)]
        cast = tf.bool if isinstance(expected, bool) else WEAK_DTYPE[type(expected)]
        assert all(r.dtype == cast for r in results)
        found = tf.Session(graph=graph).run([tf.cast(r, cast) for r in results], {a: x, b: y})
    assert [value.item() for value in found] == [expected] * 3


@pytest.mark.parametrize("value", [-7, 3, -2.5])
def test_builtins_are_pythons(value):
    with tf.Graph().as_default() as graph:
        a = weak(value)
        results = [abs(a), -a, tf.maximum(a, 2), tf.minimum(a, 2)]
        assert all(r.dtype == WEAK_DTYPE[type(value)] and r.weak for r in results)
        found = tf.Session(graph=graph).run(results, {a: value})
    assert found == [abs(value), -value, max(value, 2), min(value, 2)]


def test_weak_numbers_follow_tensors():
    with tf.Graph().as_default() as graph:
        n, x = weak(3), tf.placeholder(tf.float32, [2])
        for function in BINARY.values():
            if function not in BITS:
                assert function(x, n).dtype in (tf.float32, tf.bool)
        assert tf.Session(graph=graph).run(x / n, {n: 3, x: [3, 6]}).tolist() == [1, 2]


def test_division_by_zero_is_pythons():
    with tf.Graph().as_default() as graph:
        n = weak(0)
        with pytest.raises(ZeroDivisionError, match="integer division or modulo by zero"):
            tf.Session(graph=graph).run(5 // n, {n: 0})


def test_only_pythons_own_operations_stay_weak():
    """What Python has no operator or builtin for gives tensors, also of Python numbers."""
    keep = {op.name for op in TABLE.values() if op.traits & {ARITHMETIC, COMPARISON}}
    assert keep >= {"add", "floordiv", "floormod", "pow", "abs", "maximum", "less", "equal"}
    assert not keep & {"sqrt", "exp", "where", "square", "sign", "reduce_sum", "clip_by_value"}
