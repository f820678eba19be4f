"""LLVM code of opcodes of ranges: how many numbers, which one; and of Python's indexes."""

from __future__ import annotations

from runtime.engine.llvm import kernel_ir as ir
from runtime.engine.llvm.opcodes import opcode
from runtime.engine.llvm.size_code import position_of
from runtime.engine.llvm.values import LaneValue, PartialValue, either

_UINT64 = ir.Scalar("u", 64)


@opcode("range_size")
def _range_size(start: LaneValue, limit: LaneValue, delta: LaneValue) -> PartialValue:
    if start.type.kind == "f":
        return _float_range_size(start, limit, delta)
    is_long = start.type == _UINT64
    start, limit, delta = (number.to(ir.INT64) for number in (start, limit, delta))
    span, over = start.attempt("sub.checked", limit)
    steps, bad = span.attempt("floordiv", delta)
    count, large = steps.attempt("neg.checked")
    odd = either((start | limit) < 0, delta < 0) if is_long else None  # beyond int64
    return PartialValue(count.apply("max", 0), either(over, bad, large, odd))


def _float_range_size(start: LaneValue, limit: LaneValue, delta: LaneValue) -> PartialValue:
    span = limit - start
    steps = (span / delta).to(ir.FLOAT64)
    upper = steps.apply("ceil")
    delta = delta.to(ir.FLOAT64)
    count, bad = upper.attempt("cast", gives=ir.INT64)
    is_none = delta == 0.0
    return PartialValue(count.apply("max", 0), either(bad, is_none))


def _position(index: LaneValue, size: LaneValue) -> PartialValue:
    """Return the position that Python's index means, and whether there is none."""
    place, exists = position_of(index.text, index.type, index.name, size.name)
    inside = LaneValue(index.writer, ir.BOOL, exists)
    return PartialValue(LaneValue(index.writer, ir.INT64, place), inside)


@opcode("position")
def _checked_position(index: LaneValue, size: LaneValue) -> PartialValue:
    """Return the position of Python's index among so many items."""
    place, exists = _position(index, size)
    assert exists is not None
    return PartialValue(place, ~exists)


def _place(name: str, wraps: bool) -> None:
    """Enter the code of an index among so many items: 0 where there is none, so that a read there
    does no harm.
    """

    @opcode(name)
    def emit(index: LaneValue, size: LaneValue) -> PartialValue:
        place, exists = index, index.emit(f"icmp ult i64 {index}, {size}", ir.BOOL)
        if wraps:
            place, inside = _position(index, size)
            exists = inside or exists
        return PartialValue(exists.choose(place, 0), ~exists)


_place("place", False)
_place("place.wrapped", True)


@opcode("range_item")
def _range_item(k: LaneValue, start: LaneValue, delta: LaneValue) -> PartialValue:
    """Compute in the widest type, which is rounded, or checked, once; positions are signed."""
    gives = k.gives
    if k.type.kind != "i":
        return PartialValue(
            LaneValue(k.writer, gives, "").constant(0), k.as_type(ir.BOOL).constant(True)
        )
    wide = ir.FLOAT64 if gives.kind == "f" else ir.INT64
    k, start, delta = (number.to(wide) for number in (k, start, delta))
    offset, lost = k.attempt("mul.checked", delta)
    item, over = offset.attempt("add.checked", start)
    result, bad = item.attempt("cast" if wide is ir.FLOAT64 else "cast.exact", gives=gives)
    odd = (start | delta) < 0 if gives == _UINT64 else None
    return PartialValue(result, either(lost, over, bad, odd))
