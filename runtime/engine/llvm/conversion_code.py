"""LLVM code of shifts and conversions between types of numbers."""

from __future__ import annotations

from collections.abc import Sequence

from runtime.engine.llvm import kernel_ir as ir
from runtime.engine.llvm.scalar_code import (
    OPCODES,
    Code,
    Emit,
    either,
    number_type,
    opcode,
    to_float,
)
from runtime.engine.llvm.text import FunctionText, literal, llvm_type


def _out_of_width(text: FunctionText, type: ir.Scalar, count: str) -> str:
    return text.value(f"icmp uge {llvm_type(type)} {count}, {type.bits}")


def _shift(signed: str, unsigned: str) -> Emit:
    def emit(
        text: FunctionText, takes: Sequence[ir.Type], gives: ir.Type, args: Sequence[str]
    ) -> Code:
        type, kind = number_type(gives), llvm_type(gives)
        flag = _out_of_width(text, type, args[1])
        count = text.value(f"select i1 {flag}, {kind} 0, {kind} {args[1]}")
        operation = signed if type.kind == "i" else unsigned
        return text.value(f"{operation} {kind} {args[0]}, {count}"), flag

    return emit


OPCODES["shl"] = _shift("shl", "shl")
OPCODES["shr"] = _shift("ashr", "lshr")


@opcode("shl.checked")
def _shl_checked(
    text: FunctionText, takes: Sequence[ir.Type], gives: ir.Type, args: Sequence[str]
) -> Code:
    kind = llvm_type(gives)
    result, flag = OPCODES["shl"](text, takes, gives, args)
    safe = text.value(f"select i1 {flag}, {kind} 0, {kind} {args[1]}")
    back = text.value(f"ashr {kind} {result}, {safe}")
    lost = text.value(f"icmp ne {kind} {back}, {args[0]}")
    return result, either(text, flag, lost)


# -- conversions ----------------------------------------------------------------------------------


@opcode("cast")
def _cast(
    text: FunctionText, takes: Sequence[ir.Type], gives: ir.Type, args: Sequence[str]
) -> Code:
    source, target, (value,) = number_type(takes[0]), number_type(gives), args
    if source == target:
        return value, None
    if target.kind == "b":
        return OPCODES["truth"](text, takes, gives, args)
    if target.kind == "f":
        return to_float(text, source, target, value), None
    if source.kind == "f":
        return _to_whole(text, source, target, value)
    if source.bits == target.bits:
        return value, None
    shrink = source.bits > target.bits
    operation = "trunc" if shrink else "sext" if source.kind == "i" else "zext"
    types = llvm_type(source), llvm_type(target)
    return text.value(f"{operation} {types[0]} {value} to {types[1]}"), None


def _to_whole(text: FunctionText, source: ir.Scalar, target: ir.Scalar, value: str) -> Code:
    """Truncate a float; what is out of range is the kernel's affair."""
    kind = llvm_type(source)
    low = 0 if target.kind == "u" else -(2 ** (target.bits - 1))
    high = 2 ** (target.bits - (target.kind == "i"))
    above = text.value(f"fcmp oge {kind} {value}, {literal(low, source)}")
    below = text.value(f"fcmp olt {kind} {value}, {literal(high, source)}")
    fits = text.value(f"and i1 {above}, {below}")
    safe = text.value(f"select i1 {fits}, {kind} {value}, {kind} 0.0")
    operation = "fptoui" if target.kind == "u" else "fptosi"
    result = text.value(f"{operation} {kind} {safe} to {llvm_type(target)}")
    return result, text.value(f"xor i1 {fits}, true")


@opcode("cast.exact")
def _cast_exact(
    text: FunctionText, takes: Sequence[ir.Type], gives: ir.Type, args: Sequence[str]
) -> Code:
    """Convert a Python number to a dtype; a number that is no integer of the dtype gives up."""
    source, target = number_type(takes[0]), number_type(gives)
    result, flag = _cast(text, takes, gives, args)
    if source.kind == "f" and target.kind in "iu":
        round_trip = to_float(text, target, source, result)
        lost = text.value(f"fcmp une {llvm_type(source)} {round_trip}, {args[0]}")
        return result, either(text, flag, lost)
    if target.kind not in "iu" or source.kind not in "iu" or source == target:
        return result, flag
    back, _ = _cast(text, (target,), source, (result,))
    lost = text.value(f"icmp ne {llvm_type(source)} {back}, {args[0]}")
    if source.kind != target.kind and (source.kind == "u" or target.bits >= source.bits):
        # the sign is another: numbers that look alike differ
        below = text.value(f"icmp slt {llvm_type(target)} {result}, 0")
        below = below if source.kind == "u" else text.value(
            f"icmp slt {llvm_type(source)} {args[0]}, 0"
        )
        lost = text.value(f"or i1 {lost}, {below}")
    return result, either(text, flag, lost)
