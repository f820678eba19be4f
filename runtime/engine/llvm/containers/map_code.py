"""LLVM code of the lists of keys and values that stand for dicts and sets.

A key is looked up in the list of keys; what stands at its place in the list of values is its value.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from runtime.engine.llvm import kernel_ir as ir
from runtime.engine.llvm.list_code import existing_position
from runtime.engine.llvm.list_handles import Emitted, ListOperation, NativeListHandle
from runtime.engine.llvm.text import llvm_type
from runtime.engine.llvm.values import number_type

__all__ = ["EMITTERS"]


def _find(operation: ListOperation) -> Emitted:
    """Emit the search for a key; it fails if there is no memory for an index."""
    handle = operation.list
    fields = zip(handle.type.fields, operation.args[1:], strict=True)
    key = [f"{llvm_type(field)} {name}" for field, name in fields]
    place = operation.code.call(handle.function("find"), handle, *key, gives=ir.INT64)
    return operation.unless(place == -2, place)


_EmitExisting = Callable[[ListOperation], NativeListHandle]
"""Emits what happens to the entry at a place, and returns the list."""


def _append_or(emit_existing: _EmitExisting, operation: ListOperation) -> Emitted:
    """Emit one more entry where the place is negative, else what ``emit_existing`` emits."""
    code, slot = operation.code, operation.code.pointer()
    place = code.value(operation.args[1], number_type(operation.instruction.args[1].type))
    for appends in code.text.either((place < 0).name):
        if appends:
            handle = operation.list.push(operation.args[2:], operation.fail)
            if handle.type.keyed:
                code.run(handle.function("note"), handle)
        else:
            handle = emit_existing(operation)
        slot.store(handle)
    return operation.done(slot.load_address())


def _replace(operation: ListOperation) -> NativeListHandle:
    place, values = existing_position(operation), operation.args[2:]
    return operation.list.replace(operation.references, place, values, operation.fail)


def _keep(operation: ListOperation) -> NativeListHandle:
    for value, name in zip(operation.instruction.args[2:], operation.args[2:], strict=True):
        if value.type.managed:
            operation.references.drop(value.type, name)
    return operation.list


EMITTERS: dict[str, Callable[[ListOperation], Emitted]] = {
    "list.find": _find, "list.put": partial(_append_or, _replace),
    "list.add": partial(_append_or, _keep),
}  # fmt: skip
"""Functions that emit the operations of dicts and sets."""
