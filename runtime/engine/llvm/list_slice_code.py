"""LLVM code of slices of native lists: their copies, and their replacement by another list.

The bounds follow Python's rules: negative ones count from the end, and none is out of range.
"""

from __future__ import annotations

from collections.abc import Sequence

from runtime.engine.llvm import kernel_ir as ir
from runtime.engine.llvm.list_code import (
    Emitted,
    drop_index,
    entry_address,
    entry_bytes,
    for_each,
    length_of,
    list_type,
    ready_or,
    set_length,
    writable,
)
from runtime.engine.llvm.references import References, list_name
from runtime.engine.llvm.slice_bounds import SliceBounds
from runtime.engine.llvm.text import FunctionText
from runtime.ops.array.indexing import KeyInput

__all__ = ["emit_slice", "emit_splice"]


def _is_whole(key: slice) -> bool:
    return key.start is None and key.stop is None and key.step in (None, 1)


def _bounds(
    text: FunctionText, instruction: ir.Compute, args: Sequence[str], lists: int, length: str
) -> SliceBounds:
    assert instruction.site is not None
    types = [value.type for value in instruction.args]
    values = list(zip(types, args, strict=True))[lists:]
    key = instruction.site.step.attrs["key"]
    start, stop = (
        values[end.index] if isinstance(end, KeyInput) else end for end in (key.start, key.stop)
    )
    return SliceBounds(text, start, stop, key.step, length)


def emit_slice(
    text: FunctionText, references: References, instruction: ir.Compute, args: Sequence[str],
    fail: str, good: str,
) -> Emitted:  # fmt: skip
    """Emit the copy of a slice; the whole list is the list itself."""
    type = list_type(instruction)
    assert instruction.site is not None
    if _is_whole(instruction.site.step.attrs["key"]):
        references.retain(type, args[0])
        return Emitted([args[0]], False)
    bounds = _bounds(text, instruction, args, 1, length_of(text, args[0]))
    count = bounds.count()
    handle = text.value(f"call ptr @{list_name(type)}.make(i64 {count})")
    ready_or(text, handle, fail)
    if bounds.step == 1:
        source = entry_address(text, type, args[0], bounds.start)
        _copy(text, type, "memcpy", entry_address(text, type, handle, "0"), source, count)
    else:
        _copy_steps(text, type, args[0], handle, bounds, count)
    set_length(text, handle, count)
    for_each(text, type, handle, "0", count, references.retain)
    text.line(f"br label %{good}")
    return Emitted([handle], True)


def _copy(
    text: FunctionText, type: ir.NativeList, function: str, target: str, source: str, count: str
) -> None:
    size = text.value(f"mul i64 {count}, {entry_bytes(type)}")
    text.call("ptr", function, f"ptr {target}", f"ptr {source}", f"i64 {size}")


def _copy_steps(
    text: FunctionText, type: ir.NativeList, source: str, target: str, bounds: SliceBounds,
    count: str,
) -> None:  # fmt: skip
    """Copy entries that are not neighbours."""
    slot = text.slot("i64")
    text.line(f"store i64 0, ptr {slot}")
    head, body, end = text.label("head"), text.label("body"), text.label("end")
    text.line(f"br label %{head}")
    text.start(head)
    number = text.value(f"load i64, ptr {slot}")
    text.branch(text.value(f"icmp ult i64 {number}, {count}"), body, end)
    text.start(body)
    offset = text.value(f"mul i64 {number}, {bounds.step}")
    position = text.value(f"add i64 {bounds.start}, {offset}")
    goal = entry_address(text, type, target, number)
    _copy(text, type, "memcpy", goal, entry_address(text, type, source, position), "1")
    text.line(f"store i64 {text.value(f'add i64 {number}, 1')}, ptr {slot}")
    text.line(f"br label %{head}")
    text.start(end)


def emit_splice(
    text: FunctionText, references: References, instruction: ir.Compute, args: Sequence[str],
    fail: str, good: str,
) -> Emitted:  # fmt: skip
    """Emit the replacement of a slice.  It takes over both lists."""
    type = list_type(instruction)
    length, inserted = length_of(text, args[0]), length_of(text, args[1])
    bounds = _bounds(text, instruction, args, 2, length)
    start = bounds.start
    stop = text.call("i64", "llvm.smax.i64", f"i64 {start}", f"i64 {bounds.stop}")
    removed = text.value(f"sub i64 {stop}, {start}")
    change = text.value(f"sub i64 {inserted}, {removed}")
    extra = text.call("i64", "llvm.smax.i64", f"i64 {change}", "i64 0")
    handle = writable(text, type, args[0], extra, fail)
    if type.keyed:
        drop_index(text, handle)
    for_each(text, type, handle, start, stop, references.drop)
    after = text.value(f"add i64 {start}, {inserted}")
    goal, tail = (entry_address(text, type, handle, index) for index in (after, stop))
    _copy(text, type, "memmove", goal, tail, text.value(f"sub i64 {length}, {stop}"))
    target = entry_address(text, type, handle, start)
    _copy(text, type, "memcpy", target, entry_address(text, type, args[1], "0"), inserted)
    set_length(text, handle, text.value(f"add i64 {length}, {change}"))
    for_each(text, type, handle, start, after, references.retain)
    references.drop(type, args[1])
    text.line(f"br label %{good}")
    return Emitted([handle], True)
