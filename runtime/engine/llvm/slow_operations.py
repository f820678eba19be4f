"""What takes long in machine code: calls of kernels and new arrays in loops, by the user's lines.

``Function.explain()`` shows it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from runtime.engine.llvm import kernel_ir as ir
from runtime.engine.llvm.arrays.fusion import Fusion
from runtime.engine.llvm.arrays.instructions import OF_ARRAYS
from runtime.engine.llvm.native import operation_called, usual_instructions

MOST_SHOWN = 5
"""Number of slow operations that are shown."""


def slow_operations(module: ir.KernelModule) -> list[str]:
    """Return a text for each operation that takes long because a loop repeats it."""
    texts = dict.fromkeys(_texts(module))
    omitted = len(texts) - MOST_SHOWN
    shown = [*texts][:MOST_SHOWN]
    return [*shown, f"and {omitted} more"] if omitted > 0 else shown


def _texts(module: ir.KernelModule) -> Iterator[str]:
    for instruction, in_loop in usual_instructions(module):
        if not in_loop:
            continue
        node = operation_called(instruction)
        if node is not None:
            yield f"{node.location.described()}: each turn calls the kernel of '{node.op_def.name}'"
        elif isinstance(instruction, (Fusion, *OF_ARRAYS)) and _makes_array(instruction):
            node = _operation_of(instruction)
            if node is not None:
                yield f"{node.location.described()}: each turn makes an array"


def _makes_array(instruction: ir.Instruction) -> bool:
    return any(value.type is ir.OBJECT for value in instruction.results)


def _operation_of(instruction: Any) -> Any:
    """Return the operation that an instruction on arrays computes; of several, the last."""
    members = getattr(instruction, "members", ())
    site = members[-1].site if members else instruction.site
    return None if site is None or site.step is None else site.step.operation
