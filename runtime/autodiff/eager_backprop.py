"""Backpropagation over the records of eager execution: a faster version of backprop.py.

Small programs spend most of their time between operations.  Records of plain ops with one output,
which are nearly all, are therefore handled in one loop here; all others go through the functions of
backprop.py.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from runtime.autodiff.backprop import (
    Gradients,
    Key,
    TapeRecord,
    accumulate,
    add_gradients,
    input_gradients,
    reads_reachable,
    unbroadcast,
)
from runtime.eager.tensor import Tensor


def backpropagate_records(
    records: Sequence[TapeRecord], seeds: Sequence[tuple[Key, Any]], sources: Collection[Key]
) -> Gradients:
    """Compute the gradients of ``sources`` as ``backprop.backpropagate`` does."""
    reachable: set[Key] = set(sources)
    path: list[TapeRecord] = []
    for record in records:
        for tensor in record.inputs:
            if id(tensor) in reachable:
                break
        else:
            if record.op_def.plain or not reads_reachable(record, reachable):
                continue
        path.append(record)
        for tensor in record.differentiable_outputs:
            reachable.add(id(tensor))
    by_source: Gradients = {}
    pending: Gradients = {}
    for key, gradient in seeds:
        if key in reachable:
            accumulate(pending, key, gradient)
    path.reverse()
    for record in path:
        op_def, inputs, attrs, outputs, _, where = record
        grad: Any = op_def.grad
        if len(outputs) != 1 or not op_def.plain or where is not None:
            _general(record, pending, by_source, reachable, sources)
            continue
        output = outputs[0]
        gradient = pending.pop(id(output), None)
        if gradient is None:
            continue
        if id(output) in sources:
            by_source[id(output)] = gradient
        raw_gradients = grad(*inputs, output, gradient, **attrs)
        for tensor, input_gradient in zip(inputs, raw_gradients):
            key = id(tensor)
            if input_gradient is None or key not in reachable:
                continue
            if type(input_gradient) is not Tensor and callable(input_gradient):
                input_gradient = input_gradient()
            if op_def.elementwise:
                input_gradient = unbroadcast(input_gradient, tensor)
            partial_sum = pending.get(key)
            pending[key] = (
                input_gradient
                if partial_sum is None
                else add_gradients(partial_sum, input_gradient)
            )
    for key in sources:
        if key in pending:
            by_source[key] = pending[key]
    return by_source


def _general(
    record: TapeRecord,
    pending: Gradients,
    by_source: Gradients,
    reachable: Collection[Key],
    sources: Collection[Key],
) -> None:
    """Backpropagate through one record of any kind."""
    gradients = [pending.pop(id(t), None) for t in record.outputs]
    for tensor, gradient in zip(record.outputs, gradients, strict=True):
        if gradient is not None and id(tensor) in sources:
            by_source[id(tensor)] = gradient
    if any(g is not None for g in gradients):
        for key, gradient in input_gradients(record, gradients, reachable):
            accumulate(pending, key, gradient)
