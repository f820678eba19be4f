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
    found = False
    for node in graph.operations:
        if renames:
            renames.apply(node)
        if LOOP in node.op_def.traits and _fits(node):
            loop = loop_of(node)
            still = _unchanged(node, loop)
            dead = _dead(node, loop, used, still)
            if still or dead:
                node = _smaller(graph, node, loop, still, dead, renames)
                found = True
        operations.append(node)
    graph.operations = operations
    renames.finish(graph)
    return found


def _fits(node: Operation) -> bool:
    """Return whether the graphs of a loop may be changed, each with the state as inputs."""
    found = regions(node)
    if not found or not all(isinstance(r.graph, OptimizedGraph) for r in found):
        return False
    loop = loop_of(node)
    *tests, body = found
    return body.own == loop.carried + loop.offset and all(t.own == loop.carried for t in tests)


def _unchanged(node: Operation, loop: Loop) -> list[int]:
    """Return the numbers of the states that no iteration changes."""
    body = regions(node)[-1].graph
    return [
        k for k in range(loop.carried)
        if body.outputs[k] is body.inputs[loop.offset + k]
        and stands_for(node.inputs[loop.first + k], node.outputs[k])
    ]  # fmt: skip


def _dead(node: Operation, loop: Loop, used: set[int], still: list[int]) -> list[int]:
    """Return the numbers of the states that only contribute to themselves."""
    *tests, body_region = regions(node)
    body = body_region.graph
    live = {k for k in range(loop.carried) if id(node.outputs[k]) in used} | set(still)
    for region in tests:
        used = {id(t) for n in region.graph.operations for t in n.inputs}
        used.update(id(t) for t in region.graph.outputs)
        live |= {k for k in range(loop.carried) if id(region.graph.inputs[k]) in used}
    kept = {id(n) for n in body.operations if n.op_def is not placeholder_op and not total(n)}
    rest = {id(t.op) for t in body.outputs[loop.carried :]}
    while True:
        needed = kept | rest | {id(body.outputs[k].op) for k in live}
        reached = {id(body.outputs[k]) for k in live}
        reached.update(id(t) for t in body.outputs[loop.carried :])
        for inner in reversed(body.operations):
            if id(inner) in needed:
                needed.update(id(t.op) for t in inner.inputs)
                reached.update(id(t) for t in inner.inputs)
        more = {k for k in range(loop.carried) if id(body.inputs[loop.offset + k]) in reached}
        if more <= live:
            return [k for k in range(loop.carried) if k not in live]
        live |= more


def _smaller(graph: OptimizedGraph, node: Operation, loop: Loop, still: list[int],
             dead: list[int], renames: Renames) -> Operation:  # fmt: skip
    """Return the loop without some states; invariant ones become captures."""
    gone = {*still, *dead}
    state = list(node.inputs[loop.first : loop.first + loop.carried])
    inputs = [*node.inputs[: loop.first], *[t for k, t in enumerate(state) if k not in gone]]
    counts = []
    graphs = []
    found = regions(node)
    for region in found:
        inner = region.graph
        offset = loop.offset if region is found[-1] else 0
        own = inner.inputs[: region.own]
        mine = [own[offset + k] for k in still]
        left = {id(own[offset + k]) for k in gone}
        dropped = {id(own[offset + k].op) for k in dead}
        captures = inner.inputs[region.own :]
        inner.inputs = [*[t for t in own if id(t) not in left], *captures, *mine]
        if region is found[-1]:
            inner.outputs = [t for k, t in enumerate(inner.outputs) if k not in gone]
            prune(inner)
        inner.operations = _inputs_first(inner, dropped)
        inner.sealed()
        start = region.start
        inputs += [*node.inputs[start : start + region.captures], *[state[k] for k in still]]
        counts.append(len(captures) + len(mine))
        graphs.append(inner)
    attrs = {**with_graphs(node, graphs), "splits": tuple(counts)}
    if "carried" in attrs:
        attrs["carried"] = loop.carried - len(gone)
    outputs = [t for k, t in enumerate(node.outputs) if k not in gone]
    graph.taken.discard(node.name)
    smaller = graph.make(node.op_def, tuple(inputs), attrs, node, node.name, outputs)
    smaller.controls = node.controls
    for old, new in zip(outputs, smaller.outputs, strict=True):
        renames.put(old, new)
    for k in still:
        renames.put(node.outputs[k], state[k])
    return smaller


def _inputs_first(inner: OptimizedGraph, dropped: set[int]) -> list[Operation]:
    makers = [t.op for t in inner.inputs]
    known = {id(node) for node in makers} | dropped
    return [*makers, *[node for node in inner.operations if id(node) not in known]]
