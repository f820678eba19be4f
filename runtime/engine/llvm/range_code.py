"""LLVM code of opcodes of ranges: how many numbers, which one; and of Python's indexes."""

from __future__ import annotations

from collections.abc import Sequence

from runtime.engine.llvm import kernel_ir as ir
from runtime.engine.llvm.scalar_code import OPCODES, Code, Emit, either, number_type, opcode
from runtime.engine.llvm.text import FunctionText, literal, position_of


def _one(
    text: FunctionText, name: str, type: ir.Type, *args: str
) -> str:  # fmt: skip
    """Emit an opcode on numbers of one type that never gives up."""
    result, _ = OPCODES[name](text, [type] * len(args), type, args)
    return result


@opcode("range_size")
def _range_size(
    text: FunctionText, takes: Sequence[ir.Type], gives: ir.Type, args: Sequence[str]
) -> Code:
    type = number_type(takes[0])
    if type.kind == "f":
        return _float_range_size(text, type, args)
    start, limit, delta = (OPCODES["cast"](text, (type,), ir.INT64, (a,))[0] for a in args)
    int64s = (ir.INT64, ir.INT64)
    span, over = OPCODES["sub.checked"](text, int64s, ir.INT64, (start, limit))
    steps, bad = OPCODES["floordiv"](text, int64s, ir.INT64, (span, delta))
    count, large = OPCODES["neg.checked"](text, (ir.INT64,), ir.INT64, (steps,))
    odd = None
    if type == ir.Scalar("u", 64):  # beyond int64
        odd = text.value(f"icmp slt i64 {text.value(f'or i64 {start}, {limit}')}, 0")
        odd = either(text, odd, text.value(f"icmp slt i64 {delta}, 0"))
    return _one(text, "max", ir.INT64, count, "0"), either(text, over, bad, large, odd)


def _float_range_size(text: FunctionText, type: ir.Scalar, args: Sequence[str]) -> Code:
    start, limit, delta = args
    span = _one(text, "sub", type, limit, start)
    steps, _ = OPCODES["cast"](text, (type,), ir.FLOAT64, (_one(text, "div", type, span, delta),))
    upper = _one(text, "ceil", ir.FLOAT64, steps)
    delta, _ = OPCODES["cast"](text, (type,), ir.FLOAT64, (delta,))
    count, bad = OPCODES["cast"](text, (ir.FLOAT64,), ir.INT64, (upper,))
    none = text.value(f"fcmp oeq double {delta}, 0.0")
    return _one(text, "max", ir.INT64, count, "0"), either(text, bad, none)


@opcode("position")
def _position(
    text: FunctionText, takes: Sequence[ir.Type], gives: ir.Type, args: Sequence[str]
) -> Code:
    """Return the position of Python's index among so many items."""
    place, exists = position_of(text, takes[0], args[0], args[1])
    return place, text.value(f"xor i1 {exists}, true")


def _place(wraps: bool) -> Emit:
    """Return the code of an index among so many items: 0 where there is none, so that a read there
    does no harm.
    """

    def emit(
        text: FunctionText, takes: Sequence[ir.Type], gives: ir.Type, args: Sequence[str]
    ) -> Code:
        place, exists = args[0], text.value(f"icmp ult i64 {args[0]}, {args[1]}")
        if wraps:
            place, exists = position_of(text, ir.INT64, args[0], args[1])
        safe = text.value(f"select i1 {exists}, i64 {place}, i64 0")
        return safe, text.value(f"xor i1 {exists}, true")

    return emit


OPCODES["place"] = _place(False)
OPCODES["place.wrapped"] = _place(True)


@opcode("range_item")
def _range_item(
    text: FunctionText, takes: Sequence[ir.Type], gives: ir.Type, args: Sequence[str]
) -> Code:
    """Compute in the widest type, which is rounded, or checked, once; positions are signed."""
    if number_type(takes[0]).kind != "i":
        return literal(0, number_type(gives)), "true"
    wide = ir.FLOAT64 if number_type(gives).kind == "f" else ir.INT64
    k, start, delta = (
        OPCODES["cast"](text, (type,), wide, (arg,))[0]
        for type, arg in zip(takes, args, strict=True)
    )
    types = (wide, wide)
    offset, lost = OPCODES["mul.checked"](text, types, wide, (k, delta))
    item, over = OPCODES["add.checked"](text, types, wide, (offset, start))
    convert = OPCODES["cast" if wide is ir.FLOAT64 else "cast.exact"]
    result, bad = convert(text, (wide,), gives, (item,))
    odd = None
    if gives == ir.Scalar("u", 64):
        odd = text.value(f"icmp slt i64 {text.value(f'or i64 {start}, {delta}')}, 0")
    return result, either(text, lost, over, bad, odd)
