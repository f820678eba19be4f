"""Unsigned ints that are in the order of the elements that they stand for; NaN is the greatest."""

from __future__ import annotations

from runtime.engine.llvm import kernel_ir as ir
from runtime.engine.llvm.text import FunctionText, llvm_type


def key_type(type: ir.Scalar) -> str:
    """Return the LLVM type of the keys of elements."""
    return "i64" if type.bits > 32 else "i32"


def key_of(text: FunctionText, type: ir.Scalar, value: str, signed_zeros: bool = False) -> str:
    """Return the key of an element; both zeros have one, unless their order is to be kept."""
    kind, bits = key_type(type), 64 if type.bits > 32 else 32
    if type.kind != "f":
        value = _flip_sign(text, type, value)
        if type.bits == bits:
            return value
        return text.value(f"zext {llvm_type(type)} {value} to {kind}")
    real = llvm_type(type)
    nan = text.value(f"fcmp uno {real} {value}, {value}")
    if not signed_zeros:  # the sum of zeros of both signs is 0.0
        value = text.value(f"fadd {real} {value}, 0.0")
    word = text.value(f"bitcast {real} {value} to {kind}")
    negative = text.value(f"ashr {kind} {word}, {bits - 1}")
    mask = text.value(f"or {kind} {negative}, {-(1 << bits - 1)}")
    key = text.value(f"xor {kind} {word}, {mask}")
    return text.value(f"select i1 {nan}, {kind} -1, {kind} {key}")


def _flip_sign(text: FunctionText, type: ir.Scalar, value: str) -> str:
    """Return an int whose sign is turned round, if it has one."""
    if type.kind == "u":
        return value
    return text.value(f"xor {llvm_type(type)} {value}, {-(1 << type.bits - 1)}")


def element_of(text: FunctionText, type: ir.Scalar, key: str) -> str:
    """Return the element that has a key."""
    kind, bits = key_type(type), 64 if type.bits > 32 else 32
    if type.kind != "f":
        if type.bits < bits:
            key = text.value(f"trunc {kind} {key} to {llvm_type(type)}")
        return _flip_sign(text, type, key)
    positive = text.value(f"ashr {kind} {key}, {bits - 1}")
    flipped = text.value(f"xor {kind} {positive}, -1")
    mask = text.value(f"or {kind} {flipped}, {-(1 << bits - 1)}")
    word = text.value(f"xor {kind} {key}, {mask}")
    return text.value(f"bitcast {kind} {word} to {llvm_type(type)}")
