"""Pruning: operations without uses are removed, unless they have effects or may raise.

    a = exp(x) : float32[]
    b = floordiv(n, m) : int32[]            b = floordiv(n, m) : int32[]
    return x                                return x

``b`` stays: it raises when ``m`` is zero, and a program that fails has to go on failing.  What
inner graphs take from outside, and nobody in there uses, goes as well.
"""

from __future__ import annotations

from runtime.engine.passes.rewrite import OptimizedGraph
from runtime.engine.purity import total
from runtime.graph.operation import Operation
from runtime.graph.regions import regions
from runtime.ops.op import CALL, HIGHER_ORDER


def prune(graph: OptimizedGraph) -> bool:
    """Remove operations that are not needed."""
    needed = {id(t.op) for t in graph.outputs}
    needed.update(id(t.op) for t in graph.inputs)
    live: list[Operation] = []
    for node in reversed(graph.operations):
        if id(node) not in needed and total(node):
            continue
        if HIGHER_ORDER in node.op_def.traits:
            trim(node)
        live.append(node)
        needed.add(id(node))
        needed.update([id(t.op) for t in node.inputs])
    if len(live) == len(graph.operations):
        return False
    live.reverse()
    graph.operations = live
    return False


def trim(node: Operation) -> None:
    """Remove the captures that the graphs of an operation do not use."""
    node_regions = regions(node)
    ready = all(isinstance(region.graph, OptimizedGraph) for region in node_regions)
    if not node_regions or not ready or CALL in node.op_def.traits:  # others call it, too
        return
    inputs = list(node.inputs[: node_regions[0].start])
    counts = []
    for region in node_regions:
        inner = region.graph
        used = {id(t) for op in inner.operations for t in op.inputs}
        used.update(id(t) for t in inner.outputs)
        passed = node.inputs[region.start : region.start + region.captures]
        captures = inner.inputs[region.own :]
        live = [pair for pair in zip(passed, captures, strict=True) if id(pair[1]) in used]
        if len(live) < len(captures):
            dead_ids = {id(t.op) for t in captures if id(t) not in used}
            inner.inputs = [*inner.inputs[: region.own], *[tensor for _, tensor in live]]
            inner.operations = [op for op in inner.operations if id(op) not in dead_ids]
            inner.seal()
        inputs += [tensor for tensor, _ in live]
        counts.append(len(live))
    if len(inputs) < len(node.inputs):
        node.inputs = tuple(inputs)
        node.attrs = {**node.attrs, "splits": tuple(counts)}
