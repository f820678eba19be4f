"""Vector-Jacobian products of ``cond`` and ``case``: a second choice, between backward graphs.

Each branch returns its own residuals, and placeholder values for the residuals of the other
branches, so that all branches have the same outputs.  Both choices use the same predicate.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any

import numpy as np

from autograph.named_tuples import NamedTuple
from runtime.autodiff.backprop import Gradient, Gradients, VjpRequest, add_gradients, rule, zeros_of
from runtime.autodiff.captured_sources import hidden_sources, sources_of
from runtime.autodiff.graph_edit_cache import make_once
from runtime.autodiff.graph_editing import inline_graph
from runtime.autodiff.vjp_call import plain_spec, true_indices
from runtime.autodiff.vjp_graph import VjpGraph, make_vjp_graph
from runtime.graph.extensions import extend, newest
from runtime.graph.func_graph import FuncGraph
from runtime.graph.operation import SymbolicTensor
from runtime.ops import dispatch
from runtime.ops.array.creation import fill
from runtime.ops.array.shape import ensure_shape, shape
from runtime.ops.control_flow.cond_while import case_op, cond_op, joint_specs
from runtime.ops.resource.list_gradients import spec_of
from runtime.ops.resource.lists import list_new
from runtime.ops.resource.variable import VariableStorage, read_op
from runtime.types.dtypes import int32, variant
from runtime.types.shapes import TensorSpec


class BranchVjp(NamedTuple):
    """Extended ``cond`` or ``case`` whose branches save their residuals.

    first   number of outputs before the extension
    keys    sources it computes gradients for: ids of input tensors, and hidden keys
    extras  for each branch, the keys whose shapes are its backward graph's last inputs
    """

    vjps: tuple[VjpGraph, ...]
    first: int
    keys: tuple[Hashable, ...]
    graphs: tuple[FuncGraph, ...]
    extras: tuple[tuple[Hashable, ...], ...]


@rule(cond_op)
@rule(case_op)
def branch_gradients(request: VjpRequest) -> tuple[Sequence[Gradient | None], Gradients]:
    """Gradients of the inputs of branches, by a choice between backward graphs."""
    node = request.node
    active = true_indices(request.gradients)
    key = (active, true_indices(request.wants), request.hidden)
    branch_vjp: BranchVjp = make_once(node, key, lambda: _make_branch_vjp(request, active))
    if not branch_vjp.keys:
        return [None] * len(node.inputs), {}
    rows = _values(request._replace(node=newest(node)), branch_vjp)
    gradients = dispatch.apply(
        node.op_def, [node.inputs[0], *[v for row in rows for v in row]],
        _attrs(node, branch_vjp.graphs, [len(row) for row in rows]),
    )  # fmt: skip
    by_key = dict(zip(branch_vjp.keys, gradients, strict=True))
    inputs: list[Any] = [None] * len(node.inputs)
    for index in true_indices(request.wants):
        inputs[index] = by_key.pop(id(node.inputs[index]), None)  # once, though taken twice
    return inputs, {k: by_key[k] for k in request.hidden if k in by_key}


def _values(request: VjpRequest, branch_vjp: BranchVjp) -> list[list[Any]]:
    """Inputs of the backward graph of each branch."""
    node, rows = request.node, []
    start, saved = 1, branch_vjp.first
    for vjp, extras in zip(branch_vjp.vjps, branch_vjp.extras, strict=True):
        count = len(vjp.forward.inputs)
        value_of = dict(zip(map(id, vjp.outputs), node.outputs))
        value_of.update(zip(map(id, vjp.saved_residuals), node.outputs[saved:]))
        value_of.update(zip(map(id, vjp.forward.inputs), node.inputs[start : start + count]))
        seeds = [request.gradients[i] for i in vjp.active]
        sizes = measured_sizes(node, extras)
        rows.append([*seeds, *[value_of[id(t)] for t in vjp.residuals], *sizes])
        start, saved = start + count, saved + len(vjp.saved_residuals)
    return rows


def measured_sizes(node: Any, keys: Sequence[Hashable]) -> list[Any]:
    """Shapes of gradients: those of the inputs or variables they belong to."""
    tensor_of: dict[Hashable, Any] = {id(t): t for t in node.inputs}
    return [
        shape(dispatch.apply(read_op, (), {"storage": key}) if isinstance(key, VariableStorage)
              else tensor_of[key])
        for key in keys
    ]  # fmt: skip


def _graphs(node: Any) -> tuple[FuncGraph, ...]:
    if node.op_def is cond_op:
        return node.attrs["true_graph"], node.attrs["false_graph"]
    branches: tuple[FuncGraph, ...] = node.attrs["branches"]
    return branches


def _attrs(node: Any, graphs: Sequence[FuncGraph], splits: Sequence[int]) -> dict[str, Any]:
    if node.op_def is cond_op:
        named: dict[str, Any] = {"true_graph": graphs[0], "false_graph": graphs[1]}
    else:
        named = {"branches": tuple(graphs)}
    return {**node.attrs, **named, "splits": tuple(splits)}


def _make_branch_vjp(request: VjpRequest, active: tuple[int, ...]) -> BranchVjp:
    """Extend an operation so that its branches save residuals; it then returns them."""
    node, vjps = request.node, []
    splits = node.attrs["splits"]
    starts = [1 + sum(splits[:k]) for k in range(len(splits))]
    for graph, start, count in zip(_graphs(node), starts, splits, strict=True):
        wrt = tuple([k for k in range(count) if request.wants[start + k]])
        read = sources_of(graph)
        hidden = tuple([key for key in request.hidden if key in read])
        vjps.append(make_vjp_graph(graph, active, wrt, hidden))
    first = len(node.outputs)
    saved = [[plain_spec(t.spec) for t in vjp.saved_residuals] for vjp in vjps]
    for number, vjp in enumerate(vjps):
        with dispatch.as_current(vjp.forward):
            saved_values = [
                value
                for index, specs in enumerate(saved)
                for value in (
                    vjp.saved_residuals if index == number else map(placeholder_value, specs)
                )
            ]
        vjp.forward.freeze([*vjp.outputs, *saved_values])
    forwards = [vjp.forward for vjp in vjps]
    new_specs = joint_specs(forwards)[first:]
    extend(node, new_specs, _attrs(node, forwards, node.attrs["splits"]))
    inputs: dict[Hashable, Any] = {**hidden_sources(node), **{id(t): t for t in node.inputs}}
    key_rows = [_vjp_keys(vjp, node, start) for vjp, start in zip(vjps, starts, strict=True)]
    keys = tuple(dict.fromkeys(key for row in key_rows for key in row))
    completed = [
        with_all_gradients(vjp.backward, row, keys, inputs)
        for vjp, row in zip(vjps, key_rows, strict=True)
    ]
    graphs, extras = zip(*completed, strict=True)
    return BranchVjp(tuple(vjps), first, keys, graphs, extras)


def placeholder_value(spec: TensorSpec) -> SymbolicTensor:
    """Placeholder for a residual of another branch; its value is never read."""
    if spec.dtype is variant:
        empty: SymbolicTensor = list_new(width=0, count=0)
        return empty
    graph: Any = dispatch.current()
    kind: Any = b"" if spec.dtype.as_numpy_dtype is object else 0
    value = np.full((), kind, spec.dtype.as_numpy_dtype)
    dims = [1 if d is None else d for d in spec.shape.dims or ()]
    constant: SymbolicTensor = graph.constant(np.broadcast_to(value, dims) if dims else value)
    return constant


def _vjp_keys(vjp: VjpGraph, node: Any, start: int) -> list[Hashable]:
    """Keys of the outputs of a backward graph, in order."""
    return [
        id(node.inputs[start + key]) if isinstance(key, int) and key in vjp.wrt else key
        for key in vjp.gradient_keys
    ]


def with_all_gradients(
    backward: FuncGraph, present_keys: Sequence[Hashable], keys: Sequence[Hashable],
    inputs: dict[Hashable, Any],
) -> tuple[FuncGraph, tuple[Hashable, ...]]:
    """Backward graph that returns gradients for all ``keys``, zeros where it had none.

    Also returns the keys whose shapes are its last inputs.
    """
    if tuple(present_keys) == tuple(keys):
        return backward, ()
    with dispatch.as_current(backward):
        graph = FuncGraph(backward.name, backward.kind)
    graph.outer, graph.runs_everything = backward.outer, backward.runs_everything
    sized_keys = []
    by_key: Gradients = {}
    with dispatch.as_current(graph):
        params = [graph.add_input(t.spec, t.weak) for t in backward.inputs]
        for key, gradient in zip(present_keys, inline_graph(backward, params, graph), strict=True):
            partial_sum = by_key.get(key)
            by_key[key] = gradient if partial_sum is None else add_gradients(partial_sum, gradient)
        for key in keys:
            if key not in by_key:
                spec = _spec_of(key, inputs)
                if spec.dtype is not variant and not spec.shape.is_fully_defined():
                    sized_keys.append(key)
                    sizes = graph.add_input(TensorSpec([spec.shape.rank], int32, "sizes"))
                    zero = np.zeros((), spec.dtype.as_numpy_dtype)
                    by_key[key] = ensure_shape(fill(sizes, zero), spec.shape)
                else:
                    by_key[key] = zeros_of(spec)
    graph.freeze([by_key[key] for key in keys])
    return graph, tuple(sized_keys)


def _spec_of(key: Hashable, inputs: dict[Hashable, Any]) -> TensorSpec:
    """Return the type of the value that a key stands for."""
    if isinstance(key, VariableStorage):
        return TensorSpec(key.shape, key.dtype)
    return spec_of(inputs[key])
