"""Inlining: a call of a small graph is replaced by the operations of that graph.

    y = call(x) : float32[]                 y/mul = multiply(x, x) : float32[]
      graph: square(a: float32[])
        mul = multiply(a, a) : float32[]
        return mul
    return y                                return y/mul

Errors still name the user's operations: each copy knows its origin.
"""

from __future__ import annotations

from runtime.engine.passes.reuse_buffers import forget
from runtime.engine.passes.rewrite import OptimizedGraph, Replacement, copy_into, replace_each
from runtime.graph.operation import Operation
from runtime.graph.regions import regions
from runtime.graph.run_request import request_for
from runtime.ops.op import CALL

SMALL = 60
"""Largest graph that is inlined, in operations."""


def inline(graph: OptimizedGraph) -> bool:
    """Replace calls of small graphs by their operations."""

    def instead(node: Operation) -> Replacement | None:
        (region,) = regions(node)
        called = graph.optimizer.shared_copy(region.graph)
        if called is None or len(called.operations) > SMALL:
            return None
        nodes, results = copy_into(graph, request_for(called), node.inputs, f"{node.name}/")
        for operation in nodes:
            forget(operation)
        return nodes, results

    return replace_each(graph, CALL, instead)
