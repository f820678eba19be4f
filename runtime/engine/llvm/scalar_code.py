"""LLVM code of the scalar opcodes of kernel IR.

Each function receives the text of the function, the types of the arguments and of the result, and
the names of the arguments.  It returns the name of the result and, for code that does not hold for
all inputs, the name of a bool that is true where the kernel has to be called instead.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from runtime.engine.llvm import kernel_ir as ir
from runtime.engine.llvm.text import FunctionText, llvm_type

Code = tuple[str, str | None]
Emit = Callable[[FunctionText, Sequence[ir.Type], ir.Type, Sequence[str]], Code]

OPCODES: dict[str, Emit] = {}
"""Emitters by opcode."""


def opcode(name: str) -> Callable[[Emit], Emit]:
    """Enter an emitter in the table."""

    def enter(emit: Emit) -> Emit:
        OPCODES[name] = emit
        return emit

    return enter


def number_type(type: ir.Type) -> ir.Scalar:
    """Return a type that is known to be one of numbers."""
    assert isinstance(type, ir.Scalar)
    return type


def intrinsic(text: FunctionText, name: str, type: ir.Scalar, *args: str) -> str:
    """Call a function of LLVM's that takes numbers of a type and gives such a number."""
    kind = llvm_type(type)
    suffix = f"{'f' if type.kind == 'f' else 'i'}{type.bits}"
    full = f"llvm.{name}.v{type.lanes}{suffix}" if type.lanes > 1 else f"llvm.{name}.{suffix}"
    text.declared[full] = f"declare {kind} @{full}({', '.join([kind] * len(args))})"
    return text.value(f"call {kind} @{full}({', '.join([f'{kind} {arg}' for arg in args])})")


def either(text: FunctionText, *flags: str | None) -> str | None:
    """Return a bool that is true where one of the flags is."""
    present = [flag for flag in flags if flag is not None]
    if not present:
        return None
    result = present[0]
    for flag in present[1:]:
        result = text.value(f"or i1 {result}, {flag}")
    return result


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
def _square(
    text: FunctionText, takes: Sequence[ir.Type], gives: ir.Type, args: Sequence[str]
) -> Code:
    return OPCODES["mul"](text, takes, gives, (args[0], args[0]))


def to_float(text: FunctionText, source: ir.Scalar, target: ir.Scalar, value: str) -> str:
    """Convert a number to a float type."""
    if source == target:
        return value
    if source.kind == "f":
        operation = "fpext" if target.bits > source.bits else "fptrunc"
    else:
        operation = "sitofp" if source.kind == "i" else "uitofp"
    return text.value(f"{operation} {llvm_type(source)} {value} to {llvm_type(target)}")


@opcode("div")
def _div(
    text: FunctionText, takes: Sequence[ir.Type], gives: ir.Type, args: Sequence[str]
) -> Code:
    target = number_type(gives)
    dividend, divisor = (
        to_float(text, number_type(t), target, a) for t, a in zip(takes, args, strict=True)
    )
    return text.value(f"fdiv {llvm_type(target)} {dividend}, {divisor}"), None


def beyond_doubles(text: FunctionText, value: str) -> str:
    """Return whether an int64 may have no exact float64."""
    moved = text.value(f"add i64 {value}, {1 << 53}")
    return text.value(f"icmp ugt i64 {moved}, {1 << 54}")


@opcode("div.checked")
def _div_checked(
    text: FunctionText, takes: Sequence[ir.Type], gives: ir.Type, args: Sequence[str]
) -> Code:
    flags = []
    if number_type(takes[0]).kind == "i":  # Python rounds the quotient of ints once
        flags = [beyond_doubles(text, arg) for arg in args]
    result, _ = _div(text, takes, gives, args)
    divisor = to_float(text, number_type(takes[1]), number_type(gives), args[1])
    zero = text.value(f"fcmp oeq {llvm_type(gives)} {divisor}, 0.0")
    return result, either(text, zero, *flags)


def _unsafe_division(
    text: FunctionText, type: ir.Scalar, args: Sequence[str]
) -> tuple[str | None, str]:
    """Return whether a machine division would trap, and a divisor that does not."""
    kind = llvm_type(type)
    if args[1].lstrip("-").isdigit() and args[1] not in ("0", "-1"):
        return None, args[1]
    flag = text.value(f"icmp eq {kind} {args[1]}, 0")
    if type.kind == "i":
        least = text.value(f"icmp eq {kind} {args[0]}, {-(1 << (type.bits - 1))}")
        minus = text.value(f"icmp eq {kind} {args[1]}, -1")
        overflows = text.value(f"and i1 {least}, {minus}")
        flag = text.value(f"or i1 {flag}, {overflows}")
    return flag, text.value(f"select i1 {flag}, {kind} 1, {kind} {args[1]}")


def _power_of_two(divisor: str) -> int | None:
    """Return the exponent of a divisor that is a known power of two."""
    if not divisor.isdigit() or int(divisor).bit_count() != 1:
        return None
    return int(divisor).bit_length() - 1


def _floor_division(
    text: FunctionText, type: ir.Scalar, args: Sequence[str]
) -> tuple[str, str, str | None]:
    """Return the quotient and the remainder of ints, rounded down, and whether to give up."""
    kind = llvm_type(type)
    shift = _power_of_two(args[1])
    if shift is not None:
        operation = "lshr" if type.kind == "u" else "ashr"
        quotient = text.value(f"{operation} {kind} {args[0]}, {shift}")
        remainder = text.value(f"and {kind} {args[0]}, {(1 << shift) - 1}")
        return quotient, remainder, None
    flag, divisor = _unsafe_division(text, type, args)
    positive = divisor.isdigit()
    if type.kind == "u" or (positive and text.is_never_negative(args[0])):
        quotient = text.value(f"udiv {kind} {args[0]}, {divisor}")
        return quotient, text.value(f"urem {kind} {args[0]}, {divisor}"), flag
    quotient = text.value(f"sdiv {kind} {args[0]}, {divisor}")
    if positive:
        remainder = text.value(f"srem {kind} {args[0]}, {divisor}")
        down = text.value(f"icmp slt {kind} {remainder}, 0")
    else:  # one division for both
        product = text.value(f"mul {kind} {quotient}, {divisor}")
        remainder = text.value(f"sub {kind} {args[0]}, {product}")
        inexact = text.value(f"icmp ne {kind} {remainder}, 0")
        mixed = text.value(f"xor {kind} {remainder}, {divisor}")
        negative = text.value(f"icmp slt {kind} {mixed}, 0")
        down = text.value(f"and i1 {inexact}, {negative}")
    borrow = text.value(f"zext i1 {down} to {kind}")
    lower = text.value(f"sub {kind} {quotient}, {borrow}")
    correction = text.value(f"select i1 {down}, {kind} {divisor}, {kind} 0")
    return lower, text.value(f"add {kind} {remainder}, {correction}"), flag


def _float_division(
    text: FunctionText, type: ir.Scalar, args: Sequence[str]
) -> tuple[str, str, str | None]:
    """Return quotient and remainder of floats, as Python's divmod, and whether to give up."""
    kind, (x, y) = llvm_type(type), args
    flag = text.value(f"fcmp oeq {kind} {y}, 0.0")
    truncated = text.value(f"frem {kind} {x}, {y}")
    minus = text.value(f"fsub {kind} {x}, {truncated}")
    quotient = text.value(f"fdiv {kind} {minus}, {y}")
    inexact = text.value(f"fcmp une {kind} {truncated}, 0.0")
    y_negative = text.value(f"fcmp olt {kind} {y}, 0.0")
    rest_negative = text.value(f"fcmp olt {kind} {truncated}, 0.0")
    mixed = text.value(f"xor i1 {y_negative}, {rest_negative}")
    down = text.value(f"and i1 {inexact}, {mixed}")
    raised = text.value(f"fadd {kind} {truncated}, {y}")
    zero = intrinsic(text, "copysign", type, "0.0", y)
    moved = text.value(f"select i1 {down}, {kind} {raised}, {kind} {truncated}")
    remainder = text.value(f"select i1 {inexact}, {kind} {moved}, {kind} {zero}")
    less = text.value(f"fsub {kind} {quotient}, 1.0")
    lower = text.value(f"select i1 {down}, {kind} {less}, {kind} {quotient}")
    floor = intrinsic(text, "floor", type, lower)
    gap = text.value(f"fsub {kind} {lower}, {floor}")
    far = text.value(f"fcmp ogt {kind} {gap}, 0.5")
    up = text.value(f"fadd {kind} {floor}, 1.0")
    nearest = text.value(f"select i1 {far}, {kind} {up}, {kind} {floor}")
    exact = text.value(f"fdiv {kind} {x}, {y}")
    signed = intrinsic(text, "copysign", type, "0.0", exact)
    nonzero = text.value(f"fcmp une {kind} {lower}, 0.0")
    return text.value(f"select i1 {nonzero}, {kind} {nearest}, {kind} {signed}"), remainder, flag


def _floor_result(position: int) -> Emit:
    def emit(
        text: FunctionText, takes: Sequence[ir.Type], gives: ir.Type, args: Sequence[str]
    ) -> Code:
        type = number_type(gives)
        divide = _float_division if type.kind == "f" else _floor_division
        quotient, remainder, flag = divide(text, type, args)
        return (quotient, remainder)[position], flag

    return emit


OPCODES["floordiv"] = _floor_result(0)
OPCODES["floormod"] = _floor_result(1)


def _truncating_division(operation: str) -> Emit:
    def emit(
        text: FunctionText, takes: Sequence[ir.Type], gives: ir.Type, args: Sequence[str]
    ) -> Code:
        type = number_type(gives)
        flag, divisor = _unsafe_division(text, type, args)
        sign = "u" if type.kind == "u" else "s"
        return text.value(f"{sign}{operation} {llvm_type(type)} {args[0]}, {divisor}"), flag

    return emit


OPCODES["truncatediv"] = _truncating_division("div")
OPCODES["truncatemod"] = _truncating_division("rem")


@opcode("neg")
def _neg(
    text: FunctionText, takes: Sequence[ir.Type], gives: ir.Type, args: Sequence[str]
) -> Code:
    kind = llvm_type(gives)
    if number_type(gives).kind == "f":
        return text.value(f"fneg {kind} {args[0]}"), None
    return text.value(f"sub {kind} 0, {args[0]}"), None


@opcode("abs")
def _abs(
    text: FunctionText, takes: Sequence[ir.Type], gives: ir.Type, args: Sequence[str]
) -> Code:
    type = number_type(gives)
    if type.kind == "f":
        return intrinsic(text, "fabs", type, args[0]), None
    if type.kind == "u":
        return args[0], None
    negated = text.value(f"sub {llvm_type(type)} 0, {args[0]}")
    below = text.value(f"icmp slt {llvm_type(type)} {args[0]}, 0")
    kind = llvm_type(type)
    return text.value(f"select i1 {below}, {kind} {negated}, {kind} {args[0]}"), None


FLOAT_CODES = {"lt": "olt", "le": "ole", "gt": "ogt", "ge": "oge", "eq": "oeq", "ne": "une"}


def compare(text: FunctionText, code: str, type: ir.Scalar, lhs: str, rhs: str) -> str:
    """Compare two numbers."""
    kind = llvm_type(type)
    if type.kind == "f":
        return text.value(f"fcmp {FLOAT_CODES[code]} {kind} {lhs}, {rhs}")
    sign = "" if code in {"eq", "ne"} else "s" if type.kind == "i" else "u"
    return text.value(f"icmp {sign}{code} {kind} {lhs}, {rhs}")


@opcode("sign")
def _sign(
    text: FunctionText, takes: Sequence[ir.Type], gives: ir.Type, args: Sequence[str]
) -> Code:
    type, kind = number_type(gives), llvm_type(gives)
    if type.kind != "f":
        above = compare(text, "gt", type, args[0], "0")
        below = compare(text, "lt", type, args[0], "0")
        plus = text.value(f"zext i1 {above} to {kind}")
        minus = text.value(f"sext i1 {below} to {kind}")
        return text.value(f"or {kind} {plus}, {minus}"), None
    above = compare(text, "gt", type, args[0], "0.0")
    below = compare(text, "lt", type, args[0], "0.0")
    nan = text.value(f"fcmp uno {kind} {args[0]}, {args[0]}")
    nan_or_zero = text.value(f"select i1 {nan}, {kind} {args[0]}, {kind} 0.0")
    low = text.value(f"select i1 {below}, {kind} -1.0, {kind} {nan_or_zero}")
    return text.value(f"select i1 {above}, {kind} 1.0, {kind} {low}"), None


# -- floats ---------------------------------------------------------------------------------------


def _rounding(name: str) -> Emit:
    def emit(
        text: FunctionText, takes: Sequence[ir.Type], gives: ir.Type, args: Sequence[str]
    ) -> Code:
        if number_type(gives).kind != "f":
            return args[0], None
        return intrinsic(text, name, number_type(gives), args[0]), None

    return emit


for _name in ("floor", "ceil", "rint", "trunc", "sqrt"):
    OPCODES[_name] = _rounding(_name)


@opcode("is_nan")
def _is_nan(
    text: FunctionText, takes: Sequence[ir.Type], gives: ir.Type, args: Sequence[str]
) -> Code:
    return text.value(f"fcmp uno {llvm_type(takes[0])} {args[0]}, {args[0]}"), None


def _against_infinity(code: str) -> Emit:
    def emit(
        text: FunctionText, takes: Sequence[ir.Type], gives: ir.Type, args: Sequence[str]
    ) -> Code:
        type = number_type(takes[0])
        size = intrinsic(text, "fabs", type, args[0])
        infinity = "0x7FF0000000000000"
        return text.value(f"fcmp {code} {llvm_type(type)} {size}, {infinity}"), None

    return emit


OPCODES["is_inf"] = _against_infinity("oeq")
OPCODES["is_finite"] = _against_infinity("one")


def _reciprocal_of(root: bool) -> Emit:
    def emit(
        text: FunctionText, takes: Sequence[ir.Type], gives: ir.Type, args: Sequence[str]
    ) -> Code:
        divisor = intrinsic(text, "sqrt", number_type(gives), args[0]) if root else args[0]
        return text.value(f"fdiv {llvm_type(gives)} 1.0, {divisor}"), None

    return emit


OPCODES["rsqrt"] = _reciprocal_of(True)
OPCODES["reciprocal"] = _reciprocal_of(False)
