"""Purity of operations: which of them have no effects, never raise and always end.

Passes move and remove such operations, derivatives compute them ahead of a loop.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from runtime.engine import python_scalar_kernels
from runtime.graph.operation import Operation, subgraphs
from runtime.ops.array.constants import constant_op, placeholder_op
from runtime.ops.op import (
    BRANCH,
    CALL,
    CONTAINED,
    ELEMENTWISE,
    HIGHER_ORDER,
    LOOP,
    RAISES,
    READS,
    STATEFUL,
    OpDef,
)
from runtime.ops.rules.never_raises import fitting
from runtime.types.shapes import TensorSpec


def never_raises(op_def: OpDef, specs: Sequence[TensorSpec], attrs: dict[str, Any]) -> bool:
    """Return whether a kernel always computes a result for inputs of these types."""
    total = op_def.never_raises
    if total is None:
        return ELEMENTWISE in op_def.traits and fitting(*specs)
    return total if isinstance(total, bool) else total(*specs, **attrs)


def total(node: Operation) -> bool:
    """Return whether an operation has no effects, never raises and always ends."""
    op_def = node.op_def
    if op_def is constant_op:
        return True
    if STATEFUL in op_def.traits:
        return False
    if HIGHER_ORDER in op_def.traits:
        return _total_graphs(node)
    if python_scalar_kernels.is_pythons(node):
        return python_scalar_kernels.never_raises(node)
    if op_def.never_raises is None and len(node.inputs) > 1:  # a tensor fits itself
        different = {id(t): t.spec for t in node.inputs}
        return never_raises(op_def, list(different.values()), node.attrs)
    return never_raises(op_def, [t.spec for t in node.inputs], node.attrs)


def _total_graphs(node: Operation) -> bool:
    """Return whether a branch or call holds pure operations only; a loop may be endless."""
    traits = node.op_def.traits
    if BRANCH in traits and node.inputs[0].shape.num_elements() != 1:
        return False
    if LOOP in traits or not traits & {BRANCH, CALL}:
        return False
    return all(
        total(inner) or inner.op_def is placeholder_op
        for graph in subgraphs(node)
        for inner in graph.operations
    )


def repeatable(node: Operation) -> bool:
    """Return whether a run may be abandoned after an operation, or within it, and begun again."""
    traits = node.op_def.traits
    if STATEFUL in traits:  # what a try saves is seen by its handlers
        return READS in traits or {CONTAINED, RAISES} <= traits
    return HIGHER_ORDER not in traits or all(map(_repeatable_graph, subgraphs(node)))


def _repeatable_graph(graph: Any) -> bool:
    answer: bool = graph.answer("repeatable", lambda body: all(map(repeatable, body.operations)))
    return answer
