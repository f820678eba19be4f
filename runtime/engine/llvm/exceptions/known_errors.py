"""Errors that are known before the program runs: what a kernel would raise where native code gives
up.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from runtime.engine.llvm import kernel_ir as ir
from runtime.graph.raise_tracking import raised_by
from runtime.ops.control_flow.print_assert import ExceptionMaker

DIVISIONS = frozenset({
    "div.checked", "floordiv", "floormod", "truncatediv", "truncatemod",
})  # fmt: skip
"""Opcodes that give up where the second argument is zero, and for other reasons."""

_INDEXED = frozenset({"list.item", "list.check", "position"})
"""Opcodes that give up only where an index does not exist."""


def known_error(site: ir.Site, opcode: str) -> BaseException | None:
    """Return an exception like the one that the kernel of a site raises; None if it is unknown.

    A division raises it if the divisor is zero.
    """
    maker = _maker(site)
    if maker is not None:
        return maker.sample
    if opcode in _INDEXED:
        return IndexError("")
    if opcode in DIVISIONS:
        node = site.step.operation
        if ZeroDivisionError in raised_by(node.op_def, node.inputs, node.attrs):
            return ZeroDivisionError("")
    return None


def known_parts(site: ir.Site) -> Sequence[Any]:
    """Return the parts of the exception of a ``raise`` that the arguments of its site stand for."""
    maker = _maker(site)
    return () if maker is None else maker.parts


def _maker(site: ir.Site) -> ExceptionMaker | None:
    maker = None if site.step is None else site.step.attrs.get("make")
    return maker if isinstance(maker, ExceptionMaker) else None
