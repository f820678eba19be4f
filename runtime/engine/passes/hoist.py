"""Hoisting: loop-invariant operations are computed once before the loop.

    w = while(i, x) : int32[]               w/Exp = exp(x) : float32[]
      body: body(i, x)                      w = while(i, w/Exp) : int32[]
        Exp = exp(x) : float32[]              body: body(i, Exp)
        ...                                     ...

Only what has no effects and cannot raise: the loop may have no iteration at all.
"""

from __future__ import annotations

from runtime.engine.passes.prune import prune
from runtime.engine.passes.queries import constant_value
from runtime.engine.passes.rewrite import OptimizedGraph, Renames
from runtime.engine.purity import total
from runtime.graph.operation import Operation, SymbolicTensor
from runtime.graph.regions import Region, regions, with_graphs
from runtime.ops.array.constants import constant_op, placeholder_op
from runtime.ops.op import LOOP


def hoist(graph: OptimizedGraph) -> bool:
    """Move loop-invariant operations out of loops."""
    operations: list[Operation] = []
    found = False
    for node in graph.operations:
        if LOOP in node.op_def.traits:
            before = _lift_out(graph, node)
            found = found or bool(before)
            operations += before
        operations.append(node)
    graph.operations = operations
    return found


def _lift_out(graph: OptimizedGraph, node: Operation) -> list[Operation]:
    """Return the operations to run before a loop, which then captures their results."""
    found = regions(node)
    if not found or not all(isinstance(r.graph, OptimizedGraph) for r in found):
        return []
    before: list[Operation] = []
    inputs = list(node.inputs[: found[0].start])
    counts = []
    for region in found:
        start = region.start
        passed = list(node.inputs[start : start + region.captures])
        passed += _from_region(graph, node, region, before)
        inputs += passed
        counts.append(len(passed))
    if before:
        node.attrs = {**with_graphs(node, [r.graph for r in found]), "splits": tuple(counts)}
        node.inputs = tuple(inputs)
    return before


def _from_region(
    graph: OptimizedGraph, node: Operation, region: Region, before: list[Operation]
) -> list[SymbolicTensor]:
    """Move operations of one graph to ``before``; return the additional captures."""
    inner: OptimizedGraph = region.graph
    outside: dict[int, SymbolicTensor] = {
        id(mine): node.inputs[region.start + index]
        for index, mine in enumerate(inner.inputs[region.own :])
    }
    moved: list[Operation] = []
    for one in inner.operations:
        if one.op_def is constant_op or one.op_def is placeholder_op or not one.outputs:
            continue
        known = [id(t) in outside or constant_value(t) is not None for t in one.inputs]
        if all(known) and total(one):
            copy = _copy(graph, node, one, outside, before)
            outside.update(zip(map(id, one.outputs), copy.outputs, strict=True))
            moved.append(one)
    if not moved:
        return []
    gone = set(map(id, moved))
    inner.operations = [one for one in inner.operations if id(one) not in gone]
    return _captured(inner, moved, outside)


def _copy(graph: OptimizedGraph, node: Operation, one: Operation,
          outside: dict[int, SymbolicTensor], before: list[Operation]) -> Operation:  # fmt: skip
    """Copy an operation of a loop to the graph around."""
    inputs = []
    for tensor in one.inputs:
        if id(tensor) not in outside:
            name = f"{node.name}/{tensor.op.name}"
            made = graph.constant_like(constant_value(tensor), tensor, name)
            before.append(made)
            outside[id(tensor)] = made.outputs[0]
        inputs.append(outside[id(tensor)])
    copy = graph.make(
        one.op_def, tuple(inputs), one.attrs, one, f"{node.name}/{one.name}", one.outputs
    )
    before.append(copy)
    return copy


def _captured(
    inner: OptimizedGraph, moved: list[Operation], outside: dict[int, SymbolicTensor]
) -> list[SymbolicTensor]:
    """Capture the results of moved operations in a graph; return the tensors to pass."""
    used = {id(t) for one in inner.operations for t in one.inputs}
    used.update(id(t) for t in inner.outputs)
    renames = Renames()
    passed = []
    for one in moved:
        inner.taken.discard(one.name)
        for tensor in one.outputs:
            if id(tensor) in used:
                mine = inner.input_like(tensor, one.name)
                renames.put(tensor, mine)
                passed.append(outside[id(tensor)])
    for one in inner.operations:
        renames.apply(one)
    renames.finish(inner)
    prune(inner)
    inner.sealed()
    return passed
