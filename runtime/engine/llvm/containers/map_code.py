"""LLVM code of the lists of keys and values that stand for dicts and sets.

A key is looked up in the list of keys; what stands at its place in the list of values is its value.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from runtime.engine.llvm import kernel_ir as ir
from runtime.engine.llvm.list_code import Emitted, length_of, list_type, push_entry, replace_entry
from runtime.engine.llvm.references import References, list_name
from runtime.engine.llvm.text import FunctionText, llvm_type, position_of

__all__ = ["EMITTERS"]


def _find(
    text: FunctionText, references: References, instruction: ir.Compute, args: Sequence[str],
    fail: str, good: str,
) -> Emitted:  # fmt: skip
    """Emit the search for a key; it fails if there is no memory for an index."""
    type = list_type(instruction)
    key = [f"{llvm_type(f)} {name}" for f, name in zip(type.fields, args[1:], strict=True)]
    operands = ", ".join([f"ptr {args[0]}", *key])
    place = text.value(f"call i64 @{list_name(type)}.find({operands})")
    text.branch(text.value(f"icmp eq i64 {place}, -2"), fail, good, likely=False)
    return Emitted([place], True)


_EmitExisting = Callable[[FunctionText, References, ir.Compute, Sequence[str], str], str]
"""Emits what happens to the entry at a place, and returns the list."""


def _append_or(
    emit_existing: _EmitExisting, text: FunctionText, references: References,
    instruction: ir.Compute, args: Sequence[str], fail: str, good: str,
) -> Emitted:  # fmt: skip
    """Emit one more entry where the place is negative, else what ``emit_existing`` emits."""
    type = list_type(instruction)
    exists, append, end = text.label("there"), text.label("append"), text.label("end")
    slot = text.slot("ptr")
    place = llvm_type(instruction.args[1].type)
    text.branch(text.value(f"icmp slt {place} {args[1]}, 0"), append, exists)
    text.start(append)
    handle = push_entry(text, type, args[0], args[2:], fail)
    if type.keyed:
        text.line(f"call void @{list_name(type)}.note(ptr {handle})")
    text.line(f"store ptr {handle}, ptr {slot}")
    text.line(f"br label %{end}")
    text.start(exists)
    handle = emit_existing(text, references, instruction, args, fail)
    text.line(f"store ptr {handle}, ptr {slot}")
    text.line(f"br label %{end}")
    text.start(end)
    result = text.value(f"load ptr, ptr {slot}")
    text.line(f"br label %{good}")
    return Emitted([result], True)


def _replace(
    text: FunctionText, references: References, instruction: ir.Compute, args: Sequence[str],
    fail: str,
) -> str:  # fmt: skip
    type = list_type(instruction)
    length = length_of(text, args[0])
    place, exists = position_of(text, instruction.args[1].type, args[1], length)
    text.require(exists, fail)
    return replace_entry(text, references, type, args[0], place, args[2:], fail)


def _keep(
    text: FunctionText, references: References, instruction: ir.Compute, args: Sequence[str],
    fail: str,
) -> str:  # fmt: skip
    for value, name in zip(instruction.args[2:], args[2:], strict=True):
        if value.type.managed:
            references.drop(value.type, name)
    return args[0]


EMITTERS: dict[str, Callable[..., Emitted]] = {
    "list.find": _find, "list.put": partial(_append_or, _replace),
    "list.add": partial(_append_or, _keep),
}  # fmt: skip
"""Functions that emit the operations of dicts and sets."""
