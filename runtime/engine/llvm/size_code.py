"""LLVM code of sizes, positions and conditions, which are constants where they are known."""

from __future__ import annotations

from collections.abc import Sequence

from runtime.engine.llvm import kernel_ir as ir
from runtime.engine.llvm.text import FunctionText, llvm_type


def all_hold(text: FunctionText, conditions: Sequence[str]) -> str:
    """Return whether all conditions hold."""
    if "false" in conditions:
        return "false"
    conjunction = "true"
    for condition in conditions:
        if condition != "true":
            conjunction = (
                condition
                if conjunction == "true"
                else text.value(f"and i1 {conjunction}, {condition}")
            )
    return conjunction


def any_holds(text: FunctionText, *flags: str | None) -> str | None:
    """Return whether one of the flags is true; None if there are none."""
    present = [flag for flag in flags if flag is not None]
    if not present:
        return None
    disjunction = present[0]
    for flag in present[1:]:
        disjunction = text.value(f"or i1 {disjunction}, {flag}")
    return disjunction


def equal(text: FunctionText, lhs: str, rhs: str) -> str:
    """Return whether two int64 are equal; a constant if that is known."""
    if lhs == rhs:
        return "true"
    if is_constant(lhs) and is_constant(rhs):
        return "false"
    return text.value(f"icmp eq i64 {lhs}, {rhs}")


def times(text: FunctionText, lhs: str, rhs: str) -> str:
    """Return the product of two int64; a constant if it is known."""
    if is_constant(lhs) and is_constant(rhs):
        return str(int(lhs) * int(rhs))
    if "1" in (lhs, rhs):
        return rhs if lhs == "1" else lhs
    return text.value(f"mul i64 {lhs}, {rhs}")


def is_constant(name: str) -> bool:
    """Return whether the name of an int64 is a number."""
    return name.lstrip("-").isdigit()


def position_of(text: FunctionText, type: ir.Type, index: str, size: str) -> tuple[str, str]:
    """Return the position that Python's index means among so many items, and whether it exists."""
    assert isinstance(type, ir.Scalar)
    place = index
    if type.bits < 64:
        extend = "sext" if type.kind == "i" else "zext"
        place = text.value(f"{extend} {llvm_type(type)} {index} to i64")
    if type.kind == "i" and not text.is_never_negative(index):
        negative = text.value(f"icmp slt i64 {place}, 0")
        shift = text.value(f"select i1 {negative}, i64 {size}, i64 0")
        place = text.value(f"add i64 {place}, {shift}")
    return place, text.value(f"icmp ult i64 {place}, {size}")
