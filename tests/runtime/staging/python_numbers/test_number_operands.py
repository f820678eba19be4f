"""Operators between Python numbers that ``runtime.jit`` stages and other values, as in Python."""

import math
from datetime import date, timedelta
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest

import runtime as tf
from autograph.errors import ConcreteValueError
from runtime.types import flags


class Metres:
    """Class with operators of its own."""

    def __init__(self, n=1):
        self.n = n

    def __rmul__(self, other):
        return other * 3

    def __radd__(self, other):
        return other + self.n

    def __gt__(self, other):
        return other * 10

    def __eq__(self, other):
        return other == self.n

    __hash__ = None


def outcome(function, *args):
    """The result with its class, or the exception's class and text."""
    try:
        found = function(*args)
    except Exception as error:
        return type(error).__name__, str(error)
    return type(found), repr(found)


SAME = [
    lambda n: (~(n > 1), ~n, ~(n > 5) + 1, not n),
    lambda n: n * Metres(),
    lambda n: n + Metres(4),
    lambda n: n < Metres(),
    lambda n: n == Metres(2),
    lambda n: n == None,  # noqa: E711
    lambda n: n + None,
    lambda n: None - n,
    lambda n: n < None,
    lambda n: n | None,
    lambda n: n + object(),
    lambda n: (n == [n], n != (n, 1), [n] == [n], n * [1], [n] * 2),
    lambda n: n < [2],
    lambda n: n / 2 - (1, 2),
    lambda n: (n < 2**64, n == 2**64, 2**64 <= n, -(2**70) < n, (n > 1) < 2**64),
    lambda n: (n / 2 * 2**70, n / 2 < 2**70, 2**64 - n / 2),
    lambda n: n / 2 + 10**400,
    lambda n: n and None or n << -1 and None,
    lambda n: n % {},
    lambda n: n // 2 * range(3),
    lambda n: np.int64(7) + n / 2,
    lambda n: (n / 2 * np.int64(2), n * np.float32(2), np.float32(2) * (n / 3)),
    lambda n: np.int32(3) // (n / 2),
    lambda n: (np.array([1, 2]) * (n / 2), (n / 2) * np.array([1, 2])),
    lambda n: ((n / 2) > np.int64(1), n == np.int64(2), (n > 1) & np.bool_(True)),
    lambda n: (np.bool_(True) + n, (n > 1) + np.int64(1)),
    lambda n: np.int64(2) ** -n,
    lambda n: (n.numerator, n.denominator, (n > 1).numerator),
    lambda n: (math.comb(n, 2), divmod(-n, 3), round(n + 0.5), -n // 3.0, -n % 3.0),
]


@pytest.mark.parametrize("function", SAME)
def test_as_in_python(function):
    jitted = tf.jit(function)
    for n in (2, 3, 2):
        assert outcome(jitted, n) == outcome(function, n)


REFUSED = [
    lambda n: Fraction(1, 3) * n,
    lambda n: n + Decimal(1),
    lambda n: Decimal(1) - n,
    lambda n: n == Fraction(2),
    lambda n: Fraction(1) < n,
    lambda n: timedelta(1) * n,
    lambda n: n * timedelta(1),
    lambda n: date(2020, 1, 1) + n,
    lambda n: b"ab" * n,
    lambda n: n.to_bytes(2, "big"),
    lambda n: np.ones(2) * n + Fraction(1, 2),
    lambda n: Metres(n),
]


@pytest.mark.parametrize("function", REFUSED)
def test_what_needs_the_number_itself_is_refused_with_the_line(function):
    with pytest.raises(ConcreteValueError, match=r"test_number_operands.py:\d+: "):
        tf.jit(function)(2)


def test_no_handler_of_the_program_catches_the_refusal():
    @tf.jit
    def swallows(n):
        try:
            return Fraction(1, 3) * n
        except TypeError:
            return 0

    with pytest.raises(ConcreteValueError, match="cannot be an operand of a Fraction"):
        swallows(2)


def test_a_large_constant_is_an_error_only_where_it_is_reached():
    @tf.jit
    def limited(n):
        return int(1e308) if n > 5 else n

    assert [limited(3), limited(5)] == [3, 5]
    with pytest.raises(OverflowError, match="has 64 bits; this one has 1024"):
        limited(6)


def test_an_operand_of_more_than_64_bits_is_an_error_only_where_it_is_reached():
    @tf.jit
    def added(n):
        try:
            return n + 2**64 if n > 5 else n
        except OverflowError:
            return 0

    assert [added(3), added(5)] == [3, 5]
    with pytest.raises(OverflowError, match="has 64 bits; this one has 65"):
        added(6)


@pytest.mark.parametrize("number", [1e19, -1e19, 2.0**63, 1e300])
def test_whole_parts_of_more_than_64_bits(number):
    whole = tf.jit(lambda x: int(x))
    assert [whole(-(2.0**63)), whole(-2.5)] == [-(2**63), -2]
    with pytest.raises(OverflowError, match="has 64 bits; this one has"):
        whole(number)


def unused_power(x, n):
    x**n
    return n


def unused_square(x, n):
    for _ in range(n):
        x = x**2
    return n


def unused_shift(x, n):
    int(x) << n
    return n


UNUSED = [
    (unused_power, (0.0, -1)), (unused_power, (1e200, 2)), (unused_power, (2.0, 2)),
    (unused_square, (1e200, 1)), (unused_square, (1e100, 1)), (unused_shift, (1.0, -1)),
    (unused_shift, (1.0, 3)),
]  # fmt: skip


@pytest.mark.parametrize(("function", "args"), UNUSED)
@pytest.mark.parametrize("engine", ["never", "always"])
def test_operators_raise_where_nothing_uses_their_result(engine, function, args):
    with flags.JIT(engine):
        assert outcome(tf.jit(function), *args) == outcome(function, *args)


def not_reached(n):
    if n < 0:
        return n + None
    if n > 100:
        return n - "a"
    if n > 50:
        return n.unknown
    if n == 7:
        print("a" + n)
    return n


def caught_where_reached(n):
    try:
        if n < 0:
            return n + None
        if n > 50:
            return n.unknown
    except (TypeError, AttributeError):
        return -7
    return n


@pytest.mark.parametrize("function", [not_reached, caught_where_reached])
def test_what_python_does_not_support_raises_where_it_is_reached(function):
    staged = tf.jit(function)
    for n in (5, -1, 60, 101, 7, 5):
        assert outcome(staged, n) == outcome(function, n)


def test_python_s_error_is_no_consequence_of_another():
    with pytest.raises(TypeError, match="unsupported operand type") as caught:
        tf.jit(lambda n: n - "a")(1)
    assert caught.value.__context__ is None
