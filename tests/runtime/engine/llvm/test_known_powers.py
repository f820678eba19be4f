"""Powers with known exponents in native code: products and roots, with C99's special values."""

import numpy as np
import pytest

import runtime as tf

pytest.importorskip("llvmlite")

SPECIAL = [0.0, -0.0, np.inf, -np.inf, np.nan, 1.0, -1.0, 2.0, -2.0, 1e-30, 1e30, -1e30, 3.7, -3.7]
EXPONENTS = (0.0, 1.0, 2.0, 3.0, 4.0, -1.0, -2.0, 0.5, 1.5, 2.5, -0.5, -1.5)
OF_MINUS_INFINITY = {0.5: np.inf, 1.5: np.inf, 2.5: np.inf, -0.5: 0.0, -1.5: 0.0}


def exact(x, exponent):
    with np.errstate(all="ignore"):
        result = np.power(x.astype(np.longdouble), np.longdouble(exponent)).astype(x.dtype)
    if exponent in OF_MINUS_INFINITY:
        result[x == -np.inf] = OF_MINUS_INFINITY[exponent]
    if exponent == 0.5:
        result[x == 0] = 0.0
    return result


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("exponent", EXPONENTS)
def test_powers_are_near_the_exact_ones(exponent, dtype):
    x = np.concatenate([SPECIAL, np.random.default_rng(0).normal(0, 3, 200)]).astype(dtype)
    power = tf.function(lambda x: tf.pow(x, exponent), jit_compile=True)
    found, wanted = power(tf.constant(x)).numpy(), exact(x, exponent)
    np.testing.assert_array_equal(np.isnan(found), np.isnan(wanted))
    finite = np.isfinite(wanted)
    np.testing.assert_array_equal(found[~finite], wanted[~finite])
    distance = np.abs(found[finite] - wanted[finite])
    assert (distance <= 2 * np.spacing(np.abs(wanted[finite]))).all()
    zeros = finite & (wanted == 0) & (found == 0)
    np.testing.assert_array_equal(np.signbit(found[zeros]), np.signbit(wanted[zeros]))


def test_powers_have_no_call_of_a_function():
    from runtime.engine.llvm.codegen import generate
    from tests.runtime.engine.llvm.native_programs import lowered_modules

    with lowered_modules() as modules:
        power = tf.function(lambda x: x**2 + x**3 + x**0.5 - 1 / x**1.5)
        power(tf.constant(np.ones(1000, np.float32)))
    assert "pow" not in "".join(generate(module) for module in modules)
