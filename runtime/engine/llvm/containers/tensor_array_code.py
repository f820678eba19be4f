"""LLVM code of tensor arrays of numbers: native lists whose entries are numbers and states."""

from __future__ import annotations

from collections.abc import Callable

from runtime.engine.llvm import kernel_ir as ir
from runtime.engine.llvm.builder import SIZE, Address, CodeVariable
from runtime.engine.llvm.containers.array_settings import EMPTY, GIVEN_UP, WRITTEN
from runtime.engine.llvm.list_handles import (
    Emitted,
    ListOperation,
    NativeListHandle,
    entry_bytes,
    new_list,
    without_failing,
)
from runtime.engine.llvm.text import llvm_type
from runtime.engine.llvm.values import LaneValue, number_type

__all__ = ["EMITTERS"]

MOST = 1 << 40
"""Arrays of more entries are left to the kernel, which has no memory for them either."""
_STATE = ir.Scalar("u", 8)


def _index(operation: ListOperation, number: int) -> LaneValue:
    """Return an argument that is an index as 64 bits."""
    type = number_type(operation.instruction.args[number].type)
    return operation.code.value(operation.args[number], type).to(ir.INT64).as_type(SIZE)


def _clear(handle: NativeListHandle, start: LaneValue | int, count: LaneValue) -> None:
    """Let some entries be empty."""
    place = handle.entry(start)
    size = count * handle.code.value(entry_bytes(handle.type))
    handle.code.call_address("memset", place, "i32 0", size, extern=True)


def _new(operation: ListOperation) -> Emitted:
    count = _index(operation, 0)
    operation.require(count < MOST)
    handle = new_list(operation.code, operation.result_type, count, operation.fail)
    _clear(handle, 0, count)
    handle.set_length(count)
    return operation.done(handle)


def _size(operation: ListOperation) -> Emitted:
    return without_failing(operation.list.length().to(ir.INT32))


def _write(operation: ListOperation) -> Emitted:
    fail, index, length = operation.fail, _index(operation, 1), operation.list.length()
    if not operation.list.type.array.config.dynamic:
        operation.require(index < length)
        handle = operation.list.writable(0, fail)
    else:
        operation.require(index < MOST)
        count = length.call("umax", index + 1)
        added = count - length
        handle = operation.list.writable(added, fail)
        _clear(handle, length, added)
        handle.set_length(count)
    handle.store_entry(handle.entry(index), [operation.args[2], str(WRITTEN)])
    return operation.done(handle)


def _read(operation: ListOperation) -> Emitted:
    handle, index = operation.list, _index(operation, 1)
    operation.require(index < handle.length())
    entry = handle.entry(index)
    operation.require(_is_readable(handle, entry))
    value = handle.field(entry, 0).load_as(llvm_type(handle.type.fields[0]))
    if handle.type.array.config.clear:
        handle = handle.writable(0, operation.fail)
        handle.field(handle.entry(index), 1).store(f"i8 {GIVEN_UP}")
    return operation.done(value, handle)


def _state(handle: NativeListHandle, entry: Address) -> LaneValue:
    """Return the state of an entry."""
    return handle.field(entry, 1).load(_STATE)


def _is_readable(handle: NativeListHandle, entry: Address) -> LaneValue:
    """Return whether an entry can be read: it was written, or is empty and known to be a scalar."""
    array, state = handle.type.array, _state(handle, entry)
    if array.is_scalar:
        return state != GIVEN_UP
    is_written = state == WRITTEN
    if not array.config.infer:
        return is_written
    readable = CodeVariable(handle.code, ir.BOOL)
    readable.set(is_written)
    with handle.code.only_if(state == EMPTY, likely=False):
        readable.set(_is_any_written(handle))
    return readable.get()


def _is_any_written(handle: NativeListHandle) -> LaneValue:
    """Return whether an entry was written: then all are scalars."""
    code = handle.code
    place, is_written = CodeVariable(code, SIZE), CodeVariable(code, ir.BOOL)
    place.set(0)
    is_written.set("false")

    def goes_on() -> LaneValue:
        in_range = place.get() < handle.length()
        return is_written.get().choose(code.constant(False, ir.BOOL), in_range)

    with code.repeat_while(goes_on):
        position = place.get()
        is_written.set(_state(handle, handle.entry(position)) != EMPTY)
        place.set(position + 1)
    return is_written.get()


EMITTERS: dict[str, Callable[[ListOperation], Emitted]] = {
    "list.array_new": _new, "list.array_read": _read, "list.array_size": _size,
    "list.array_write": _write,
}  # fmt: skip
"""Functions that emit the operations of tensor arrays."""
