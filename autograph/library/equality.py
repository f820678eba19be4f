"""The comparison that Python's containers make of their items."""

from __future__ import annotations

from typing import Any


def same_or_equal(left: Any, right: Any) -> Any:
    """Whether two items are one object or equal: converted code calls an operator instead."""
    return left is right or left == right
