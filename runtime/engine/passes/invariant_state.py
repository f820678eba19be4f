"""Removal of loop state that does not change or is not used.

    w = while(i, x) : int32[], float32[]    w = while(i, x, splits=(0, 1)) : int32[]
      body: body(i, x)                        body: body(i, x)
        i_1 = add(i, x)                         i_1 = add(i, x)
        return i_1, x                           return i_1

A loop variable that no iteration changes becomes a capture: its value after the loop is the one
before it.  A loop variable that the test, other loop variables, effects and later code do not use
is removed.
"""

from __future__ import annotations

from runtime.engine.passes.prune import prune
from runtime.engine.passes.queries import stands_for
from runtime.engine.passes.rewrite import OptimizedGraph, Renames
from runtime.engine.purity import total
from runtime.graph.operation import Operation
from runtime.graph.regions import Loop, loop_of, regions, with_graphs
from runtime.ops.array.constants import placeholder_op
from runtime.ops.op import LOOP


def freeze(graph: OptimizedGraph) -> bool:
    """Remove state that is invariant or dead from loops."""
    renames = Renames()
    used = {id(t) for node in graph.operations for t in node.inputs}
    used.update(id(t) for t in graph.outputs)
    operations: list[Operation] = []
    changed = False
    for node in graph.operations:
        if renames:
            renames.apply(node)
        if LOOP in node.op_def.traits and _fits(node):
            loop = loop_of(node)
            invariant = _invariant_states(node, loop)
            dead = _dead_states(node, loop, used, invariant)
            if invariant or dead:
                node = _without_states(graph, node, loop, invariant, dead, renames)
                changed = True
        operations.append(node)
    graph.operations = operations
    renames.finish(graph)
    return changed


def _fits(node: Operation) -> bool:
    """Return whether the graphs of a loop may be changed, each with the state as inputs."""
    loop_regions = regions(node)
    if not loop_regions or not all(isinstance(r.graph, OptimizedGraph) for r in loop_regions):
        return False
    loop = loop_of(node)
    *tests, body = loop_regions
    return body.own == loop.carried + loop.offset and all(t.own == loop.carried for t in tests)


def _invariant_states(node: Operation, loop: Loop) -> list[int]:
    """Return the numbers of the states that no iteration changes."""
    body = regions(node)[-1].graph
    return [
        k for k in range(loop.carried)
        if body.outputs[k] is body.inputs[loop.offset + k]
        and stands_for(node.inputs[loop.first + k], node.outputs[k])
    ]  # fmt: skip


def _dead_states(node: Operation, loop: Loop, used: set[int], invariant: list[int]) -> list[int]:
    """Return the numbers of the states that only contribute to themselves."""
    *tests, body_region = regions(node)
    body = body_region.graph
    live = {k for k in range(loop.carried) if id(node.outputs[k]) in used} | set(invariant)
    for region in tests:
        used = {id(t) for n in region.graph.operations for t in n.inputs}
        used.update(id(t) for t in region.graph.outputs)
        live |= {k for k in range(loop.carried) if id(region.graph.inputs[k]) in used}
    with_effects = {
        id(n) for n in body.operations if n.op_def is not placeholder_op and not total(n)
    }
    collecting = {id(t.op) for t in body.outputs[loop.carried :]}
    while True:
        needed = with_effects | collecting | {id(body.outputs[k].op) for k in live}
        reached = {id(body.outputs[k]) for k in live}
        reached.update(id(t) for t in body.outputs[loop.carried :])
        for inner in reversed(body.operations):
            if id(inner) in needed:
                needed.update(id(t.op) for t in inner.inputs)
                reached.update(id(t) for t in inner.inputs)
        newly_live = {k for k in range(loop.carried) if id(body.inputs[loop.offset + k]) in reached}
        if newly_live <= live:
            return [k for k in range(loop.carried) if k not in live]
        live |= newly_live


def _without_states(graph: OptimizedGraph, node: Operation, loop: Loop, invariant: list[int],
             dead: list[int], renames: Renames) -> Operation:  # fmt: skip
    """Return the loop without some states; invariant ones become captures."""
    dropped = {*invariant, *dead}
    state = list(node.inputs[loop.first : loop.first + loop.carried])
    inputs = [*node.inputs[: loop.first], *[t for k, t in enumerate(state) if k not in dropped]]
    counts = []
    graphs = []
    loop_regions = regions(node)
    for region in loop_regions:
        inner = region.graph
        offset = loop.offset if region is loop_regions[-1] else 0
        params = inner.inputs[: region.own]
        new_captures = [params[offset + k] for k in invariant]
        removed_ids = {id(params[offset + k]) for k in dropped}
        removed_nodes = {id(params[offset + k].op) for k in dead}
        captures = inner.inputs[region.own :]
        inner.inputs = [*[t for t in params if id(t) not in removed_ids], *captures, *new_captures]
        if region is loop_regions[-1]:
            inner.outputs = [t for k, t in enumerate(inner.outputs) if k not in dropped]
            prune(inner)
        inner.operations = _inputs_first(inner, removed_nodes)
        inner.seal()
        start = region.start
        inputs += [*node.inputs[start : start + region.captures], *[state[k] for k in invariant]]
        counts.append(len(captures) + len(new_captures))
        graphs.append(inner)
    attrs = {**with_graphs(node, graphs), "splits": tuple(counts)}
    if "carried" in attrs:
        attrs["carried"] = loop.carried - len(dropped)
    outputs = [t for k, t in enumerate(node.outputs) if k not in dropped]
    graph.used_names.discard(node.name)
    smaller = graph.make(node.op_def, tuple(inputs), attrs, node, node.name, outputs)
    smaller.controls = node.controls
    for old, new in zip(outputs, smaller.outputs, strict=True):
        renames.put(old, new)
    for k in invariant:
        renames.put(node.outputs[k], state[k])
    return smaller


def _inputs_first(inner: OptimizedGraph, dropped: set[int]) -> list[Operation]:
    placeholders = [t.op for t in inner.inputs]
    placed = {id(node) for node in placeholders} | dropped
    return [*placeholders, *[node for node in inner.operations if id(node) not in placed]]
