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
    kept: list[Operation] = []
    for node in reversed(graph.operations):
        if id(node) not in needed and total(node):
            continue
        if HIGHER_ORDER in node.op_def.traits:
            trim(node)
        kept.append(node)
        needed.add(id(node))
        needed.update([id(t.op) for t in node.inputs])
    if len(kept) == len(graph.operations):
        return False
    kept.reverse()
    graph.operations = kept
    return False


def trim(node: Operation) -> None:
    """Remove the captures that the graphs of an operation do not use."""
    found = regions(node)
    ready = all(isinstance(region.graph, OptimizedGraph) for region in found)
    if not found or not ready or CALL in node.op_def.traits:  # others may call the same graph
        return
    inputs = list(node.inputs[: found[0].start])
    counts = []
    for region in found:
        inner = region.graph
        used = {id(t) for one in inner.operations for t in one.inputs}
        used.update(id(t) for t in inner.outputs)
        passed = node.inputs[region.start : region.start + region.captures]
        mine = inner.inputs[region.own :]
        left = [pair for pair in zip(passed, mine, strict=True) if id(pair[1]) in used]
        if len(left) < len(mine):
            gone = {id(t.op) for t in mine if id(t) not in used}
            inner.inputs = [*inner.inputs[: region.own], *[tensor for _, tensor in left]]
            inner.operations = [one for one in inner.operations if id(one) not in gone]
            inner.sealed()
        inputs += [tensor for tensor, _ in left]
        counts.append(len(left))
    if len(inputs) < len(node.inputs):
        node.inputs = tuple(inputs)
        node.attrs = {**node.attrs, "splits": tuple(counts)}
