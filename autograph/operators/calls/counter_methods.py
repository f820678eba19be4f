"""Arithmetic and comparisons of staged ``Counter``s, and of those that meet one.

    left + right         =>  left + right

Installed by ``map_constructors``; as Python's, sums keep positive counts only.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from autograph.conversion.convert_hook import from_library
from autograph.library import counters
from autograph.staging.staged_map import hold_map, map_contents

_OPERATORS = {
    "add": from_library(counters.add), "sub": from_library(counters.subtract),
    "or": from_library(counters.union), "and": from_library(counters.intersection),
}  # fmt: skip


def _in_place(operator: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    def change(holder: Any, right: Any) -> Any:
        result = operator(holder, right)
        if result is NotImplemented:
            return result
        hold_map(holder, map_contents(result))
        return holder

    return change


elements = from_library(counters.elements)
"""``holder.elements()``, as a list."""

ARITHMETIC: dict[str, Any] = {
    **{f"__{name}__": operator for name, operator in _OPERATORS.items()},
    **{f"__i{name}__": _in_place(operator) for name, operator in _OPERATORS.items()},
    "__le__": from_library(counters.is_within), "__ge__": from_library(counters.contains),
    "__lt__": from_library(counters.is_strictly_within),
    "__gt__": from_library(counters.strictly_contains),
    "__pos__": from_library(counters.positive), "__neg__": from_library(counters.negative),
}  # fmt: skip
"""The operators of counters that converted code makes."""
