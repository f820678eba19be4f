"""A scan as a loop: what an engine makes of it that knows loops, and arrays that change in place.

    while k < count:
        *carry, row = body(k, *carry)
        rows[k] = row
        k += 1
"""

from __future__ import annotations

from typing import Any

from runtime.graph import raise_tracking
from runtime.graph.func_graph import FuncGraph
from runtime.graph.operation import Operation
from runtime.graph.trace import call_graph_with, record_while, set_outputs
from runtime.ops import dispatch
from runtime.ops.array.constants import cast, constant
from runtime.ops.array.creation import zeros
from runtime.ops.array.indexing import setitem
from runtime.ops.math.elementwise import maximum
from runtime.types.dtypes import int64
from runtime.types.shapes import TensorSpec
from runtime.types.source_location import KnownCallers


def scan_as_loop(scan: Operation) -> FuncGraph | None:
    """Return a graph of a loop that computes what a scan does, with inputs and outputs like it.

    None where the shape of a row is not known before the loop runs.
    """
    body, extra = scan.attrs["body_graph"], scan.attrs.get("extra", 0)
    carried, end = scan.attrs["carried"], len(body.outputs) - extra
    rows = [tensor.spec for tensor in body.outputs[carried:end]]
    if not all(row.shape.is_fully_defined() for row in rows):
        return None
    with dispatch.eagerly():
        graph = FuncGraph(scan.op_def.name)
    with raise_tracking.suspended(), KnownCallers(), graph.as_default():
        count, *inputs = [graph.add_input(t.spec, t.weak) for t in scan.inputs]
        carry, captures = inputs[: carried + extra], inputs[carried + extra :]
        number = maximum(cast(count, int64), constant(0, int64))
        row_arrays = [zeros([number, *map(int, row.shape)], row.dtype) for row in rows]
        state = [constant(0, int64), *carry, *row_arrays]
        test = _test(state, number)
        step = _step(scan, state, number, captures)
        results = record_while(test, step, state)[1:]
        inner = results[: carried + extra]
        set_outputs(graph, [*inner[:carried], *results[carried + extra :], *inner[carried:]])
    return graph


def _inputs(graph: FuncGraph, state: list[Any]) -> list[Any]:
    specs = [TensorSpec(t.shape, t.dtype) for t in state]
    return [graph.add_input(spec, t.weak) for spec, t in zip(specs, state, strict=True)]


def _test(state: list[Any], number: Any) -> FuncGraph:
    graph = FuncGraph("test", "loop")
    with graph.as_default():
        turn, *_ = _inputs(graph, state)
        set_outputs(graph, [turn < number])
    return graph


def _step(scan: Operation, state: list[Any], number: Any, captures: list[Any]) -> FuncGraph:
    body, extra = scan.attrs["body_graph"], scan.attrs.get("extra", 0)
    carried, end = scan.attrs["carried"], len(body.outputs) - extra
    graph = FuncGraph("body", "loop")
    with graph.as_default():
        turn, *state_inputs = _inputs(graph, state)
        carry, rows = state_inputs[: carried + extra], state_inputs[carried + extra :]
        place = number - 1 - turn if scan.attrs["reverse"] else turn
        results = call_graph_with(body, [place, *carry, *captures])
        new = [setitem(a, place, b) for a, b in zip(rows, results[carried:end], strict=True)]
        set_outputs(graph, [turn + 1, *results[:carried], *results[end:], *new])
    return graph
