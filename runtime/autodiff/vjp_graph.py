"""Vector-Jacobian products of traced graphs, as pairs of graphs: forward and backward.

The backward graph is traced within a copy of the graph, the forward graph.  The tensors that it
captures are the residuals, which the forward graph returns in addition to its outputs.  Inputs of
the graph need not be saved, constants are copied, and for a tensor whose shape alone is read the
shape is saved.  Both graphs are ordinary graphs, so they have derivatives themselves.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any

import numpy as np

from autograph.named_tuples import NamedTuple
from runtime.autodiff.backprop import Gradients, add_gradients, backpropagate
from runtime.autodiff.graph_edit_cache import derivatives_of
from runtime.autodiff.graph_editing import copy_graph, prune
from runtime.graph import raise_tracking
from runtime.graph.func_graph import FuncGraph
from runtime.graph.nesting import deeply
from runtime.graph.operation import SymbolicTensor
from runtime.graph.order import topological_order
from runtime.graph.side_table import SideTable
from runtime.ops import dispatch
from runtime.ops.array.constants import constant_op
from runtime.ops.array.creation import fill
from runtime.ops.array.shape import shape
from runtime.ops.op import MEASURES, OpDef
from runtime.ops.resource.list_gradients import differentiable
from runtime.types.source_location import KnownCallers


class BackwardGraph(FuncGraph):
    """Graph of a derivative, traced within a copy of the graph that it differentiates."""

    outer: FuncGraph

    def __init__(self, forward: FuncGraph) -> None:
        super().__init__(f"{forward.name}_gradient", outer=forward)
        self.runs_everything = False
        self._eager = {id(inner): eager for eager, inner in forward._constants.values()}

    def apply(
        self, op: OpDef, inputs: Sequence[Any], attrs: dict[str, Any], name: str | None
    ) -> Any:
        """Record an operation; one that reads a shape alone is recorded in the forward graph."""
        if len(inputs) == 1 and op is not constant_op:
            (value,) = inputs
            if isinstance(value, SymbolicTensor) and value.graph is self.outer:
                if MEASURES in op.traits:
                    with dispatch.as_current(self.outer):
                        measured = self.outer.apply(op, inputs, attrs, name)
                    return self.as_local(measured)
                if op.like_value is not None:
                    return self._like(value, op.like_value, attrs["dtype"])
        return super().apply(op, inputs, attrs, name)

    def _like(self, value: SymbolicTensor, number: int, dtype: Any) -> Any:
        unit = np.array(number, dtype.as_numpy_dtype)
        dims: Any = value.shape.dims
        if dims is not None and None not in dims:
            return self.constant(np.broadcast_to(unit, dims) if dims else unit)
        return fill(shape(value), unit)

    def capture(self, tensor: SymbolicTensor) -> SymbolicTensor:
        """Capture a tensor of the forward graph; copy a constant instead."""
        if tensor.graph is not self.outer:
            return super().capture(tensor)
        captured = self._captured.get(id(tensor))
        if captured is not None:
            return captured
        eager = self._eager.get(id(tensor))
        if eager is not None:
            return self.as_local(eager)
        fixed = tensor.op.op_def is constant_op or not differentiable(tensor)
        if fixed and tensor.spec.value is not None:  # others are made of eager tensors, maybe
            captured = self._captured[id(tensor)] = self.constant(tensor.spec.value, tensor.weak)
            return captured
        captured = super().capture(tensor)
        captured.spec = tensor.spec
        return captured

    def finish(
        self, outputs: Sequence[SymbolicTensor], outer: Any
    ) -> tuple[SymbolicTensor, ...]:
        """Freeze the graph; return the tensors of the forward graph that are its last inputs."""
        prune(self, outputs, len(self.inputs) - len(self.captures))
        residuals = tuple([tensor for tensor, _ in self.captures])
        self.release_captures(outer)
        self.freeze(outputs)
        return residuals


class VjpGraph(NamedTuple):
    """Graph ``base`` and its vector-Jacobian product.

    forward   copy of ``base``; the caller freezes it with ``outputs`` and the saved residuals
    outputs   tensors of ``forward`` that correspond to the outputs of ``base``
    backward  graph whose inputs are the gradients of the outputs ``active``, then the residuals
    wrt              indices of the inputs of ``base`` with respect to which it differentiates
    residuals        tensors of ``forward`` that ``backward`` reads
    gradient_keys    keys of the outputs of ``backward``: indices of inputs, or hidden keys
    saved_residuals  the residuals that are neither inputs nor outputs of ``forward``
    forward_inputs   inputs of ``forward``, as many as ``base`` has
    """

    base: Any
    forward: FuncGraph
    outputs: tuple[SymbolicTensor, ...]
    backward: FuncGraph
    active: tuple[int, ...]
    wrt: tuple[int, ...]
    hidden: tuple[Hashable, ...]
    residuals: tuple[SymbolicTensor, ...]
    gradient_keys: tuple[Hashable, ...]
    saved_residuals: tuple[SymbolicTensor, ...]
    forward_inputs: tuple[SymbolicTensor, ...]


def make_vjp_graph(
    graph: Any, active: tuple[int, ...], wrt: tuple[int, ...], hidden: tuple[Hashable, ...]
) -> VjpGraph:
    """Trace the VJP of the outputs ``active`` by the inputs ``wrt`` and by ``hidden``."""
    return deeply(graph, lambda: _make_vjp_graph(graph, active, wrt, hidden))


def _make_vjp_graph(
    graph: Any, active: tuple[int, ...], wrt: tuple[int, ...], hidden: tuple[Hashable, ...]
) -> VjpGraph:
    with raise_tracking.suspended(), KnownCallers():
        forward, outputs = copy_graph(graph)
        backward = BackwardGraph(forward)
        targets = [outputs[i] for i in active]
        seeds = [backward.add_input(t.spec) for t in targets]
        with dispatch.as_current(backward):
            by_key = gradients_in(forward, list(zip(targets, seeds, strict=True)), wrt, hidden)
            gradients = [backward.as_local(g) for g in by_key.values()]
    residuals = backward.finish(gradients, graph.outer)
    at_hand = {*map(id, forward.inputs), *map(id, outputs)}
    saved_residuals = [t for t in residuals if id(t) not in at_hand]
    return VjpGraph(
        graph, forward, outputs, backward, active, wrt, hidden, residuals, tuple(by_key),
        tuple(saved_residuals), tuple(forward.inputs),
    )  # fmt: skip


def gradients_in(
    forward: FuncGraph, seeds: Sequence[tuple[Any, Any]], wrt: Sequence[int],
    hidden: Sequence[Hashable],
) -> Gradients:
    """Record the gradients by inputs (keyed by index) and by hidden sources of a graph."""
    nodes = topological_order(forward, [t.op for t, _ in seeds], frozenset())
    keys: dict[Hashable, list[Hashable]] = {key: [key] for key in hidden}
    for number in wrt:
        keys.setdefault(id(forward.inputs[number]), []).append(number)
    for key in hidden:
        constant = forward._constants.get(key)  # type: ignore[call-overload]
        if constant is not None:
            keys.setdefault(id(constant[1]), []).append(key)
    by_name: Gradients = {}
    start = [(id(tensor), gradient) for tensor, gradient in seeds]
    for key, gradient in backpropagate(nodes, start, keys).items():
        for name in keys[key]:
            partial_sum = by_name.get(name)
            by_name[name] = (
                gradient if partial_sum is None else add_gradients(partial_sum, gradient)
            )
    return by_name


_ORIGINS: SideTable[VjpGraph] = SideTable()
"""Forward graph -> the VJP graph that it belongs to."""


# -- which VJP graph an operation uses -----------------------------------------------------------

def vjp_graph_of(
    graph: Any, active: tuple[int, ...], wrt: tuple[int, ...], hidden: tuple[Hashable, ...]
) -> VjpGraph:
    """Cached VJP graph of a graph that several operations may run."""
    key = (active, wrt, hidden)
    vjp: VjpGraph | None = derivatives_of(graph).get(key)
    if vjp is None:
        vjp = make_vjp_graph(graph, active, wrt, hidden)
        vjp.forward.freeze([*vjp.outputs, *vjp.saved_residuals])
        _ORIGINS.put(vjp.forward, vjp)
        derivatives_of(graph)[key] = vjp
    return vjp


def matching_vjp_graph(
    graph: Any, active: Sequence[int], wrt: Sequence[int], hidden: Sequence[Hashable]
) -> VjpGraph | None:
    """VJP graph that has ``graph`` as forward graph and computes such gradients, or None."""
    vjp = _ORIGINS.get(graph)
    fitting = None
    while vjp is not None:
        if (
            set(active) <= set(vjp.active)
            and set(wrt) <= set(vjp.wrt)
            and set(hidden) <= set(vjp.hidden)
        ):
            fitting = vjp  # the first that was made: it has the fewest outputs
        vjp = _ORIGINS.get(vjp.base)
    return fitting
