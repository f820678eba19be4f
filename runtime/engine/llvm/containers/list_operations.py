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
from runtime.engine.llvm.text import FunctionText
from runtime.engine.llvm.texts import text_changes, text_code, text_functions

__all__ = ["define_functions", "emit"]

_EMITTERS: dict[str, Callable[[ListOperation], Emitted]] = {
    "list.new": new_list_code.emit_new,
    "list.slice": list_slice_code.emit_slice,
    "list.splice": list_slice_code.emit_splice,
    **map_code.EMITTERS,
    **set_code.EMITTERS,
    **tensor_array_code.EMITTERS,
    **text_code.EMITTERS,
}
"""By opcode: the function that emits it; ``list_code`` emits all others."""


def emit(operation: ListOperation) -> Emitted:
    """Emit a list operation."""
    return _EMITTERS.get(operation.instruction.opcode, list_code.emit)(operation)


def define_functions(module: FunctionText, type: ir.NativeList) -> None:
    """Add the functions of a list type."""
    list_code.define_list_functions(module, type)
    list_boxing.define_conversions(module, type)
    if type.text:
        text_functions.define_functions(module)
        text_changes.define_changes(module)
    if type.keyed:
        key_index.define_key_functions(module, type)
        set_code.define_set_functions(module, type)
