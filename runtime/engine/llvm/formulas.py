"""Formulas: functions that are written as Python's operators on numbers, which add LLVM code.

    @formula("softsign")
    def _softsign(x: Formula) -> Formula:
        return x / (abs(x) + 1)

A formula is an opcode on numbers and on elements of arrays.  It computes what the kernel does,
in the order of the kernel, and never gives up.  On elements, its functions are those of vectors.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from autograph.named_tuples import NamedTuple
from runtime.engine.llvm import kernel_ir as ir
from runtime.engine.llvm.scalar_code import OPCODES, Code, number_type
from runtime.engine.llvm.text import FunctionText, literal, llvm_type

Apply = Callable[[FunctionText, str, Sequence[ir.Scalar], ir.Scalar, Sequence[str]], str]
"""How an opcode is applied: to the text, its name, the types that it takes and gives, arguments."""

FORMULAS: dict[str, Callable[..., Formula]] = {}
"""The functions by opcode."""


class Writer(NamedTuple):
    """Where code is added, how opcodes are applied, and the type of the result."""

    text: FunctionText
    apply: Apply
    gives: ir.Scalar


class Formula:
    """Formula that code computes."""

    __hash__ = None  # type: ignore[assignment]

    def __init__(self, writer: Writer, type: ir.Scalar, name: str) -> None:
        self.writer = writer
        self.type = type
        self.name = name

    def constant(self, value: float | bool) -> Formula:
        """Return a number of this type, rounded to it."""
        if self.type.kind == "f" and self.type.bits < 64:
            value = float((np.float16 if self.type == ir.HALF else np.float32)(value))
        return Formula(self.writer, self.type, literal(value, self.type))

    def same(self, value: Formula | float) -> Formula:
        """Return an operand: a Python number takes this type."""
        return value if isinstance(value, Formula) else self.constant(value)

    def apply(
        self, opcode: str, *operands: Formula | float, gives: ir.Scalar | None = None
    ) -> Formula:
        """Apply an opcode to this and other numbers."""
        args = [self, *map(self.same, operands)]
        gives = gives or self.type
        takes = [arg.type for arg in args]
        names = [arg.name for arg in args]
        writer = self.writer
        return Formula(writer, gives, writer.apply(writer.text, opcode, takes, gives, names))

    def to(self, type: ir.Scalar) -> Formula:
        """Convert to another type."""
        return self if type == self.type else self.apply("cast", gives=type)

    def bits(self) -> Formula:
        """Return the bits of a float as an integer with a sign."""
        int_type = ir.Scalar("i", self.type.bits)
        text = f"bitcast {llvm_type(self.type)} {self.name} to {llvm_type(int_type)}"
        return Formula(self.writer, int_type, self.writer.text.value(text))

    def float_of_bits(self, type: ir.Scalar) -> Formula:
        """Return the float that has these bits."""
        text = f"bitcast {llvm_type(self.type)} {self.name} to {llvm_type(type)}"
        return Formula(self.writer, type, self.writer.text.value(text))

    def choose(self, yes: Formula, no: Formula | float) -> Formula:
        """Return one number where this bool is true, else the other."""
        return self.apply("select", yes, yes.same(no), gives=yes.type)

    def __add__(self, other: Formula | float) -> Formula:
        return self.apply("add", other)

    def __sub__(self, other: Formula | float) -> Formula:
        return self.apply("sub", other)

    def __mul__(self, other: Formula | float) -> Formula:
        return self.apply("mul", other)

    def __rmul__(self, other: float) -> Formula:
        return self.constant(other).apply("mul", self)

    def __truediv__(self, other: Formula | float) -> Formula:
        return self.apply("div", other)

    def __neg__(self) -> Formula:
        return self.apply("neg")

    def __abs__(self) -> Formula:
        return self.apply("abs")

    def __lt__(self, other: Formula | float) -> Formula:
        return self.apply("lt", other, gives=ir.BOOL)

    def __gt__(self, other: Formula | float) -> Formula:
        return self.apply("gt", other, gives=ir.BOOL)

    def __eq__(self, other: object) -> Formula:  # type: ignore[override]
        assert isinstance(other, Formula | int | float)
        return self.apply("eq", other, gives=ir.BOOL)

    def __or__(self, other: Formula) -> Formula:
        return self.apply("or", other)


def formula(name: str) -> Callable[[Callable[..., Formula]], Callable[..., Formula]]:
    """Enter a function as an opcode."""

    def enter(function: Callable[..., Formula]) -> Callable[..., Formula]:
        FORMULAS[name] = function

        def emit(
            text: FunctionText, takes: Sequence[ir.Type], gives: ir.Type, args: Sequence[str]
        ) -> Code:
            types = [number_type(type) for type in takes]
            return evaluate(text, name, types, number_type(gives), args, _by_opcode), None

        OPCODES[name] = emit
        return function

    return enter


def evaluate(
    text: FunctionText, name: str, takes: Sequence[ir.Scalar], gives: ir.Scalar,
    args: Sequence[str], apply: Apply,
) -> str:  # fmt: skip
    """Add the code of a formula; return the name of its result."""
    writer = Writer(text, apply, gives)
    numbers = [Formula(writer, type, arg) for type, arg in zip(takes, args, strict=True)]
    result = FORMULAS[name](*numbers)
    assert result.type == gives, (name, result.type, gives)
    return result.name


def _by_opcode(
    text: FunctionText, name: str, takes: Sequence[ir.Scalar], gives: ir.Scalar,
    args: Sequence[str],
) -> str:  # fmt: skip
    value, flag = OPCODES[name](text, takes, gives, args)
    assert flag is None or name == "cast", name
    return value
