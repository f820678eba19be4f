"""Checkpointing of loops: save the state of every k-th iteration, recompute those between.

A loop becomes a loop over chunks of k iterations, whose body is a loop over one chunk.  The only
residuals of a chunk are its inputs; its derivative runs the chunk again, this time saving the
residuals of each iteration.  With n iterations memory is O(n/k + k), for one more forward run.

This is checkpointing on two levels with equal chunks; Griewank and Walther, "Algorithm 799:
revolve" (ACM TOMS 26, 2000) and Chen et al., "Training Deep Nets with Sublinear Memory Cost"
(arXiv:1604.06174) treat the general case.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence

import numpy as np

from autograph.errors import StagingError
from runtime.autodiff.graph_editing import copy_graph, inline_graph, prune
from runtime.autodiff.vjp_graph import VjpGraph, make_vjp_graph
from runtime.graph import raise_tracking
from runtime.graph.extensions import extend
from runtime.graph.func_graph import FuncGraph
from runtime.graph.graph import graph_of
from runtime.graph.operation import Operation, SymbolicTensor
from runtime.ops import dispatch
from runtime.ops.control_flow.cond_while import while_op
from runtime.ops.math.elementwise import add
from runtime.ops.math.logical import logical_and
from runtime.types.dtypes import int64
from runtime.types.shapes import SCALAR_SHAPE, TensorSpec

CHUNKED = -1
"""Value of the attribute ``checkpoint`` of a loop over chunks."""


def chunk_loop(node: Operation) -> Operation:
    """Loop over chunks of ``checkpoint`` iterations, as an extension of a loop.

    StagingError when an iteration has effects: they would happen twice.
    """
    test, body = node.attrs["test_graph"], node.attrs["body_graph"]
    for graph in (test, body):
        for inner in graph.operations:
            if inner.stateful:
                raise StagingError(
                    "the iterations of a loop with set_loop_options(checkpoint=...) are computed "
                    f"again for its derivative, but {inner.name!r} ({inner.op_def.name}) would "
                    "give another result the second time",
                    where=inner.location[:2],
                    help="read variables and draw random numbers before the loop, or leave the "
                    "option out",
                )
    for_test, for_body = node.attrs["splits"]
    count = len(body.inputs) - for_body
    with raise_tracking.suspended():
        chunk = _chunk(node, test, body, count)
    state, captures = node.inputs[:count], node.inputs[count:]
    attrs = {
        **node.attrs, "body_graph": chunk, "checkpoint": CHUNKED,
        "splits": (for_test, for_test + for_body),
    }  # fmt: skip
    return extend(node, (), attrs, (*state, *captures[:for_test], *captures))


def _chunk(node: Operation, test: FuncGraph, body: FuncGraph, count: int) -> FuncGraph:
    """Graph that runs the iterations of one chunk."""
    with dispatch.as_current(graph_of(node)):
        chunk = FuncGraph("chunk", "loop body")
    like = [*body.inputs[:count], *test.inputs[count:], *body.inputs[count:]]
    inputs = [chunk.add_input(t.spec, t.weak) for t in like]
    inner_test, going_on = copy_graph(test)
    with dispatch.as_current(inner_test):
        within_chunk = _counter(inner_test, count) < np.int64(node.attrs["checkpoint"])
        inner_test.freeze([logical_and(within_chunk, going_on[0])])
    inner_body, results = copy_graph(body)
    with dispatch.as_current(inner_body):
        after = add(_counter(inner_body, count), np.int64(1))
        inner_body.freeze([*results, after])
    attrs = {"test_graph": inner_test, "body_graph": inner_body, "splits": node.attrs["splits"]}
    with dispatch.as_current(chunk):
        start = chunk.constant(np.array(0, np.int64))
        outputs = dispatch.apply(while_op, [*inputs[:count], start, *inputs[count:]], attrs)
    for tensor, like_it in zip(outputs, body.inputs[:count]):
        tensor.weak = like_it.weak
    chunk.freeze(outputs[:count])
    return chunk


def _counter(graph: FuncGraph, count: int) -> SymbolicTensor:
    """Add an iteration counter to a graph with ``count`` loop variables."""
    return graph.add_input(TensorSpec(SCALAR_SHAPE, int64, "iteration"), index=count)


def recomputing_vjp_graph(
    graph: FuncGraph, active: tuple[int, ...], wrt: tuple[int, ...],
    hidden: tuple[Hashable, ...],
) -> VjpGraph:
    """As ``make_vjp_graph``, but the residuals are inputs only; the rest is recomputed."""
    vjp = make_vjp_graph(graph, active, wrt, hidden)
    forward, results = copy_graph(graph)
    with dispatch.as_current(forward):
        backward = FuncGraph(f"{graph.name}_gradient")
    seeds = [backward.add_input(results[i].spec) for i in active]
    inputs = [backward.add_input(t.spec, t.weak) for t in forward.inputs]
    forward_values = [*vjp.outputs, *vjp.saved_residuals]
    outputs = inline_graph(vjp.forward, inputs, backward, forward_values)
    value_of = dict(zip(map(id, forward_values), outputs, strict=True))
    value_of.update(zip(map(id, vjp.forward_inputs), inputs, strict=True))
    backward_inputs = [*seeds, *[value_of[id(t)] for t in vjp.residuals]]
    gradients = inline_graph(vjp.backward, backward_inputs, backward)
    backward.outer = graph.outer
    prune(backward, gradients, len(seeds))
    backward.freeze(gradients)
    used = {id(t) for t in backward.inputs}
    residuals = _used_inputs(forward.inputs, inputs, used)
    return VjpGraph(
        graph, forward, results, backward, active, wrt, hidden, residuals, vjp.gradient_keys, (),
        tuple(forward.inputs),
    )  # fmt: skip


def _used_inputs(
    outer: Sequence[SymbolicTensor], inner: Sequence[SymbolicTensor], used: set[int]
) -> tuple[SymbolicTensor, ...]:
    return tuple([t for t, i in zip(outer, inner, strict=True) if id(i) in used])
