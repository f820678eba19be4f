"""LLVM code of arithmetic and comparisons, the scalar opcodes of kernel IR that all others are made
of.

An emitter receives the text of the function, the types of the arguments and of the result, and the
names of the arguments.  It returns the name of the result and, for code that does not hold for all
inputs, the name of a bool that is true where the kernel has to be called instead: of Python's
arithmetic, what overflows, unless the bounds of the operands show that nothing does.  Most are
written as functions of values (values.py).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from runtime.engine.llvm import bounds
from runtime.engine.llvm import kernel_ir as ir
from runtime.engine.llvm.kernel_types import ANY, Bounds
from runtime.engine.llvm.opcodes import opcode
from runtime.engine.llvm.text import FunctionText, llvm_type
from runtime.engine.llvm.values import (
    OPCODES,
    Code,
    Emit,
    LaneValue,
    PartialValue,
    either,
    number_type,
)


def _arithmetic(integral: str, floating: str) -> Emit:
    def emit(
        text: FunctionText, takes: Sequence[ir.Type], gives: ir.Type, args: Sequence[str]
    ) -> Code:
        operation = floating if number_type(gives).kind == "f" else integral
        return text.value(f"{operation} {llvm_type(gives)} {args[0]}, {args[1]}"), None

    return emit


OPCODES["add"] = _arithmetic("add", "fadd")
OPCODES["sub"] = _arithmetic("sub", "fsub")
OPCODES["mul"] = _arithmetic("mul", "fmul")
OPCODES["and"] = _arithmetic("and", "")
OPCODES["or"] = _arithmetic("or", "")
OPCODES["xor"] = _arithmetic("xor", "")


@opcode("square")
def _square(x: LaneValue) -> LaneValue:
    return x * x


@opcode("div")
def _div(x: LaneValue, y: LaneValue) -> LaneValue:
    dividend, divisor = x.to(x.gives), y.to(x.gives)
    return dividend.emit(f"fdiv {dividend.kind} {dividend}, {divisor}")


def beyond_doubles(x: LaneValue) -> LaneValue:
    """Return whether an int64 may have no exact float64."""
    moved = x + (1 << 53)
    return moved.emit(f"icmp ugt i64 {moved}, {1 << 54}", ir.BOOL)


@opcode("div.checked")
def _div_checked(x: LaneValue, y: LaneValue) -> PartialValue:
    flags = []
    if x.type.kind == "i":  # Python rounds the quotient of ints once
        flags = [beyond_doubles(number) for number in (x, y)]
    quotient = x.apply("div", y, gives=x.gives)
    return PartialValue(quotient, either(y.to(x.gives) == 0, *flags))


def _unsafe_division(x: LaneValue, y: LaneValue) -> tuple[LaneValue | None, LaneValue]:
    """Return whether a machine division would trap, and a divisor that does not."""
    if y.known_int not in (None, 0, -1):
        return None, y
    flag = y == 0
    if x.type.kind == "i":
        flag = flag | ((x == -(1 << x.type.bits - 1)) & (y == -1))
    return flag, flag.choose(1, y)


def _power_of_two(divisor: LaneValue) -> int | None:
    """Return the exponent of a divisor that is a known power of two."""
    number = divisor.known_int or 0
    return number.bit_length() - 1 if number > 0 and number.bit_count() == 1 else None


Division = tuple[LaneValue, LaneValue, LaneValue | None]
"""Quotient, remainder, and whether to give up."""


def _floor_division(x: LaneValue, y: LaneValue) -> Division:
    """Divide ints, rounding down."""
    shift = _power_of_two(y)
    if shift is not None:
        operation = "lshr" if x.type.kind == "u" else "ashr"
        quotient = x.emit(f"{operation} {x.kind} {x}, {shift}")
        return quotient, x & (1 << shift) - 1, None
    flag, divisor = _unsafe_division(x, y)
    positive = (divisor.known_int or 0) > 0
    if x.type.kind == "u" or (positive and x.bounds.low >= 0):
        return x // divisor, x % divisor, flag
    quotient = x.emit(f"sdiv {x.kind} {x}, {divisor}")
    if positive:
        remainder = x.emit(f"srem {x.kind} {x}, {divisor}")
        down = remainder < 0
    else:  # one division for both
        remainder = x - quotient * divisor
        down = (remainder != 0) & ((remainder ^ divisor) < 0)
    lower = quotient - down.to(x.type)
    return lower, remainder + down.choose(divisor, 0), flag


def _float_division(x: LaneValue, y: LaneValue) -> Division:
    """Divide floats as Python's divmod."""
    flag = y == 0
    truncated = x.emit(f"frem {x.kind} {x}, {y}")
    quotient = (x - truncated) / y
    inexact = truncated != 0
    down = inexact & ((y < 0) ^ (truncated < 0))
    raised = truncated + y
    zero = x.constant(0).with_sign_of(y)
    remainder = inexact.choose(down.choose(raised, truncated), zero)
    lower = down.choose(quotient - 1, quotient)
    floor = lower.call("floor")
    far = lower - floor > 0.5
    nearest = far.choose(floor + 1, floor)
    signed = x.constant(0).with_sign_of(x / y)
    return (lower != 0).choose(nearest, signed), remainder, flag


def _divide(x: LaneValue, y: LaneValue) -> Division:
    return (_float_division if x.type.kind == "f" else _floor_division)(x, y)


@opcode("floordiv")
def _floordiv(x: LaneValue, y: LaneValue) -> PartialValue:
    quotient, _, flag = _divide(x, y)
    return PartialValue(quotient, flag)


@opcode("floormod")
def _floormod(x: LaneValue, y: LaneValue) -> PartialValue:
    _, remainder, flag = _divide(x, y)
    return PartialValue(remainder, flag)


def _truncating_division(name: str, operation: str) -> None:
    @opcode(name)
    def emit(x: LaneValue, y: LaneValue) -> PartialValue:
        flag, divisor = _unsafe_division(x, y)
        sign = "u" if x.type.kind == "u" else "s"
        return PartialValue(x.emit(f"{sign}{operation} {x.kind} {x}, {divisor}"), flag)


_truncating_division("truncatediv", "div")
_truncating_division("truncatemod", "rem")


@opcode("neg")
def _neg(x: LaneValue) -> LaneValue:
    return x.emit(f"fneg {x.kind} {x}") if x.type.kind == "f" else x.constant(0) - x


@opcode("abs")
def _abs(x: LaneValue) -> LaneValue:
    if x.type.kind == "f":
        return x.call("fabs")
    if x.type.kind == "u":
        return x
    negated = -x
    return (x < 0).choose(negated, x)


@opcode("sign")
def _sign(x: LaneValue) -> LaneValue:
    above, below = x > 0, x < 0
    if x.type.kind == "f":
        low = below.choose(-1, x.is_nan().choose(x, 0.0))
        return above.choose(1, low)
    return above.to(x.type) | below.emit(f"sext i1 {below} to {x.kind}", x.type)


# -- floats ---------------------------------------------------------------------------------------


def _rounding(name: str) -> None:
    @opcode(name)
    def emit(x: LaneValue) -> LaneValue:
        return x.call(name) if x.type.kind == "f" else x


for _name in ("floor", "ceil", "rint", "trunc", "sqrt"):
    _rounding(_name)


@opcode("is_nan")
def _is_nan(x: LaneValue) -> LaneValue:
    return x.compare("uno", x)


@opcode("is_inf")
def _is_inf(x: LaneValue) -> LaneValue:
    return abs(x).compare("oeq", math.inf)


@opcode("is_finite")
def _is_finite(x: LaneValue) -> LaneValue:
    return abs(x).compare("one", math.inf)


@opcode("rsqrt")
def _rsqrt(x: LaneValue) -> LaneValue:
    return 1.0 / x.call("sqrt")


@opcode("reciprocal")
def _reciprocal(x: LaneValue) -> LaneValue:
    return 1.0 / x


FLOAT_CODES = {"lt": "olt", "le": "ole", "gt": "ogt", "ge": "oge", "eq": "oeq", "ne": "une"}


def _comparison(code: str) -> Emit:
    def emit(
        text: FunctionText, takes: Sequence[ir.Type], gives: ir.Type, args: Sequence[str]
    ) -> Code:
        type, kind = number_type(takes[0]), llvm_type(takes[0])
        if type.kind == "f":
            return text.value(f"fcmp {FLOAT_CODES[code]} {kind} {args[0]}, {args[1]}"), None
        sign = "" if code in {"eq", "ne"} else "s" if type.kind == "i" else "u"
        return text.value(f"icmp {sign}{code} {kind} {args[0]}, {args[1]}"), None

    return emit


for _code in FLOAT_CODES:
    OPCODES[_code] = _comparison(_code)


def _extreme(name: str, code: str) -> None:
    """Enter NumPy's maximum or minimum: NaN where either is NaN.

    Of zeros with different signs NumPy returns the second, as processors do.
    """

    @opcode(name)
    def emit(x: LaneValue, y: LaneValue) -> LaneValue:
        first = x.test(code, y)
        if x.type.kind == "f":
            first = first | x.is_nan()
        return first.choose(x, y)


_extreme("max", "gt")
_extreme("min", "lt")


@opcode("not")
def _not(x: LaneValue) -> LaneValue:
    return x ^ (True if x.type.kind == "b" else -1)


@opcode("select")
def _select(condition: LaneValue, x: LaneValue, y: LaneValue) -> LaneValue:
    return x.emit(f"select {condition.kind} {condition}, {x.kind} {x}, {y.kind} {y}")


@opcode("copy")
def _copy(x: LaneValue) -> LaneValue:
    return x


@opcode("truth")
def _truth(x: LaneValue) -> LaneValue:
    return x if x.type.kind == "b" else x != 0


@opcode("increment")
def _increment(x: LaneValue) -> LaneValue:
    # counters are int64s, which cannot overflow; other ints do as NumPy's
    return x.emit(f"add {'nsw ' if x.type.bits == 64 else ''}{x.kind} {x}, 1")


BoundsOf = Callable[[Bounds, Bounds], Bounds]


def _checked(operation: str, bounds_of: BoundsOf) -> None:
    """Enter an operation: ints that overflow give up."""

    @opcode(f"{operation}.checked")
    def emit(x: LaneValue, y: LaneValue) -> LaneValue | PartialValue:
        if x.type.kind == "f" or _always_fits(bounds_of, x, y):
            return x.apply(operation, y)
        if operation == "mul" and x.type == ir.INT64:
            for value, factor in ((x, y), (y, x)):
                if factor.known_int not in (None, -1):
                    return _multiple(value, factor.known_int)
        return x.with_overflow(f"s{operation}", y)


def _always_fits(bounds_of: BoundsOf, x: LaneValue, y: LaneValue) -> bool:
    return x.type == ir.INT64 and bounds.fits(bounds_of(x.bounds, y.bounds))


def _multiple(value: LaneValue, factor: int) -> PartialValue:
    """Multiply by a constant other than 0, 1 and -1: the factors that fit lie in a range.

    The processor compares while it multiplies; its own flag would have to wait for the product, and
    for that it needs the multiplier where additions would do.
    """
    size = abs(factor)
    least, most = -(-ANY.low // size), ANY.high // size
    if factor < 0:
        least, most = -most, min(-least, ANY.high)
    product = value * factor
    moved = value - least
    return PartialValue(product, moved.emit(f"icmp ugt i64 {moved}, {most - least}", ir.BOOL))


_checked("add", bounds.total)
_checked("sub", bounds.difference)
_checked("mul", bounds.product)


@opcode("neg.checked")
def _neg_checked(x: LaneValue) -> LaneValue | PartialValue:
    return -x if x.type.kind == "f" else x.constant(0).attempt("sub.checked", x)


@opcode("abs.checked")
def _abs_checked(x: LaneValue) -> LaneValue | PartialValue:
    size = abs(x)
    return size if x.type.kind == "f" else PartialValue(size, size < 0)
