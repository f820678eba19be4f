"""LLVM code that calls the C library's mathematical functions, as Python's ``math`` does.

Their results are within 1 ulp of the exact ones (glibc); NumPy's vectorised functions, which the
reference engine calls, are within 4, so that results of the engines may differ by so much.
"""

from __future__ import annotations

from runtime.engine.llvm import kernel_ir as ir
from runtime.engine.llvm.opcodes import opcode
from runtime.engine.llvm.scalar_code import beyond_doubles
from runtime.engine.llvm.values import LaneValue, PartialValue, either

UNARY = (
    "exp", "expm1", "log", "log1p", "log2", "log10", "sin", "cos", "tan", "asin", "acos", "atan",
    "sinh", "cosh", "tanh", "asinh", "acosh", "atanh",
)  # fmt: skip
"""Functions of one float."""


def call_libm(name: str, x: LaneValue, *operands: LaneValue) -> LaneValue:
    """Call a function of the C library in the precision of a float."""
    suffix = "" if x.type.bits == 64 else "f"
    args = [f"{x.kind} {arg}" for arg in (x, *operands)]
    return LaneValue(x.writer, x.type, x.text.call(x.kind, name + suffix, *args))


def _library(name: str) -> None:
    @opcode(name)
    def emit(*args: LaneValue) -> LaneValue:
        return call_libm(name, *args)


for _name in (*UNARY, "atan2"):
    _library(_name)


def _by_double(name: str) -> None:
    """Enter a function that is computed in float64, as its kernel is."""

    @opcode(name)
    def emit(x: LaneValue) -> LaneValue:
        return call_libm(name, x.to(ir.FLOAT64)).to(x.gives)


for _name in ("erf", "erfc"):
    _by_double(_name)


def as_double(x: LaneValue) -> PartialValue:
    """Return a Python number as a double, and whether an int has no exact one."""
    converted = x.to(ir.FLOAT64)
    return PartialValue(converted, beyond_doubles(x) if x.type.kind == "i" else None)


def _python(name: str) -> None:
    """Enter a function of Python's ``math``, which raises where C's gives no finite number."""

    @opcode(f"math.{name}")
    def emit(*args: LaneValue) -> PartialValue:
        doubles = [as_double(arg) for arg in args]
        result = call_libm(name, *[number.value for number in doubles])
        infinite = ~result.test("is_finite")
        return PartialValue(result, either(infinite, *[number.unknown for number in doubles]))


for _name in (
    *UNARY, "sqrt", "fabs", "pow", "atan2", "fmod", "cbrt", "exp2", "erf", "erfc", "remainder",
):  # fmt: skip
    _python(_name)


def _python_rounding(name: str) -> None:
    @opcode(f"math.{name}")
    def emit(x: LaneValue) -> LaneValue | PartialValue:
        if x.type == x.gives:
            return x
        rounded = x if name == "trunc" else x.apply(name)  # the conversion truncates itself
        return rounded.attempt("cast", gives=x.gives)


for _name in ("floor", "ceil", "trunc", "rint"):
    _python_rounding(_name)


@opcode("pow")
def _pow(x: LaneValue, y: LaneValue) -> PartialValue:
    """Emit the power of a positive float, or a whole power; the kernel computes others, and what
    is not finite.
    """
    double = y.as_type(ir.FLOAT64)  # constants of float32 are written as those of float64 are
    if y.name == double.constant(2.0).name:
        square = x * x
        return PartialValue(square, ~square.test("is_finite"))
    if y.name == double.constant(0.5).name:
        root = x.sqrt() + 0.0  # the power of -0.0 is 0.0
        not_negative = x >= 0.0
        return PartialValue(root, ~(not_negative & root.test("is_finite")))
    power = call_libm("pow", x, y)
    positive = x > 0.0
    is_real = positive | (y == y.apply("rint"))
    return PartialValue(power, ~(is_real & power.test("is_finite")))


def _whole_power(opcode_name: str, checked: bool) -> None:
    @opcode(opcode_name)
    def emit(x: LaneValue, y: LaneValue) -> PartialValue:
        text, kind = x.text, x.kind
        name = "checked_power" if checked else f"power_{kind}"
        pair = text.value(f"call {{{kind}, i1}} @{name}({kind} {x}, {kind} {y})")
        overflow = f"llvm.smul.with.overflow.{kind}"
        text.declared[overflow] = f"declare {{{kind}, i1}} @{overflow}({kind}, {kind})"
        text.declared[name] = _power_function(name, kind, checked)
        return x.both(pair)


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


_whole_power("ipow", False)
_whole_power("ipow.checked", True)
