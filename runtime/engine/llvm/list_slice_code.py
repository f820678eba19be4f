"""LLVM code of slices of native lists: their copies, and their replacement by another list.

The bounds follow Python's rules: negative ones count from the end, and none is out of range.
"""

from __future__ import annotations

from runtime.engine.llvm.list_handles import Emitted, ListOperation, NativeListHandle, new_list
from runtime.engine.llvm.slice_bounds import SliceBounds
from runtime.ops.array.indexing import KeyInput

__all__ = ["emit_slice", "emit_slice_by", "emit_splice"]


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
        return Emitted([source.name], False)
    bounds = _bounds(operation, key, first, source.length())
    count = bounds.count()
    target = new_list(operation.text, source.type, count, operation.fail)
    _copy_slice(source, target, bounds, count)
    target.for_each("0", count, references.retain)
    return operation.done(target)


def _copy_slice(
    source: NativeListHandle, target: NativeListHandle, bounds: SliceBounds, count: str
) -> None:
    """Let a new list hold so many entries of another one."""
    text = source.text
    if bounds.step == 1:
        first = source.entry(bounds.start)
        target.copy("memcpy", target.entry("0"), first, count)
    else:
        with text.counted_loop(count) as number:
            offset = text.value(f"mul i64 {number}, {bounds.step}")
            position = text.value(f"add i64 {bounds.start}, {offset}")
            target.copy("memcpy", target.entry(number), source.entry(position), "1")
    target.set_length(count)


def emit_splice(operation: ListOperation) -> Emitted:
    """Emit the replacement of a slice.  It takes over both lists."""
    text, references, other = operation.text, operation.references, operation.list_at(1)
    length, inserted = operation.list.length(), other.length()
    bounds = _bounds(operation, operation.attrs["key"], 2, length)
    start = bounds.start
    stop = text.call("i64", "llvm.smax.i64", f"i64 {start}", f"i64 {bounds.stop}")
    removed = text.value(f"sub i64 {stop}, {start}")
    change = text.value(f"sub i64 {inserted}, {removed}")
    extra = text.call("i64", "llvm.smax.i64", f"i64 {change}", "i64 0")
    changed = operation.list.writable(extra, operation.fail)
    if changed.type.keyed:
        changed.drop_index()
    changed.for_each(start, stop, references.drop)
    after = text.value(f"add i64 {start}, {inserted}")
    goal, tail = changed.entry(after), changed.entry(stop)
    changed.copy("memmove", goal, tail, text.value(f"sub i64 {length}, {stop}"))
    changed.copy("memcpy", changed.entry(start), other.entry("0"), inserted)
    changed.set_length(text.value(f"add i64 {length}, {change}"))
    changed.for_each(start, after, references.retain)
    references.drop(other.type, other.name)
    return operation.done(changed)
