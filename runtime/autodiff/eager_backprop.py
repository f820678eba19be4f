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
    records: Sequence[TapeRecord], seeds: Sequence[tuple[Key, Any]], wanted: Collection[Key]
) -> Gradients:
    """Compute the gradients of ``wanted`` as ``backprop.backpropagate`` does."""
    reachable: set[Key] = set(wanted)
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
    found: Gradients = {}
    pending: Gradients = {}
    for key, gradient in seeds:
        if key in reachable:
            accumulate(pending, key, gradient)
    path.reverse()
    for record in path:
        op_def, inputs, attrs, outputs, _, where = record
        grad: Any = op_def.grad
        if len(outputs) != 1 or not op_def.plain or where is not None:
            _general(record, pending, found, reachable, wanted)
            continue
        output = outputs[0]
        gradient = pending.pop(id(output), None)
        if gradient is None:
            continue
        if id(output) in wanted:
            found[id(output)] = gradient
        given = grad(*inputs, output, gradient, **attrs)
        for tensor, part in zip(inputs, given):
            key = id(tensor)
            if part is None or key not in reachable:
                continue
            if type(part) is not Tensor and callable(part):
                part = part()
            if op_def.elementwise:
                part = unbroadcast(part, tensor)
            known = pending.get(key)
            pending[key] = part if known is None else add_gradients(known, part)
    for key in wanted:
        if key in pending:
            found[key] = pending[key]
    return found


def _general(
    record: TapeRecord,
    pending: Gradients,
    found: Gradients,
    reachable: Collection[Key],
    wanted: Collection[Key],
) -> None:
    """Backpropagate through one record of any kind."""
    gradients = [pending.pop(id(t), None) for t in record.outputs]
    for tensor, gradient in zip(record.outputs, gradients, strict=True):
        if gradient is not None and id(tensor) in wanted:
            found[id(tensor)] = gradient
    if any(g is not None for g in gradients):
        for key, gradient in input_gradients(record, gradients, reachable):
            accumulate(pending, key, gradient)
