"""LLVM code of shifts and conversions between types of numbers."""

from __future__ import annotations

from runtime.engine.llvm import kernel_ir as ir
from runtime.engine.llvm.opcodes import opcode
from runtime.engine.llvm.text import llvm_type
from runtime.engine.llvm.values import LaneValue, PartialValue, either


def _shift(name: str, signed: str, unsigned: str) -> None:
    @opcode(name)
    def emit(x: LaneValue, count: LaneValue) -> PartialValue:
        flag = count.emit(f"icmp uge {count.kind} {count}, {x.type.bits}", ir.BOOL)
        safe = flag.choose(0, count)
        operation = signed if x.type.kind == "i" else unsigned
        return PartialValue(x.emit(f"{operation} {x.kind} {x}, {safe}"), flag)


_shift("shl", "shl", "shl")
_shift("shr", "ashr", "lshr")


@opcode("shl.checked")
def _shl_checked(x: LaneValue, count: LaneValue) -> PartialValue:
    shifted, flag = x.attempt("shl", count)
    assert flag is not None
    safe = flag.choose(0, count)
    back = shifted.emit(f"ashr {x.kind} {shifted}, {safe}")
    return PartialValue(shifted, either(flag, back != x))


# -- conversions ----------------------------------------------------------------------------------


@opcode("cast")
def _cast(x: LaneValue) -> LaneValue | PartialValue:
    source, target = x.type, x.gives
    if source == target:
        return x
    if target.kind == "b":
        return x.apply("truth", gives=target)
    if source.kind == "f" and target.kind != "f":
        return _to_whole(x, target)
    if source.kind == "f":
        operation = "fpext" if target.bits > source.bits else "fptrunc"
    elif target.kind == "f":
        operation = "sitofp" if source.kind == "i" else "uitofp"
    elif source.bits == target.bits:
        return x.as_type(target)
    elif source.bits > target.bits:
        operation = "trunc"
    else:
        operation = "sext" if source.kind == "i" else "zext"
    return x.emit(f"{operation} {x.kind} {x} to {llvm_type(target)}", target)


def _to_whole(x: LaneValue, target: ir.Scalar) -> PartialValue:
    """Truncate a float; what is out of range is the kernel's affair."""
    low = 0 if target.kind == "u" else -(2 ** (target.bits - 1))
    high = 2 ** (target.bits - (target.kind == "i"))
    fits = (x >= low) & (x < high)
    operation = "fptoui" if target.kind == "u" else "fptosi"
    safe = fits.choose(x, 0.0)
    whole = safe.emit(f"{operation} {x.kind} {safe} to {llvm_type(target)}", target)
    return PartialValue(whole, ~fits)


@opcode("cast.exact")
def _cast_exact(x: LaneValue) -> PartialValue:
    """Convert a Python number to a dtype; a number that is no integer of the dtype gives up."""
    source, target = x.type, x.gives
    converted, flag = x.attempt("cast", gives=target)
    if source.kind == "f" and target.kind in "iu":
        return PartialValue(converted, either(flag, converted.to(source) != x))
    if target.kind not in "iu" or source.kind not in "iu" or source == target:
        return PartialValue(converted, flag)
    lost = converted.to(source) != x
    if source.kind != target.kind and (source.kind == "u" or target.bits >= source.bits):
        # the sign is another: numbers that look alike differ
        lost = lost | ((converted if source.kind == "u" else x) < 0)
    return PartialValue(converted, either(flag, lost))
