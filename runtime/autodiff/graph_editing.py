"""Copying, inlining and pruning of traced graphs, for derivatives.

A derivative needs values from inside a graph.  Traced graphs are frozen, so they are copied, and
the copy returns these values as further outputs.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from runtime.graph.extensions import newest, newest_operations, renumber
from runtime.graph.func_graph import FuncGraph
from runtime.graph.graph import Graph
from runtime.graph.operation import SymbolicTensor, Tensors, copy_operations


def copy_graph(graph: Any) -> tuple[FuncGraph, tuple[SymbolicTensor, ...]]:
    """Copy of a traced graph that is not frozen yet, and the copies of its outputs."""
    copy = FuncGraph(graph.name, graph.kind, graph.outer)
    copy.runs_everything = graph.runs_everything
    tensors: Tensors = {}
    nodes = newest_operations(graph)
    names = [node.name for node in nodes]
    copy.names.reserve(names)
    for copied in copy_operations(nodes, names, copy, tensors):
        copy.names.operations[copied.name] = copied
    copy.inputs = tuple([tensors[id(t)] for t in graph.inputs])
    copy.captures = tuple([(outer, tensors[id(inner)]) for outer, inner in graph.captures])
    copy._captured = {key: tensors[id(inner)] for key, inner in graph._captured.items()}
    copy._constants = {
        key: (value, tensors[id(symbolic)])
        for key, (value, symbolic) in graph._constants.items()
        if id(symbolic) in tensors
    }
    return copy, tuple([tensors[id(t)] for t in graph.outputs])


def inline_graph(
    graph: Any, values: Sequence[SymbolicTensor], home: Graph,
    outputs: Sequence[SymbolicTensor] | None = None,
) -> list[SymbolicTensor]:
    """Copy the operations of a graph to the end of ``home``; returns the copies of its outputs.

    ``values`` replace all of the graph's inputs; ``outputs`` are those of a graph that is not
    frozen yet.  Constants of eager tensors become constants of ``home``.
    """
    tensors: Tensors = dict(zip(map(id, graph.inputs), values, strict=True))
    replaced = {id(t.op) for t in graph.inputs}
    for eager, inner in graph._constants.values():
        tensors[id(inner)] = home.as_local(eager)
        replaced.add(id(inner.op))
    nodes = [node for node in newest_operations(graph) if id(node) not in replaced]
    names = [home.names.unique(node.name) for node in nodes]
    for copied in copy_operations(nodes, names, home, tensors):
        home.names.operations[copied.name] = copied
    return [tensors[id(t)] for t in (graph.outputs if outputs is None else outputs)]


def prune(graph: FuncGraph, outputs: Sequence[SymbolicTensor], keep: int) -> None:
    """Drop the operations that no output needs, and all unused inputs but the first ``keep``.

    The graph is one of a derivative: its operations have no effects.
    """
    needed: set[int] = set()
    todo = [t.op for t in outputs]
    while todo:
        node = todo.pop()
        first = node.recorded if graph.extensions else node
        if id(first) not in needed:
            needed.add(id(first))
            node = newest(first) if graph.extensions else node
            todo += [t.op for t in node.inputs]
            todo += node.controls
    needed |= {id(t.op) for t in graph.inputs[:keep]}
    graph.operations = [node for node in graph.operations if id(node) in needed]
    renumber(graph)
    graph.inputs = tuple([t for t in graph.inputs if id(t.op) in needed])
    graph.captures = tuple([pair for pair in graph.captures if id(pair[1].op) in needed])
    graph.names.operations = {node.name: node for node in graph.operations}
    graph._constants = {
        key: pair for key, pair in graph._constants.items() if id(pair[1].op) in needed
    }
