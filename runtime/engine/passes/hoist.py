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
    changed = False
    for node in graph.operations:
        if LOOP in node.op_def.traits:
            before = _lift_out(graph, node)
            changed = changed or bool(before)
            operations += before
        operations.append(node)
    graph.operations = operations
    return changed


def _lift_out(graph: OptimizedGraph, node: Operation) -> list[Operation]:
    """Return the operations to run before a loop, which then captures their results."""
    loop_regions = regions(node)
    if not loop_regions or not all(isinstance(r.graph, OptimizedGraph) for r in loop_regions):
        return []
    before: list[Operation] = []
    inputs = list(node.inputs[: loop_regions[0].start])
    counts = []
    for region in loop_regions:
        start = region.start
        passed = list(node.inputs[start : start + region.captures])
        passed += _from_region(graph, node, region, before)
        inputs += passed
        counts.append(len(passed))
    if before:
        node.attrs = {**with_graphs(node, [r.graph for r in loop_regions]), "splits": tuple(counts)}
        node.inputs = tuple(inputs)
    return before


def _from_region(
    graph: OptimizedGraph, node: Operation, region: Region, before: list[Operation]
) -> list[SymbolicTensor]:
    """Move operations of one graph to ``before``; return the additional captures."""
    inner: OptimizedGraph = region.graph
    outer_of: dict[int, SymbolicTensor] = {
        id(param): node.inputs[region.start + index]
        for index, param in enumerate(inner.inputs[region.own :])
    }
    moved: list[Operation] = []
    for op in inner.operations:
        if op.op_def is constant_op or op.op_def is placeholder_op or not op.outputs:
            continue
        invariant = [id(t) in outer_of or constant_value(t) is not None for t in op.inputs]
        if all(invariant) and total(op):
            copy = _copy(graph, node, op, outer_of, before)
            outer_of.update(zip(map(id, op.outputs), copy.outputs, strict=True))
            moved.append(op)
    if not moved:
        return []
    moved_ids = set(map(id, moved))
    inner.operations = [op for op in inner.operations if id(op) not in moved_ids]
    return _capture_results(inner, moved, outer_of)


def _copy(graph: OptimizedGraph, node: Operation, op: Operation,
          outer_of: dict[int, SymbolicTensor], before: list[Operation]) -> Operation:  # fmt: skip
    """Copy an operation of a loop to the graph around."""
    inputs = []
    for tensor in op.inputs:
        if id(tensor) not in outer_of:
            name = f"{node.name}/{tensor.op.name}"
            constant = graph.constant_like(constant_value(tensor), tensor, name)
            before.append(constant)
            outer_of[id(tensor)] = constant.outputs[0]
        inputs.append(outer_of[id(tensor)])
    copy = graph.make(
        op.op_def, tuple(inputs), op.attrs, op, f"{node.name}/{op.name}", op.outputs
    )
    before.append(copy)
    return copy


def _capture_results(
    inner: OptimizedGraph, moved: list[Operation], outer_of: dict[int, SymbolicTensor]
) -> list[SymbolicTensor]:
    """Capture the results of moved operations in a graph; return the tensors to pass."""
    used = {id(t) for op in inner.operations for t in op.inputs}
    used.update(id(t) for t in inner.outputs)
    renames = Renames()
    passed = []
    for op in moved:
        inner.used_names.discard(op.name)
        for tensor in op.outputs:
            if id(tensor) in used:
                capture = inner.input_like(tensor, op.name)
                renames.put(tensor, capture)
                passed.append(outer_of[id(tensor)])
    for op in inner.operations:
        renames.apply(op)
    renames.finish(inner)
    prune(inner)
    inner.seal()
    return passed
