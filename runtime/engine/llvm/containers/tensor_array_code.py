"""LLVM code of tensor arrays of numbers: native lists whose entries are numbers and states."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from runtime.engine.llvm import kernel_ir as ir
from runtime.engine.llvm.containers.array_settings import EMPTY, GIVEN_UP, WRITTEN
from runtime.engine.llvm.list_code import (
    Emitted,
    entry_address,
    entry_bytes,
    field_address,
    length_of,
    list_type,
    ready_or,
    set_length,
    store_entry,
    writable,
)
from runtime.engine.llvm.references import References, list_name
from runtime.engine.llvm.text import FunctionText, llvm_type

__all__ = ["EMITTERS"]

MOST = 1 << 40
"""Arrays of more entries are left to the kernel, which has no memory for them either."""


def _wide(text: FunctionText, type: ir.Type, name: str) -> str:
    """Return an index as 64 bits."""
    assert isinstance(type, ir.Scalar)
    return name if type.bits == 64 else text.value(f"sext {llvm_type(type)} {name} to i64")


def _require(text: FunctionText, condition: str, fail: str) -> None:
    text.require(condition, fail)


def _clear(text: FunctionText, type: ir.NativeList, handle: str, start: str, count: str) -> None:
    """Let some entries be empty."""
    place = entry_address(text, type, handle, start)
    size = text.value(f"mul i64 {count}, {entry_bytes(type)}")
    text.call("ptr", "memset", f"ptr {place}", "i32 0", f"i64 {size}")


def _new(
    text: FunctionText, references: References, instruction: ir.Compute, args: Sequence[str],
    fail: str, good: str,
) -> Emitted:  # fmt: skip
    type = instruction.results[0].type
    assert isinstance(type, ir.NativeList)
    count = _wide(text, instruction.args[0].type, args[0])
    _require(text, text.value(f"icmp ult i64 {count}, {MOST}"), fail)
    handle = text.value(f"call ptr @{list_name(type)}.make(i64 {count})")
    ready_or(text, handle, fail)
    _clear(text, type, handle, "0", count)
    set_length(text, handle, count)
    text.line(f"br label %{good}")
    return Emitted([handle], True)


def _size(
    text: FunctionText, references: References, instruction: ir.Compute, args: Sequence[str],
    fail: str, good: str,
) -> Emitted:  # fmt: skip
    length = length_of(text, args[0])
    return Emitted([text.value(f"trunc i64 {length} to i32")], False)


def _write(
    text: FunctionText, references: References, instruction: ir.Compute, args: Sequence[str],
    fail: str, good: str,
) -> Emitted:  # fmt: skip
    type = list_type(instruction)
    index = _wide(text, instruction.args[1].type, args[1])
    length = length_of(text, args[0])
    if not type.array.config.dynamic:
        _require(text, text.value(f"icmp ult i64 {index}, {length}"), fail)
        handle = writable(text, type, args[0], 0, fail)
    else:
        _require(text, text.value(f"icmp ult i64 {index}, {MOST}"), fail)
        least = text.value(f"add i64 {index}, 1")
        count = text.call("i64", "llvm.umax.i64", f"i64 {length}", f"i64 {least}")
        added = text.value(f"sub i64 {count}, {length}")
        handle = writable(text, type, args[0], added, fail)
        _clear(text, type, handle, length, added)
        set_length(text, handle, count)
    entry = entry_address(text, type, handle, index)
    store_entry(text, type, entry, [args[2], str(WRITTEN)])
    text.line(f"br label %{good}")
    return Emitted([handle], True)


def _read(
    text: FunctionText, references: References, instruction: ir.Compute, args: Sequence[str],
    fail: str, good: str,
) -> Emitted:  # fmt: skip
    type = list_type(instruction)
    index = _wide(text, instruction.args[1].type, args[1])
    _require(text, text.value(f"icmp ult i64 {index}, {length_of(text, args[0])}"), fail)
    entry = entry_address(text, type, args[0], index)
    _require(text, _is_readable(text, type, args[0], entry), fail)
    number = llvm_type(type.fields[0])
    value = text.value(f"load {number}, ptr {field_address(text, type, entry, 0)}")
    handle = args[0]
    if type.array.config.clear:
        handle = writable(text, type, args[0], 0, fail)
        place = field_address(text, type, entry_address(text, type, handle, index), 1)
        text.line(f"store i8 {GIVEN_UP}, ptr {place}")
    text.line(f"br label %{good}")
    return Emitted([value, handle], True)


def _is_readable(text: FunctionText, type: ir.NativeList, handle: str, entry: str) -> str:
    """Return whether an entry can be read: it was written, or is empty and known to be a scalar."""
    state = text.value(f"load i8, ptr {field_address(text, type, entry, 1)}")
    if type.array.is_scalar:
        return text.value(f"icmp ne i8 {state}, {GIVEN_UP}")
    written = text.value(f"icmp eq i8 {state}, {WRITTEN}")
    if not type.array.config.infer:
        return written
    slot, look, end = text.slot("i1"), text.label("look"), text.label("end")
    text.line(f"store i1 {written}, ptr {slot}")
    empty = text.value(f"icmp eq i8 {state}, {EMPTY}")
    text.branch(empty, look, end, likely=False)
    text.start(look)
    text.line(f"store i1 {_is_any_written(text, type, handle)}, ptr {slot}")
    text.line(f"br label %{end}")
    text.start(end)
    return text.value(f"load i1, ptr {slot}")


def _is_any_written(text: FunctionText, type: ir.NativeList, handle: str) -> str:
    """Return whether an entry was written: then all are scalars."""
    place, slot = text.slot("i64"), text.slot("i1")
    head, body, after = text.label("head"), text.label("body"), text.label("after")
    text.line(f"store i64 0, ptr {place}")
    text.line(f"store i1 false, ptr {slot}")
    text.line(f"br label %{head}")
    text.start(head)
    position = text.value(f"load i64, ptr {place}")
    in_range = text.value(f"icmp ult i64 {position}, {length_of(text, handle)}")
    is_written = text.value(f"load i1, ptr {slot}")
    text.branch(text.value(f"select i1 {is_written}, i1 false, i1 {in_range}"), body, after)
    text.start(body)
    entry = entry_address(text, type, handle, position)
    state = text.value(f"load i8, ptr {field_address(text, type, entry, 1)}")
    text.line(f"store i1 {text.value(f'icmp ne i8 {state}, {EMPTY}')}, ptr {slot}")
    text.line(f"store i64 {text.value(f'add i64 {position}, 1')}, ptr {place}")
    text.line(f"br label %{head}")
    text.start(after)
    return is_written


EMITTERS: dict[str, Callable[..., Emitted]] = {
    "list.array_new": _new, "list.array_read": _read, "list.array_size": _size,
    "list.array_write": _write,
}  # fmt: skip
"""Functions that emit the operations of tensor arrays."""
