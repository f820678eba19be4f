"""Functions of Python numbers and of scalars in native code: Python's results and errors."""

import math
import random

import numpy as np
import pytest

import runtime as tf
from tests.runtime.engine.llvm.native_programs import check_native, lowered_modules

pytest.importorskip("llvmlite")

INTS = (
    0, 1, -1, 2, -7, 12, 2**31, -(2**31), 3037000499, 2**52 + 1, 2**53 + 1, -(2**53) - 1, 2**62,
    2**63 - 1, -(2**63), 3037000499**2, 3037000499**2 - 1,
)  # fmt: skip
FLOATS = (
    0.0, -0.0, 1.0, -1.0, 0.1, 2.5, -3.75, 1e-300, 1e308, -1e308, 2.0**53, 2.0**63, -(2.0**63),
    float("inf"), float("-inf"), float("nan"),
)  # fmt: skip


def of_an_int(function):
    """Return a program that calls a function in a loop."""

    def program(value):
        count = 0
        found = function(value)
        while count < 2:
            count += 1
            found = function(value)
        return found

    return program


OF_INTS = {
    "gcd": lambda x: math.gcd(x, 18),
    "gcd of itself": lambda x: math.gcd(x, x),
    "lcm": lambda x: math.lcm(x, 6),
    "isqrt": lambda x: math.isqrt(x),
    "bit_length": lambda x: x.bit_length(),
    "bit_count": lambda x: x.bit_count(),
    "isnan": lambda x: math.isnan(x),
    "copysign": lambda x: math.copysign(x, -0.0),
    "radians": lambda x: math.radians(x),
    "halves": lambda x: (x // 2, x % 2),
    "parts of 1024": lambda x: (x // 1024, x % 1024, x // 1, x % 1),
    "negative divisor": lambda x: (x // -2, x % -2),
    "parts of 7": lambda x: (x // 7, x % 7),
}
OF_FLOATS = {
    "isnan": lambda x: math.isnan(x),
    "isinf": lambda x: math.isinf(x),
    "isfinite": lambda x: math.isfinite(x),
    "copysign": lambda x: (math.copysign(3.0, x), math.copysign(x, -1.0)),
    "degrees": lambda x: math.degrees(x),
    "radians": lambda x: math.radians(x),
    "erf": lambda x: (math.erf(x), math.erfc(x)),
    "exp2": lambda x: math.exp2(x),
    "remainder": lambda x: math.remainder(x, 2.5),
    "square": lambda x: x**2.0,
    "root": lambda x: abs(x) ** 0.5,
    "root of either zero": lambda x: (x * 0.0) ** 0.5,
}


@pytest.mark.parametrize("name", OF_INTS)
def test_functions_of_ints(name):
    check_native(of_an_int(OF_INTS[name]), *[(value,) for value in INTS])


@pytest.mark.parametrize("name", OF_FLOATS)
def test_functions_of_floats(name):
    numbers = random.Random(1)
    drawn = [numbers.gauss(0, 3) for _ in range(50)]
    check_native(of_an_int(OF_FLOATS[name]), *[(value,) for value in (*FLOATS, *drawn)])


def test_ints_and_floats_are_compared_exactly():
    def program(x, y):
        count = 0
        found = (x < y, x <= y, x > y, x >= y, x == y, x != y)
        while count < 2:
            count += 1
            found = (y < x, y <= x, y > x, y >= x, y == x, x != y, x < y)
        return found

    check_native(program, *[(x, y) for x in INTS for y in FLOATS])


def test_roots_of_squares_and_their_neighbours():
    numbers = random.Random(2)
    roots = [numbers.randrange(3037000499) for _ in range(200)]
    values = [root * root + shift for root in roots for shift in (-1, 0, 1) if root]
    check_native(of_an_int(OF_INTS["isqrt"]), *[(value,) for value in values])


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("function", [
    tf.sigmoid, tf.math.softplus, tf.nn.relu,
    lambda x: tf.clip_by_value(x, -1.0, 2.0), lambda x: tf.math.squared_difference(x, 0.5),
])  # fmt: skip
def test_activations_of_scalars(function, dtype):
    with lowered_modules() as modules:
        compiled = tf.function(function)
        for value in (*FLOATS[:9], *FLOATS[-3:], 88.0, -104.0, 1e-8):
            with np.errstate(all="ignore"):
                x = dtype(value)
                found, wanted = compiled(tf.constant(x)).numpy(), function(tf.constant(x)).numpy()
            assert found.dtype == wanted.dtype
            np.testing.assert_array_max_ulp(found, wanted, 4)
    assert modules


@pytest.mark.parametrize("ends", [
    (0, 10, 3), (10, -5, -4), (5, 5, 1), (0, 3, -1), (0, 3, 0), (-(2**31), 2**31 - 1, 2**30),
    (0.5, 2.0, 0.25), (0.0, 1.0, 0.1), (2.0, -1.0, -0.7), (0.0, 1.0, 0.0), (1.0, float("inf"), 1.0),
])  # fmt: skip
def test_counters_of_ranges(ends):
    def program(start, limit, delta):
        total = start * 0
        for x in tf.range(start, limit, delta):
            total = total * 2 + x
        return total

    def outcome(function, args):
        try:
            return function(*args).numpy().item()
        except tf.errors.InvalidArgumentError as error:
            return str(error).splitlines()[0].removesuffix(" [Op:range]")

    for dtype in (np.int32, np.int64) if isinstance(ends[0], int) else (np.float32, np.float64):
        args = [tf.constant(dtype(end)) for end in ends]
        with lowered_modules() as modules:
            found = outcome(tf.function(program), args)
        assert modules
        assert found == outcome(program, args)


def test_increments_of_short_ints_wrap():
    from runtime.ops.control_flow.cond_while import increment

    for x in (126, 127, -128):
        found = tf.function(lambda x: increment(x) > x, jit_compile=True)(tf.constant(x, "int8"))
        assert bool(found) == (x != 127)
