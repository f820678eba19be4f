"""Cache of what autodiff made of graphs and operations: VJP graphs and extended operations.

The key says which gradients are requested; a second request for the same gradients finds it.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any, TypeVar

from runtime.graph.side_table import SideTable

T = TypeVar("T")

_DERIVATIVES: SideTable[dict[Any, Any]] = SideTable()


def derivatives_of(graph: Any) -> dict[Any, Any]:
    """Cache of a graph and its operations, by key."""
    cache = _DERIVATIVES.get(graph)
    return _DERIVATIVES.setdefault(graph, {}) if cache is None else cache


def make_once(node: Any, key: Hashable, make: Callable[[], T]) -> T:
    """Result of ``make()`` for an operation and a key; it is called on the first request."""
    cache = derivatives_of(node.graph)
    first = node.recorded
    if (first, key) not in cache:
        cache[first, key] = make()
    result: T = cache[first, key]
    return result
