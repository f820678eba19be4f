"""Vector-Jacobian products of ``try``: a choice between backward graphs by how the ``try`` ended.

The extended operation also returns its exit path (the body or a handler) and the residuals of that
path.  A handler that uses a floating-point value from inside the interrupted body is an error: no
gradient could flow through it.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any

import numpy as np

from autograph.named_tuples import NamedTuple
from runtime.autodiff.backprop import (
    Gradient,
    Gradients,
    VjpRequest,
    add_gradients,
    no_gradient,
    rule,
    zeros_of,
)
from runtime.autodiff.captured_sources import hidden_sources, sources_of
from runtime.autodiff.graph_edit_cache import make_once
from runtime.autodiff.graph_editing import inline_graph
from runtime.autodiff.vjp_call import plain_spec, true_indices
from runtime.autodiff.vjp_cond import measured_sizes, placeholder_value, with_all_gradients
from runtime.autodiff.vjp_graph import VjpGraph, make_vjp_graph
from runtime.graph.extensions import extend, newest
from runtime.graph.func_graph import FuncGraph
from runtime.graph.operation import SymbolicTensor
from runtime.ops import dispatch
from runtime.ops.control_flow.cond_while import case_op
from runtime.ops.control_flow.try_except import try_op
from runtime.ops.resource.list_gradients import differentiable
from runtime.types.dtypes import int64
from runtime.types.shapes import SCALAR_SHAPE, TensorSpec


class ExitPath(NamedTuple):
    """Exit path of a ``try``, with its backward graph.

    backward   its inputs are gradients, then residuals, then shapes (``with_all_gradients``)
    residuals  for each residual: whether it is an input of the ``try``, and its index
    """

    backward: FuncGraph
    residuals: tuple[tuple[bool, int], ...]
    extras: tuple[Hashable, ...]


class TryVjp(NamedTuple):
    """Extended ``try``: the index of the output that holds the exit path, and the paths."""

    chooser: int
    active: tuple[int, ...]
    keys: tuple[Hashable, ...]
    paths: tuple[ExitPath, ...]


@rule(try_op)
def try_gradients(request: VjpRequest) -> tuple[Sequence[Gradient | None], Gradients]:
    """Gradients of the inputs of a ``try``, by a choice between the exit paths."""
    node = request.node
    active = true_indices(request.gradients)
    key = (active, true_indices(request.wants), request.hidden)
    try_vjp: TryVjp = make_once(node, key, lambda: _Statement(request, active).paths())
    if not try_vjp.keys:
        return [None] * len(node.inputs), {}
    seeds = [request.gradients[i] for i in active]
    outputs = newest(node).outputs
    rows = [
        [
            *seeds,
            *[(node.inputs if is_input else outputs)[i] for is_input, i in path.residuals],
            *measured_sizes(node, path.extras),
        ]
        for path in try_vjp.paths
    ]
    attrs = {
        "branches": tuple([path.backward for path in try_vjp.paths]),
        "splits": tuple(map(len, rows)),
    }  # fmt: skip
    values = [outputs[try_vjp.chooser], *[v for row in rows for v in row]]
    by_key = dict(zip(try_vjp.keys, dispatch.apply(case_op, values, attrs), strict=True))
    inputs: list[Any] = [None] * len(node.inputs)
    for position in true_indices(request.wants):
        inputs[position] = by_key.pop(id(node.inputs[position]), None)
    return inputs, {k: by_key[k] for k in request.hidden if k in by_key}


class _Statement:
    """Builder of the extension of a ``try`` that saves residuals."""

    def __init__(self, request: VjpRequest, active: tuple[int, ...]) -> None:
        self.request = request
        self.node = request.node
        self.active = active
        attrs = self.node.attrs
        self.graphs = (attrs["body_graph"], attrs["else_graph"], *attrs["handlers"])
        self.splits = attrs["splits"]
        self.starts = [sum(self.splits[:k]) for k in range(len(self.splits))]
        self.first = len(self.node.outputs)

    def paths(self) -> TryVjp:
        """Extend the graphs by their residuals; return the exit paths."""
        state = len(self.graphs[0].outputs)
        after = self._pair(1, self.active, state)
        linked = tuple([i for i in range(state) if i in after.gradient_keys])
        body = self._pair(0, linked, 0)
        handlers = [self._handler(k) for k in range(2, len(self.graphs))]
        vjps = [body, after, *handlers]
        saved = [self._saved_residuals(number, vjp) for number, vjp in enumerate(vjps)]
        self._save(vjps, saved)
        position, positions = self.first + 1, {}
        for number, tensors in enumerate(saved):
            for tensor in tensors:
                positions[number, id(tensor)] = position
                position += 1
        raw = [self._success(body, after, linked, positions)]
        raw += [self._failure(k, vjp, positions) for k, vjp in enumerate(handlers, 2)]
        keys = tuple(dict.fromkeys(key for _, path_keys, _ in raw for key in path_keys))
        inputs: dict[Hashable, Any] = {
            **hidden_sources(self.node), **{id(t): t for t in self.node.inputs},
        }  # fmt: skip
        paths = []
        for graph, path_keys, residuals in raw:
            completed, extras = with_all_gradients(graph, path_keys, keys, inputs)
            paths.append(ExitPath(completed, residuals, extras))
        return TryVjp(self.first, self.active, keys, tuple(paths))

    def _pair(self, number: int, active: tuple[int, ...], own_count: int) -> VjpGraph:
        """Return the VJP graph of one graph; its first ``own_count`` inputs are no outer ones."""
        graph, start = self.graphs[number], self.starts[number]
        fixed = len(graph.inputs) - self.splits[number]
        wrt = [i for i in range(own_count) if differentiable(graph.inputs[i])]
        wrt += [fixed + k for k in range(self.splits[number]) if self.request.wants[start + k]]
        read = sources_of(graph)
        hidden = tuple([key for key in self.request.hidden if key in read])
        return make_vjp_graph(graph, active, tuple(wrt), hidden)

    def _handler(self, number: int) -> VjpGraph:
        """Return the VJP graph of a handler; an error if it uses floating-point values of the body.
        """
        own_count = len(self.graphs[number].inputs) - self.splits[number]
        vjp = self._pair(number, self.active, own_count)
        if any(
            isinstance(key, int) and key < own_count and key in vjp.wrt
            for key in vjp.gradient_keys
        ):
            raise no_gradient(
                self.node,
                "a handler uses a floating-point value that the body of the 'try' computed before "
                "it was interrupted. Compute it before the 'try'",
            )
        return vjp

    def _saved_residuals(self, number: int, vjp: VjpGraph) -> list[SymbolicTensor]:
        """Return the residuals that a graph saves: those that are no input of the statement."""
        fixed = len(vjp.forward_inputs) - self.splits[number]
        at_hand = set(map(id, vjp.forward_inputs[fixed:]))
        return list({id(t): t for t in vjp.residuals if id(t) not in at_hand}.values())

    def _save(self, vjps: Sequence[VjpGraph], saved: Sequence[Sequence[SymbolicTensor]]) -> None:
        """Make the graphs return the number of their exit path and the residuals."""
        body, after = vjps[0].forward, vjps[1].forward
        state = len(vjps[0].outputs)
        body.freeze([*vjps[0].outputs, *saved[0]])
        passed = [
            after.add_input(plain_spec(t.spec), t.weak, index=state + k)
            for k, t in enumerate(saved[0])
        ]
        for number, vjp in enumerate(vjps[1:], 1):
            graph = vjp.forward
            with dispatch.as_current(graph):
                which = graph.constant(np.array(number - 1))
                values: list[Any] = [which]
                for index, tensors in enumerate(saved):
                    if index == number:
                        values += tensors
                    elif index == 0 and number == 1:
                        values += passed
                    else:
                        values += [placeholder_value(plain_spec(t.spec)) for t in tensors]
            graph.freeze([*vjp.outputs, *values])
        attrs = {
            **self.node.attrs, "body_graph": body, "else_graph": after,
            "handlers": tuple([vjp.forward for vjp in vjps[2:]]),
        }  # fmt: skip
        specs = [TensorSpec(SCALAR_SHAPE, int64)]
        specs += [plain_spec(t.spec) for tensors in saved for t in tensors]
        extend(self.node, specs, attrs)

    def _reads(
        self, number: int, vjp: VjpGraph, positions: dict[Any, int]
    ) -> list[tuple[bool, int]]:
        fixed = len(vjp.forward_inputs) - self.splits[number]
        at_hand = {
            id(t): self.starts[number] + k for k, t in enumerate(vjp.forward_inputs[fixed:])
        }  # fmt: skip
        return [
            (True, at_hand[id(t)]) if id(t) in at_hand else (False, positions[number, id(t)])
            for t in vjp.residuals
        ]

    def _gradient_names(self, number: int, vjp: VjpGraph) -> list[Hashable]:
        """Return the keys of the outputs of a backward graph: ids of the statement's inputs."""
        shift = self.starts[number] - (len(vjp.forward_inputs) - self.splits[number])
        return [
            id(self.node.inputs[key + shift]) if isinstance(key, int) and key in vjp.wrt
            else key
            for key in vjp.gradient_keys
        ]  # fmt: skip

    def _failure(self, number: int, vjp: VjpGraph, positions: dict[Any, int]) -> Any:
        return (
            vjp.backward,
            self._gradient_names(number, vjp),
            tuple(self._reads(number, vjp, positions)),
        )

    def _success(
        self, body: VjpGraph, after: VjpGraph, linked: tuple[int, ...], positions: dict[Any, int]
    ) -> Any:
        """Backpropagate through the continuation of the body, then through the body."""
        graph = FuncGraph("try_gradient")
        graph.outer = body.base.outer
        seeds = [graph.add_input(plain_spec(after.base.outputs[i].spec)) for i in self.active]
        with graph.as_default():
            later = [graph.add_input(plain_spec(t.spec), t.weak) for t in after.residuals]
            earlier = [graph.add_input(plain_spec(t.spec), t.weak) for t in body.residuals]
            gradients = inline_graph(after.backward, [*seeds, *later], graph)
            by_key = dict(zip(after.gradient_keys, gradients, strict=True))
            names = self._gradient_names(1, after)
            result: Gradients = {
                name: gradient
                for name, key, gradient in zip(names, after.gradient_keys, gradients, strict=True)
                if key not in linked
            }
            links = [by_key.get(i) for i in linked]
            starts = [
                zeros_of(plain_spec(body.base.outputs[i].spec)) if g is None else g
                for i, g in zip(linked, links, strict=True)
            ]
            inner = inline_graph(body.backward, [*starts, *earlier], graph) if linked else []
            for name, gradient in zip(self._gradient_names(0, body), inner, strict=True):
                partial_sum = result.get(name)
                result[name] = (
                    gradient if partial_sum is None else add_gradients(partial_sum, gradient)
                )
            graph.freeze([graph.as_local(g) for g in result.values()])
        residuals = (*self._reads(1, after, positions), *self._reads(0, body, positions))
        return graph, list(result), residuals
