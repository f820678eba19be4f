"""LLVM code that makes native lists.

Many entries that are constants are copied from the memory of the code.
"""

from __future__ import annotations

from collections.abc import Sequence

from runtime.engine.llvm import kernel_ir as ir
from runtime.engine.llvm.list_handles import (
    Emitted,
    ListOperation,
    entry_bytes,
    entry_type,
    new_list,
)
from runtime.engine.llvm.text import FunctionText, llvm_type
from runtime.types.digest import sha256

__all__ = ["emit_new"]

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
