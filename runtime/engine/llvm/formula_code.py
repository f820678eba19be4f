"""Opcodes that are formulas of others: activations, losses, quotients without NaN, signs."""

from __future__ import annotations

import functools
import math
import operator

from runtime.engine.llvm import kernel_ir as ir
from runtime.engine.llvm.opcodes import formula
from runtime.engine.llvm.values import LaneValue

SELU_SCALE, SELU_ALPHA = 1.0507009873554805, 1.6732632423543772


@formula("clip")
def _clip(x: LaneValue, low: LaneValue, high: LaneValue) -> LaneValue:
    return x.apply("min", high).apply("max", low)


@formula("squared_difference")
def _squared_difference(x: LaneValue, y: LaneValue) -> LaneValue:
    return (x - y).apply("square")


@formula("relu")
def _relu(x: LaneValue) -> LaneValue:
    return x.apply("max", 0)


@formula("second")
def _second(x: LaneValue, y: LaneValue) -> LaneValue:
    return y


@formula("relu6")
def _relu6(x: LaneValue) -> LaneValue:
    return x.apply("max", 0).apply("min", 6)


@formula("elu")
def _elu(x: LaneValue) -> LaneValue:
    return (x > 0).choose(x, x.apply("min", 0).apply("expm1"))


@formula("selu")
def _selu(x: LaneValue) -> LaneValue:
    below = SELU_SCALE * SELU_ALPHA * x.apply("min", 0).apply("expm1")
    return (x > 0).choose(x * SELU_SCALE, below)


@formula("softsign")
def _softsign(x: LaneValue) -> LaneValue:
    return x / (abs(x) + 1)


@formula("leaky_relu")
def _leaky_relu(x: LaneValue, alpha: LaneValue) -> LaneValue:
    return (x > 0).choose(x, x * alpha.to(x.type))


@formula("gelu")
def _gelu(x: LaneValue) -> LaneValue:
    return 0.5 * x * ((x * 0.7071067811865476).apply("erf") + 1)


@formula("gelu.tanh")
def _gelu_by_tanh(x: LaneValue) -> LaneValue:
    inner = 0.7978845608028654 * (x + 0.044715 * x * x * x)
    return 0.5 * x * (inner.apply("tanh") + 1)


@formula("sigmoid")
def _sigmoid(x: LaneValue) -> LaneValue:
    small = (-abs(x)).apply("exp")  # never overflows
    return (x < 0).choose(small, x.constant(1)) / (x.constant(1) + small)


@formula("softplus")
def _softplus(x: LaneValue) -> LaneValue:
    return x.apply("max", 0) + (-abs(x)).apply("exp").apply("log1p")


@formula("log_sigmoid")
def _log_sigmoid(x: LaneValue) -> LaneValue:
    return -_softplus(-x)


@formula("sigmoid_loss")
def _sigmoid_loss(labels: LaneValue, logits: LaneValue) -> LaneValue:
    softplus = (-abs(logits)).apply("exp").apply("log1p")
    return logits.apply("max", 0) - logits * labels + softplus


# -- what is zero instead of NaN --------------------------------------------------------------


@formula("divide_no_nan")
def _divide_no_nan(x: LaneValue, y: LaneValue) -> LaneValue:
    quotient = x.apply("div", y, gives=x.writer.gives)
    return (y == 0).choose(quotient.constant(0), quotient)


@formula("multiply_no_nan")
def _multiply_no_nan(x: LaneValue, y: LaneValue) -> LaneValue:
    return (y == 0).choose(x.constant(0), x * y)


@formula("reciprocal_no_nan")
def _reciprocal_no_nan(x: LaneValue) -> LaneValue:
    return (x == 0).choose(x.constant(0), x.constant(1) / x)


@formula("xlogy")
def _xlogy(x: LaneValue, y: LaneValue) -> LaneValue:
    return (x == 0).choose(x.constant(0), x * y.apply("log"))


@formula("xlog1py")
def _xlog1py(x: LaneValue, y: LaneValue) -> LaneValue:
    return (x == 0).choose(x.constant(0), x * y.apply("log1p"))


@formula("xdivy")
def _xdivy(x: LaneValue, y: LaneValue) -> LaneValue:
    return (x == 0).choose(x.constant(0), x / y)


# -- sums and distances -----------------------------------------------------------------------


@formula("add_n")
def _add_n(*terms: LaneValue) -> LaneValue:
    return functools.reduce(operator.add, terms)


@formula("approximate_equal")
def _approximate_equal(x: LaneValue, y: LaneValue, tolerance: LaneValue) -> LaneValue:
    return abs(x - y) < tolerance.to(x.type)


@formula("hypot")
def _hypot(x: LaneValue, y: LaneValue) -> LaneValue:
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
def _angle(x: LaneValue) -> LaneValue:
    """Return the angle of a real number: 0, or pi of one below 0."""
    return x.constant(0).apply("atan2", x)


@formula("logaddexp")
def _logaddexp(x: LaneValue, y: LaneValue) -> LaneValue:
    distance = x - y
    log_sum = x.apply("max", y) + (-abs(distance)).apply("exp").apply("log1p")
    log_sum = distance.is_nan().choose(distance, log_sum)
    return (x == y).choose(x + math.log(2), log_sum)


# -- signs and neighbours ---------------------------------------------------------------------


@formula("signbit")
def _signbit(x: LaneValue) -> LaneValue:
    return x.bits() < 0


@formula("copysign")
def _copysign(x: LaneValue, y: LaneValue) -> LaneValue:
    return ((x.bits() < 0) == (y.bits() < 0)).choose(x, -x)


@formula("nextafter")
def _nextafter(x: LaneValue, y: LaneValue) -> LaneValue:
    """Step in the bits: those of floats of one sign are in the order of their sizes."""
    bits = x.bits()
    away = ((x < y) == (x > 0)).choose(bits + 1, bits - 1)
    least = (x.constant(0).bits() + 1).floats()
    neighbour = (x == 0).choose((y.bits() < 0).choose(-least, least), away.floats())
    nan = x.is_nan() | y.is_nan()
    return nan.choose(x + y, (x == y).choose(y, neighbour))
