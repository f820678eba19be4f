"""LLVM code of operations on native lists (list_handles.py), and the functions of their types."""

from __future__ import annotations

from functools import partial

from runtime.engine.llvm import kernel_ir as ir
from runtime.engine.llvm.list_handles import (
    Emitted,
    ListOperation,
    NativeListHandle,
    entry_bytes,
    header_bytes,
)
from runtime.engine.llvm.references import References, list_name
from runtime.engine.llvm.size_code import position_of
from runtime.engine.llvm.text import FunctionText
from runtime.engine.llvm.texts import text_functions
from runtime.engine.llvm.workspace_code import GIVE, TAKE


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
        return Emitted([handle.length()], False)
    if opcode == "list.push":
        return operation.done(handle.push(operation.args[1:], operation.fail))
    if opcode == "list.pop":
        return _pop(operation)
    index = existing_position(operation)
    if opcode == "list.check":
        return operation.done()
    if opcode == "list.item":
        values = handle.load(handle.entry(index))
        handle.for_managed(values, operation.references.retain)
        return operation.done(*values)
    if opcode == "list.set":
        fields = operation.args[2:]
        changed = handle.replace(operation.references, index, fields, operation.fail)
        return operation.done(changed)
    return _without(operation, index)


def existing_position(operation: ListOperation) -> str:
    """Return the position that an index, the second argument, means; branch to the operation's
    ``fail`` if there is none.
    """
    type, length = operation.instruction.args[1].type, operation.list.length()
    position, inside = position_of(operation.text, type, operation.args[1], length)
    operation.text.require(inside, operation.fail)
    return position


def _pop(operation: ListOperation) -> Emitted:
    text, fail = operation.text, operation.fail
    text.require(text.value(f"icmp ne i64 {operation.list.length()}, 0"), fail)
    handle = operation.list.writable(0, fail)
    last_index = text.value(f"sub i64 {handle.length()}, 1")
    if handle.type.keyed:
        handle.drop_index()
    values = handle.load(handle.entry(last_index))
    handle.set_length(last_index)
    return operation.done(handle, *values)


def _without(operation: ListOperation, index: str) -> Emitted:
    text, handle = operation.text, operation.list.writable(0, operation.fail)
    if handle.type.keyed:
        text.line(f"call void @{list_name(handle.type)}.forget(ptr {handle}, i64 {index})")
    entry = handle.entry(index)
    old = handle.load(entry)
    last_index = text.value(f"sub i64 {handle.length()}, 1")
    source = handle.entry(text.value(f"add i64 {index}, 1"))
    handle.copy("memmove", entry, source, text.value(f"sub i64 {last_index}, {index}"))
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
    module.define(f"{name}.make", "ptr", "i64 %count", partial(_make, type), "")
    module.define(
        f"{name}.writable", "ptr", "ptr %list, i64 %extra", partial(_make_writable, type),
        "alwaysinline",
    )  # fmt: skip
    module.define(
        f"{name}.grown", "ptr", "ptr %list, i64 %wanted", partial(_grow, type), "noinline cold"
    )
    module.define(f"{name}.release", "void", "ptr %list", partial(_release, type), "")


def _make(type: ir.NativeList, text: FunctionText) -> None:
    few = text.value("icmp ult i64 %count, 4")
    room = text.value(f"select i1 {few}, i64 4, i64 %count")
    size = text.value(f"mul i64 {room}, {entry_bytes(type)}")
    total_bytes = text.value(f"add i64 {size}, {header_bytes(type)}")
    handle = text.call("ptr", TAKE, f"i64 {total_bytes}")
    with text.only_if(text.value(f"icmp ne ptr {handle}, null"), likely=True):
        for position, value in enumerate(("1", "0", room, *["0"] * type.keyed)):
            place = text.value(f"getelementptr i64, ptr {handle}, i64 {position}")
            text.line(f"store i64 {value}, ptr {place}")
    text.line(f"ret ptr {handle}")


def _make_writable(type: ir.NativeList, text: FunctionText) -> None:
    shared = text.value(f"icmp ne i64 {text.value('load i64, ptr %list')}, 1")
    needed = text.value(f"add i64 {NativeListHandle(text, type, '%list').length()}, %extra")
    room = text.value(f"load i64, ptr {text.value('getelementptr i64, ptr %list, i64 2')}")
    small = text.value(f"icmp ugt i64 {needed}, {room}")
    with text.leaving(text.value(f"or i1 {shared}, {small}")):
        grown = text.value(f"call ptr @{list_name(type)}.grown(ptr %list, i64 {needed})")
        text.line(f"ret ptr {grown}")
    text.line("ret ptr %list")


def _grow(type: ir.NativeList, text: FunctionText) -> None:
    """Copy a list to one with more room, and release it."""
    handle = NativeListHandle(text, type, "%list")
    half = text.value("lshr i64 %wanted, 1")
    room = text.value(f"add i64 %wanted, {half}")
    copy = NativeListHandle(text, type, handle.call(f"make(i64 {room})"))
    with text.leaving(text.value(f"icmp eq ptr {copy}, null")):
        text.line("ret ptr null")
    length = handle.length()
    source, target = handle.entry("0"), copy.entry("0")
    copy.copy("memcpy", target, source, length)
    copy.set_length(length)
    count = text.value("load i64, ptr %list")
    for is_alone in text.either(text.value(f"icmp eq i64 {count}, 1")):
        if not is_alone:
            References(text).drop(type, "%list")  # others refer to it, so that it stays
            copy.for_each("0", length, References(text).retain)
            continue
        if type.keyed:
            index = text.value(f"load ptr, ptr {handle.index_place()}")
            text.line(f"store ptr {index}, ptr {copy.index_place()}")
        text.call("void", GIVE, "ptr %list")
    text.line(f"ret ptr {copy}")


def _release(type: ir.NativeList, text: FunctionText) -> None:
    handle = NativeListHandle(text, type, "%list")
    with text.only_if(text.value("icmp ne ptr %list, null")):
        count = text.value("load i64, ptr %list")
        fewer = text.value(f"sub i64 {count}, 1")
        text.line(f"store i64 {fewer}, ptr %list")
        with text.only_if(text.value(f"icmp eq i64 {fewer}, 0")):
            handle.for_each("0", handle.length(), References(text).drop)
            if type.keyed:
                handle.drop_index()
            text.call("void", GIVE, "ptr %list")
    text.line("ret void")
