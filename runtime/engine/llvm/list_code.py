"""LLVM code of native lists: a count of references, a length, a capacity, then the entries.

A list that nobody else refers to changes in place; else it is copied first, so that lists keep
their values as graphs demand.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from autograph.named_tuples import NamedTuple
from runtime.engine.llvm import kernel_ir as ir
from runtime.engine.llvm.references import References, list_name
from runtime.engine.llvm.text import FunctionText, llvm_type, position_of

HEADER_BYTES = 24
INDEX = 24
"""Where a keyed list, whose header is longer, refers to its index (containers/key_index.py)."""


class Emitted(NamedTuple):
    """Names of the results of a list operation, and whether it may branch to its fail label."""

    results: list[str]
    may_fail: bool


def entry_type(type: ir.NativeList) -> str:
    """Return the LLVM type of the entries."""
    return f"{{{', '.join(map(llvm_type, type.fields))}}}"


def list_types(module: ir.KernelModule) -> list[ir.NativeList]:
    """Return the list types of a module, those of entries first."""
    types: dict[ir.NativeList, None] = {}

    def add(type: ir.NativeList) -> None:
        if type not in types:
            for field in type.fields:
                if isinstance(field, ir.NativeList):
                    add(field)
            types[type] = None

    def block(inside: ir.Block) -> None:
        for value in inside.params:
            if isinstance(value.type, ir.NativeList):
                add(value.type)
        for instruction in inside.instructions:
            for value in instruction.results:
                if isinstance(value.type, ir.NativeList):
                    add(value.type)
            for inner in instruction.blocks():
                block(inner)

    for function in module.functions:
        block(function.block)
    return list(types)


# -- operations -----------------------------------------------------------------------------------


def emit(
    text: FunctionText, references: References, instruction: ir.Compute, args: Sequence[str],
    fail: str, good: str,
) -> Emitted:  # fmt: skip
    """Emit a list operation.  It takes over what it consumes, unless it branches to ``fail``."""
    type = list_type(instruction)
    if instruction.opcode == "list.len":
        return Emitted([length_of(text, args[0])], False)
    if instruction.opcode == "list.push":
        handle = push_entry(text, type, args[0], args[1:], fail)
        text.line(f"br label %{good}")
        return Emitted([handle], True)
    if instruction.opcode == "list.pop":
        return _pop(text, type, args, fail, good)
    index = _index(text, instruction.args[1].type, args, fail)
    if instruction.opcode == "list.check":
        text.line(f"br label %{good}")
        return Emitted([], True)
    if instruction.opcode == "list.item":
        values = _load(text, type, entry_address(text, type, args[0], index))
        for field, value in zip(type.fields, values, strict=True):
            if field.managed:
                references.retain(field, value)
        text.line(f"br label %{good}")
        return Emitted(values, True)
    if instruction.opcode == "list.set":
        handle = replace_entry(text, references, type, args[0], index, args[2:], fail)
        text.line(f"br label %{good}")
        return Emitted([handle], True)
    return _without(text, references, type, args, index, fail, good)


def list_type(instruction: ir.Compute) -> ir.NativeList:
    """Return the type of the list that an operation takes first."""
    type = instruction.args[0].type
    assert isinstance(type, ir.NativeList)
    return type


def header_bytes(type: ir.NativeList) -> int:
    """Return where the entries begin."""
    return HEADER_BYTES + 8 * type.keyed


def length_of(text: FunctionText, handle: str) -> str:
    """Return the length of a list."""
    place = text.value(f"getelementptr i64, ptr {handle}, i64 1")
    return text.value(f"load i64, ptr {place}")


def set_length(text: FunctionText, handle: str, length: str) -> None:
    """Set the length of a list."""
    place = text.value(f"getelementptr i64, ptr {handle}, i64 1")
    text.line(f"store i64 {length}, ptr {place}")


def index_place(text: FunctionText, handle: str) -> str:
    """Return where a keyed list refers to its index."""
    return text.gep(handle, INDEX)


def drop_index(text: FunctionText, handle: str) -> None:
    """Free the index of a keyed list, whose entries change or which goes."""
    place = index_place(text, handle)
    text.call("void", "free", f"ptr {text.value(f'load ptr, ptr {place}')}")
    text.line(f"store ptr null, ptr {place}")


def entry_address(text: FunctionText, type: ir.NativeList, handle: str, index: str) -> str:
    """Return the address of an entry."""
    first = text.gep(handle, header_bytes(type))
    return text.value(f"getelementptr {entry_type(type)}, ptr {first}, i64 {index}")


def field_address(text: FunctionText, type: ir.NativeList, entry: str, number: int) -> str:
    """Return the address of a field of an entry."""
    return text.value(f"getelementptr {entry_type(type)}, ptr {entry}, i64 0, i32 {number}")


def _load(text: FunctionText, type: ir.NativeList, entry: str) -> list[str]:
    return [
        text.value(f"load {llvm_type(field)}, ptr {field_address(text, type, entry, number)}")
        for number, field in enumerate(type.fields)
    ]


def store_entry(
    text: FunctionText, type: ir.NativeList, entry: str, values: Sequence[str]
) -> None:
    """Store the fields of an entry."""
    for number, (field, value) in enumerate(zip(type.fields, values, strict=True)):
        place = field_address(text, type, entry, number)
        text.line(f"store {llvm_type(field)} {value}, ptr {place}")


def _index(text: FunctionText, type: ir.Type, args: Sequence[str], fail: str) -> str:
    """Return the position that an index means; branch to ``fail`` if there is none."""
    position, inside = position_of(text, type, args[1], length_of(text, args[0]))
    text.require(inside, fail)
    return position


def writable(
    text: FunctionText, type: ir.NativeList, handle: str, extra: int | str, fail: str
) -> str:  # fmt: skip
    """Return the list itself, or a copy, with room for ``extra`` entries."""
    name = list_name(type)
    result = text.value(f"call ptr @{name}.writable(ptr {handle}, i64 {extra})")
    ready_or(text, result, fail)
    return result


def ready_or(text: FunctionText, handle: str, fail: str) -> None:
    """Branch to ``fail`` if there was no memory for a list."""
    missing = text.value(f"icmp eq ptr {handle}, null")
    text.refuse(missing, fail)


def push_entry(
    text: FunctionText, type: ir.NativeList, handle: str, values: Sequence[str], fail: str
) -> str:
    """Return the list with one more entry."""
    longer = writable(text, type, handle, 1, fail)
    length = length_of(text, longer)
    store_entry(text, type, entry_address(text, type, longer, length), values)
    set_length(text, longer, text.value(f"add i64 {length}, 1"))
    return longer


def _pop(
    text: FunctionText, type: ir.NativeList, args: Sequence[str], fail: str, good: str
) -> Emitted:
    not_empty = text.value(f"icmp ne i64 {length_of(text, args[0])}, 0")
    text.require(not_empty, fail)
    handle = writable(text, type, args[0], 0, fail)
    last_index = text.value(f"sub i64 {length_of(text, handle)}, 1")
    if type.keyed:
        drop_index(text, handle)
    values = _load(text, type, entry_address(text, type, handle, last_index))
    set_length(text, handle, last_index)
    text.line(f"br label %{good}")
    return Emitted([handle, *values], True)


def replace_entry(
    text: FunctionText, references: References, type: ir.NativeList, handle: str, index: str,
    values: Sequence[str], fail: str,
) -> str:  # fmt: skip
    """Return the list with another entry at a place."""
    changed = writable(text, type, handle, 0, fail)
    if type.keyed:
        drop_index(text, changed)
    entry = entry_address(text, type, changed, index)
    if any(field.managed for field in type.fields):
        old = _load(text, type, entry)
        store_entry(text, type, entry, values)
        for field, value in zip(type.fields, old, strict=True):
            if field.managed:
                references.drop(field, value)
    else:
        store_entry(text, type, entry, values)
    return changed


def _without(
    text: FunctionText, references: References, type: ir.NativeList, args: Sequence[str],
    index: str, fail: str, good: str,
) -> Emitted:  # fmt: skip
    handle = writable(text, type, args[0], 0, fail)
    if type.keyed:
        text.line(f"call void @{list_name(type)}.forget(ptr {handle}, i64 {index})")
    entry = entry_address(text, type, handle, index)
    old = _load(text, type, entry)
    last_index = text.value(f"sub i64 {length_of(text, handle)}, 1")
    after = text.value(f"add i64 {index}, 1")
    source = entry_address(text, type, handle, after)
    count = text.value(f"sub i64 {last_index}, {index}")
    size = text.value(f"mul i64 {count}, {entry_bytes(type)}")
    text.call("ptr", "memmove", f"ptr {entry}", f"ptr {source}", f"i64 {size}")
    set_length(text, handle, last_index)
    for field, value in zip(type.fields, old, strict=True):
        if field.managed:
            references.drop(field, value)
    text.line(f"br label %{good}")
    return Emitted([handle], True)


def entry_bytes(type: ir.NativeList) -> str:
    """Return the size of an entry in bytes, a constant expression."""
    kind = entry_type(type)
    return f"ptrtoint (ptr getelementptr ({kind}, ptr null, i64 1) to i64)"


# -- functions of a list type ---------------------------------------------------------------------


def list_functions(type: ir.NativeList, declared: dict[str, str]) -> list[str]:
    """Return the functions of a list type: make, writable, release."""
    return [_make(type, declared), _writable_function(type, declared), _release(type, declared)]


def _make(type: ir.NativeList, declared: dict[str, str]) -> str:
    text = FunctionText(f"define internal ptr @{list_name(type)}.make(i64 %count)")
    few = text.value("icmp ult i64 %count, 4")
    room = text.value(f"select i1 {few}, i64 4, i64 %count")
    size = text.value(f"mul i64 {room}, {entry_bytes(type)}")
    total_bytes = text.value(f"add i64 {size}, {header_bytes(type)}")
    handle = text.call("ptr", "malloc", f"i64 {total_bytes}")
    missing = text.value(f"icmp eq ptr {handle}, null")
    text.branch(missing, "end", "fill", likely=False)
    text.start("fill")
    for position, value in enumerate(("1", "0", room, *["0"] * type.keyed)):
        place = text.value(f"getelementptr i64, ptr {handle}, i64 {position}")
        text.line(f"store i64 {value}, ptr {place}")
    text.line("br label %end")
    text.start("end")
    text.line(f"ret ptr {handle}")
    declared.update(text.declared)
    return text.text()


def _writable_function(type: ir.NativeList, declared: dict[str, str]) -> str:
    """Return the function that makes a list writable, or gives a copy, and takes it over."""
    name = list_name(type)
    text = FunctionText(f"define internal ptr @{name}.writable(ptr %list, i64 %extra) alwaysinline")
    shared = text.value(f"icmp ne i64 {text.value('load i64, ptr %list')}, 1")
    length = length_of(text, "%list")
    needed = text.value(f"add i64 {length}, %extra")
    room = text.value(
        f"load i64, ptr {text.value('getelementptr i64, ptr %list, i64 2')}"
    )
    small = text.value(f"icmp ugt i64 {needed}, {room}")
    slow = text.value(f"or i1 {shared}, {small}")
    text.branch(slow, "slow", "fast", likely=False)
    text.start("fast")
    text.line("ret ptr %list")
    text.start("slow")
    grown = text.value(f"call ptr @{name}.grown(ptr %list, i64 {needed})")
    text.line(f"ret ptr {grown}")
    declared.update(text.declared)
    return text.text() + "\n" + _grow_function(type, declared)


def _grow_function(type: ir.NativeList, declared: dict[str, str]) -> str:
    """Return the function that copies a list to one with more room, and releases it."""
    name = list_name(type)
    text = FunctionText(f"define internal ptr @{name}.grown(ptr %list, i64 %wanted) noinline cold")
    half = text.value("lshr i64 %wanted, 1")
    copy = text.value(f"call ptr @{name}.make(i64 {text.value(f'add i64 %wanted, {half}')})")
    missing = text.value(f"icmp eq ptr {copy}, null")
    text.branch(missing, "end", "fill", likely=False)
    text.start("fill")
    length = length_of(text, "%list")
    size = text.value(f"mul i64 {length}, {entry_bytes(type)}")
    source, target = (entry_address(text, type, handle, "0") for handle in ("%list", copy))
    text.call("ptr", "memcpy", f"ptr {target}", f"ptr {source}", f"i64 {size}")
    set_length(text, copy, length)
    count = text.value("load i64, ptr %list")
    alone = text.value(f"icmp eq i64 {count}, 1")
    text.branch(alone, "free", "share")
    text.start("free")
    if type.keyed:
        index = text.value(f"load ptr, ptr {index_place(text, '%list')}")
        text.line(f"store ptr {index}, ptr {index_place(text, copy)}")
    text.call("void", "free", "ptr %list")
    text.line("br label %end")
    text.start("share")
    fewer = text.value(f"sub i64 {count}, 1")
    text.line(f"store i64 {fewer}, ptr %list")
    for_each(text, type, copy, "0", length, References(text).retain)
    text.line("br label %end")
    text.start("end")
    text.line(f"ret ptr {copy}")
    declared.update(text.declared)
    return text.text()


def for_each(
    text: FunctionText, type: ir.NativeList, handle: str, start: str, stop: str,
    act: Callable[[ir.Type, str], None],
) -> None:  # fmt: skip
    """Call ``act(field type, value)`` for the managed fields of some entries."""
    if not any(field.managed for field in type.fields):
        return
    slot = text.slot("i64")
    text.line(f"store i64 {start}, ptr {slot}")
    head, body, end = text.label("head"), text.label("body"), text.label("end")
    text.line(f"br label %{head}")
    text.start(head)
    position = text.value(f"load i64, ptr {slot}")
    going = text.value(f"icmp ult i64 {position}, {stop}")
    text.branch(going, body, end)
    text.start(body)
    values = _load(text, type, entry_address(text, type, handle, position))
    for field, value in zip(type.fields, values, strict=True):
        if field.managed:
            act(field, value)
    following = text.value(f"add i64 {position}, 1")
    text.line(f"store i64 {following}, ptr {slot}")
    text.line(f"br label %{head}")
    text.start(end)


def _release(type: ir.NativeList, declared: dict[str, str]) -> str:
    name = list_name(type)
    text = FunctionText(f"define internal void @{name}.release(ptr %list)")
    none = text.value("icmp eq ptr %list, null")
    text.branch(none, "end", "count")
    text.start("count")
    count = text.value("load i64, ptr %list")
    fewer = text.value(f"sub i64 {count}, 1")
    text.line(f"store i64 {fewer}, ptr %list")
    unreferenced = text.value(f"icmp eq i64 {fewer}, 0")
    text.branch(unreferenced, "free", "end")
    text.start("free")
    for_each(text, type, "%list", "0", length_of(text, "%list"), References(text).drop)
    if type.keyed:
        drop_index(text, "%list")
    text.call("void", "free", "ptr %list")
    text.line("br label %end")
    text.start("end")
    text.line("ret void")
    declared.update(text.declared)
    return text.text()
