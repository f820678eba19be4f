"""LLVM code that makes native lists.

Many entries that are constants are copied from the memory of the code.
"""

from __future__ import annotations

from collections.abc import Sequence

from runtime.engine.llvm import kernel_ir as ir
from runtime.engine.llvm.list_code import (
    Emitted,
    entry_address,
    entry_bytes,
    entry_type,
    ready_or,
    set_length,
    store_entry,
)
from runtime.engine.llvm.references import References, list_name
from runtime.engine.llvm.text import FunctionText, llvm_type
from runtime.types.digest import sha256

__all__ = ["emit_new"]

LEAST = 8
"""Length of the shortest list that is copied: fewer entries are stored one by one."""


def emit_new(
    text: FunctionText, references: References, instruction: ir.Compute, args: Sequence[str],
    fail: str, good: str,
) -> Emitted:  # fmt: skip
    """Emit a list of the entries that are given."""
    type = instruction.results[0].type
    assert isinstance(type, ir.NativeList) and instruction.site is not None
    count = instruction.site.step.attrs["count"]
    handle = text.value(f"call ptr @{list_name(type)}.make(i64 {count})")
    ready_or(text, handle, fail)
    width = len(type.fields)
    entries = [args[start : start + width] for start in range(0, len(args), width)]
    if len(entries) >= LEAST and not any(name.startswith("%") for name in args):
        size = text.value(f"mul i64 {entry_bytes(type)}, {count}")
        first = entry_address(text, type, handle, "0")
        table = _table(text, type, entries)
        text.call("ptr", "memcpy", f"ptr {first}", f"ptr {table}", f"i64 {size}")
    else:
        for number, values in enumerate(entries):
            store_entry(text, type, entry_address(text, type, handle, str(number)), values)
    set_length(text, handle, str(count))
    text.line(f"br label %{good}")
    return Emitted([handle], True)


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
