"""LLVM code of the scalar opcodes of kernel IR.

Each function receives the text of the function, the types of the arguments and of the result, and
the names of the arguments.  It returns the name of the result and, for code that does not hold for
all inputs, the name of a bool that is true where the kernel has to be called instead.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from runtime.engine.llvm import kernel_ir as ir
from runtime.engine.llvm.text import FunctionText, literal, llvm_type

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


def _number(type: ir.Type) -> ir.Scalar:
    assert isinstance(type, ir.Scalar)
    return type


def _intrinsic(text: FunctionText, name: str, type: ir.Scalar, *args: str) -> str:
    kind = llvm_type(type)
    suffix = f"f{type.bits}" if type.kind == "f" else f"i{type.bits}"
    return text.call(kind, f"llvm.{name}.{suffix}", *[f"{kind} {arg}" for arg in args])


def either(text: FunctionText, *flags: str | None) -> str | None:
    """Return a bool that is true where one of the flags is."""
    found = [flag for flag in flags if flag is not None]
    if not found:
        return None
    result = found[0]
    for flag in found[1:]:
        result = text.value(f"or i1 {result}, {flag}")
    return result


def _arithmetic(whole: str, floating: str) -> Emit:
    def emit(
        text: FunctionText, takes: Sequence[ir.Type], gives: ir.Type, args: Sequence[str]
    ) -> Code:
        operation = floating if _number(gives).kind == "f" else whole
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


def _checked(operation: str, floating: str) -> Emit:
    """Return the emitter of Python's arithmetic: ints that overflow give up."""

    def emit(
        text: FunctionText, takes: Sequence[ir.Type], gives: ir.Type, args: Sequence[str]
    ) -> Code:
        if _number(gives).kind == "f":
            return text.value(f"{floating} {llvm_type(gives)} {args[0]}, {args[1]}"), None
        kind = llvm_type(gives)
        pair = text.call(
            f"{{{kind}, i1}}", f"llvm.s{operation}.with.overflow.{kind}",
            f"{kind} {args[0]}", f"{kind} {args[1]}",
        )  # fmt: skip
        result = text.value(f"extractvalue {{{kind}, i1}} {pair}, 0")
        return result, text.value(f"extractvalue {{{kind}, i1}} {pair}, 1")

    return emit


OPCODES["add.checked"] = _checked("add", "fadd")
OPCODES["sub.checked"] = _checked("sub", "fsub")
OPCODES["mul.checked"] = _checked("mul", "fmul")


def _to_float(text: FunctionText, source: ir.Scalar, target: ir.Scalar, value: str) -> str:
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
    target = _number(gives)
    left, right = (
        _to_float(text, _number(t), target, a) for t, a in zip(takes, args, strict=True)
    )
    return text.value(f"fdiv {llvm_type(target)} {left}, {right}"), None


def _beyond_doubles(text: FunctionText, value: str) -> str:
    """Return whether an int64 may have no exact float64."""
    moved = text.value(f"add i64 {value}, {1 << 53}")
    return text.value(f"icmp ugt i64 {moved}, {1 << 54}")


@opcode("div.checked")
def _div_checked(
    text: FunctionText, takes: Sequence[ir.Type], gives: ir.Type, args: Sequence[str]
) -> Code:
    flags = []
    if _number(takes[0]).kind == "i":  # Python rounds the quotient of ints once
        flags = [_beyond_doubles(text, arg) for arg in args]
    result, _ = _div(text, takes, gives, args)
    divisor = _to_float(text, _number(takes[1]), _number(gives), args[1])
    zero = text.value(f"fcmp oeq {llvm_type(gives)} {divisor}, 0.0")
    return result, either(text, zero, *flags)


def _unsafe_division(text: FunctionText, type: ir.Scalar, args: Sequence[str]) -> tuple[str, str]:
    """Return whether a machine division would trap, and a divisor that does not."""
    kind = llvm_type(type)
    flag = text.value(f"icmp eq {kind} {args[1]}, 0")
    if type.kind == "i":
        least = text.value(f"icmp eq {kind} {args[0]}, {-(1 << (type.bits - 1))}")
        minus = text.value(f"icmp eq {kind} {args[1]}, -1")
        both = text.value(f"and i1 {least}, {minus}")
        flag = text.value(f"or i1 {flag}, {both}")
    return flag, text.value(f"select i1 {flag}, {kind} 1, {kind} {args[1]}")


def _floor_division(text: FunctionText, type: ir.Scalar, args: Sequence[str]) -> tuple[str, ...]:
    """Return the quotient and the remainder of ints, rounded down, and whether to give up."""
    kind = llvm_type(type)
    flag, divisor = _unsafe_division(text, type, args)
    if type.kind == "u":
        quotient = text.value(f"udiv {kind} {args[0]}, {divisor}")
        return quotient, text.value(f"urem {kind} {args[0]}, {divisor}"), flag
    quotient = text.value(f"sdiv {kind} {args[0]}, {divisor}")
    product = text.value(f"mul {kind} {quotient}, {divisor}")
    rest = text.value(f"sub {kind} {args[0]}, {product}")
    inexact = text.value(f"icmp ne {kind} {rest}, 0")
    mixed = text.value(f"xor {kind} {rest}, {divisor}")
    negative = text.value(f"icmp slt {kind} {mixed}, 0")
    down = text.value(f"and i1 {inexact}, {negative}")
    one = text.value(f"zext i1 {down} to {kind}")
    lower = text.value(f"sub {kind} {quotient}, {one}")
    more = text.value(f"select i1 {down}, {kind} {divisor}, {kind} 0")
    return lower, text.value(f"add {kind} {rest}, {more}"), flag


def _float_division(text: FunctionText, type: ir.Scalar, args: Sequence[str]) -> tuple[str, ...]:
    """Return quotient and remainder of floats, as Python's divmod, and whether to give up."""
    kind, (x, y) = llvm_type(type), args
    flag = text.value(f"fcmp oeq {kind} {y}, 0.0")
    rest = text.value(f"frem {kind} {x}, {y}")
    minus = text.value(f"fsub {kind} {x}, {rest}")
    quotient = text.value(f"fdiv {kind} {minus}, {y}")
    inexact = text.value(f"fcmp une {kind} {rest}, 0.0")
    y_negative = text.value(f"fcmp olt {kind} {y}, 0.0")
    rest_negative = text.value(f"fcmp olt {kind} {rest}, 0.0")
    mixed = text.value(f"xor i1 {y_negative}, {rest_negative}")
    down = text.value(f"and i1 {inexact}, {mixed}")
    raised = text.value(f"fadd {kind} {rest}, {y}")
    zero = _intrinsic(text, "copysign", type, "0.0", y)
    moved = text.value(f"select i1 {down}, {kind} {raised}, {kind} {rest}")
    remainder = text.value(f"select i1 {inexact}, {kind} {moved}, {kind} {zero}")
    less = text.value(f"fsub {kind} {quotient}, 1.0")
    lower = text.value(f"select i1 {down}, {kind} {less}, {kind} {quotient}")
    floor = _intrinsic(text, "floor", type, lower)
    gap = text.value(f"fsub {kind} {lower}, {floor}")
    far = text.value(f"fcmp ogt {kind} {gap}, 0.5")
    up = text.value(f"fadd {kind} {floor}, 1.0")
    nearest = text.value(f"select i1 {far}, {kind} {up}, {kind} {floor}")
    exact = text.value(f"fdiv {kind} {x}, {y}")
    signed = _intrinsic(text, "copysign", type, "0.0", exact)
    nonzero = text.value(f"fcmp une {kind} {lower}, 0.0")
    return text.value(f"select i1 {nonzero}, {kind} {nearest}, {kind} {signed}"), remainder, flag


def _rounded_down(part: int) -> Emit:
    def emit(
        text: FunctionText, takes: Sequence[ir.Type], gives: ir.Type, args: Sequence[str]
    ) -> Code:
        type = _number(gives)
        divide = _float_division if type.kind == "f" else _floor_division
        found = divide(text, type, args)
        return found[part], found[2]

    return emit


OPCODES["floordiv"] = _rounded_down(0)
OPCODES["floormod"] = _rounded_down(1)


def _truncated(operation: str) -> Emit:
    def emit(
        text: FunctionText, takes: Sequence[ir.Type], gives: ir.Type, args: Sequence[str]
    ) -> Code:
        type = _number(gives)
        flag, divisor = _unsafe_division(text, type, args)
        sign = "u" if type.kind == "u" else "s"
        return text.value(f"{sign}{operation} {llvm_type(type)} {args[0]}, {divisor}"), flag

    return emit


OPCODES["truncatediv"] = _truncated("div")
OPCODES["truncatemod"] = _truncated("rem")


@opcode("neg")
def _neg(
    text: FunctionText, takes: Sequence[ir.Type], gives: ir.Type, args: Sequence[str]
) -> Code:
    kind = llvm_type(gives)
    if _number(gives).kind == "f":
        return text.value(f"fneg {kind} {args[0]}"), None
    return text.value(f"sub {kind} 0, {args[0]}"), None


@opcode("neg.checked")
def _neg_checked(
    text: FunctionText, takes: Sequence[ir.Type], gives: ir.Type, args: Sequence[str]
) -> Code:
    if _number(gives).kind == "f":
        return _neg(text, takes, gives, args)
    return OPCODES["sub.checked"](text, (gives, gives), gives, ("0", args[0]))


@opcode("abs")
def _abs(
    text: FunctionText, takes: Sequence[ir.Type], gives: ir.Type, args: Sequence[str]
) -> Code:
    type = _number(gives)
    if type.kind == "f":
        return _intrinsic(text, "fabs", type, args[0]), None
    if type.kind == "u":
        return args[0], None
    negated = text.value(f"sub {llvm_type(type)} 0, {args[0]}")
    below = text.value(f"icmp slt {llvm_type(type)} {args[0]}, 0")
    kind = llvm_type(type)
    return text.value(f"select i1 {below}, {kind} {negated}, {kind} {args[0]}"), None


@opcode("abs.checked")
def _abs_checked(
    text: FunctionText, takes: Sequence[ir.Type], gives: ir.Type, args: Sequence[str]
) -> Code:
    result, _ = _abs(text, takes, gives, args)
    if _number(gives).kind == "f":
        return result, None
    return result, text.value(f"icmp slt {llvm_type(gives)} {result}, 0")


@opcode("sign")
def _sign(
    text: FunctionText, takes: Sequence[ir.Type], gives: ir.Type, args: Sequence[str]
) -> Code:
    type, kind = _number(gives), llvm_type(gives)
    if type.kind != "f":
        above = _compare(text, "gt", type, args[0], "0")
        below = _compare(text, "lt", type, args[0], "0")
        plus = text.value(f"zext i1 {above} to {kind}")
        minus = text.value(f"sext i1 {below} to {kind}")
        return text.value(f"or {kind} {plus}, {minus}"), None
    above = _compare(text, "gt", type, args[0], "0.0")
    below = _compare(text, "lt", type, args[0], "0.0")
    nan = text.value(f"fcmp uno {kind} {args[0]}, {args[0]}")
    rest = text.value(f"select i1 {nan}, {kind} {args[0]}, {kind} 0.0")
    low = text.value(f"select i1 {below}, {kind} -1.0, {kind} {rest}")
    return text.value(f"select i1 {above}, {kind} 1.0, {kind} {low}"), None


# -- comparisons ----------------------------------------------------------------------------------

_FLOAT_CODES = {"lt": "olt", "le": "ole", "gt": "ogt", "ge": "oge", "eq": "oeq", "ne": "une"}


def _compare(text: FunctionText, code: str, type: ir.Scalar, left: str, right: str) -> str:
    kind = llvm_type(type)
    if type.kind == "f":
        return text.value(f"fcmp {_FLOAT_CODES[code]} {kind} {left}, {right}")
    sign = "" if code in {"eq", "ne"} else "s" if type.kind == "i" else "u"
    return text.value(f"icmp {sign}{code} {kind} {left}, {right}")


def _comparison(code: str) -> Emit:
    def emit(
        text: FunctionText, takes: Sequence[ir.Type], gives: ir.Type, args: Sequence[str]
    ) -> Code:
        return _compare(text, code, _number(takes[0]), *args), None

    return emit


for _code in _FLOAT_CODES:
    OPCODES[_code] = _comparison(_code)


def _extreme(code: str) -> Emit:
    """Return the emitter of NumPy's maximum or minimum: NaN where either is NaN."""

    def emit(
        text: FunctionText, takes: Sequence[ir.Type], gives: ir.Type, args: Sequence[str]
    ) -> Code:
        type, kind = _number(gives), llvm_type(gives)
        first = _compare(text, code, type, *args)
        if type.kind == "f":
            nan = text.value(f"fcmp uno {kind} {args[0]}, {args[0]}")
            first = text.value(f"or i1 {first}, {nan}")
        return text.value(f"select i1 {first}, {kind} {args[0]}, {kind} {args[1]}"), None

    return emit


OPCODES["max"] = _extreme("ge")
OPCODES["min"] = _extreme("le")


@opcode("not")
def _not(
    text: FunctionText, takes: Sequence[ir.Type], gives: ir.Type, args: Sequence[str]
) -> Code:
    ones = "true" if _number(gives).kind == "b" else "-1"
    return text.value(f"xor {llvm_type(gives)} {args[0]}, {ones}"), None


@opcode("select")
def _select(
    text: FunctionText, takes: Sequence[ir.Type], gives: ir.Type, args: Sequence[str]
) -> Code:
    kind = llvm_type(gives)
    return text.value(f"select i1 {args[0]}, {kind} {args[1]}, {kind} {args[2]}"), None


@opcode("copy")
def _copy(
    text: FunctionText, takes: Sequence[ir.Type], gives: ir.Type, args: Sequence[str]
) -> Code:
    return args[0], None


@opcode("truth")
def _truth(
    text: FunctionText, takes: Sequence[ir.Type], gives: ir.Type, args: Sequence[str]
) -> Code:
    type = _number(takes[0])
    if type.kind == "b":
        return args[0], None
    return _compare(text, "ne", type, args[0], "0.0" if type.kind == "f" else "0"), None


@opcode("increment")
def _increment(
    text: FunctionText, takes: Sequence[ir.Type], gives: ir.Type, args: Sequence[str]
) -> Code:
    return text.value(f"add nsw {llvm_type(gives)} {args[0]}, 1"), None


# -- shifts ---------------------------------------------------------------------------------------


def _out_of_width(text: FunctionText, type: ir.Scalar, count: str) -> str:
    return text.value(f"icmp uge {llvm_type(type)} {count}, {type.bits}")


def _shift(signed: str, unsigned: str) -> Emit:
    def emit(
        text: FunctionText, takes: Sequence[ir.Type], gives: ir.Type, args: Sequence[str]
    ) -> Code:
        type, kind = _number(gives), llvm_type(gives)
        flag = _out_of_width(text, type, args[1])
        count = text.value(f"select i1 {flag}, {kind} 0, {kind} {args[1]}")
        operation = signed if type.kind == "i" else unsigned
        return text.value(f"{operation} {kind} {args[0]}, {count}"), flag

    return emit


OPCODES["shl"] = _shift("shl", "shl")
OPCODES["shr"] = _shift("ashr", "lshr")


@opcode("shl.checked")
def _shl_checked(
    text: FunctionText, takes: Sequence[ir.Type], gives: ir.Type, args: Sequence[str]
) -> Code:
    kind = llvm_type(gives)
    result, flag = OPCODES["shl"](text, takes, gives, args)
    safe = text.value(f"select i1 {flag}, {kind} 0, {kind} {args[1]}")
    back = text.value(f"ashr {kind} {result}, {safe}")
    lost = text.value(f"icmp ne {kind} {back}, {args[0]}")
    return result, either(text, flag, lost)


# -- conversions ----------------------------------------------------------------------------------


@opcode("cast")
def _cast(
    text: FunctionText, takes: Sequence[ir.Type], gives: ir.Type, args: Sequence[str]
) -> Code:
    source, target, (value,) = _number(takes[0]), _number(gives), args
    if source == target:
        return value, None
    if target.kind == "b":
        return _truth(text, takes, gives, args)
    if target.kind == "f":
        return _to_float(text, source, target, value), None
    if source.kind == "f":
        return _to_whole(text, source, target, value)
    if source.bits == target.bits:
        return value, None
    shrink = source.bits > target.bits
    operation = "trunc" if shrink else "sext" if source.kind == "i" else "zext"
    types = llvm_type(source), llvm_type(target)
    return text.value(f"{operation} {types[0]} {value} to {types[1]}"), None


def _to_whole(text: FunctionText, source: ir.Scalar, target: ir.Scalar, value: str) -> Code:
    """Truncate a float; what is out of range is the kernel's affair."""
    kind = llvm_type(source)
    low = 0 if target.kind == "u" else -(2 ** (target.bits - 1))
    high = 2 ** (target.bits - (target.kind == "i"))
    above = text.value(f"fcmp oge {kind} {value}, {literal(low, source)}")
    below = text.value(f"fcmp olt {kind} {value}, {literal(high, source)}")
    fits = text.value(f"and i1 {above}, {below}")
    safe = text.value(f"select i1 {fits}, {kind} {value}, {kind} 0.0")
    operation = "fptoui" if target.kind == "u" else "fptosi"
    result = text.value(f"{operation} {kind} {safe} to {llvm_type(target)}")
    return result, text.value(f"xor i1 {fits}, true")


@opcode("cast.exact")
def _cast_exact(
    text: FunctionText, takes: Sequence[ir.Type], gives: ir.Type, args: Sequence[str]
) -> Code:
    """Convert a Python number to a dtype; an int that does not fit gives up."""
    source, target = _number(takes[0]), _number(gives)
    result, flag = _cast(text, takes, gives, args)
    if target.kind not in "iu" or source.kind not in "iu" or source == target:
        return result, flag
    back, _ = _cast(text, (target,), source, (result,))
    lost = text.value(f"icmp ne {llvm_type(source)} {back}, {args[0]}")
    if source.kind != target.kind and target.bits >= source.bits:  # a sign may be lost
        below = text.value(f"icmp slt {llvm_type(target)} {result}, 0")
        below = below if source.kind == "u" else text.value(
            f"icmp slt {llvm_type(source)} {args[0]}, 0"
        )
        lost = text.value(f"or i1 {lost}, {below}")
    return result, either(text, flag, lost)


# -- floats ---------------------------------------------------------------------------------------


def _rounding(name: str) -> Emit:
    def emit(
        text: FunctionText, takes: Sequence[ir.Type], gives: ir.Type, args: Sequence[str]
    ) -> Code:
        if _number(gives).kind != "f":
            return args[0], None
        return _intrinsic(text, name, _number(gives), args[0]), None

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
        type = _number(takes[0])
        size = _intrinsic(text, "fabs", type, args[0])
        infinity = "0x7FF0000000000000"
        return text.value(f"fcmp {code} {llvm_type(type)} {size}, {infinity}"), None

    return emit


OPCODES["is_inf"] = _against_infinity("oeq")
OPCODES["is_finite"] = _against_infinity("one")


def _reciprocal_of(root: bool) -> Emit:
    def emit(
        text: FunctionText, takes: Sequence[ir.Type], gives: ir.Type, args: Sequence[str]
    ) -> Code:
        divisor = _intrinsic(text, "sqrt", _number(gives), args[0]) if root else args[0]
        return text.value(f"fdiv {llvm_type(gives)} 1.0, {divisor}"), None

    return emit


OPCODES["rsqrt"] = _reciprocal_of(True)
OPCODES["reciprocal"] = _reciprocal_of(False)
