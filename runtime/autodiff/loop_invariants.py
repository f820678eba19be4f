"""Loop-invariant values: computed in every iteration, and equal in all of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from runtime.engine.purity import total
from runtime.graph.operation import SymbolicTensor
from runtime.ops import dispatch
from runtime.ops.array.constants import constant_op
from runtime.ops.op import HIGHER_ORDER


def invariant(
    graph: Any, tensors: Sequence[SymbolicTensor], fixed: set[int]
) -> list[SymbolicTensor]:
    """Tensors that depend only on inputs whose ids are in ``fixed``.

    They can be computed before the loop, even if it has no iteration: no operation involved raises.
    """
    same = set(fixed)
    for node in graph.operations:
        if all(id(t) in same for t in node.inputs) and HIGHER_ORDER not in node.op_def.traits:
            if node.inputs and total(node) or node.op_def is constant_op:
                same.update(map(id, node.outputs))
    return [t for t in tensors if id(t) in same and id(t) not in fixed]


def compute_tensors(
    tensors: Sequence[SymbolicTensor], known_values: Mapping[int, Any]
) -> dict[int, Any]:
    """Compute tensors of another graph in the current one, from known values by id."""
    value_of = dict(known_values)
    todo = list(tensors)
    while todo:
        tensor = todo[-1]
        missing = [t for t in tensor.op.inputs if id(t) not in value_of]
        if missing:
            todo += missing
            continue
        todo.pop()
        if id(tensor) in value_of:
            continue
        node = tensor.op
        values = [value_of[id(t)] for t in node.inputs]
        results = dispatch.apply(node.op_def, values, dict(node.attrs))
        outputs = results if isinstance(results, tuple) else (results,)
        for old, new in zip(node.outputs, outputs, strict=True):
            new.weak = old.weak
            value_of[id(old)] = new
    return value_of
