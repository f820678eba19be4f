"""LLVM code of tensor arrays of numbers: native lists whose entries are numbers and states."""

from __future__ import annotations

from collections.abc import Callable

from runtime.engine.llvm import kernel_ir as ir
from runtime.engine.llvm.containers.array_settings import EMPTY, GIVEN_UP, WRITTEN
from runtime.engine.llvm.list_handles import (
    Emitted,
    ListOperation,
    NativeListHandle,
    entry_bytes,
    new_list,
)
from runtime.engine.llvm.text import llvm_type

__all__ = ["EMITTERS"]

MOST = 1 << 40
"""Arrays of more entries are left to the kernel, which has no memory for them either."""


def _index(operation: ListOperation, number: int) -> str:
    """Return an argument that is an index as 64 bits."""
    type, name = operation.instruction.args[number].type, operation.args[number]
    assert isinstance(type, ir.Scalar)
    wide = type.bits == 64
    return name if wide else operation.text.value(f"sext {llvm_type(type)} {name} to i64")


def _require_below(operation: ListOperation, index: str, limit: object) -> None:
    text = operation.text
    text.require(text.value(f"icmp ult i64 {index}, {limit}"), operation.fail)


def _clear(handle: NativeListHandle, start: str, count: str) -> None:
    """Let some entries be empty."""
    place = handle.entry(start)
    size = handle.text.value(f"mul i64 {count}, {entry_bytes(handle.type)}")
    handle.text.call("ptr", "memset", f"ptr {place}", "i32 0", f"i64 {size}")


def _new(operation: ListOperation) -> Emitted:
    type, count = operation.instruction.results[0].type, _index(operation, 0)
    assert isinstance(type, ir.NativeList)
    _require_below(operation, count, MOST)
    handle = new_list(operation.text, type, count, operation.fail)
    _clear(handle, "0", count)
    handle.set_length(count)
    return operation.done(handle)


def _size(operation: ListOperation) -> Emitted:
    length = operation.list.length()
    return Emitted([operation.text.value(f"trunc i64 {length} to i32")], False)


def _write(operation: ListOperation) -> Emitted:
    text, fail, index = operation.text, operation.fail, _index(operation, 1)
    length = operation.list.length()
    if not operation.list.type.array.config.dynamic:
        _require_below(operation, index, length)
        handle = operation.list.writable(0, fail)
    else:
        _require_below(operation, index, MOST)
        least = text.value(f"add i64 {index}, 1")
        count = text.call("i64", "llvm.umax.i64", f"i64 {length}", f"i64 {least}")
        added = text.value(f"sub i64 {count}, {length}")
        handle = operation.list.writable(added, fail)
        _clear(handle, length, added)
        handle.set_length(count)
    handle.store(handle.entry(index), [operation.args[2], str(WRITTEN)])
    return operation.done(handle)


def _read(operation: ListOperation) -> Emitted:
    text, handle, index = operation.text, operation.list, _index(operation, 1)
    _require_below(operation, index, handle.length())
    entry = handle.entry(index)
    text.require(_is_readable(handle, entry), operation.fail)
    number = llvm_type(handle.type.fields[0])
    value = text.value(f"load {number}, ptr {handle.field(entry, 0)}")
    if handle.type.array.config.clear:
        handle = handle.writable(0, operation.fail)
        place = handle.field(handle.entry(index), 1)
        text.line(f"store i8 {GIVEN_UP}, ptr {place}")
    return operation.done(value, handle)


def _is_readable(handle: NativeListHandle, entry: str) -> str:
    """Return whether an entry can be read: it was written, or is empty and known to be a scalar."""
    text, type = handle.text, handle.type
    state = text.value(f"load i8, ptr {handle.field(entry, 1)}")
    if type.array.is_scalar:
        return text.value(f"icmp ne i8 {state}, {GIVEN_UP}")
    written = text.value(f"icmp eq i8 {state}, {WRITTEN}")
    if not type.array.config.infer:
        return written
    slot = text.slot("i1")
    text.line(f"store i1 {written}, ptr {slot}")
    with text.only_if(text.value(f"icmp eq i8 {state}, {EMPTY}"), likely=False):
        text.line(f"store i1 {_is_any_written(handle)}, ptr {slot}")
    return text.value(f"load i1, ptr {slot}")


def _is_any_written(handle: NativeListHandle) -> str:
    """Return whether an entry was written: then all are scalars."""
    text, place, slot = handle.text, handle.text.slot("i64"), handle.text.slot("i1")
    text.line(f"store i64 0, ptr {place}")
    text.line(f"store i1 false, ptr {slot}")

    def goes_on() -> str:
        in_range = f"icmp ult i64 {text.value(f'load i64, ptr {place}')}, {handle.length()}"
        in_range = text.value(in_range)
        is_written = text.value(f"load i1, ptr {slot}")
        return text.value(f"select i1 {is_written}, i1 false, i1 {in_range}")

    with text.repeat_while(goes_on):
        position = text.value(f"load i64, ptr {place}")
        state = text.value(f"load i8, ptr {handle.field(handle.entry(position), 1)}")
        text.line(f"store i1 {text.value(f'icmp ne i8 {state}, {EMPTY}')}, ptr {slot}")
        text.line(f"store i64 {text.value(f'add i64 {position}, 1')}, ptr {place}")
    return text.value(f"load i1, ptr {slot}")


EMITTERS: dict[str, Callable[[ListOperation], Emitted]] = {
    "list.array_new": _new, "list.array_read": _read, "list.array_size": _size,
    "list.array_write": _write,
}  # fmt: skip
"""Functions that emit the operations of tensor arrays."""
