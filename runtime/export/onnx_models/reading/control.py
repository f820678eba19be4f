"""Rules of branches and loops: Python decides what is known, the runtime's cond and while the rest.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from runtime.composite.tensor_array import TensorArray
from runtime.control_flow.cond import cond
from runtime.control_flow.while_loop import while_loop
from runtime.export.onnx_models.interpreter import (
    ModelRunner,
    NeedsValueError,
    graph_reader,
    static,
)
from runtime.export.onnx_models.onnx_graph import OnnxNode
from runtime.export.onnx_models.ops import ops
from runtime.export.onnx_models.reading.shapes import rank_of
from runtime.graph.trace import current_graph
from runtime.ops.array.constants import constant, convert_to_tensor
from runtime.ops.array.indexing import getitem
from runtime.types.dtypes import int64
from runtime.types.errors import UnimplementedError
from runtime.types.shapes import TensorShape

_SCALAR = np.zeros(0, np.int64)


def _known(value: Any) -> Any:
    """Return a value that is known before the run; None if it is not."""
    try:
        return static(value, "")
    except NeedsValueError:
        return None


@graph_reader("If")
def _if(run: ModelRunner, node: OnnxNode, scope: Mapping[str, Any], condition: Any) -> Any:
    branches = [node.attrs["then_branch"], node.attrs["else_branch"]]
    truth = _known(condition)
    if truth is not None:
        return tuple(run.run(branches[0 if bool(np.all(truth)) else 1], {}, scope))
    truth = ops.reshape(condition, _SCALAR)

    def arm(graph: Any) -> Any:
        results = run.run(graph, {}, scope)
        if any(isinstance(value, list) or value is None for value in results):
            raise NeedsValueError(f"{node.title}: a branch that a run chooses gives a sequence")
        return [convert_to_tensor(value) for value in results]

    return tuple(cond(truth, lambda: arm(branches[0]), lambda: arm(branches[1])))


@graph_reader("Loop")
def _loop(run: ModelRunner, node: OnnxNode, scope: Mapping[str, Any], count: Any = None,
          condition: Any = None, *state: Any) -> Any:  # fmt: skip
    body = node.attrs["body"]
    names = [info.name for info in body.inputs]
    width = len(state)

    def turn(k: Any, goes: Any, values: Sequence[Any]) -> list[Any]:
        arguments = dict(zip(names, [k, goes, *values], strict=True))
        return run.run(body, arguments, scope)

    turns = None if count is None else _known(count)
    goes = np.bool_(True) if condition is None else _known(condition)
    limit = None if turns is None else int(np.asarray(turns).reshape(()))
    if goes is not None and (count is None or limit is not None):
        result = _unrolled(turn, limit, bool(np.all(goes)), list(state), width,
                           len(body.outputs) - 1 - width)  # fmt: skip
        if result is not None:
            return result
    return _staged(node, turn, count, condition, state, len(body.outputs) - 1 - width)


MOST_TURNS = 64
"""Turns up to which a loop whose length is known is written out."""


def _unrolled(
    turn: Any, limit: int | None, goes: bool, state: list[Any], width: int, rows: int
) -> Any:
    """Run a loop in Python; None if a run has to decide whether it goes on."""
    if current_graph() is not None and (limit is None or limit > MOST_TURNS):
        return None
    columns: list[list[Any]] = [[] for _ in range(rows)]
    k = 0
    while goes and (limit is None or k < limit):
        outputs = turn(np.int64(k), np.bool_(True), state)
        truth = _known(outputs[0])
        if truth is None:
            return None
        goes = bool(np.all(truth))
        state = outputs[1 : 1 + width]
        for column, value in zip(columns, outputs[1 + width :], strict=True):
            column.append(value)
        k += 1
    stacked = [ops.stack(*column, axis=0) if column else None for column in columns]
    if None in [type(value) if value is not None else None for value in stacked]:
        return None
    return (*state, *stacked)


def _staged(node: OnnxNode, turn: Any, count: Any, condition: Any, state: Sequence[Any],
            rows: int) -> Any:  # fmt: skip
    """Run a loop as the runtime's: its state are tensors of any sizes."""
    if any(isinstance(value, list) or value is None for value in state):
        raise NeedsValueError(f"{node.title}: a loop that a run decides on carries a sequence")
    start = [convert_to_tensor(value) for value in state]
    goes = constant(np.True_) if condition is None else ops.reshape(condition, _SCALAR)
    limit = None if count is None else ops.reshape(count, _SCALAR)
    width = len(start)
    first = turn(np.int64(0), goes, start)  # only for the types of the rows
    arrays = [
        TensorArray(convert_to_tensor(value).dtype, size=0, dynamic_size=True)
        for value in first[1 + width :]
    ]

    def test(k: Any, goes: Any, *_: Any) -> Any:
        if limit is None:
            return goes
        return ops.logical_and(goes, ops.less(k, limit))

    def body(k: Any, goes: Any, *values: Any) -> Any:
        outputs = turn(k, goes, values[:width])
        written = [
            array.write(k, value)
            for array, value in zip(values[width:], outputs[1 + width :], strict=True)
        ]
        after = [convert_to_tensor(value) for value in outputs[1 : 1 + width]]
        return [k + np.int64(1), ops.reshape(outputs[0], _SCALAR), *after, *written]

    after = [convert_to_tensor(value).shape for value in first[1 : 1 + width]]
    shapes = [
        t.shape.most_specific_compatible_shape(shape) for t, shape in zip(start, after, strict=True)
    ]
    scalar = TensorShape(())
    invariants = [scalar, scalar, *shapes, *[scalar for _ in arrays]]
    variables = [constant(np.int64(0)), goes, *start, *arrays]
    results = while_loop(test, body, variables, shape_invariants=invariants)
    final = results[2 : 2 + width]
    stacked = [array.stack() for array in results[2 + width :]]
    return (*final, *stacked)


@graph_reader("Scan")
def _scan(run: ModelRunner, node: OnnxNode, scope: Mapping[str, Any], *inputs: Any) -> Any:
    if node.version < 9:
        return _batches(run, node, scope, inputs)
    return _scanned(run, node, scope, inputs)


def _batches(
    run: ModelRunner, node: OnnxNode, scope: Mapping[str, Any], inputs: Sequence[Any]
) -> Any:
    """Run a Scan of version 8, which goes over each sample of a batch."""
    lengths, *values = inputs
    if lengths is not None:
        raise UnimplementedError(f"{node.title}: sequences of several lengths are not known here")
    tensors = [convert_to_tensor(value) for value in values]
    batch = tensors[0].shape.dims[0]
    if batch is None:
        raise NeedsValueError(f"{node.title}: the size of the batch is not known")
    rows = [_scanned(run, node, scope, [getitem(t, (k,)) for t in tensors]) for k in range(batch)]
    return tuple(ops.stack(*column, axis=0) for column in zip(*rows, strict=True))


def _scanned(
    run: ModelRunner, node: OnnxNode, scope: Mapping[str, Any], inputs: Sequence[Any]
) -> Any:
    body, count = node.attrs["body"], node.attr("num_scan_inputs")
    width = len(inputs) - count
    rows = len(body.outputs) - width
    axes = node.attr("scan_input_axes") or [0] * count
    backwards = node.attr("scan_input_directions") or node.attr("directions") or [0] * count
    out_axes = node.attr("scan_output_axes") or [0] * rows
    out_backwards = node.attr("scan_output_directions") or [0] * rows
    names = [info.name for info in body.inputs]
    sources = []
    for value, axis, reverse in zip(inputs[width:], axes, backwards, strict=True):
        tensor = convert_to_tensor(value)
        order = [axis % rank_of(tensor)]
        order += [a for a in range(rank_of(tensor)) if a != order[0]]
        turned = ops.transpose(tensor, np.array(order))
        sources.append(ops.reverse(turned, axis=(0,)) if reverse else turned)

    def turn(k: Any, goes: Any, values: Sequence[Any]) -> list[Any]:
        entries = [ops.gather(s, k, axis=0, batch_dims=0) for s in sources]
        return [np.bool_(True), *run.run(body, dict(zip(names, [*values, *entries], strict=True)),
                                         scope)]  # fmt: skip

    length = sources[0].shape.dims[0]
    state = list(inputs[:width])
    result = None
    if length is not None:
        result = _unrolled(turn, length, True, state, width, rows)
    if result is None:
        size = getitem(ops.shape(sources[0], out_type=int64), (0,))
        result = _staged(node, turn, size, None, state, rows)
    final, stacked = result[:width], []
    for value, axis, reverse in zip(result[width:], out_axes, out_backwards, strict=True):
        value = ops.reverse(value, axis=(0,)) if reverse else value
        rank = rank_of(value)
        at = axis % rank
        order = [*range(1, at + 1), 0, *range(at + 1, rank)]
        stacked.append(ops.transpose(value, np.array(order)))
    return (*final, *stacked)


@graph_reader("SequenceMap")
def _map(run: ModelRunner, node: OnnxNode, scope: Mapping[str, Any], *inputs: Any) -> Any:
    body = node.attrs["body"]
    names = [info.name for info in body.inputs]
    columns: list[list[Any]] = [[] for _ in body.outputs]
    for k in range(len(inputs[0])):
        entries = [value[k] if isinstance(value, list) else value for value in inputs]
        outputs = run.run(body, dict(zip(names, entries, strict=True)), scope)
        for column, value in zip(columns, outputs, strict=True):
            column.append(value)
    return tuple(columns)

