"""Arithmetic: dtypes, division, powers, bits, comparison and strings, value by value."""

from __future__ import annotations

import math

import numpy as np
import pytest

import runtime as tf
from runtime import errors


def staged(function, *arrays):
    """The function of placeholders, fed with the arrays."""
    with tf.Graph().as_default() as graph:
        holders = [tf.placeholder(a.dtype) for a in map(np.asarray, arrays)]
        return tf.Session(graph=graph).run(function(*holders), dict(zip(holders, arrays)))


def both(function, *arrays):
    """The result eagerly, after checking that a graph gives the same."""
    eager = function(*map(tf.constant, arrays)).numpy()
    graph = staged(function, *arrays)
    np.testing.assert_array_equal(eager, graph, strict=True)
    return eager


A = np.array([7, -7, 7, -7], np.int32)
B = np.array([3, 3, -3, -3], np.int32)


def test_division_is_pythons():
    pairs = list(zip(A.tolist(), B.tolist()))
    assert both(lambda x, y: x // y, A, B).tolist() == [a // b for a, b in pairs]
    assert both(lambda x, y: x % y, A, B).tolist() == [a % b for a, b in pairs]
    quotient = both(lambda x, y: x / y, A, B)
    assert quotient.dtype == np.float64 and quotient.tolist() == [a / b for a, b in pairs]
    assert both(tf.truncatediv, A, B).tolist() == [2, -2, -2, 2]
    assert both(tf.truncatemod, A, B).tolist() == [1, -1, 1, -1]
    f = np.array([5.5, -5.5], np.float32)
    assert both(lambda x: x // 2, f).tolist() == [5.5 // 2, -5.5 // 2]
    assert both(lambda x: x % 2, f).tolist() == [5.5 % 2, -5.5 % 2]
    assert both(lambda x: 2 // x, f).dtype == np.float32


def test_true_division_of_small_integers():
    for dtype, result in ((np.int8, np.float32), (np.uint16, np.float32), (np.int64, np.float64)):
        assert both(tf.truediv, np.array(3, dtype), np.array(2, dtype)).dtype == result


@pytest.mark.parametrize("function", [tf.floordiv, tf.floormod, tf.truncatediv, tf.truncatemod])
def test_integer_division_by_zero(function):
    with pytest.raises(errors.InvalidArgumentError, match="Integer division by zero"):
        function(tf.constant([1, 2]), tf.constant([1, 0]))
    with pytest.raises(errors.InvalidArgumentError, match="Integer division by zero"):
        staged(function, np.int32(1), np.int32(0))


def test_float_division_by_zero_follows_ieee():
    assert both(lambda x: x / 0.0, np.float32(1)) == np.inf
    assert both(lambda x: x // 0.0, np.float32(-1)) == -np.inf
    assert math.isnan(both(lambda x: x % 0.0, np.float32(1)))
    assert both(lambda x: tf.math.divide_no_nan(x, 0.0), np.float32(1)) == 0


def test_powers():
    assert both(lambda x: x**2, A).tolist() == [49] * 4
    assert both(lambda x: 2**x, np.array([0, 10], np.int32)).tolist() == [1, 1024]
    assert both(lambda x: x**-1.0, np.float32(4)) == 0.25
    message = r"cannot be raised to negative integer powers \(exponent -1\)"
    with pytest.raises(errors.InvalidArgumentError, match=message):
        tf.constant(2) ** -1
    with pytest.raises(errors.InvalidArgumentError, match=message):
        staged(lambda x: x**-1, np.int32(2))


def test_float32_stays_float32():
    x = np.array([[1.0, 2.0], [3.0, 5.0]], np.float32)
    functions = [
        tf.reduce_mean, tf.math.reduce_std, tf.math.reduce_variance, tf.nn.softmax, tf.cumsum,
        tf.math.reduce_logsumexp, tf.nn.log_softmax, tf.norm, tf.sigmoid, tf.nn.gelu, tf.nn.selu,
        tf.nn.elu, tf.nn.leaky_relu, tf.math.rsqrt, tf.math.erf, tf.nn.softplus, tf.linalg.inv,
        tf.math.l2_normalize, tf.nn.relu6, tf.math.lgamma,
        lambda t: tf.nn.moments(t, [0])[1], lambda t: t * 2, lambda t: 0.5 - t,
    ]  # fmt: skip
    for dtype in (np.float32, np.float64):
        for value in (x, x[:1, :1]):
            for function in functions:
                assert both(function, value.astype(dtype)).dtype == dtype, function
    for function in functions[:3] + functions[5:6] + functions[7:16]:
        assert both(function, np.float32(2)).dtype == np.float32, function
    half = np.array([1.0, 2.0], np.float16)
    for function in (tf.reduce_mean, tf.nn.softmax, tf.sigmoid, tf.sqrt, tf.nn.gelu):
        assert both(function, half).dtype == np.float16


def test_rounding():
    halves = np.array([0.5, 1.5, 2.5, -0.5, -1.5], np.float32)
    assert both(tf.round, halves).tolist() == [0, 2, 2, 0, -2]
    assert both(tf.math.rint, halves).tolist() == [0, 2, 2, 0, -2]
    assert both(tf.floor, halves).tolist() == [0, 1, 2, -1, -2]
    assert both(tf.math.ceil, halves).tolist() == [1, 2, 3, 0, -1]
    assert both(tf.round, A).tolist() == A.tolist()


def test_divmod_and_round():
    for pair in (divmod(tf.constant(A), 3), divmod(tf.constant(A), tf.constant(B))):
        assert [part.dtype for part in pair] == [tf.int32, tf.int32]
    whole, rest = divmod(7, tf.constant(A))
    assert (whole.numpy().tolist(), rest.numpy().tolist()) == ([1, -1, 1, -1], [0] * 4)
    assert both(round, np.array([2.5, -1.5], np.float32)).tolist() == [2, -2]
    assert both(lambda x: round(x, 1), np.float32(2.26)) == pytest.approx(2.3)
    assert both(lambda x: divmod(x, 2)[1], A).tolist() == [1, 1, 1, 1]


def test_bits():
    for sign in ("&", "|", "^"):
        function = eval(f"lambda x, y: x {sign} y")
        assert both(function, A, B).tolist() == function(A, B).tolist()
        truth = np.array([True, False]), np.array([True, True])
        assert both(function, *truth).tolist() == function(*truth).tolist()
    assert both(lambda x: ~x, A).tolist() == (~A).tolist()
    assert both(lambda x: ~x, np.array([True, False])).tolist() == [False, True]
    assert both(lambda x: x << 2, A).tolist() == (A << 2).tolist()
    assert both(lambda x: x >> 1, A).tolist() == (A >> 1).tolist()
    assert both(lambda x: 1 << x, np.int32(5)) == 32
    with pytest.raises(errors.InvalidArgumentError, match="negative shift count -1"):
        tf.constant(1) << -1


def test_comparison():
    x, y = np.array([1.0, 2.0, np.nan], np.float32), np.array([1.0, 3.0, 1.0], np.float32)
    for sign in ("<", "<=", ">", ">=", "==", "!="):
        function = eval(f"lambda x, y: x {sign} y")
        assert both(function, x, y).tolist() == function(x, y).tolist()
        assert both(lambda t: function(t, 2), x).tolist() == function(x, 2).tolist()


def test_strings():
    x = np.array([b"a", b"bc"], object)
    assert both(lambda s: s + "!", x).tolist() == [b"a!", b"bc!"]
    assert both(lambda s: "<" + s, x).tolist() == [b"<a", b"<bc"]
    assert both(lambda s: s == "a", x).tolist() == [True, False]
    assert both(lambda s: tf.concat([s, ["d"]], 0), x).tolist() == [b"a", b"bc", b"d"]
    assert both(lambda s: tf.stack([s, s])[1], x).tolist() == [b"a", b"bc"]
    assert both(lambda s: tf.gather(s, [1]), x).tolist() == [b"bc"]
    assert both(lambda s: tf.reshape(s, [2, 1]), x).tolist() == [[b"a"], [b"bc"]]
    assert both(lambda s: tf.where([True, False], s, "x"), x).tolist() == [b"a", b"x"]
    assert (tf.constant("a") + "b").numpy() == b"ab"
    assert np.asarray(tf.constant("a")).dtype == object
    with pytest.raises(TypeError, match="multiply does not take dtype string"):
        tf.constant("a") * tf.constant("b")


def test_messages():
    with pytest.raises(TypeError) as caught:
        tf.constant(1) + tf.constant(1.0)
    assert str(caught.value) == (
        "add: input 'y' (number 1) has dtype float32, but 'x' has dtype int32. Tensors are not "
        "converted on their own: use runtime.cast(y, runtime.int32)."
    )
    with pytest.raises(ValueError, match=r"Incompatible shapes: \[2\] vs. \[3\]"):
        tf.constant([1, 2]) + tf.constant([1, 2, 3])
    with pytest.raises(TypeError, match=r"sqrt does not take dtype int32; it takes .*float32"):
        tf.sqrt(tf.constant(4))


def test_cast():
    x = np.array([1.9, -1.9, 300.0], np.float32)
    assert both(lambda t: tf.cast(t, tf.int32), x).tolist() == [1, -1, 300]
    assert both(lambda t: tf.cast(t, tf.bool), np.array([0.0, 0.1, np.nan])).tolist() == [
        False, True, True,
    ]  # fmt: skip
    assert both(lambda t: tf.cast(t, tf.float32), np.array([True, False])).tolist() == [1.0, 0.0]
    assert both(lambda t: tf.cast(t, tf.float32), np.array([1 + 2j])).tolist() == [1.0]
