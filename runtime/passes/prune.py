"""Prune: operations go whose results nobody uses, unless they have effects or may raise.

    a = exp(x) : float32[]
    b = floordiv(n, m) : int32[]            b = floordiv(n, m) : int32[]
    return x                                return x

``b`` stays: it raises when ``m`` is zero, and a program that fails has to go on failing.
"""

from __future__ import annotations

from runtime.passes.copies import OptimizedGraph
from runtime.passes.facts import total
from runtime.symbolic import Operation


def prune(graph: OptimizedGraph) -> bool:
    """Take out what is not needed; control inputs that are gone with it go, too."""
    needed = {id(t.op) for t in graph.outputs}
    needed.update(id(t.op) for t in graph.inputs)
    kept: list[Operation] = []
    for node in reversed(graph.operations):
        if id(node) not in needed and total(node):
            continue
        kept.append(node)
        needed.add(id(node))
        needed.update([id(t.op) for t in node.inputs])
    if len(kept) == len(graph.operations):
        return False
    kept.reverse()
    graph.operations = kept
    for node in kept:
        if node.control_inputs:
            node.control_inputs = tuple([c for c in node.control_inputs if id(c) in needed])
    return False
