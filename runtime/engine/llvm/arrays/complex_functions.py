"""Functions of complex elements as formulas of their parts.

    @function("conj")
    def _conj(x: Complex) -> Complex:
        return Complex(x.real, -x.imag)

Each computes what NumPy's loop does, in its order.  Where a formula does not hold - overflow on the
way, infinities, NaN - it says so (``Partial``), and the kernel computes the whole array.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Sequence
from typing import Any

from autograph.named_tuples import NamedTuple
from runtime.engine.llvm import kernel_ir as ir
from runtime.engine.llvm.element_code import complex_of, part_of
from runtime.engine.llvm.text import FunctionText
from runtime.engine.llvm.values import OPCODES, Apply, Code, LaneValue, Writer

FUNCTIONS: dict[str, Callable[..., Any]] = {}
"""The functions by opcode."""


class Complex(NamedTuple):
    """Complex number that code computes."""

    real: LaneValue
    imag: LaneValue


class PartialComplex(NamedTuple):
    """Result of a formula that does not hold everywhere: ``unknown`` says where it does not."""

    value: LaneValue | Complex
    unknown: LaneValue


def is_complex(types: Sequence[ir.Type]) -> bool:
    """Return whether complex numbers are among some types."""
    return any(isinstance(type, ir.Scalar) and type.kind == "c" for type in types)


def apply(
    text: FunctionText, opcode: str, takes: Sequence[ir.Scalar], gives: ir.Scalar,
    args: Sequence[str], by_element: Apply,
) -> Code:  # fmt: skip
    """Add the code of a function; ``by_element`` applies opcodes to real numbers.  Return the
    result, and where it is not known.
    """
    writer = Writer(text, by_element, gives)
    values = [_value(writer, type, arg) for type, arg in zip(takes, args, strict=True)]
    outcome: LaneValue | Complex | PartialComplex = FUNCTIONS[opcode](*values)
    unknown = outcome.unknown.name if isinstance(outcome, PartialComplex) else None
    value = outcome.value if isinstance(outcome, PartialComplex) else outcome
    if isinstance(value, LaneValue):
        return value.name, unknown
    return complex_of(text, gives, value.real.name, value.imag.name), unknown


def _value(writer: Writer, type: ir.Scalar, name: str) -> LaneValue | Complex:
    if type.kind != "c":
        return LaneValue(writer, type, name)
    components = [part_of(writer.text, type, name, number) for number in range(2)]
    return Complex(*[LaneValue(writer, type.part, component) for component in components])


def function(name: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Enter a function in the table."""

    def enter(definition: Callable[..., Any]) -> Callable[..., Any]:
        FUNCTIONS[name] = definition
        return definition

    return enter


# -- arithmetic -----------------------------------------------------------------------------------


@function("add")
def _add(x: Complex, y: Complex) -> Complex:
    return Complex(x.real + y.real, x.imag + y.imag)


@function("add_n")
def _add_n(*terms: Complex) -> Complex:
    return functools.reduce(_add, terms)


@function("sub")
def _sub(x: Complex, y: Complex) -> Complex:
    return Complex(x.real - y.real, x.imag - y.imag)


@function("neg")
def _neg(x: Complex) -> Complex:
    return Complex(-x.real, -x.imag)


@function("mul")
def _mul(x: Complex, y: Complex) -> Complex:
    """Multiply; NumPy's loop rounds once where the processor can."""
    real = x.real.times_plus(y.real, -(x.imag * y.imag))
    return Complex(real, x.real.times_plus(y.imag, x.imag * y.real))


@function("square")
def _square(x: Complex) -> Complex:
    return _mul(x, x)


@function("pow.2")
def _second_power(x: Complex, exponent: Complex) -> Complex:
    return _exactly_multiplied(x, x)


@function("pow.3")
def _third_power(x: Complex, exponent: Complex) -> Complex:
    return _exactly_multiplied(x, _exactly_multiplied(x, x))


def _exactly_multiplied(x: Complex, y: Complex) -> Complex:
    """Multiply, every operation rounded, as NumPy's powers do."""
    real = x.real * y.real - x.imag * y.imag
    return Complex(real, x.real * y.imag + x.imag * y.real)


@function("div")
def _div(x: Complex, y: Complex) -> Complex:
    """Divide both parts of the divisor by the longer one (Smith, 1962)."""
    wide = abs(y.real) >= abs(y.imag)
    long, short = wide.choose(y.real, y.imag), wide.choose(y.imag, y.real)
    ratio = short / long
    scale = x.real.constant(1) / (long + short * ratio)
    along, across = wide.choose(x.real, x.imag), wide.choose(x.imag, x.real)
    real = (along + across * ratio) * scale
    lower = wide.choose(x.imag, x.imag * ratio) - wide.choose(x.real * ratio, x.real)
    imag = lower * scale
    zero = wide & (long == 0)
    size = abs(long)
    return Complex(zero.choose(x.real / size, real), zero.choose(x.imag / size, imag))


@function("reciprocal")
def _reciprocal(x: Complex) -> Complex:
    return _div(Complex(x.real.constant(1), x.real.constant(0)), x)


@function("divide_no_nan")
def _divide_no_nan(x: Complex, y: Complex) -> Complex:
    return _zero_where(_is_zero(y), _div(x, y))


@function("multiply_no_nan")
def _multiply_no_nan(x: Complex, y: Complex) -> Complex:
    return _zero_where(_is_zero(y), _mul(x, y))


def _is_zero(x: Complex) -> LaneValue:
    return (x.real == 0) & (x.imag == 0)


def _zero_where(condition: LaneValue, value: Complex) -> Complex:
    """Return 0 where a condition holds, else what was found."""
    zero = value.real.constant(0)
    return Complex(condition.choose(zero, value.real), condition.choose(zero, value.imag))


# -- parts and comparisons ------------------------------------------------------------------------


@function("real")
def _real(x: Complex) -> LaneValue:
    return x.real


@function("imag")
def _imag(x: Complex) -> LaneValue:
    return x.imag


@function("conj")
def _conj(x: Complex) -> Complex:
    return Complex(x.real, -x.imag)


@function("complex")
def _complex(real: LaneValue, imag: LaneValue) -> Complex:
    return Complex(real, imag)


@function("abs")
def _abs(x: Complex) -> LaneValue:
    return _modulus(x)


def _modulus(x: Complex) -> LaneValue:
    """Divide by the longer part, so that no square overflows."""
    sizes = abs(x.real), abs(x.imag)
    long, short = sizes[0].apply("max", sizes[1]), sizes[0].apply("min", sizes[1])
    ratio = short / long
    modulus = (short == 0).choose(long, long * (ratio * ratio + 1).sqrt())
    endless = (sizes[0] == math.inf) | (sizes[1] == math.inf)
    return endless.choose(long.constant(math.inf), modulus)


@function("angle")
def _angle(x: Complex) -> LaneValue:
    return x.imag.apply("atan2", x.real)


@function("copy")
def _copy(x: Complex) -> Complex:
    return x


@function("second")
def _second(x: LaneValue | Complex, y: Complex) -> Complex:
    return y


@function("select")
def _select(condition: LaneValue, x: Complex, y: Complex) -> Complex:
    return Complex(condition.choose(x.real, y.real), condition.choose(x.imag, y.imag))


@function("eq")
def _eq(x: Complex, y: Complex) -> LaneValue:
    return (x.real == y.real) & (x.imag == y.imag)


@function("ne")
def _ne(x: Complex, y: Complex) -> LaneValue:
    return ~_eq(x, y)


def _of_either(opcode: str, joins: str) -> None:
    @function(opcode)
    def of_parts(x: Complex) -> LaneValue:
        real, imag = (component.test(opcode) for component in x)
        return real.apply(joins, imag)


_of_either("is_nan", "or")
_of_either("is_inf", "or")
_of_either("is_finite", "and")


@function("cast.exact")
@function("cast")
def _cast(x: LaneValue | Complex) -> Any:
    """Convert; of a complex number, a real one is the real part."""
    writer = (x if isinstance(x, LaneValue) else x.real).writer
    component = writer.gives.part
    if isinstance(x, LaneValue):
        real = x.to(component)
        return Complex(real, real.constant(0))
    if writer.gives.kind == "c":
        return Complex(x.real.to(component), x.imag.to(component))
    if writer.gives == ir.BOOL:
        return ~_is_zero(x)
    name, unknown = OPCODES["cast"](writer.text, (x.real.type,), writer.gives, (x.real.name,))
    number = LaneValue(writer, writer.gives, name)
    return (
        number if unknown is None else PartialComplex(number, LaneValue(writer, ir.BOOL, unknown))
    )


# -- roots and exponentials -----------------------------------------------------------------------


@function("sqrt")
def _sqrt(x: Complex) -> PartialComplex:
    """Take the root of half the sum of the modulus and the size of the real part."""
    size, tiny = abs(x.real).apply("max", abs(x.imag)), _LEAST[x.real.type.bits]
    root = ((_modulus(x) + abs(x.real)) * 0.5).sqrt()
    quotient = abs(x.imag) / (root + root)
    right = x.real >= 0
    real, imag = right.choose(root, quotient), right.choose(quotient, root)
    principal = Complex(real, imag.apply("copysign", x.imag))
    fits = (size > tiny) & (size < 1 / tiny)
    zero = _is_zero(x)
    value = Complex(zero.choose(abs(x.real), principal.real), zero.choose(x.imag, principal.imag))
    return PartialComplex(value, ~(fits | zero))


_LEAST = {32: 1e-30, 64: 1e-290}
"""By bits of a part: sizes from here to the reciprocal are far from overflow and underflow."""
_MOST = {32: 80.0, 64: 700.0}
"""By bits of a part: exponents whose exponentials are far from overflow and underflow."""


def _is_unknown(x: Complex, exponent: LaneValue, angle: LaneValue) -> LaneValue:
    """Return whether an exponential is near overflow or underflow, or an angle is not finite."""
    small = abs(exponent) < _MOST[exponent.type.bits]
    return ~(small & angle.test("is_finite"))


@function("exp")
def _exp(x: Complex) -> PartialComplex:
    size = x.real.apply("exp")
    zero = x.imag == 0
    real = zero.choose(size, size * x.imag.apply("cos"))
    imag = zero.choose(x.imag, size * x.imag.apply("sin"))
    return PartialComplex(Complex(real, imag), _is_unknown(x, x.real, x.imag))


@function("sin")
def _sin(x: Complex) -> PartialComplex:
    real = x.real.apply("sin") * x.imag.apply("cosh")
    imag = x.real.apply("cos") * x.imag.apply("sinh")
    return PartialComplex(Complex(real, imag), _is_unknown(x, x.imag, x.real))


@function("cos")
def _cos(x: Complex) -> PartialComplex:
    real = x.real.apply("cos") * x.imag.apply("cosh")
    imag = -(x.real.apply("sin") * x.imag.apply("sinh"))
    return PartialComplex(Complex(real, imag), _is_unknown(x, x.imag, x.real))


