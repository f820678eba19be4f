"""Rules of branches, loops and calls: If, Loop and functions.

A branch and a loop body see the values around them, as captures; a function gets all as arguments.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from runtime.export.onnx_models.columns import Columns, flat, packed
from runtime.export.onnx_models.graph_writer import GraphWriter, rule
from runtime.export.onnx_models.node_writer import value_info
from runtime.export.onnx_models.onnx_gap import OnnxGap
from runtime.export.onnx_models.onnx_library import OPSET, onnx_library
from runtime.graph.operation import Operation
from runtime.types.dtypes import bool_, int64, variant
from runtime.types.shapes import TensorShape

FUNCTIONS = "runtime"
"""Domain of the functions of a model."""


def typed(value: Any, tensor: Any) -> list[Any]:
    """Return the types of the names of a value as ONNX' messages."""
    if isinstance(value, Columns):
        return value.infos()
    dims = tensor.shape.dims
    return [value_info(value, tensor.dtype, None if dims is None else list(dims))]


def _body(
    inner: GraphWriter, name: str, inputs: Sequence[Any], outputs: Sequence[Any],
    types: Sequence[Any],
) -> Any:  # fmt: skip
    """Return the graph of a branch or loop body; each output is a name of its own.

    ``types`` are tensors of the types of the outputs.
    """
    finished = inner.finish(outputs)
    made = {output for node in inner.scope.nodes for output in node.output}
    infos: list[Any] = []
    seen: set[str] = set()
    for value, tensor in zip(finished, types, strict=True):
        names = []
        for output in flat([value]):
            if output not in made or output in seen:  # from around, or given twice
                output = inner.emit("Identity", output)
            seen.add(output)
            names.append(output)
        infos += typed(packed([value], names)[0], tensor)
    return onnx_library().helper.make_graph(
        inner.scope.nodes, name, list(inputs), infos, inner.scope.initializers
    )


def results_of(emitted: Any, likes: Sequence[Any]) -> list[Any]:
    """Return what a node gives, as values of the kinds of others."""
    return packed(likes, [emitted] if isinstance(emitted, str) else emitted)


class AbsentType:
    """Dtype and shape that no tensor of the graph has."""

    def __init__(self, dtype: Any, dims: Sequence[int] = ()) -> None:
        self.dtype = dtype
        self.shape = TensorShape(dims)


TRUTH = AbsentType(bool_)


def _scalar_truth(writer: GraphWriter, tensor: Any, value: str) -> str:
    """Return a truth value as ONNX takes it: a bool of no dimensions."""
    if tensor.dtype.name == "string" or tensor.shape.num_elements() != 1:
        raise OnnxGap("a branch or loop depends on what is not known to be one truth value")
    result = writer.scope.cast(value, tensor.dtype, bool_)
    if tensor.shape.rank:
        result = writer.emit("Reshape", result, writer.scope.constant(np.zeros(0, np.int64)))
    return result


@rule("cond")
def _cond(writer: GraphWriter, node: Operation, pred: str, *inputs: str) -> Any:
    attrs, split = node.attrs, node.attrs["splits"][0]
    truth = _scalar_truth(writer, node.inputs[0], pred)
    graphs = (attrs["true_graph"], inputs[:split]), (attrs["false_graph"], inputs[split:])
    return _branches(writer, node, truth, *graphs)


def _branches(
    writer: GraphWriter, node: Operation, truth: str, first: Any, second: Any
) -> Sequence[Any]:
    bodies = []
    for label, (graph, arguments) in zip(("then", "else"), (first, second), strict=True):
        inner = writer.inner(graph, node)
        inner.scope.label = f"{node.name}/{label}"
        bodies.append((inner, inner.write(graph, arguments)))
    return choice(writer, node, truth, bodies)


def choice(
    writer: GraphWriter, node: Operation, truth: str, bodies: Sequence[tuple[GraphWriter, Any]]
) -> Sequence[Any]:
    """Write an If whose branches are written; return what it gives."""
    types: Sequence[Any] = node.outputs
    if not types:
        if not any(inner.scope.pending for inner, _ in bodies):
            return ()
        types = [TRUTH]  # that the run fails in one of them has to show
        bodies = [(inner, [inner.scope.constant(True)]) for inner, _ in bodies]
    likes = bodies[0][1]
    if any(_kinds(likes) != _kinds(outputs) for _, outputs in bodies):
        raise OnnxGap("a list has entries of other types on one path")
    graphs = [_body(inner, inner.scope.label, [], outputs, types) for inner, outputs in bodies]
    emitted = writer.emit("If", truth, count=len(flat(likes)), then_branch=graphs[0],
                          else_branch=graphs[1])  # fmt: skip
    if not node.outputs:
        writer.scope.pending.append(emitted)
        return ()
    return results_of(emitted, likes)


def _kinds(values: Sequence[Any]) -> list[Any]:
    return [value.dtypes if isinstance(value, Columns) else None for value in values]


@rule("case")
def _case(writer: GraphWriter, node: Operation, index: str, *inputs: str) -> Any:
    graphs, splits = node.attrs["branches"], node.attrs["splits"]
    ends = np.cumsum(splits)
    branches = [
        (graph, inputs[end - size : end])
        for graph, end, size in zip(graphs, ends, splits, strict=True)
    ]
    number = writer.scope.cast(index, node.inputs[0].dtype, int64)
    number = writer.emit("Reshape", number, writer.scope.constant(np.zeros(0, np.int64)))
    return _chosen(writer, node, number, 0, branches)


def _chosen(
    writer: GraphWriter, node: Operation, number: str, first: int, branches: Sequence[Any]
) -> Sequence[Any]:
    """Write a choice by a number: this one, or one of the later ones; the last one else."""
    graph, arguments = branches[first]
    if first == len(branches) - 1:
        writer.model.note(graph, node)
        return writer.write(graph, arguments)
    truth = writer.emit("Equal", number, writer.scope.constant(first, int64))
    chosen, later = writer.inner(graph, node), writer.inner(graph, node)
    for inner, label in ((chosen, "then"), (later, "else")):
        inner.scope.label = f"{node.name}/{first}/{label}"
    outputs = chosen.write(graph, arguments)
    bodies = [(chosen, outputs), (later, _chosen(later, node, number, first + 1, branches))]
    return choice(writer, node, truth, bodies)


def _loop_body(writer: GraphWriter, node: Operation, graph: Any) -> tuple[GraphWriter, str, str]:
    """Return the writer of a loop body, and the names of the turn and of whether it goes on."""
    inner = writer.inner(graph, node)
    inner.scope.label = f"{node.name}/body"
    number, goes = (writer.model.names.unique(f"{node.name}/{n}") for n in ("turn", "goes"))
    return inner, number, goes


def _arguments(
    writer: GraphWriter, node: Operation, tensors: Sequence[Any], likes: Sequence[Any]
) -> list[Any]:
    """Return names for the state of a loop in its body."""
    bases = [t.op.name for t, like in zip(tensors, likes, strict=True) for _ in flat([like])]
    return packed(likes, [writer.model.names.unique(f"{node.name}/{base}") for base in bases])


def _loop_inputs(number: str, goes: str, state: Sequence[Any], types: Sequence[Any]) -> list[Any]:
    infos = [value_info(number, int64, []), value_info(goes, bool_, [])]
    return [*infos, *[i for v, t in zip(state, types, strict=True) for i in typed(v, t)]]


@rule("while")
def _while_loop(writer: GraphWriter, node: Operation, *inputs: Any) -> Any:
    attrs, count = node.attrs, len(node.outputs)
    test, body, split = attrs["test_graph"], attrs["body_graph"], attrs["splits"][0]
    state, captures = inputs[:count], inputs[count:]
    for_test, for_body = captures[:split], captures[split:]
    writer.model.note(test, node)
    (goes,) = writer.write(test, [*state, *for_test])
    first = _scalar_truth(writer, test.outputs[0], goes)
    inner, number, before = _loop_body(writer, node, body)
    names = _arguments(writer, node, body.inputs[:count], state)
    after = inner.write(body, [*names, *for_body])
    _check_state(state, after)
    (goes,) = inner.write(test, [*after, *for_test])
    truth = _scalar_truth(inner, test.outputs[0], goes)
    arguments = _loop_inputs(number, before, names, node.outputs)
    graph = _body(inner, f"{node.name}/body", arguments, [truth, *after], [TRUTH, *node.outputs])
    emitted = writer.emit("Loop", "", first, *flat(state), count=len(flat(state)), body=graph)
    return results_of(emitted, state)


def _check_state(before: Sequence[Any], after: Sequence[Any]) -> None:
    if _kinds(before) != _kinds(after):
        raise OnnxGap("a list has entries of other types after a turn of the loop")


@rule("scan")
def _scan(writer: GraphWriter, node: Operation, count: str, *inputs: Any) -> Any:
    """Write a Scan over the numbers of the turns; without rows a Loop, whose state may be lists."""
    attrs = node.attrs
    carried, extra, body = attrs["carried"], attrs.get("extra", 0), attrs["body_graph"]
    width = carried + extra
    first, captures = inputs[:width], inputs[width:]
    turns = writer.scope.cast(count, node.inputs[0].dtype, int64)
    turns = writer.emit("Reshape", turns, writer.scope.constant(np.zeros(0, np.int64)))
    inner, number, before = _loop_body(writer, node, body)
    states = body.inputs[1 : width + 1]
    names = _arguments(writer, node, states, first)
    at = number
    if attrs["reverse"]:
        last = inner.emit("Sub", turns, inner.scope.constant(1, int64))
        at = inner.emit("Sub", last, number)
    at = inner.scope.cast(at, int64, body.inputs[0].dtype)
    outputs = inner.write(body, [at, *names, *captures])
    end = len(body.outputs) - extra
    order = [*range(carried), *range(end, len(body.outputs)), *range(carried, end)]
    outputs = [outputs[i] for i in order]
    _check_state(first, outputs[:width])
    types = [body.outputs[i] for i in order]
    name = f"{node.name}/body"
    if len(outputs) == width:
        arguments = _loop_inputs(number, before, names, states)
        goes = inner.emit("Identity", before)
        graph = _body(inner, name, arguments, [goes, *outputs], [TRUTH, *types])
        emitted = writer.emit("Loop", turns, "", *flat(first), count=len(flat(outputs)), body=graph)
        return results_of(emitted, outputs)
    if any(isinstance(value, Columns) for value in outputs):
        raise OnnxGap("a loop that gives rows carries no lists in ONNX: write a while loop")
    arguments = [*_loop_inputs(number, before, names, states)[2:], value_info(number, int64, [])]
    graph = _body(inner, name, arguments, outputs, types)
    one = writer.scope.constant(1, int64)
    numbers = writer.emit("Range", writer.scope.constant(0, int64), turns, one)
    emitted = writer.emit("Scan", *first, numbers, count=len(outputs), body=graph,
                          num_scan_inputs=1)  # fmt: skip
    results = results_of(emitted, outputs)
    rows = results[width:]
    if attrs["reverse"]:
        ends = writer.scope.ints(-1), writer.scope.ints(int(np.iinfo(np.int64).min))
        rows = [
            writer.emit("Slice", row, *ends, writer.scope.ints(0), writer.scope.ints(-1))
            for row in rows
        ]
    return [*results[:carried], *rows, *results[carried:width]]


@rule("custom_gradient")
def _custom_gradient(writer: GraphWriter, node: Operation, *inputs: Any) -> Any:
    writer.model.note(node.attrs["graph"], node)
    return writer.write(node.attrs["graph"], inputs)


@rule("no_op")
def _no_op(writer: GraphWriter, node: Operation) -> Any:
    return ()


@rule("call")
def _call(writer: GraphWriter, node: Operation, *inputs: str) -> Any:
    """Write a call: of a function of the model, which is written once."""
    graph = node.attrs["graph"]
    if not node.outputs or any(t.dtype is variant for t in (*node.inputs, *node.outputs)):
        writer.model.note(graph, node)
        return writer.write(graph, inputs)
    known = writer.model.functions.get(id(graph))
    if known is None:
        known = _function(writer, graph)
    emitted = writer.emit(known.name, *inputs, count=len(node.outputs), domain=FUNCTIONS)
    return results_of(emitted, [""] * len(node.outputs))


def _function(writer: GraphWriter, graph: Any) -> Any:
    """Write a function; its name is unique, since ONNX' functions have no types."""
    model = writer.model
    inner = writer.function()
    name = model.names.unique(graph.name)
    inner.scope.label = name
    arguments = [model.names.unique(f"{name}/{t.op.name}") for t in graph.inputs]
    outputs = inner.finish(inner.write(graph, arguments))
    made = {output for node in inner.scope.nodes for output in node.output}
    results: list[str] = []
    for output in outputs:
        is_own = output in made and output not in results
        results.append(output if is_own else inner.emit("Identity", output))
    helper = onnx_library().helper
    function = helper.make_function(
        FUNCTIONS, name, arguments, results, inner.scope.nodes,
        [helper.make_opsetid("", OPSET), helper.make_opsetid(FUNCTIONS, 1)],
    )  # fmt: skip
    model.functions[id(graph)] = function
    model.kept.append(graph)
    return function

