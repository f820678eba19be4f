"""Nesting of graphs: how deep branches and loops stand in each other, and walks as deep as that.

Above graphs.  A chain of 500 ``elif`` is a graph of 500 levels.  Passes, engines, derivatives and
the printer call themselves once or more for each level, beyond Python's recursion limit.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from autograph.syntax.recursion_limit import deep, is_deep
from runtime.graph.operation import subgraphs
from runtime.ops.op import HIGHER_ORDER

T = TypeVar("T")

SHALLOW = 40
"""So many levels fit within Python's own recursion limit."""


def nesting(graph: Any) -> int:
    """Return how many levels of graphs a graph holds; it is known of frozen graphs."""
    holders = (node for node in graph.operations if HIGHER_ORDER in node.op_def.traits)
    inner = [getattr(subgraph, "nesting", 0) for node in holders for subgraph in subgraphs(node)]
    return 1 + max(inner, default=0)


def is_nested_deeply(graph: Any) -> bool:
    """Return whether walks of a graph need a higher recursion limit."""
    levels: int = getattr(graph, "nesting", 0) or nesting(graph)
    return levels > SHALLOW


def deeply(graph: Any, walk: Callable[[], T]) -> T:
    """Return ``walk()``, within a higher recursion limit where the graph is nested deeply."""
    if is_deep() or not is_nested_deeply(graph):
        return walk()
    return deep(walk)
