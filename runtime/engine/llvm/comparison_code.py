"""LLVM code of comparisons, choices and truth values."""

from __future__ import annotations

from collections.abc import Sequence

from runtime.engine.llvm import kernel_ir as ir
from runtime.engine.llvm.opcodes import opcode
from runtime.engine.llvm.text import FunctionText, llvm_type
from runtime.engine.llvm.values import OPCODES, Code, Emit, LaneValue, number_type

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
