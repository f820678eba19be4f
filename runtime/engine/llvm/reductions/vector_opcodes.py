"""LLVM code of checked arithmetic on int64 of which LLVM makes vectors: it has no vectors of the
intrinsics with overflow, which scalar code uses.
"""

from __future__ import annotations

from collections.abc import Sequence

from runtime.engine.llvm import bounds
from runtime.engine.llvm import kernel_ir as ir
from runtime.engine.llvm.bounds import note_bounds
from runtime.engine.llvm.checked_code import BoundsOf
from runtime.engine.llvm.scalar_code import OPCODES, Code, Emit, either
from runtime.engine.llvm.speculation import FAST
from runtime.engine.llvm.text import FunctionText

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


def _checked_emitter(operation: str, bounds_of: BoundsOf) -> Emit:
    def emit(
        text: FunctionText, takes: Sequence[ir.Type], gives: ir.Type, args: Sequence[str]
    ) -> Code:
        result = text.value(f"{operation} i64 {args[0]}, {args[1]}")
        if bounds.fits(bounds_of(text.bounds_of(args[0]), text.bounds_of(args[1]))):
            return result, None
        # the sign of the result differs from that of the operand(s) that decide it
        lhs_sign = text.value(f"xor i64 {args[0]}, {result}")
        rhs_sign = text.value(f"xor i64 {args[1]}, {result if operation == 'add' else args[0]}")
        overflow = text.value(f"and i64 {lhs_sign}, {rhs_sign}")
        return result, text.value(f"icmp slt i64 {overflow}, 0")

    return emit


def _negate(
    text: FunctionText, takes: Sequence[ir.Type], gives: ir.Type, args: Sequence[str]
) -> Code:
    return _EMITTERS["sub.checked"](text, (gives, gives), gives, ("0", args[0]))


def _multiply(
    text: FunctionText, takes: Sequence[ir.Type], gives: ir.Type, args: Sequence[str]
) -> Code:
    """Multiply ints of 32 bits; give up at larger ones, though their product may fit."""
    constant = any(name.lstrip("-").isdigit() for name in args)
    factors = [text.bounds_of(name) for name in args]
    if constant or bounds.fits(bounds.product(*factors)):
        return OPCODES["mul.checked"](text, takes, gives, args)
    flags = [beyond(text, name, (1 << 31) - 1) for name in args]
    short = [text.value(f"trunc i64 {name} to i32") for name in args]
    wide = [text.value(f"sext i32 {name} to i64") for name in short]  # LLVM sees 32 bits
    return text.value(f"mul i64 {wide[0]}, {wide[1]}"), either(text, *flags)


_EMITTERS["add.checked"] = _checked_emitter("add", bounds.total)
_EMITTERS["sub.checked"] = _checked_emitter("sub", bounds.difference)
_EMITTERS["neg.checked"] = _negate
_EMITTERS["mul.checked"] = _multiply
