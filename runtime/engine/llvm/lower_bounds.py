"""Lower bounds of ints: which indexes cannot be negative.

Counters of loops begin somewhere and only grow.  LLVM does not always find that out.
"""

from __future__ import annotations

from collections.abc import Sequence

from runtime.engine.llvm.text import FunctionText


def note_lowest(text: FunctionText, opcode: str, args: Sequence[str], result: str) -> None:
    """Note the least that the result of an opcode on ints can be, if that is known."""
    lowest = _lowest_result(text, opcode, args)
    if lowest is not None:
        text.lowest[result] = lowest


def _lowest_result(text: FunctionText, opcode: str, args: Sequence[str]) -> int | None:
    # these opcodes give up, and their kernels raise, where a result would overflow
    bounds = [text.lowest_of(arg) for arg in args]
    known = [bound for bound in bounds if bound is not None]
    if opcode == "max":
        return max(known, default=None)
    if len(known) < len(bounds):
        return None
    if opcode in ("increment", "cast.exact"):
        return known[0]
    if opcode == "add.checked":
        return known[0] + known[1]
    if opcode == "sub.checked" and args[1].isdigit():
        return known[0] - known[1]
    if opcode == "mul.checked" and min(known) >= 0:
        return known[0] * known[1]
    return None
