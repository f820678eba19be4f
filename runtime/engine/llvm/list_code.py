"""LLVM code of operations on native lists (list_handles.py), and the functions of their types.

Bounds of slices follow Python's rules: negative ones count from the end, and none is out of range.
Many entries that are constants are copied from the memory of the code.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from runtime.engine.llvm import kernel_ir as ir
from runtime.engine.llvm.builder import SIZE, Builder
from runtime.engine.llvm.list_handles import (
    Emitted,
    ListOperation,
    NativeListHandle,
    entry_bytes,
    entry_type,
    header_bytes,
    new_list,
    without_failing,
)
from runtime.engine.llvm.references import References, list_name
from runtime.engine.llvm.size_code import SliceBounds, position_of
from runtime.engine.llvm.text import FunctionText, llvm_type
from runtime.engine.llvm.texts import text_functions
from runtime.engine.llvm.values import LaneValue
from runtime.engine.llvm.workspace_code import GIVE, TAKE
from runtime.ops.array.indexing import KeyInput
from runtime.types.digest import sha256


def list_types(module: ir.KernelModule) -> list[ir.NativeList]:
    """Return the list types of a module, those of entries first."""
    types: dict[ir.NativeList, None] = {}

    def add(type: ir.Type) -> None:
        if isinstance(type, ir.NativeList) and type not in types:
            for field in type.fields:
                add(field)
            types[type] = None

    for function in module.functions:
        for type in function.types():
            add(type)
    return list(types)


# -- operations -----------------------------------------------------------------------------------


def emit(operation: ListOperation) -> Emitted:
    """Emit a list operation."""
    opcode, handle = operation.instruction.opcode, operation.list
    if opcode == "list.len":
        return without_failing(handle.length())
    if opcode == "list.push":
        return operation.done(handle.push(operation.args[1:], operation.fail))
    if opcode == "list.pop":
        return _pop(operation)
    index = existing_position(operation)
    if opcode == "list.check":
        return operation.done()
    if opcode == "list.item":
        values = handle.load_entry(handle.entry(index))
        handle.for_managed(values, operation.references.retain)
        return operation.done(*values)
    if opcode == "list.set":
        fields = operation.args[2:]
        changed = handle.replace(operation.references, index, fields, operation.fail)
        return operation.done(changed)
    return _without(operation, index)


def existing_position(operation: ListOperation) -> LaneValue:
    """Return the position that an index, the second argument, means; branch to the operation's
    ``fail`` if there is none.
    """
    type, length = operation.instruction.args[1].type, operation.list.length()
    position, inside = position_of(operation.text, type, operation.args[1], length.name)
    operation.text.require(inside, operation.fail)
    return operation.code.value(position)


def _pop(operation: ListOperation) -> Emitted:
    operation.require(operation.list.length() != 0)
    handle = operation.list.writable(0, operation.fail)
    last_index = handle.length() - 1
    if handle.type.keyed:
        handle.drop_index()
    values = handle.load_entry(handle.entry(last_index))
    handle.set_length(last_index)
    return operation.done(handle, *values)


def _without(operation: ListOperation, index: LaneValue) -> Emitted:
    handle = operation.list.writable(0, operation.fail)
    if handle.type.keyed:
        operation.code.run(handle.function("forget"), handle, index)
    entry = handle.entry(index)
    old = handle.load_entry(entry)
    last_index = handle.length() - 1
    handle.copy("memmove", entry, handle.entry(index + 1), last_index - index)
    handle.set_length(last_index)
    handle.for_managed(old, operation.references.drop)
    return operation.done(handle)


# -- functions of a list type ---------------------------------------------------------------------


def define_list_functions(module: FunctionText, type: ir.NativeList) -> None:
    """Add the functions of a list type.

    make      a new list with room for so many entries; null without memory
    writable  the list, or a copy, with room for so many more; it takes the list over
    release   drops a reference, which may be null
    """
    name = list_name(type)
    if type.text:
        text_functions.define_memory(module)
    functions: tuple[tuple[str, str, str, _Write, str], ...] = (
        ("make", "ptr", "i64 %count", _make, ""),
        ("writable", "ptr", "ptr %list, i64 %extra", _make_writable, "alwaysinline"),
        ("grown", "ptr", "ptr %list, i64 %wanted", _grow, "noinline cold"),
        ("release", "void", "ptr %list", _release, ""),
    )
    for function, gives, params, write, traits in functions:
        module.define(f"{name}.{function}", gives, params, partial(_write, write, type), traits)


_Write = Callable[[Builder, NativeListHandle], None]


def _write(write: _Write, type: ir.NativeList, text: FunctionText) -> None:
    code = Builder(text)
    write(code, NativeListHandle(code, type, "%list"))


def _make(code: Builder, handle: NativeListHandle) -> None:
    type, count = handle.type, code.value("%count")
    room = (count < 4).choose(count.constant(4), count)
    size = room * code.value(entry_bytes(type)) + header_bytes(type)
    new = code.call_address(TAKE, size, extern=True)
    with code.only_if(new.exists(), likely=True):
        for position, value in enumerate((1, 0, room, *[0] * type.keyed)):
            new.element(SIZE, position).store(code.value(value))
    code.give(new)


def _make_writable(code: Builder, handle: NativeListHandle) -> None:
    is_shared = handle.load() != 1
    needed = handle.length() + code.value("%extra")
    is_small = needed > handle.element(SIZE, 2).load()
    with code.text.leaving((is_shared | is_small).name):
        code.give(code.call_address(handle.function("grown"), handle, needed))
    code.give(handle)


def _grow(code: Builder, handle: NativeListHandle) -> None:
    """Copy a list to one with more room, and release it."""
    type, needed, references = handle.type, code.value("%wanted"), References(code.text)
    room = needed + (needed >> 1)
    copy = NativeListHandle(code, type, code.call_address(handle.function("make"), room).name)
    code.give_if(copy.is_null(), "ptr null")
    length = handle.length()
    source, target = handle.entry(0), copy.entry(0)
    copy.copy("memcpy", target, source, length)
    copy.set_length(length)
    is_sole = handle.load() == 1
    for is_alone in code.text.either(is_sole.name):
        if not is_alone:
            references.drop(type, handle.name)  # others refer to it, so that it stays
            copy.for_each(0, length, references.retain)
            continue
        if type.keyed:
            index = handle.index_place().load_address()
            copy.index_place().store(index)
        code.run(GIVE, handle, extern=True)
    code.give(copy)


def _release(code: Builder, handle: NativeListHandle) -> None:
    with code.only_if(handle.exists()):
        fewer = handle.load() - 1
        handle.store(fewer)
        with code.only_if(fewer == 0):
            handle.for_each(0, handle.length(), References(code.text).drop)
            if handle.type.keyed:
                handle.drop_index()
            code.run(GIVE, handle, extern=True)
    code.give()


def _is_whole(key: slice) -> bool:
    return key.start is None and key.stop is None and key.step in (None, 1)


def _bounds(operation: ListOperation, key: slice, first: int, length: str) -> SliceBounds:
    """Return the bounds of a key, whose inputs count from an argument."""
    types = [value.type for value in operation.instruction.args]
    values = list(zip(types, operation.args, strict=True))[first:]
    start, stop = (
        values[end.index] if isinstance(end, KeyInput) else end for end in (key.start, key.stop)
    )
    return SliceBounds(operation.text, start, stop, key.step, length)


def emit_slice(operation: ListOperation) -> Emitted:
    """Emit the copy of a slice of a list."""
    return emit_slice_by(operation, operation.attrs["key"], 1)


def emit_slice_by(operation: ListOperation, key: slice, first: int) -> Emitted:
    """Emit the copy of a slice by a key, whose inputs count from an argument; the whole list is the
    list itself.
    """
    source, references = operation.list, operation.references
    if _is_whole(key):
        references.retain(source.type, source.name)
        return without_failing(source)
    code = operation.code
    bounds = _bounds(operation, key, first, source.length().name)
    count, start = code.value(bounds.count()), code.value(bounds.start)
    target = new_list(code, source.type, count, operation.fail)
    if bounds.step == 1:
        entries = source.entry(start)
        target.copy("memcpy", target.entry(0), entries, count)
    else:
        with code.each(count) as number:
            position = start + number * code.value(bounds.step)
            target.copy("memcpy", target.entry(number), source.entry(position), 1)
    target.set_length(count)
    target.for_each(0, count, references.retain)
    return operation.done(target)


def emit_splice(operation: ListOperation) -> Emitted:
    """Emit the replacement of a slice.  It takes over both lists."""
    code, references, items = operation.code, operation.references, operation.list_at(1)
    length, inserted = operation.list.length(), items.length()
    bounds = _bounds(operation, operation.attrs["key"], 2, length.name)
    start = code.value(bounds.start)
    stop = start.call("smax", code.value(bounds.stop))
    change = inserted - (stop - start)
    changed = operation.list.writable(change.call("smax", change.constant(0)), operation.fail)
    if changed.type.keyed:
        changed.drop_index()
    changed.for_each(start, stop, references.drop)
    after = start + inserted
    goal, tail = changed.entry(after), changed.entry(stop)
    changed.copy("memmove", goal, tail, length - stop)
    changed.copy("memcpy", changed.entry(start), items.entry(0), inserted)
    changed.set_length(length + change)
    changed.for_each(start, after, references.retain)
    references.drop(items.type, items.name)
    return operation.done(changed)


LEAST = 8
"""Length of the shortest list that is copied: fewer entries are stored one by one."""


def emit_new(operation: ListOperation) -> Emitted:
    """Emit a list of the entries that are given."""
    code, args, type = operation.code, operation.args, operation.result_type
    count, width = operation.attrs["count"], len(type.fields)
    handle = new_list(code, type, count, operation.fail)
    entries = [args[start : start + width] for start in range(0, len(args), width)]
    if len(entries) >= LEAST and not any(name.startswith("%") for name in args):
        size = code.value(entry_bytes(type)) * count
        places = handle.entry(0), code.address(_table(code.text, type, entries))
        code.call_address("memcpy", *places, size, extern=True)
    else:
        for number, values in enumerate(entries):
            handle.store_entry(handle.entry(number), values)
    handle.set_length(count)
    return operation.done(handle)


def _table(text: FunctionText, type: ir.NativeList, entries: Sequence[Sequence[str]]) -> str:
    """Return the address of entries that are constants."""
    kinds, entry = [llvm_type(field) for field in type.fields], entry_type(type)
    values = [
        f"{entry} {{{', '.join([f'{k} {n}' for k, n in zip(kinds, names, strict=True)])}}}"
        for names in entries
    ]
    content = f"private unnamed_addr constant [{len(entries)} x {entry}] [{', '.join(values)}]"
    name = f"@table_{sha256(content.encode()).hexdigest()[:32]}"
    text.declared[name] = f"{name} = {content}"
    return name
