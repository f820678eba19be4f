"""Comparison of results with their types, for the tests of ``runtime.jit``."""

from __future__ import annotations

import math
from typing import Any


def traces(function: Any) -> int:
    count: int = function.experimental_get_tracing_count()
    return count


def same(one: Any, other: Any) -> bool:
    """Whether values and types are the same, also inside of collections."""
    if type(one) is not type(other):
        return False
    if isinstance(one, list | tuple):
        return len(one) == len(other) and all(map(same, one, other))
    if isinstance(one, dict):
        return list(one) == list(other) and all(same(one[key], other[key]) for key in one)
    if isinstance(one, float):
        return one == other or (math.isnan(one) and math.isnan(other))
    return bool(one == other)
