"""What is computed anew in every turn of a loop and is the same each time."""

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
    """Those of the tensors that depend only on inputs whose ids are in ``fixed``.

    They can be computed outside of the loop, even if it has no turn: nothing on the way raises.
    """
    same = set(fixed)
    for node in graph.operations:
        if all(id(t) in same for t in node.inputs) and HIGHER_ORDER not in node.op_def.traits:
            if node.inputs and total(node) or node.op_def is constant_op:
                same.update(map(id, node.outputs))
    return [t for t in tensors if id(t) in same and id(t) not in fixed]


def computed(
    tensors: Sequence[SymbolicTensor], known: Mapping[int, Any]
) -> dict[int, Any]:
    """The values of tensors of another graph, computed in the current one from those known."""
    found = dict(known)
    todo = list(tensors)
    while todo:
        tensor = todo[-1]
        missing = [t for t in tensor.op.inputs if id(t) not in found]
        if missing:
            todo += missing
            continue
        todo.pop()
        if id(tensor) in found:
            continue
        node = tensor.op
        values = [found[id(t)] for t in node.inputs]
        given = dispatch.apply(node.op_def, values, dict(node.attrs))
        outputs = given if isinstance(given, tuple) else (given,)
        for old, new in zip(node.outputs, outputs, strict=True):
            new.weak = old.weak
            found[id(old)] = new
    return found
