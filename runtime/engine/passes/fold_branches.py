"""Folding of branches: conditions that are constant choose their branch, or remove a loop.

    c = cond(yes, x) : float32[]            c/Exp = exp(x) : float32[]
      true_graph: then(input: float32[])
        Exp = exp(input) : float32[]
        return Exp
      false_graph: ...
    return c                                return c/Exp

The row's own kernel is asked which graph it would run, so its rules stand in one place.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from runtime.engine.passes.fold import fold
from runtime.engine.passes.prune import prune
from runtime.engine.passes.queries import constant_value, stands_for
from runtime.engine.passes.rewrite import (
    OptimizedGraph,
    Replacement,
    copy_graph,
    copy_into,
    replace_each,
)
from runtime.graph.operation import Operation, SymbolicTensor
from runtime.graph.run_request import request_for
from runtime.ops.array.constants import constant_op, placeholder_op
from runtime.ops.op import BRANCH, HIGHER_ORDER, LOOP


class _Undecided(Exception):
    """Raised when only the run knows the outputs."""


def decide(graph: OptimizedGraph) -> bool:
    """Replace branches by the chosen one, and loops that never run by their initial values."""

    def instead(node: Operation) -> Replacement | None:
        if BRANCH in node.op_def.traits:
            return _constant_branch(graph, node)
        return _zero_trip_loop(graph, node) if LOOP in node.op_def.traits else None

    return replace_each(graph, HIGHER_ORDER, instead)


def _constant_branch(graph: OptimizedGraph, node: Operation) -> Replacement | None:
    """Return the operations of the branch that a constant chooses."""
    value = constant_value(node.inputs[0])
    if value is None:
        return None
    runs: list[tuple[Any, Sequence[SymbolicTensor]]] = []

    def run(branch: Any, inputs: Sequence[Any]) -> list[Any]:
        runs.append((branch, inputs))
        return []

    try:
        node.op_def.kernel(value, *node.inputs[1:], **node.attrs, run=run)
    except Exception:  # the run raises it
        return None
    ((branch, inputs),) = runs
    nodes, results = copy_into(graph, request_for(branch), inputs, f"{node.name}/")
    return (nodes, results) if all(map(stands_for, results, node.outputs)) else None


def _zero_trip_loop(graph: OptimizedGraph, node: Operation) -> Replacement | None:
    """Return the initial values of a loop whose first test is certain to fail."""
    if all(constant_value(t) is None for t in node.inputs):
        return None

    def run(inner: Any, inputs: Sequence[Any]) -> list[Any]:
        if inner is node.attrs.get("test_graph"):
            return _values(inner, inputs)
        raise _Undecided

    values = [constant_value(t) if i == 0 and "test_graph" not in node.attrs else t
              for i, t in enumerate(node.inputs)]  # fmt: skip
    try:
        states = node.op_def.kernel(*values, **node.attrs, run=run)
    except Exception:
        return None
    nodes: list[Operation] = []
    results: list[SymbolicTensor] = []
    for value, old in zip(states, node.outputs, strict=True):
        if isinstance(value, np.ndarray | np.generic):
            nodes.append(graph.constant_like(value, old, f"{node.name}/Const"))
            value = nodes[-1].outputs[0]
        results.append(value)
    return (nodes, results) if all(map(stands_for, results, node.outputs)) else None


def _values(inner: Any, inputs: Sequence[Any]) -> list[Any]:
    """Return the outputs of a graph for partly constant inputs, or raise _Undecided."""
    folded = copy_graph(request_for(inner))
    for tensor, argument in zip(folded.inputs, inputs, strict=True):
        value = constant_value(argument)
        if value is not None:
            node = tensor.op
            node.op_def, node.attrs = constant_op, {"value": value}
    fold(folded)
    prune(folded)
    values = [constant_value(t) for t in folded.outputs]
    plain = all(n.op_def in (constant_op, placeholder_op) for n in folded.operations)
    if not plain or any(value is None for value in values):
        raise _Undecided
    return values
