"""LLVM code of what reductions do with a pair of elements: they combine it to one.

Sums of floats may be taken in any order, so that LLVM computes several at once; sums of many sums
keep what rounding loses (Neumaier, 1974).  Products are taken in order: of ``[0, 1e300, 1e300]``
the last two alone are infinite, and zero times that is NaN.
"""

from __future__ import annotations

from runtime.engine.llvm import kernel_ir as ir
from runtime.engine.llvm.element_code import complex_of, part_of
from runtime.engine.llvm.text import FunctionText, literal, llvm_type
from runtime.engine.llvm.values import OPCODES

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


def reduce_pair(text: FunctionText, opcode: str, type: ir.Scalar, lhs: str, rhs: str) -> str:
    """Return the combination of two elements."""
    if type.kind == "c":
        return _combine_complex(text, opcode, type, lhs, rhs)
    kind = llvm_type(type)
    if type.kind == "f" and opcode in _FLOATS:
        return text.value(f"{_FLOATS[opcode]} {kind} {lhs}, {rhs}")
    if type.kind == "f":  # NaN if one of them is
        name = f"llvm.{_EXTREMES[opcode]}.f{max(type.bits, 32)}"
        return text.call(kind, name, f"{kind} {lhs}", f"{kind} {rhs}")
    return OPCODES[opcode](text, (type, type), type, (lhs, rhs))[0]


def _combine_complex(
    text: FunctionText, opcode: str, type: ir.Scalar, lhs: str, rhs: str
) -> str:
    """Return the sum or the product of two complex numbers."""
    (a, b), (c, d) = (
        [part_of(text, type, operand, number) for number in range(2)] for operand in (lhs, rhs)
    )
    component, kind = type.part, llvm_type(type.part)
    if opcode == "add":
        sums = [reduce_pair(text, opcode, component, *pair) for pair in ((a, c), (b, d))]
        return complex_of(text, type, *sums)
    products = [text.value(f"fmul {kind} {x}, {y}") for x, y in ((a, c), (b, d), (a, d), (b, c))]
    real = text.value(f"fsub {kind} {products[0]}, {products[1]}")
    return complex_of(text, type, real, text.value(f"fadd {kind} {products[2]}, {products[3]}"))


def total_of(text: FunctionText, opcode: str, type: ir.Scalar) -> Total | ComplexSum:
    """Return the result of all strips of a row, before the first of them."""
    kind = ComplexSum if type.kind == "c" and opcode == "add" else Total
    return kind(text, opcode, type)


class Total:
    """Result of all strips of a row, in stack slots."""

    def __init__(self, text: FunctionText, opcode: str, type: ir.Scalar) -> None:
        self._text = text
        self._opcode = opcode
        self._type = type
        self._kind = llvm_type(type)
        self._slot = text.slot(self._kind)
        self._compensation = text.slot(self._kind) if type.kind == "f" and opcode == "add" else ""
        """Slot of what rounding lost of a sum; NaN once the sum is not finite."""

    def begin(self) -> None:
        """Begin with nothing."""
        self._store(identity(self._opcode, self._type), self._slot)
        if self._compensation:
            self._store("0.0", self._compensation)

    def add(self, strip: str) -> None:
        """Combine with the result of a strip."""
        text, before = self._text, self._load(self._slot)
        if not self._compensation:
            self._store(reduce_pair(text, self._opcode, self._type, before, strip), self._slot)
            return
        total = self._float("fadd", before, strip)
        increment = self._float("fsub", total, before)
        errors = [
            self._float("fsub", before, self._float("fsub", total, increment)),
            self._float("fsub", strip, increment),
        ]
        compensation = self._float(
            "fadd", self._load(self._compensation), self._float("fadd", *errors)
        )
        self._store(total, self._slot)
        self._store(compensation, self._compensation)

    def result(self) -> str:
        """Return the combination of all strips."""
        total = self._load(self._slot)
        if not self._compensation:
            return total
        compensation = self._load(self._compensation)
        exacter = self._float("fadd", total, compensation)
        is_finite = self._text.value(f"fcmp ord {self._kind} {exacter}, 0.0")
        kind = self._kind
        return self._text.value(f"select i1 {is_finite}, {kind} {exacter}, {kind} {total}")

    def _float(self, operation: str, lhs: str, rhs: str) -> str:
        return self._text.value(f"{operation} {self._kind} {lhs}, {rhs}")

    def _load(self, slot: str) -> str:
        return self._text.value(f"load {self._kind}, ptr {slot}")

    def _store(self, value: str, slot: str) -> None:
        self._text.line(f"store {self._kind} {value}, ptr {slot}")


class ComplexSum:
    """Sum of the strips of a row of complex numbers: a sum of each part."""

    def __init__(self, text: FunctionText, opcode: str, type: ir.Scalar) -> None:
        self._text = text
        self._type = type
        self._parts = [Total(text, opcode, type.part) for _ in range(2)]

    def begin(self) -> None:
        """Begin with nothing."""
        for total in self._parts:
            total.begin()

    def add(self, strip: str) -> None:
        """Combine with the result of a strip."""
        for number, total in enumerate(self._parts):
            total.add(part_of(self._text, self._type, strip, number))

    def result(self) -> str:
        """Return the sum of all strips."""
        real, imag = (total.result() for total in self._parts)
        return complex_of(self._text, self._type, real, imag)
