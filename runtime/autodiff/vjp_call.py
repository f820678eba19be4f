"""Vector-Jacobian products of calls: the call saves residuals, and the backward graph is called.

A call in a graph is extended (graph/extensions.py) so that it returns its residuals.  An eager call
is prepared by the tape before it runs (``prepare``); a call that was not prepared is run again,
unless it has effects.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any

from runtime.autodiff.backprop import Gradient, Gradients, VjpRequest, rule, zeros_for
from runtime.autodiff.captured_sources import sources_of
from runtime.autodiff.graph_edit_cache import derivatives_of
from runtime.autodiff.vjp_graph import VjpGraph, matching_vjp_graph, vjp_graph_of
from runtime.graph.extensions import extend
from runtime.graph.operation import Operation
from runtime.ops import dispatch
from runtime.ops.control_flow.cond_while import call_op
from runtime.ops.op import OpDef
from runtime.ops.resource.list_gradients import differentiable
from runtime.types.shapes import TensorSpec


def true_indices(flags: Sequence[Any]) -> tuple[int, ...]:
    """Indices of the entries that are neither None nor False."""
    return tuple([i for i, flag in enumerate(flags) if flag is not None and flag is not False])


@rule(call_op)
def call_gradients(request: VjpRequest) -> tuple[Sequence[Gradient | None], Gradients]:
    """Gradients of the inputs of a call, by a call of the backward graph."""
    node = request.node
    active, wrt = true_indices(request.gradients), true_indices(request.wants)
    vjp = matching_vjp_graph(node.attrs["graph"], active, wrt, request.hidden)
    outputs = node.outputs
    if vjp is None and isinstance(node, Operation):
        vjp = vjp_graph_of(node.attrs["graph"], active, wrt, request.hidden)
        saved = [plain_spec(t.spec) for t in vjp.saved_residuals]
        outputs = extend(node, saved, {**node.attrs, "graph": vjp.forward}).outputs
    elif vjp is None:
        vjp = vjp_graph_of(node.attrs["graph"], active, wrt, request.hidden)
        outputs = rerun_forward(node, vjp) if vjp.saved_residuals else outputs
    seeds = [seed_or_zeros(request, i) for i in vjp.active]
    values = [*seeds, *read_values(vjp, node.inputs, outputs)]
    gradients = (
        dispatch.apply(call_op, values, {"graph": vjp.backward}) if vjp.gradient_keys else ()
    )
    by_key = dict(zip(vjp.gradient_keys, gradients, strict=True))
    inputs = [by_key.get(i) if i in wrt else None for i in range(len(node.inputs))]
    return inputs, {key: by_key[key] for key in request.hidden if key in by_key}


def seed_or_zeros(request: VjpRequest, number: int) -> Gradient:
    """Gradient of an output, or zeros."""
    gradient = request.gradients[number]
    return zeros_for(request.node.outputs[number]) if gradient is None else gradient


def plain_spec(spec: TensorSpec) -> TensorSpec:
    """Spec with the dtype and shape alone."""
    return TensorSpec(spec.shape, spec.dtype)


def read_values(vjp: VjpGraph, inputs: Sequence[Any], outputs: Sequence[Any]) -> list[Any]:
    """Values of the residuals of a backward graph, given inputs and outputs of a run."""
    value_of = dict(zip(map(id, vjp.forward.outputs), outputs))
    value_of.update(zip(map(id, vjp.forward.inputs), inputs, strict=True))
    return [value_of[id(tensor)] for tensor in vjp.residuals]


def rerun_forward(node: Any, vjp: VjpGraph) -> Sequence[Any]:
    """Outputs of the forward graph for an eager call that did not save its residuals."""
    if vjp.forward.stateful:
        raise RuntimeError(
            f"The call of {vjp.base.name!r} has effects, and did not save what this gradient "
            "needs. Use one more tape around the call: one for each order of the derivative."
        )
    outputs: Sequence[Any] = dispatch.apply(
        call_op, list(node.inputs), {"graph": vjp.forward}
    )
    return outputs


def prepare(
    op: OpDef, inputs: Sequence[Any], attrs: dict[str, Any], tapes: Sequence[Any]
) -> dict[str, Any]:
    """Attributes for an eager call that tapes record: its graph is replaced by a forward graph.

    Each tape that records the call adds a level, whose residuals the derivative of the level before
    reads; so nested tapes compute derivatives of higher order without running the call again.
    """
    if op is not call_op:
        return attrs
    levels, keys = 0, set()
    for tape in tapes:
        tape_levels, tape_keys = tape.derivative_needs(op, inputs, attrs)
        levels += tape_levels
        keys |= tape_keys
    graph = attrs["graph"]
    chosen = tuple([i for i, t in enumerate(inputs) if id(t) in keys])
    hidden = tuple([k for k in sources_of(graph) if k in keys])
    key = ("prepared", levels, chosen, hidden)
    forward = derivatives_of(graph).get(key)
    if forward is None:
        forward = derivatives_of(graph)[key] = _saving(graph, levels, chosen, hidden)
    return attrs if forward is graph else {**attrs, "graph": forward}


def _saving(
    graph: Any, levels: int, wrt: tuple[int, ...], hidden: tuple[Hashable, ...]
) -> Any:
    """Return the graph that saves residuals for so many levels; the graph itself if it has none."""
    for _ in range(levels):
        active = _able(graph, wrt, hidden)
        if not active:
            break
        graph = vjp_graph_of(graph, active, wrt, hidden).forward
    return graph


def _able(
    graph: Any, wrt: tuple[int, ...], hidden: tuple[Hashable, ...]
) -> tuple[int, ...]:
    """Indices of the outputs that have derivatives; asking for the others raises."""
    key = ("able", wrt, hidden)
    able: tuple[int, ...] | None = derivatives_of(graph).get(key)
    if able is None:
        able = tuple([i for i, t in enumerate(graph.outputs) if differentiable(t)])
        if not _differentiates(graph, able, wrt, hidden):
            able = tuple([i for i in able if _differentiates(graph, (i,), wrt, hidden)])
        derivatives_of(graph)[key] = able
    return able


def _differentiates(
    graph: Any, active: tuple[int, ...], wrt: tuple[int, ...], hidden: tuple[Hashable, ...]
) -> bool:
    """Whether such a VJP graph can be traced; its error is raised again when it is needed."""
    try:
        vjp_graph_of(graph, active, wrt, hidden)
    except Exception:
        return False
    return True

