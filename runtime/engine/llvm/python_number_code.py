"""LLVM code of Python's functions of numbers: ``math.gcd``, ``int.bit_length``, comparisons.

Bools count as ints.  Arguments that a function does not take are its kernel's affair, which raises.
"""

from __future__ import annotations

import math
from collections.abc import Callable

from runtime.engine.llvm import kernel_ir as ir
from runtime.engine.llvm.builder import SIZE, Builder, CodeVariable
from runtime.engine.llvm.libm_code import as_double
from runtime.engine.llvm.opcodes import opcode
from runtime.engine.llvm.scalar_code import FLOAT_CODES
from runtime.engine.llvm.text import FunctionText
from runtime.engine.llvm.values import LaneValue, PartialValue, either

OfInts = Callable[..., LaneValue | PartialValue]


def _of_ints(name: str) -> Callable[[OfInts], OfInts]:
    """Enter a function of int64s; others give up."""

    def enter(function: OfInts) -> OfInts:
        @opcode(name)
        def emit(*args: LaneValue) -> LaneValue | PartialValue:
            if any(arg.type.kind not in "ib" for arg in args):
                zero = args[0].as_type(ir.INT64).constant(0)
                return PartialValue(zero, zero.as_type(ir.BOOL).constant(True))
            return function(*[arg.to(ir.INT64) for arg in args])

        return function

    return enter


def _function(name: str, x: LaneValue, *flags: str) -> LaneValue:
    """Call a function of LLVM's on an int64."""
    return LaneValue(x.writer, x.type, x.text.call("i64", f"llvm.{name}.i64", f"i64 {x}", *flags))


def _magnitude(x: LaneValue) -> LaneValue:
    """Return the absolute value of an int64 as an unsigned one."""
    return _function("abs", x, "i1 false")


@_of_ints("int.bit_length")
def _bit_length(x: LaneValue) -> LaneValue:
    return 64 - _function("ctlz", _magnitude(x), "i1 false")


@_of_ints("int.bit_count")
def _bit_count(x: LaneValue) -> LaneValue:
    return _function("ctpop", _magnitude(x))


def _write_divisor(text: FunctionText) -> None:
    """Write Euclid's algorithm."""
    code = Builder(text)
    divisor, rest = CodeVariable(code, SIZE), CodeVariable(code, SIZE)
    divisor.set("%x")
    rest.set("%y")
    with code.repeat_while(lambda: rest.get() != 0):
        before = rest.get()
        rest.set(divisor.get() % before)
        divisor.set(before)
    code.finish(f"i64 {divisor.get()}")


def _greatest_divisor(x: LaneValue, y: LaneValue) -> LaneValue:
    x.text.define("greatest_divisor", "i64", "i64 %x, i64 %y", _write_divisor, "")
    sizes = _magnitude(x), _magnitude(y)
    return x.emit(f"call i64 @greatest_divisor(i64 {sizes[0]}, i64 {sizes[1]})")


@_of_ints("math.gcd")
def _gcd(x: LaneValue, y: LaneValue) -> PartialValue:
    divisor = _greatest_divisor(x, y)
    return PartialValue(divisor, divisor < 0)


@_of_ints("math.lcm")
def _lcm(x: LaneValue, y: LaneValue) -> PartialValue:
    divisor = _greatest_divisor(x, y)
    safe = (divisor == 0).choose(1, divisor)
    cofactor = _magnitude(x) // safe
    multiple, lost = cofactor.with_overflow("umul", _magnitude(y))
    return PartialValue(multiple, either(lost, multiple < 0))


@_of_ints("math.isqrt")
def _isqrt(number: LaneValue) -> PartialValue:
    """Round the root of a double, which is off by 1 at most; the squares fit in 64 bits."""
    bad = number < 0
    safe = bad.choose(0, number).as_type(ir.Scalar("u", 64))
    root = safe.to(ir.FLOAT64).sqrt()
    near = root.emit(f"fptoui double {root} to i64", safe.type)
    lower = near - (near * near > safe).to(safe.type)
    following = lower + 1
    fits = following * following <= safe
    return PartialValue(fits.choose(following, lower), bad)


# -- floats ---------------------------------------------------------------------------------------


def _test_of_double(name: str, test: str) -> None:
    @opcode(name)
    def emit(x: LaneValue) -> LaneValue:
        return x.to(ir.FLOAT64).test(test)


_test_of_double("math.isnan", "is_nan")
_test_of_double("math.isinf", "is_inf")
_test_of_double("math.isfinite", "is_finite")


def _scaling(name: str, factor: float) -> None:
    @opcode(name)
    def emit(x: LaneValue) -> PartialValue:
        value, flag = as_double(x)
        return PartialValue(value * factor, flag)


_scaling("math.degrees", 180.0 / math.pi)
_scaling("math.radians", math.pi / 180.0)


@opcode("math.copysign")
def _copysign(x: LaneValue, y: LaneValue) -> PartialValue:
    (size, flag), (sign, _) = as_double(x), as_double(y)
    return PartialValue(size.with_sign_of(sign), flag)


def _exact_comparison(code: str) -> None:
    """Enter the comparison of an int with a float; ints beyond 2**53 give up."""

    @opcode(f"{code}.exact")
    def emit(x: LaneValue, y: LaneValue) -> PartialValue:
        (lhs, lhs_inexact), (rhs, rhs_inexact) = as_double(x), as_double(y)
        return PartialValue(lhs.test(code, rhs), either(lhs_inexact, rhs_inexact))


for _code in FLOAT_CODES:
    _exact_comparison(_code)
