"""LLVM code of what reductions do with a pair of elements: they combine it to one.

Sums of floats may be taken in any order, so that LLVM computes several at once; sums of many sums
keep what rounding loses (Neumaier, 1974).  Products are taken in order: of ``[0, 1e300, 1e300]``
the last two alone are infinite, and zero times that is NaN.
"""

from __future__ import annotations

from runtime.engine.llvm import kernel_ir as ir
from runtime.engine.llvm.builder import Builder, CodeVariable
from runtime.engine.llvm.element_code import complex_of, part_of
from runtime.engine.llvm.text import literal
from runtime.engine.llvm.values import OPCODES, LaneValue

_IDENTITIES = {"add": 0, "mul": 1, "or": False, "and": True}
_FLOATS = {"add": "fadd reassoc", "mul": "fmul"}
_EXTREMES = {"max": "maximum", "min": "minimum"}


def is_in_order(opcode: str, type: ir.Scalar) -> bool:
    """Return whether elements are combined one after the other, from the first to the last."""
    return opcode == "mul" and type.kind in "fc"


def identity(opcode: str, type: ir.Scalar) -> str:
    """Return the number that changes nothing when it is combined with another."""
    if opcode in _IDENTITIES:
        return literal(_IDENTITIES[opcode], type)
    greatest = opcode == "min"
    if type.kind == "f":
        return literal(float("inf") if greatest else -float("inf"), type)
    if type.kind == "u":
        return literal((1 << type.bits) - 1 if greatest else 0, type)
    half = 1 << (type.bits - 1)
    return literal(half - 1 if greatest else -half, type)


def reduce_pair(opcode: str, x: LaneValue, y: LaneValue) -> LaneValue:
    """Return the combination of two elements."""
    text, type = x.text, x.type
    if type.kind == "c":
        return _combine_complex(opcode, x, y)
    if type.kind == "f" and opcode in _FLOATS:
        return x.emit(f"{_FLOATS[opcode]} {x.kind} {x}, {y}")
    if type.kind == "f":  # NaN if one of them is
        name = f"llvm.{_EXTREMES[opcode]}.f{max(type.bits, 32)}"
        return LaneValue(x.writer, type, text.call(x.kind, name, f"{x.kind} {x}", f"{x.kind} {y}"))
    return LaneValue(x.writer, type, OPCODES[opcode](text, (type, type), type, (x.name, y.name))[0])


def parts_of(x: LaneValue) -> tuple[LaneValue, LaneValue]:
    """Return the real and the imaginary part of a complex number."""
    real, imag = (part_of(x.text, x.type, x.name, number) for number in range(2))
    return LaneValue(x.writer, x.type.part, real), LaneValue(x.writer, x.type.part, imag)


def _combine_complex(opcode: str, x: LaneValue, y: LaneValue) -> LaneValue:
    """Return the sum or the product of two complex numbers."""
    (a, b), (c, d) = parts_of(x), parts_of(y)
    if opcode == "add":
        real, imag = reduce_pair(opcode, a, c), reduce_pair(opcode, b, d)
    else:
        ac, bd, ad, bc = a * c, b * d, a * d, b * c
        real, imag = ac - bd, ad + bc
    return LaneValue(x.writer, x.type, complex_of(x.text, x.type, real.name, imag.name))


def total_of(code: Builder, opcode: str, type: ir.Scalar) -> Total | ComplexSum:
    """Return the result of all strips of a row, before the first of them."""
    kind = ComplexSum if type.kind == "c" and opcode == "add" else Total
    return kind(code, opcode, type)


class Total:
    """Result of all strips of a row, on the stack."""

    def __init__(self, code: Builder, opcode: str, type: ir.Scalar) -> None:
        self._opcode = opcode
        self._type = type
        self._total = CodeVariable(code, type)
        self._lost = CodeVariable(code, type) if type.kind == "f" and opcode == "add" else None
        """What rounding lost of a sum; NaN once the sum is not finite."""

    def begin(self) -> None:
        """Begin with nothing."""
        self._total.set(identity(self._opcode, self._type))
        if self._lost is not None:
            self._lost.set("0.0")

    def add(self, strip: LaneValue) -> None:
        """Combine with the result of a strip."""
        before = self._total.get()
        if self._lost is None:
            self._total.set(reduce_pair(self._opcode, before, strip))
            return
        # each addition is rounded to the type of a register: no opcode of narrow floats
        total = _float("fadd", before, strip)
        increment = _float("fsub", total, before)
        first = _float("fsub", before, _float("fsub", total, increment))
        second = _float("fsub", strip, increment)
        lost = _float("fadd", self._lost.get(), _float("fadd", first, second))
        self._total.set(total)
        self._lost.set(lost)

    def result(self) -> LaneValue:
        """Return the combination of all strips."""
        total = self._total.get()
        if self._lost is None:
            return total
        exacter = _float("fadd", total, self._lost.get())
        return exacter.compare("ord", 0.0).choose(exacter, total)


def _float(operation: str, x: LaneValue, y: LaneValue) -> LaneValue:
    return x.emit(f"{operation} {x.kind} {x}, {y}")


class ComplexSum:
    """Sum of the strips of a row of complex numbers: a sum of each part."""

    def __init__(self, code: Builder, opcode: str, type: ir.Scalar) -> None:
        self._type = type
        self._parts = [Total(code, opcode, type.part) for _ in range(2)]

    def begin(self) -> None:
        """Begin with nothing."""
        for total in self._parts:
            total.begin()

    def add(self, strip: LaneValue) -> None:
        """Combine with the result of a strip."""
        for total, part in zip(self._parts, parts_of(strip), strict=True):
            total.add(part)

    def result(self) -> LaneValue:
        """Return the sum of all strips."""
        real, imag = (total.result() for total in self._parts)
        name = complex_of(real.text, self._type, real.name, imag.name)
        return LaneValue(real.writer, self._type, name)
