"""LLVM code of Python's functions of numbers: ``math.gcd``, ``int.bit_length``, comparisons.

Bools count as ints.  Arguments that a function does not take are its kernel's affair, which raises.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from runtime.engine.llvm import kernel_ir as ir
from runtime.engine.llvm.libm_code import as_double
from runtime.engine.llvm.scalar_code import (
    FLOAT_CODES,
    OPCODES,
    Code,
    Emit,
    either,
    number_type,
    opcode,
)
from runtime.engine.llvm.text import FunctionText, literal

WholeEmit = Callable[[FunctionText, Sequence[str]], Code]


def _of_ints(name: str) -> Callable[[WholeEmit], WholeEmit]:
    """Enter an emitter that takes int64; others give up."""

    def enter(emit: WholeEmit) -> WholeEmit:
        def outer(
            text: FunctionText, takes: Sequence[ir.Type], gives: ir.Type, args: Sequence[str]
        ) -> Code:
            if any(number_type(type).kind not in "ib" for type in takes):
                return "0", "true"
            wide = [
                OPCODES["cast"](text, (type,), ir.INT64, (arg,))[0]
                for type, arg in zip(takes, args, strict=True)
            ]
            return emit(text, wide)

        OPCODES[name] = outer
        return emit

    return enter


def _magnitude(text: FunctionText, value: str) -> str:
    """Return the absolute value of an int64 as an unsigned one."""
    return text.call("i64", "llvm.abs.i64", f"i64 {value}", "i1 false")


@_of_ints("int.bit_length")
def _bit_length(text: FunctionText, args: Sequence[str]) -> Code:
    size = _magnitude(text, args[0])
    zeros = text.call("i64", "llvm.ctlz.i64", f"i64 {size}", "i1 false")
    return text.value(f"sub i64 64, {zeros}"), None


@_of_ints("int.bit_count")
def _bit_count(text: FunctionText, args: Sequence[str]) -> Code:
    return text.call("i64", "llvm.ctpop.i64", f"i64 {_magnitude(text, args[0])}"), None


_GCD = """
define internal i64 @greatest_divisor(i64 %x, i64 %y) {
entry:
  br label %test
test:
  %a = phi i64 [%x, %entry], [%b, %body]
  %b = phi i64 [%y, %entry], [%rest, %body]
  %done = icmp eq i64 %b, 0
  br i1 %done, label %finish, label %body
body:
  %rest = urem i64 %a, %b
  br label %test
finish:
  ret i64 %a
}"""


def _greatest_divisor(text: FunctionText, args: Sequence[str]) -> str:
    text.declared["greatest_divisor"] = _GCD
    sizes = [_magnitude(text, arg) for arg in args]
    return text.value(f"call i64 @greatest_divisor(i64 {sizes[0]}, i64 {sizes[1]})")


@_of_ints("math.gcd")
def _gcd(text: FunctionText, args: Sequence[str]) -> Code:
    divisor = _greatest_divisor(text, args)
    return divisor, text.value(f"icmp slt i64 {divisor}, 0")


@_of_ints("math.lcm")
def _lcm(text: FunctionText, args: Sequence[str]) -> Code:
    divisor = _greatest_divisor(text, args)
    none = text.value(f"icmp eq i64 {divisor}, 0")
    safe = text.value(f"select i1 {none}, i64 1, i64 {divisor}")
    cofactor = text.value(f"udiv i64 {_magnitude(text, args[0])}, {safe}")
    magnitude = _magnitude(text, args[1])
    pair = text.call(
        "{i64, i1}", "llvm.umul.with.overflow.i64", f"i64 {cofactor}", f"i64 {magnitude}"
    )
    multiple = text.value(f"extractvalue {{i64, i1}} {pair}, 0")
    lost = text.value(f"extractvalue {{i64, i1}} {pair}, 1")
    return multiple, either(text, lost, text.value(f"icmp slt i64 {multiple}, 0"))


@_of_ints("math.isqrt")
def _isqrt(text: FunctionText, args: Sequence[str]) -> Code:
    """Round the root of a double, which is off by 1 at most; the squares fit in 64 bits."""
    (number,) = args
    bad = text.value(f"icmp slt i64 {number}, 0")
    safe = text.value(f"select i1 {bad}, i64 0, i64 {number}")
    wide = text.value(f"uitofp i64 {safe} to double")
    root = text.call("double", "llvm.sqrt.f64", f"double {wide}")
    near = text.value(f"fptoui double {root} to i64")
    above = text.value(f"icmp ugt i64 {text.value(f'mul i64 {near}, {near}')}, {safe}")
    lower = text.value(f"sub i64 {near}, {text.value(f'zext i1 {above} to i64')}")
    following = text.value(f"add i64 {lower}, 1")
    square = text.value(f"mul i64 {following}, {following}")
    fits = text.value(f"icmp ule i64 {square}, {safe}")
    return text.value(f"select i1 {fits}, i64 {following}, i64 {lower}"), bad


# -- floats ---------------------------------------------------------------------------------------


def _test_of_double(name: str) -> Emit:
    def emit(
        text: FunctionText, takes: Sequence[ir.Type], gives: ir.Type, args: Sequence[str]
    ) -> Code:
        value, _ = OPCODES["cast"](text, takes, ir.FLOAT64, args)
        return OPCODES[name](text, (ir.FLOAT64,), gives, (value,))

    return emit


OPCODES["math.isnan"] = _test_of_double("is_nan")
OPCODES["math.isinf"] = _test_of_double("is_inf")
OPCODES["math.isfinite"] = _test_of_double("is_finite")


def _scaling(factor: float) -> Emit:
    def emit(
        text: FunctionText, takes: Sequence[ir.Type], gives: ir.Type, args: Sequence[str]
    ) -> Code:
        value, flag = as_double(text, takes[0], args[0])
        return text.value(f"fmul double {value}, {literal(factor, ir.FLOAT64)}"), flag

    return emit


OPCODES["math.degrees"] = _scaling(180.0 / math.pi)
OPCODES["math.radians"] = _scaling(math.pi / 180.0)


@opcode("math.copysign")
def _copysign(
    text: FunctionText, takes: Sequence[ir.Type], gives: ir.Type, args: Sequence[str]
) -> Code:
    (size, flag), (sign, _) = (as_double(text, t, a) for t, a in zip(takes, args, strict=True))
    return text.call("double", "llvm.copysign.f64", f"double {size}", f"double {sign}"), flag


def _exact_comparison(code: str) -> Emit:
    """Return the emitter of comparisons of an int with a float; ints beyond 2**53 give up."""

    def emit(
        text: FunctionText, takes: Sequence[ir.Type], gives: ir.Type, args: Sequence[str]
    ) -> Code:
        (lhs, lhs_inexact), (rhs, rhs_inexact) = (
            as_double(text, t, a) for t, a in zip(takes, args, strict=True)
        )
        result = text.value(f"fcmp {FLOAT_CODES[code]} double {lhs}, {rhs}")
        return result, either(text, lhs_inexact, rhs_inexact)

    return emit


for _code in FLOAT_CODES:
    OPCODES[f"{_code}.exact"] = _exact_comparison(_code)
