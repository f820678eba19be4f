"""Operations on native lists, and the functions of their types, for codegen.py."""

from __future__ import annotations

from collections.abc import Callable

from runtime.engine.llvm import kernel_ir as ir
from runtime.engine.llvm import list_boxing, list_code, list_slice_code
from runtime.engine.llvm.containers import (
    key_index,
    map_code,
    new_list_code,
    set_code,
    tensor_array_code,
)
from runtime.engine.llvm.list_handles import Emitted, ListOperation

__all__ = ["emit", "type_functions"]

_EMITTERS: dict[str, Callable[[ListOperation], Emitted]] = {
    "list.new": new_list_code.emit_new,
    "list.slice": list_slice_code.emit_slice,
    "list.splice": list_slice_code.emit_splice,
    **map_code.EMITTERS,
    **set_code.EMITTERS,
    **tensor_array_code.EMITTERS,
}
"""By opcode: the function that emits it; ``list_code`` emits all others."""


def emit(operation: ListOperation) -> Emitted:
    """Emit a list operation."""
    return _EMITTERS.get(operation.instruction.opcode, list_code.emit)(operation)


def type_functions(type: ir.NativeList, declared: dict[str, str]) -> list[str]:
    """Return the functions of a list type."""
    texts = list_code.list_functions(type, declared)
    texts += list_boxing.list_conversions(type, declared)
    if type.keyed:
        texts += key_index.key_functions(type, declared)
        texts += set_code.set_functions(type, declared)
    return texts
