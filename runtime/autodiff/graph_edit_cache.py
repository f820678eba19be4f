"""What was made of graphs and operations so that they can be differentiated, for the next time.

An operation may be asked for other gradients later; the same ones find what was made for them.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any, TypeVar

from runtime.graph.side_table import SideTable

T = TypeVar("T")

_DERIVATIVES: SideTable[dict[Any, Any]] = SideTable()


def derivatives_of(graph: Any) -> dict[Any, Any]:
    """What was made of a graph, and of its operations, for their derivatives."""
    found = _DERIVATIVES.get(graph)
    return _DERIVATIVES.setdefault(graph, {}) if found is None else found


def made_once(node: Any, key: Hashable, make: Callable[[], T]) -> T:
    """What ``make()`` gave for an operation and such gradients, now or earlier."""
    known = derivatives_of(node.graph)
    first = node.recorded
    if (first, key) not in known:
        known[first, key] = make()
    result: T = known[first, key]
    return result
