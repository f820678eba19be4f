"""LLVM code that calls the C library's mathematical functions, as Python's ``math`` does.

Their results are within 1 ulp of the exact ones (glibc); NumPy's vectorised functions, which the
reference engine calls, are within 4, so that results of the engines may differ by so much.
"""

from __future__ import annotations

from collections.abc import Sequence

from runtime.engine.llvm import kernel_ir as ir
from runtime.engine.llvm.scalar_code import (
    OPCODES,
    Code,
    Emit,
    beyond_doubles,
    either,
    opcode,
)
from runtime.engine.llvm.text import FunctionText, literal, llvm_type

_INFINITY = "0x7FF0000000000000"

UNARY = (
    "exp", "expm1", "log", "log1p", "log2", "log10", "sin", "cos", "tan", "asin", "acos", "atan",
    "sinh", "cosh", "tanh", "asinh", "acosh", "atanh",
)  # fmt: skip
"""Functions of one float."""


def call_libm(text: FunctionText, name: str, type: ir.Type, *args: str) -> str:
    """Call a function of the C library in the precision of a type."""
    kind = llvm_type(type)
    suffix = "" if kind == "double" else "f"
    return text.call(kind, name + suffix, *[f"{kind} {arg}" for arg in args])


def finite(text: FunctionText, type: ir.Type, value: str) -> str:
    """Return whether a float is finite."""
    return OPCODES["is_finite"](text, (type,), ir.BOOL, (value,))[0]


def _library(name: str) -> Emit:
    def emit(
        text: FunctionText, takes: Sequence[ir.Type], gives: ir.Type, args: Sequence[str]
    ) -> Code:
        return call_libm(text, name, gives, *args), None

    return emit


for _name in (*UNARY, "atan2"):
    OPCODES[_name] = _library(_name)


def _by_double(name: str) -> Emit:
    """Return the emitter of a function that is computed in float64, as its kernel is."""

    def emit(
        text: FunctionText, takes: Sequence[ir.Type], gives: ir.Type, args: Sequence[str]
    ) -> Code:
        wide, _ = OPCODES["cast"](text, takes, ir.FLOAT64, args)
        result = call_libm(text, name, ir.FLOAT64, wide)
        return OPCODES["cast"](text, (ir.FLOAT64,), gives, (result,))[0], None

    return emit


for _name in ("erf", "erfc"):
    OPCODES[_name] = _by_double(_name)


def as_double(text: FunctionText, type: ir.Type, value: str) -> tuple[str, str | None]:
    """Return a Python number as a double, and whether an int has no exact one."""
    converted, _ = OPCODES["cast"](text, (type,), ir.FLOAT64, (value,))
    assert isinstance(type, ir.Scalar)
    if type.kind != "i":
        return converted, None
    return converted, beyond_doubles(text, value)


def _python(name: str) -> Emit:
    """Return the emitter of a function of Python's ``math``, which raises where C's gives no
    finite number."""

    def emit(
        text: FunctionText, takes: Sequence[ir.Type], gives: ir.Type, args: Sequence[str]
    ) -> Code:
        doubles = [as_double(text, t, a) for t, a in zip(takes, args, strict=True)]
        result = call_libm(text, name, ir.FLOAT64, *[value for value, _ in doubles])
        good = finite(text, ir.FLOAT64, result)
        return result, either(text, text.value(f"xor i1 {good}, true"), *[f for _, f in doubles])

    return emit


for _name in (
    *UNARY, "sqrt", "fabs", "pow", "atan2", "fmod", "cbrt", "exp2", "erf", "erfc", "remainder",
):  # fmt: skip
    OPCODES[f"math.{_name}"] = _python(_name)


def _python_rounding(name: str) -> Emit:
    def emit(
        text: FunctionText, takes: Sequence[ir.Type], gives: ir.Type, args: Sequence[str]
    ) -> Code:
        if takes[0] == gives:
            return args[0], None
        rounded = args[0]
        if name != "trunc":  # which the conversion does itself
            rounded, _ = OPCODES[name](text, takes, takes[0], args)
        return OPCODES["cast"](text, takes, gives, (rounded,))

    return emit


for _name in ("floor", "ceil", "trunc", "rint"):
    OPCODES[f"math.{_name}"] = _python_rounding(_name)


@opcode("pow")
def _pow(
    text: FunctionText, takes: Sequence[ir.Type], gives: ir.Type, args: Sequence[str]
) -> Code:
    """Emit the power of a positive float, or a whole power; the kernel computes others, and what
    is not finite.
    """
    kind = llvm_type(gives)
    if args[1] == literal(2.0, ir.FLOAT64):
        result = text.value(f"fmul {kind} {args[0]}, {args[0]}")
        return result, text.value(f"xor i1 {finite(text, gives, result)}, true")
    if args[1] == literal(0.5, ir.FLOAT64):
        root, _ = OPCODES["sqrt"](text, takes[:1], gives, args[:1])
        result = text.value(f"fadd {kind} {root}, 0.0")  # the power of -0.0 is 0.0
        not_negative = text.value(f"fcmp oge {kind} {args[0]}, 0.0")
        good = text.value(f"and i1 {not_negative}, {finite(text, gives, result)}")
        return result, text.value(f"xor i1 {good}, true")
    result = call_libm(text, "pow", gives, *args)
    positive = text.value(f"fcmp ogt {kind} {args[0]}, 0.0")
    rounded, _ = OPCODES["rint"](text, takes[1:], gives, args[1:])
    is_integer = text.value(f"fcmp oeq {kind} {args[1]}, {rounded}")
    is_real = text.value(f"or i1 {positive}, {is_integer}")
    good = finite(text, gives, result)
    exact = text.value(f"and i1 {is_real}, {good}")
    return result, text.value(f"xor i1 {exact}, true")


def _whole_power(checked: bool) -> Emit:
    def emit(
        text: FunctionText, takes: Sequence[ir.Type], gives: ir.Type, args: Sequence[str]
    ) -> Code:
        kind = llvm_type(gives)
        name = "checked_power" if checked else f"power_{kind}"
        pair = text.value(f"call {{{kind}, i1}} @{name}({kind} {args[0]}, {kind} {args[1]})")
        overflow = f"llvm.smul.with.overflow.{kind}"
        text.declared[overflow] = f"declare {{{kind}, i1}} @{overflow}({kind}, {kind})"
        text.declared[name] = _power_function(name, kind, checked)
        result = text.value(f"extractvalue {{{kind}, i1}} {pair}, 0")
        return result, text.value(f"extractvalue {{{kind}, i1}} {pair}, 1")

    return emit


def _power_function(name: str, kind: str, checked: bool) -> str:
    """Return a function for powers of ints by squaring; its flag is true where it gives up."""

    def product(target: str, lhs: str, rhs: str, flag: str) -> str:
        if not checked:
            return f"  {target} = mul {kind} {lhs}, {rhs}\n  {flag} = add i1 false, false"
        return (
            f"  {target}p = call {{{kind}, i1}} @llvm.smul.with.overflow.{kind}({kind} {lhs}, "
            f"{kind} {rhs})\n"
            f"  {target} = extractvalue {{{kind}, i1}} {target}p, 0\n"
            f"  {flag} = extractvalue {{{kind}, i1}} {target}p, 1"
        )

    return f"""
define internal {{{kind}, i1}} @{name}({kind} %x, {kind} %y) {{
entry:
  %negative = icmp slt {kind} %y, 0
  br i1 %negative, label %fail, label %test
test:
  %base = phi {kind} [%x, %entry], [%square, %next]
  %result = phi {kind} [1, %entry], [%found, %next]
  %left = phi {kind} [%y, %entry], [%half, %next]
  %done = icmp eq {kind} %left, 0
  br i1 %done, label %finish, label %body
body:
  %odd = trunc {kind} %left to i1
{product("%times", "%result", "%base", "%over")}
  %lost = and i1 %odd, %over
  %found = select i1 %odd, {kind} %times, {kind} %result
  %half = lshr {kind} %left, 1
  br i1 %lost, label %fail, label %square_it
square_it:
{product("%square", "%base", "%base", "%large")}
  %more = icmp ne {kind} %half, 0
  %bad = and i1 %more, %large
  br i1 %bad, label %fail, label %next
next:
  br label %test
finish:
  %good = insertvalue {{{kind}, i1}} undef, {kind} %result, 0
  %all = insertvalue {{{kind}, i1}} %good, i1 false, 1
  ret {{{kind}, i1}} %all
fail:
  ret {{{kind}, i1}} {{{kind} 0, i1 true}}
}}"""


OPCODES["ipow"] = _whole_power(False)
OPCODES["ipow.checked"] = _whole_power(True)
