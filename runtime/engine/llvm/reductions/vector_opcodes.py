"""LLVM code of checked arithmetic on int64 of which LLVM makes vectors: it has no vectors of the
intrinsics with overflow, which scalar code uses.
"""

from __future__ import annotations

from collections.abc import Sequence

from runtime.engine.llvm import bounds
from runtime.engine.llvm import kernel_ir as ir
from runtime.engine.llvm.bounds import note_bounds
from runtime.engine.llvm.checked_code import BoundsOf
from runtime.engine.llvm.opcodes import emitter
from runtime.engine.llvm.speculation import FAST
from runtime.engine.llvm.text import FunctionText
from runtime.engine.llvm.values import OPCODES, Code, Emit, LaneValue, PartialValue, either

_EMITTERS: dict[str, Emit] = {}
"""Emitters by opcode; OPCODES has those of other opcodes."""


def is_vectorisable(opcode: str, names: Sequence[str]) -> bool:
    """Return whether vectors have an opcode, whose arguments have these names."""
    if opcode in ("floordiv", "floormod"):
        return names[1].isdigit() and int(names[1]).bit_count() == 1
    return opcode in FAST or opcode in ("mul", "mul.checked")


def emit(
    text: FunctionText, opcode: str, takes: Sequence[ir.Type], gives: ir.Type, names: Sequence[str]
) -> Code:
    """Emit a vectorisable opcode; return the result, and a bool that is true where it gives up."""
    emitters: dict[str, Emit] = _EMITTERS if gives == ir.INT64 else {}
    name, flag = emitters.get(opcode, OPCODES[opcode])(text, takes, gives, names)
    note_bounds(text, opcode, takes, gives, names, name)
    return name, flag


def beyond(text: FunctionText, value: str, size: int) -> str | None:
    """Return a bool that is true where an int64 is greater than a size, or less than its opposite;
    None if it never is.
    """
    low, high = text.bounds_of(value)
    if low >= -size and high <= size:
        return None
    moved = text.value(f"add i64 {value}, {size}")
    return text.value(f"icmp ugt i64 {moved}, {2 * size}")


def _sum(operation: str, bounds_of: BoundsOf, x: LaneValue, y: LaneValue) -> PartialValue:
    result = x.emit(f"{operation} i64 {x}, {y}")
    if bounds.fits(bounds_of(x.bounds, y.bounds)):
        return PartialValue(result, None)
    # the sign of the result differs from that of the operand(s) that decide it
    lhs_sign = x ^ result
    rhs_sign = y ^ (result if operation == "add" else x)
    return PartialValue(result, (lhs_sign & rhs_sign) < 0)


def _add(x: LaneValue, y: LaneValue) -> PartialValue:
    return _sum("add", bounds.total, x, y)


def _subtract(x: LaneValue, y: LaneValue) -> PartialValue:
    return _sum("sub", bounds.difference, x, y)


def _negate(x: LaneValue) -> PartialValue:
    return _subtract(x.constant(0), x)


def _multiply(x: LaneValue, y: LaneValue) -> PartialValue:
    """Multiply ints of 32 bits; give up at larger ones, though their product may fit."""
    constant = x.known_int is not None or y.known_int is not None
    if constant or bounds.fits(bounds.product(x.bounds, y.bounds)):
        return x.attempt("mul.checked", y)
    flags = [beyond(x.text, factor.name, (1 << 31) - 1) for factor in (x, y)]
    short = [factor.to(ir.INT32) for factor in (x, y)]
    wide = [factor.to(ir.INT64) for factor in short]  # LLVM sees 32 bits
    unknown = [None if flag is None else LaneValue(x.writer, ir.BOOL, flag) for flag in flags]
    return PartialValue(wide[0] * wide[1], either(*unknown))


_EMITTERS["add.checked"] = emitter(_add)
_EMITTERS["sub.checked"] = emitter(_subtract)
_EMITTERS["neg.checked"] = emitter(_negate)
_EMITTERS["mul.checked"] = emitter(_multiply)
