"""Vector-Jacobian products of recursive functions, which are recursive functions themselves.

The forward function returns one more value, its *frame*: a list of its residuals, among them the
frames of the calls that it makes.  The backward function takes the frame apart again, and passes
the inner frames to its own recursive calls.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any

import numpy as np

from autograph.errors import StagingError
from autograph.named_tuples import NamedTuple
from runtime.autodiff.backprop import Gradient, Gradients, VjpRequest, rule, zeros_of
from runtime.autodiff.captured_sources import sources_of
from runtime.autodiff.graph_edit_cache import derivatives_of, make_once
from runtime.autodiff.graph_editing import inline_graph
from runtime.autodiff.vjp_call import plain_spec, seed_or_zeros
from runtime.autodiff.vjp_graph import VjpGraph, make_vjp_graph
from runtime.graph import raise_tracking
from runtime.graph.extensions import extend, newest
from runtime.graph.func_graph import FuncGraph
from runtime.ops import dispatch
from runtime.ops.array.creation import fill
from runtime.ops.array.shape import shape
from runtime.ops.control_flow.recursive_call import Callee, recurse_op
from runtime.ops.resource.list_gradients import differentiable, spec_of
from runtime.ops.resource.lists import LIST, list_new, list_pop
from runtime.ops.resource.variable import VariableStorage, read_op
from runtime.types.dtypes import int64, variant
from runtime.types.shapes import TensorSpec


class RecursiveVjp(NamedTuple):
    """Forward and backward function of a recursive function.

    active   outputs whose gradients the backward function takes
    keys     sources of the gradients that it returns: indices of inputs, and hidden keys
    """

    forward: Callee
    backward: Callee
    active: tuple[int, ...]
    keys: tuple[Hashable, ...]
    specs: tuple[TensorSpec, ...]


@rule(recurse_op)
def recursion_gradients(request: VjpRequest) -> tuple[Sequence[Gradient | None], Gradients]:
    """Gradients of the inputs of a recursive call, by a call of the backward function."""
    node = request.node
    callee: Callee = node.attrs["callee"]
    if callee.tracing:
        raise StagingError(
            f"{callee.name!r} calls itself, and the gradient of that call is taken inside of it",
            where=node.location[:2],
            help="take the gradient outside of the function",
        )
    fixed = len(node.inputs) - len(callee.captured)
    captured = tuple([i for i in range(fixed, len(node.inputs)) if request.wants[i]])
    key = (captured, request.hidden)
    vjp: RecursiveVjp
    vjp, frame = make_once(
        node, key, lambda: _extend_call(node, callee, captured, request.hidden)
    )
    seeds = [seed_or_zeros(request, i) for i in vjp.active]
    gradients = dispatch.apply(
        recurse_op, [*seeds, newest(node).outputs[frame]],
        {"callee": vjp.backward, "specs": vjp.specs},
    )  # fmt: skip
    by_key = dict(zip(vjp.keys, gradients, strict=True)) if vjp.keys else {}
    inputs = [by_key.get(i) if want else None for i, want in enumerate(request.wants)]
    return inputs, {key: by_key[key] for key in request.hidden if key in by_key}


def _extend_call(
    node: Any, callee: Callee, captured: tuple[int, ...], hidden: tuple[Hashable, ...]
) -> tuple[RecursiveVjp, int]:
    """Make a call run the forward function; return its VJP and the index of the frame."""
    vjp = _recursive_vjp(callee, captured, hidden)
    specs = (*node.attrs["specs"], LIST)
    extend(node, [LIST], {**node.attrs, "callee": vjp.forward, "specs": specs})
    return vjp, len(node.outputs)


def _recursive_vjp(
    callee: Callee, captured: tuple[int, ...], hidden: tuple[Hashable, ...]
) -> RecursiveVjp:
    """Return the forward and backward function; recursive calls find them while they are made."""
    cached: RecursiveVjp | None = derivatives_of(callee.graph).get((callee, captured, hidden))
    if cached is not None:
        return cached
    graph = callee.graph
    fixed = len(graph.inputs) - len(callee.captured)
    wrt = [i for i in range(fixed) if differentiable(graph.inputs[i])]
    wrt += [i for i in captured if differentiable(graph.inputs[i])]
    active = tuple([i for i, t in enumerate(graph.outputs) if differentiable(t)])
    read = sources_of(graph)
    keys: tuple[Hashable, ...] = (*wrt, *[key for key in hidden if key in read])
    specs = [plain_spec(graph.inputs[i].spec) for i in wrt]
    specs += [_spec_of(read[key]) for key in keys[len(wrt) :]]
    vjp = RecursiveVjp(
        Callee(callee.name), Callee(f"{callee.name}_gradient"), active, keys, tuple(specs)
    )
    derivatives_of(graph)[callee, captured, hidden] = vjp
    vjp_graph = make_vjp_graph(graph, active, tuple(wrt), keys[len(wrt) :])
    vjp.forward.captured, vjp.forward.complete = callee.captured, True
    vjp.forward.graph = vjp_graph.forward
    vjp.backward.complete = True
    with raise_tracking.suspended():
        vjp.backward.graph = _backward(vjp_graph, vjp)
    return vjp


def _spec_of(source: Any) -> TensorSpec:
    if isinstance(source, VariableStorage):
        return TensorSpec(source.shape, source.dtype)
    return spec_of(source)


def _backward(vjp_graph: VjpGraph, vjp: RecursiveVjp) -> FuncGraph:
    """Make a graph that takes gradients and a frame; the residuals are saved in the frame."""
    forward = vjp_graph.forward
    residuals = list({id(t): t for t in vjp_graph.residuals}.values())
    missing = [key for key in vjp.keys if key not in vjp_graph.gradient_keys]
    sized = [
        key for key, spec in zip(vjp.keys, vjp.specs, strict=True)
        if key in missing and spec.dtype is not variant and not spec.shape.is_fully_defined()
    ]  # fmt: skip
    with dispatch.as_current(forward):
        for key in sized:
            residuals.append(shape(_shape_source(vjp_graph, key), int64))
        frame = list_new(*residuals, width=len(residuals), count=1)
    forward.freeze([*vjp_graph.outputs, frame])
    graph = FuncGraph(vjp.backward.name)
    graph.outer = vjp_graph.base.outer
    seeds = [graph.add_input(plain_spec(vjp_graph.base.outputs[i].spec)) for i in vjp.active]
    saved = graph.add_input(LIST)
    with graph.as_default():
        _, *values = list_pop(saved, specs=tuple([plain_spec(t.spec) for t in residuals]))
        for tensor, value in zip(residuals, values, strict=True):
            value.weak = tensor.weak
        value_of = dict(zip(map(id, residuals), values, strict=True))
        sizes = dict(zip(sized, values[len(values) - len(sized) :], strict=True))
        backward_inputs = [*seeds, *[value_of[id(t)] for t in vjp_graph.residuals]]
        by_key = dict(
            zip(
                vjp_graph.gradient_keys,
                inline_graph(vjp_graph.backward, backward_inputs, graph),
                strict=True,
            )
        )
        for key, spec in zip(vjp.keys, vjp.specs, strict=True):
            if key in sizes:
                by_key[key] = fill(sizes[key], np.zeros((), spec.dtype.as_numpy_dtype))
            elif key not in by_key:
                by_key[key] = zeros_of(spec)
        graph.freeze([graph.as_local(by_key[key]) for key in vjp.keys])
    return graph


def _shape_source(vjp_graph: VjpGraph, key: Hashable) -> Any:
    """Return a tensor of the forward graph that has the shape of a gradient."""
    if isinstance(key, VariableStorage):
        return dispatch.apply(read_op, (), {"storage": key})
    assert isinstance(key, int)
    return vjp_graph.forward_inputs[key]
