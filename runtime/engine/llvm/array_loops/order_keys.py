"""Unsigned ints that are in the order of the elements that they stand for; NaN is the greatest."""

from __future__ import annotations

from runtime.engine.llvm import kernel_ir as ir
from runtime.engine.llvm.text import literal, llvm_type
from runtime.engine.llvm.values import LaneValue


def key_type(type: ir.Scalar) -> ir.Scalar:
    """Return the type of the keys of elements."""
    return ir.Scalar("u", 64 if type.bits > 32 else 32)


def key_of(x: LaneValue, signed_zeros: bool = False) -> LaneValue:
    """Return the key of an element, or those of a vector of them; both zeros have one, unless their
    order is to be kept.
    """
    key = key_type(x.type).with_lanes(x.type.lanes)
    if x.type.kind != "f":
        return _flip_sign(x, x.type._replace(kind="u")).to(key)
    is_nan = x.is_nan()
    if not signed_zeros:  # the sum of zeros of both signs is 0.0
        x = x + 0.0
    word = x.emit(f"bitcast {x.kind} {x} to {llvm_type(key)}", key)
    negative = word.emit(f"ashr {word.kind} {word}, {literal(key.bits - 1, key)}")
    return is_nan.choose(word.constant(-1), word ^ (negative | -(1 << key.bits - 1)))


def _flip_sign(x: LaneValue, type: ir.Scalar) -> LaneValue:
    """Return an int of the other type, which has a sign if this has none; it is turned round."""
    moved = x if "i" not in (x.type.kind, type.kind) else x ^ -(1 << x.type.bits - 1)
    return LaneValue(x.writer, type, moved.name)


def element_of(key: LaneValue, type: ir.Scalar) -> LaneValue:
    """Return the element of a type that has a key."""
    if type.kind != "f":
        return _flip_sign(key.to(ir.Scalar("u", type.bits)), type)
    positive = key.emit(f"ashr {key.kind} {key}, {key.type.bits - 1}")
    word = key ^ (positive ^ -1 | -(1 << key.type.bits - 1))
    return word.emit(f"bitcast {word.kind} {word} to {llvm_type(type)}", type)
