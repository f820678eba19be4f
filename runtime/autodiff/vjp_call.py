"""Derivatives of calls: the graph is replaced by one that saves, and its derivative is called.

A call in a graph that is being built is extended (extensions.py).  Of an eager call, a tape
sees to it beforehand (``prepare``); where it did not, the call is done once more if it may be.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any

from runtime.autodiff.backprop import Found, Gradient, VjpRequest, rule, zeros_for
from runtime.autodiff.captured_sources import sources_of
from runtime.autodiff.graph_edit_cache import derivatives_of
from runtime.autodiff.vjp_graph import VjpGraph, matching_vjp_graph, vjp_graph_of
from runtime.graph.extensions import extend
from runtime.graph.operation import Operation
from runtime.ops import dispatch as interpreter
from runtime.ops.control_flow.cond_while import call_op
from runtime.ops.op import OpDef
from runtime.ops.resource.list_gradients import differentiable
from runtime.types.shapes import TensorSpec


def numbers(flags: Sequence[Any]) -> tuple[int, ...]:
    """The numbers of those that are true, or not None."""
    return tuple([i for i, flag in enumerate(flags) if flag is not None and flag is not False])


@rule(call_op)
def call_gradients(step: VjpRequest) -> tuple[Sequence[Gradient | None], Found]:
    """The gradients of a call's inputs, by a call of the backward graph."""
    node = step.node
    active, wanted = numbers(step.gradients), numbers(step.wants)
    pair = matching_vjp_graph(node.attrs["graph"], active, wanted, step.hidden)
    outputs = node.outputs
    if pair is None and isinstance(node, Operation):
        pair = vjp_graph_of(node.attrs["graph"], active, wanted, step.hidden)
        saved = [plain(t.spec) for t in pair.saved]
        outputs = extend(node, saved, {**node.attrs, "graph": pair.forward}).outputs
    elif pair is None:
        pair = vjp_graph_of(node.attrs["graph"], active, wanted, step.hidden)
        outputs = done_again(node, pair) if pair.saved else outputs
    seeds = [seed(step, i) for i in pair.active]
    values = [*seeds, *read_values(pair, node.inputs, outputs)]
    given = interpreter.apply(call_op, values, {"graph": pair.backward}) if pair.gives else ()
    by_key = dict(zip(pair.gives, given, strict=True))
    inputs = [by_key.get(i) if i in wanted else None for i in range(len(node.inputs))]
    return inputs, {key: by_key[key] for key in step.hidden if key in by_key}


def seed(step: VjpRequest, number: int) -> Gradient:
    """The gradient of an output, or zeros."""
    gradient = step.gradients[number]
    return zeros_for(step.node.outputs[number]) if gradient is None else gradient


def plain(spec: TensorSpec) -> TensorSpec:
    """Dtype and shape alone."""
    return TensorSpec(spec.shape, spec.dtype)


def read_values(pair: VjpGraph, inputs: Sequence[Any], outputs: Sequence[Any]) -> list[Any]:
    """What to pass for the reads of a backward graph, of what a run took and gave."""
    found = dict(zip(map(id, pair.forward.outputs), outputs))
    found.update(zip(map(id, pair.forward.inputs), inputs, strict=True))
    return [found[id(tensor)] for tensor in pair.reads]


def done_again(node: Any, pair: VjpGraph) -> Sequence[Any]:
    """The outputs of the forward graph for the inputs of an eager call that saved too little."""
    if pair.forward.stateful:
        raise RuntimeError(
            f"The call of {pair.base.name!r} has effects, and did not save what this gradient "
            "needs. Use one more tape around the call: one for each order of the derivative."
        )
    outputs: Sequence[Any] = interpreter.apply(
        call_op, list(node.inputs), {"graph": pair.forward}
    )
    return outputs


def prepare(
    op: OpDef, inputs: Sequence[Any], attrs: dict[str, Any], tapes: Sequence[Any]
) -> dict[str, Any]:
    """The attributes for an eager call that tapes will be asked about: its graph saves values.

    One level for each tape that follows the call; each level saves what the next one reads.
    """
    if op is not call_op:
        return attrs
    levels, keys = 0, set()
    for tape in tapes:
        more, wanted = tape.wanted(op, inputs, attrs)
        levels += more
        keys |= wanted
    graph = attrs["graph"]
    chosen = tuple([i for i, t in enumerate(inputs) if id(t) in keys])
    hidden = tuple([k for k in sources_of(graph) if k in keys])
    for _ in range(levels):
        active = _able(graph, chosen, hidden)
        if not active:
            break
        graph = vjp_graph_of(graph, active, chosen, hidden).forward
    return attrs if graph is attrs["graph"] else {**attrs, "graph": graph}


def _able(
    graph: Any, wanted: tuple[int, ...], hidden: tuple[Hashable, ...]
) -> tuple[int, ...]:
    """The outputs that have derivatives; those of the others fail when they are asked for."""
    key = ("able", wanted, hidden)
    found: tuple[int, ...] | None = derivatives_of(graph).get(key)
    if found is None:
        found = tuple([i for i, t in enumerate(graph.outputs) if differentiable(t)])
        if not _differentiates(graph, found, wanted, hidden):
            found = tuple([i for i in found if _differentiates(graph, (i,), wanted, hidden)])
        derivatives_of(graph)[key] = found
    return found


def _differentiates(
    graph: Any, active: tuple[int, ...], wanted: tuple[int, ...], hidden: tuple[Hashable, ...]
) -> bool:
    """Whether a graph has such derivatives; what they raise is raised again by who asks."""
    try:
        vjp_graph_of(graph, active, wanted, hidden)
    except Exception:
        return False
    return True

