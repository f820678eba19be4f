"""Operands of native opcodes that are numbers among the attributes of an op."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from runtime.ops.array.indexing import KeyInput
from runtime.ops.rules.lowering import Operands


def with_numbers(inputs: int, *names: str) -> Callable[[dict[str, Any]], Operands]:
    """So many inputs, then the numbers that attributes of these names hold."""

    def operands(attrs: dict[str, Any]) -> Operands:
        return Operands([*map(KeyInput, range(inputs)), *[attrs[name] for name in names]], attrs)

    return operands
