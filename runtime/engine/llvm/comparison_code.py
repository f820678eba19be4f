"""LLVM code of comparisons, choices and truth values."""

from __future__ import annotations

from collections.abc import Sequence

from runtime.engine.llvm import kernel_ir as ir
from runtime.engine.llvm.scalar_code import (
    FLOAT_CODES,
    OPCODES,
    Code,
    Emit,
    compare,
    number_type,
    opcode,
)
from runtime.engine.llvm.text import FunctionText, literal, llvm_type


def _comparison(code: str) -> Emit:
    def emit(
        text: FunctionText, takes: Sequence[ir.Type], gives: ir.Type, args: Sequence[str]
    ) -> Code:
        return compare(text, code, number_type(takes[0]), *args), None

    return emit


for _code in FLOAT_CODES:
    OPCODES[_code] = _comparison(_code)


def _extreme(code: str) -> Emit:
    """Return the emitter of NumPy's maximum or minimum: NaN where either is NaN.

    Of zeros with different signs NumPy returns the second, as processors do.
    """

    def emit(
        text: FunctionText, takes: Sequence[ir.Type], gives: ir.Type, args: Sequence[str]
    ) -> Code:
        type, kind = number_type(gives), llvm_type(gives)
        first = compare(text, code, type, *args)
        if type.kind == "f":
            nan = text.value(f"fcmp uno {kind} {args[0]}, {args[0]}")
            first = text.value(f"or i1 {first}, {nan}")
        return text.value(f"select i1 {first}, {kind} {args[0]}, {kind} {args[1]}"), None

    return emit


OPCODES["max"] = _extreme("gt")
OPCODES["min"] = _extreme("lt")


@opcode("not")
def _not(
    text: FunctionText, takes: Sequence[ir.Type], gives: ir.Type, args: Sequence[str]
) -> Code:
    ones = literal(True if number_type(gives).kind == "b" else -1, number_type(gives))
    return text.value(f"xor {llvm_type(gives)} {args[0]}, {ones}"), None


@opcode("select")
def _select(
    text: FunctionText, takes: Sequence[ir.Type], gives: ir.Type, args: Sequence[str]
) -> Code:
    choices = f"{llvm_type(gives)} {args[1]}, {llvm_type(gives)} {args[2]}"
    return text.value(f"select {llvm_type(takes[0])} {args[0]}, {choices}"), None


@opcode("copy")
def _copy(
    text: FunctionText, takes: Sequence[ir.Type], gives: ir.Type, args: Sequence[str]
) -> Code:
    return args[0], None


@opcode("truth")
def _truth(
    text: FunctionText, takes: Sequence[ir.Type], gives: ir.Type, args: Sequence[str]
) -> Code:
    type = number_type(takes[0])
    if type.kind == "b":
        return args[0], None
    return compare(text, "ne", type, args[0], "0.0" if type.kind == "f" else "0"), None


@opcode("increment")
def _increment(
    text: FunctionText, takes: Sequence[ir.Type], gives: ir.Type, args: Sequence[str]
) -> Code:
    kind = llvm_type(gives)
    # counters are int64s, which cannot overflow; other ints do as NumPy's
    return text.value(f"add {'nsw ' if kind == 'i64' else ''}{kind} {args[0]}, 1"), None
