"""Opcodes that are formulas of others: activations, losses, quotients without NaN, signs."""

from __future__ import annotations

import functools
import math
import operator

from runtime.engine.llvm import kernel_ir as ir
from runtime.engine.llvm.opcodes import formula
from runtime.engine.llvm.values import Value

SELU_SCALE, SELU_ALPHA = 1.0507009873554805, 1.6732632423543772


@formula("clip")
def _clip(x: Value, low: Value, high: Value) -> Value:
    return x.apply("min", high).apply("max", low)


@formula("squared_difference")
def _squared_difference(x: Value, y: Value) -> Value:
    return (x - y).apply("square")


@formula("relu")
def _relu(x: Value) -> Value:
    return x.apply("max", 0)


@formula("second")
def _second(x: Value, y: Value) -> Value:
    return y


@formula("relu6")
def _relu6(x: Value) -> Value:
    return x.apply("max", 0).apply("min", 6)


@formula("elu")
def _elu(x: Value) -> Value:
    return (x > 0).choose(x, x.apply("min", 0).apply("expm1"))


@formula("selu")
def _selu(x: Value) -> Value:
    below = SELU_SCALE * SELU_ALPHA * x.apply("min", 0).apply("expm1")
    return (x > 0).choose(x * SELU_SCALE, below)


@formula("softsign")
def _softsign(x: Value) -> Value:
    return x / (abs(x) + 1)


@formula("leaky_relu")
def _leaky_relu(x: Value, alpha: Value) -> Value:
    return (x > 0).choose(x, x * alpha.to(x.type))


@formula("gelu")
def _gelu(x: Value) -> Value:
    return 0.5 * x * ((x * 0.7071067811865476).apply("erf") + 1)


@formula("gelu.tanh")
def _gelu_by_tanh(x: Value) -> Value:
    inner = 0.7978845608028654 * (x + 0.044715 * x * x * x)
    return 0.5 * x * (inner.apply("tanh") + 1)


@formula("sigmoid")
def _sigmoid(x: Value) -> Value:
    small = (-abs(x)).apply("exp")  # never overflows
    return (x < 0).choose(small, x.constant(1)) / (x.constant(1) + small)


@formula("softplus")
def _softplus(x: Value) -> Value:
    return x.apply("max", 0) + (-abs(x)).apply("exp").apply("log1p")


@formula("log_sigmoid")
def _log_sigmoid(x: Value) -> Value:
    return -_softplus(-x)


@formula("sigmoid_loss")
def _sigmoid_loss(labels: Value, logits: Value) -> Value:
    softplus = (-abs(logits)).apply("exp").apply("log1p")
    return logits.apply("max", 0) - logits * labels + softplus


# -- what is zero instead of NaN --------------------------------------------------------------


@formula("divide_no_nan")
def _divide_no_nan(x: Value, y: Value) -> Value:
    quotient = x.apply("div", y, gives=x.writer.gives)
    return (y == 0).choose(quotient.constant(0), quotient)


@formula("multiply_no_nan")
def _multiply_no_nan(x: Value, y: Value) -> Value:
    return (y == 0).choose(x.constant(0), x * y)


@formula("reciprocal_no_nan")
def _reciprocal_no_nan(x: Value) -> Value:
    return (x == 0).choose(x.constant(0), x.constant(1) / x)


@formula("xlogy")
def _xlogy(x: Value, y: Value) -> Value:
    return (x == 0).choose(x.constant(0), x * y.apply("log"))


@formula("xlog1py")
def _xlog1py(x: Value, y: Value) -> Value:
    return (x == 0).choose(x.constant(0), x * y.apply("log1p"))


@formula("xdivy")
def _xdivy(x: Value, y: Value) -> Value:
    return (x == 0).choose(x.constant(0), x / y)


# -- sums and distances -----------------------------------------------------------------------


@formula("add_n")
def _add_n(*terms: Value) -> Value:
    return functools.reduce(operator.add, terms)


@formula("approximate_equal")
def _approximate_equal(x: Value, y: Value, tolerance: Value) -> Value:
    return abs(x - y) < tolerance.to(x.type)


@formula("hypot")
def _hypot(x: Value, y: Value) -> Value:
    """Divide by the longer side, so that no square overflows; float32 has room in float64."""
    long, short = abs(x).apply("max", abs(y)), abs(x).apply("min", abs(y))
    if x.type == ir.FLOAT64:
        ratio = short / long
        length = long * (ratio * ratio + 1).sqrt()
        length = (short == 0).choose(long, length)
    else:
        sides = x.to(ir.FLOAT64), y.to(ir.FLOAT64)
        length = (sides[0] * sides[0] + sides[1] * sides[1]).sqrt().to(x.type)
    endless = x.test("is_inf") | y.test("is_inf")
    return endless.choose(x.constant(math.inf), length)


@formula("angle")
def _angle(x: Value) -> Value:
    """Return the angle of a real number: 0, or pi of one below 0."""
    return x.constant(0).apply("atan2", x)


@formula("logaddexp")
def _logaddexp(x: Value, y: Value) -> Value:
    distance = x - y
    log_sum = x.apply("max", y) + (-abs(distance)).apply("exp").apply("log1p")
    log_sum = distance.is_nan().choose(distance, log_sum)
    return (x == y).choose(x + math.log(2), log_sum)


# -- signs and neighbours ---------------------------------------------------------------------


@formula("signbit")
def _signbit(x: Value) -> Value:
    return x.bits() < 0


@formula("copysign")
def _copysign(x: Value, y: Value) -> Value:
    return ((x.bits() < 0) == (y.bits() < 0)).choose(x, -x)


@formula("nextafter")
def _nextafter(x: Value, y: Value) -> Value:
    """Step in the bits: those of floats of one sign are in the order of their sizes."""
    bits = x.bits()
    away = ((x < y) == (x > 0)).choose(bits + 1, bits - 1)
    least = (x.constant(0).bits() + 1).floats()
    neighbour = (x == 0).choose((y.bits() < 0).choose(-least, least), away.floats())
    nan = x.is_nan() | y.is_nan()
    return nan.choose(x + y, (x == y).choose(y, neighbour))
