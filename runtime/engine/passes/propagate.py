"""Propagation of constants and types into branches and loops, and out of them.

    k = constant(value=2) : int32[]
    c = cond(p, x, k) : float32[?]          c = cond(p, x) : float32[3]
      true_graph: then(a: float32[?], b: int32[])
        ...                                   b = constant(value=2) : int32[]

Constants move in, inputs that are one tensor become one input, shapes that are known better outside
are known inside and so on, and all passes run on the inner graph.  Inputs that nobody uses then go.
What calls of larger graphs run is optimised once, whoever calls it.
"""

from __future__ import annotations

from runtime.engine.passes.prune import trim
from runtime.engine.passes.queries import constant_value
from runtime.engine.passes.rewrite import OptimizedGraph, Renames, copy_graph
from runtime.graph.operation import Operation, SymbolicTensor
from runtime.graph.regions import Region, loop_of, regions, with_graphs
from runtime.graph.run_request import request_for
from runtime.ops.array.constants import constant_op, placeholder_op
from runtime.ops.op import CALL, HIGHER_ORDER, LOOP
from runtime.ops.rules.inference import narrowed
from runtime.types.shapes import TensorSpec


def propagate(graph: OptimizedGraph) -> bool:
    """Propagate constants and types into inner graphs and out of them."""
    changed: set[int] = set()
    for node in graph.operations:
        if changed and any(id(t) in changed for t in node.inputs):
            _infer(node, changed)
        if HIGHER_ORDER not in node.op_def.traits:
            continue
        if CALL in node.op_def.traits:
            _share(graph, node)
        elif _enter(graph, node):
            _infer(node, changed)
    return bool(changed)


def _infer(node: Operation, changed: set[int]) -> None:
    """Refine the types of outputs from those of inputs; collect the changed tensors."""
    if node.op_def is constant_op or node.op_def is placeholder_op:
        return
    try:
        specs = node.op_def.infer(*[t.spec for t in node.inputs], **node.attrs)
    except Exception:  # an error that has become certain is raised by the run
        return
    for tensor, spec in zip(node.outputs, (specs,) if isinstance(specs, TensorSpec) else specs):
        if _narrow(tensor, spec):
            changed.add(id(tensor))


def _narrow(tensor: SymbolicTensor, spec: TensorSpec) -> bool:
    """Refine the type of a tensor by a spec; return whether it changed."""
    refined = narrowed(tensor.spec, spec)
    tensor.spec = refined or tensor.spec
    return refined is not None


def _share(graph: OptimizedGraph, node: Operation) -> None:
    (region,) = regions(node)
    called = graph.optimizer.shared_copy(region.graph)
    if called is not None:
        node.attrs = with_graphs(node, [called])


def _enter(graph: OptimizedGraph, node: Operation) -> bool:
    """Optimise the graphs of an operation for its inputs; return whether they changed."""
    node_regions = regions(node)
    new = [not isinstance(region.graph, OptimizedGraph) for region in node_regions]
    graphs = [
        copy_graph(request_for(region.graph)) if fresh else region.graph
        for region, fresh in zip(node_regions, new, strict=True)
    ]
    changed = [
        _tell(inner, region, node) for inner, region in zip(graphs, node_regions, strict=True)
    ]
    if LOOP in node.op_def.traits and _tell_state(node, graphs):
        changed = [True] * len(graphs)
    if not (any(new) or any(changed)):
        return False
    for inner, fresh, facts in zip(graphs, new, changed, strict=True):
        if fresh or facts:
            graph.optimizer.improve(inner)
    node.attrs = with_graphs(node, graphs)
    trim(node)
    return True


def _tell(inner: OptimizedGraph, region: Region, node: Operation) -> bool:
    """Propagate constants, equalities and types of captures into a graph."""
    renames = Renames()
    changed: set[int] = set()
    seen: dict[int, SymbolicTensor] = {}
    new = False
    for index in range(region.captures):
        outer = node.inputs[region.start + index]
        capture = inner.inputs[region.own + index]
        value = constant_value(outer)
        if value is not None:
            constant = inner.constant_like(value, capture, outer.op.name)
            constant.outputs[0].weak = capture.weak
            inner.operations.insert(len(inner.inputs), constant)
            renames.put(capture, constant.outputs[0])
        elif id(outer) in seen and seen[id(outer)].weak == capture.weak:
            renames.put(capture, seen[id(outer)])
        else:
            seen[id(outer)] = capture
            if _narrow(capture, TensorSpec(outer.shape, outer.dtype)):
                changed.add(id(capture))
    if renames:
        new = _rename(inner, renames)
    return _spread(inner, changed) or new


def _rename(inner: OptimizedGraph, renames: Renames) -> bool:
    """Replace inputs of a graph's operations; return whether one changed."""
    new = False
    for node in inner.operations:
        before = node.inputs
        renames.apply(node)
        new = new or node.inputs is not before
    before_outputs = inner.outputs
    renames.finish(inner)
    return new or any(a is not b for a, b in zip(before_outputs, inner.outputs, strict=True))


def _spread(inner: OptimizedGraph, changed: set[int]) -> bool:
    """Infer the types of operations that depend on refined tensors."""
    if not changed:
        return False
    for node in inner.operations:
        if any(id(t) in changed for t in node.inputs):
            _infer(node, changed)
    return True


def _tell_state(node: Operation, graphs: list[OptimizedGraph]) -> bool:
    """Propagate shapes of loop state that hold at the start and in every iteration."""
    loop = loop_of(node)
    body = graphs[-1]
    start = [t.spec for t in node.inputs[loop.first : loop.first + loop.carried]]
    state = body.inputs[loop.offset : loop.offset + loop.carried]
    candidates = {
        k for k, (spec, t) in enumerate(zip(start, state, strict=True))
        if spec.shape.dims != t.shape.dims and spec.shape.is_subtype_of(t.shape)
    }  # fmt: skip
    before = [(t, t.spec) for n in body.operations for t in n.outputs] if candidates else []
    while candidates:
        changed = {id(state[k]) for k in candidates}
        for k in candidates:
            state[k].spec = TensorSpec(start[k].shape, start[k].dtype)
        _spread(body, changed)
        lost = {k for k in candidates if not body.outputs[k].shape.is_subtype_of(start[k].shape)}
        if not lost:
            break
        candidates -= lost
        for tensor, spec in before:
            tensor.spec = spec
    for graph in graphs[:-1]:
        changed = {id(graph.inputs[k]) for k in candidates}
        for k in candidates:
            graph.inputs[k].spec = TensorSpec(start[k].shape, start[k].dtype)
        _spread(graph, changed)
    return bool(candidates)
