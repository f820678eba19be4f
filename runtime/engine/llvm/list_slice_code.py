"""LLVM code of slices of native lists: their copies, and their replacement by another list.

The bounds follow Python's rules: negative ones count from the end, and none is out of range.
"""

from __future__ import annotations

from runtime.engine.llvm.list_handles import Emitted, ListOperation, new_list, without_failing
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
