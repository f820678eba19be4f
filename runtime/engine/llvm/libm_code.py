"""LLVM code that calls the C library's mathematical functions, as Python's ``math`` does.

Their results are within 1 ulp of the exact ones (glibc); NumPy's vectorised functions, which the
reference engine calls, are within 4, so that results of the engines may differ by so much.
"""

from __future__ import annotations

from functools import partial

from runtime.engine.llvm import kernel_ir as ir
from runtime.engine.llvm.builder import Builder, CodeVariable
from runtime.engine.llvm.opcodes import opcode
from runtime.engine.llvm.scalar_code import beyond_doubles
from runtime.engine.llvm.text import FunctionText, llvm_type
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
        kind = x.kind
        name = "checked_power" if checked else f"power_{kind}"
        write = partial(_write_power, x.type, checked)
        x.text.define(name, f"{{{kind}, i1}}", f"{kind} %x, {kind} %y", write, "")
        return x.both(x.text.value(f"call {{{kind}, i1}} @{name}({kind} {x}, {kind} {y})"))


def _write_power(type: ir.Scalar, checked: bool, text: FunctionText) -> None:
    """Write the function of powers of ints by squaring; its flag is true where it gives up."""
    code, kind = Builder(text), llvm_type(type)
    base, result, exponent = (CodeVariable(code, type) for _ in range(3))

    def product(x: LaneValue, y: LaneValue, is_used: LaneValue) -> LaneValue:
        """Multiply; give up if a product that is used is too large."""
        if not checked:
            return x * y
        value, is_large = x.with_overflow("smul", y)
        assert is_large is not None
        text.refuse((is_used & is_large).name, "fail")
        return value

    text.require((code.value("%y", type) >= 0).name, "fail", None)
    base.set("%x")
    result.set(1)
    exponent.set("%y")
    with code.repeat_while(lambda: exponent.get() != 0):
        is_odd = (exponent.get() & 1) != 0
        times = product(result.get(), base.get(), is_odd)
        result.set(is_odd.choose(times, result.get()))
        half = exponent.get() >> 1
        exponent.set(half)
        base.set(product(base.get(), base.get(), half != 0))
    value = text.value(f"insertvalue {{{kind}, i1}} undef, {kind} {result.get()}, 0")
    code.finish(f"{{{kind}, i1}} {text.value(f'insertvalue {{{kind}, i1}} {value}, i1 false, 1')}")
    text.start("fail")
    code.finish(f"{{{kind}, i1}} {{{kind} 0, i1 true}}")


_whole_power("ipow", False)
_whole_power("ipow.checked", True)
