"""Refusals: operations of a module that native code leaves to kernels of Python."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from runtime.engine.llvm import kernel_ir as ir
from runtime.engine.llvm.native import operation_called, usual_instructions
from runtime.export.native_code.reshaping import new_sizes
from runtime.ops.rules.lowering import ByKernel
from runtime.types.errors import UnimplementedError


def check_native(module: ir.KernelModule, name: str) -> None:
    """Raise UnimplementedError, which lists all of them, if operations need Python's kernels."""
    operations: dict[int, Any] = {}
    for instruction, _ in usual_instructions(module):
        node = operation_called(instruction)
        if isinstance(instruction, ir.Callback) and new_sizes(instruction.site) is not None:
            continue
        if node is not None:
            operations[id(node)] = node
    if operations:
        raise UnimplementedError(
            f"export.native: {name} needs Python for {len(operations)} "
            f"operation{'s' if len(operations) > 1 else ''}:\n{_listed(operations.values())}"
        )


def _listed(operations: Iterable[Any]) -> str:
    """Return a line for each operation: the user's line, its name, and why it is not native."""
    lines = []
    for node in operations:
        user = node.origin or node
        rule = node.op_def.lower
        why = f": {rule.reason}" if isinstance(rule, ByKernel) else ""
        lines.append(f"  {user.location.described()}\n    {node.op_def.name}{why}")
    return "\n".join(dict.fromkeys(lines))
