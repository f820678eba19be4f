"""Functions of float16 elements: they compute in float32 and round, as NumPy's loops do.

A half in a register is a float32.  Operations that are exact, or rounded once, in float32 give the
same half as they would in float16: float32 has more than twice as many digits (Figueroa, 1995).
"""

from __future__ import annotations

from collections.abc import Sequence

from runtime.engine.llvm import kernel_ir as ir
from runtime.engine.llvm.scalar_code import OPCODES, Code
from runtime.engine.llvm.text import FunctionText

FLOAT = ir.Scalar("f", 32)
EXACT = frozenset({
    "neg", "abs", "copy", "second", "select", "floor", "ceil", "rint", "trunc", "eq", "ne", "lt",
    "le", "gt", "ge", "is_nan", "is_inf", "is_finite",
})  # fmt: skip
"""Opcodes whose results are halves, or no floats, before they are rounded."""
ROUNDED = frozenset({"add", "sub", "mul", "div", "square", "sqrt"})
"""Opcodes that round once."""


def computes(opcode: str, takes: Sequence[ir.Scalar], gives: ir.Scalar) -> bool:
    """Return whether a loop computes what NumPy's kernel does, to the bit."""
    types = {*takes, gives} - {ir.BOOL}
    if opcode == "cast":
        return types <= {ir.HALF, FLOAT} or gives == ir.BOOL or gives == ir.FLOAT64
    return types == {ir.HALF} and opcode in EXACT | ROUNDED


def apply(
    text: FunctionText, opcode: str, takes: Sequence[ir.Scalar], gives: ir.Scalar,
    args: Sequence[str],
) -> Code:  # fmt: skip
    """Add the code of an opcode in float32; return the result, rounded to float16."""
    wide = [FLOAT if type == ir.HALF else type for type in takes]
    found, flag = OPCODES[opcode](text, wide, FLOAT if gives == ir.HALF else gives, args)
    if gives == ir.HALF and (opcode in ROUNDED or takes[0] == FLOAT):
        half = text.value(f"fptrunc float {found} to half")
        found = text.value(f"fpext half {half} to float")
    return found, flag
