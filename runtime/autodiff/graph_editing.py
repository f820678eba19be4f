"""Copies of traced graphs, which may be amended while others run the original.

A derivative needs values from inside a graph.  Graphs that others run are never changed: they are
copied, and the copy gives more outputs.  Only a graph that is still being built has operations
inserted, or given more outputs, in place.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from runtime.graph.func_graph import SubGraph
from runtime.graph.graph import Graph, graph_of
from runtime.graph.operation import Operation, SymbolicTensor
from runtime.ops import dispatch as interpreter
from runtime.ops.op import Op
from runtime.types.shapes import TensorSpec

Tensors = dict[int, SymbolicTensor]
"""What stands for a tensor, by its id."""

_COPIED = tuple(slot for slot in Operation.__slots__ if slot != "__weakref__")


def _twin(
    node: Operation, home: Graph, tensors: Tensors, nodes: dict[int, Operation]
) -> None:
    """Record an operation once more, in ``home``, on what stands for its inputs."""
    twin: Operation = object.__new__(Operation)
    for slot in _COPIED:
        if hasattr(node, slot):
            setattr(twin, slot, getattr(node, slot))
    twin.graph = home
    twin.inputs = tuple([tensors[id(t)] for t in node.inputs])
    twin.attrs = dict(node.attrs)
    twin.controls = tuple([nodes[id(c)] for c in node.controls if id(c) in nodes])
    twin.name = home.names.unique(node.name)
    twin.index = len(home.operations)
    twin.outputs = tuple([
        SymbolicTensor(twin, t.value_index, t.spec, t.weak) for t in node.outputs
    ])  # fmt: skip
    tensors.update(zip(map(id, node.outputs), twin.outputs, strict=True))
    nodes[id(node)] = twin
    home.operations.append(twin)
    home.names.operations[twin.name] = twin


def copied(graph: Any) -> SubGraph:
    """A copy of a traced graph."""
    twin = SubGraph(graph.name, graph.kind)
    twin.outer = graph.outer
    twin.complete = graph.complete
    tensors: Tensors = {}
    nodes: dict[int, Operation] = {}
    for node in graph.operations:
        _twin(node, twin, tensors, nodes)
    twin.inputs = [tensors[id(t)] for t in graph.inputs]
    twin.outputs = [tensors[id(t)] for t in graph.outputs]
    twin.captures = [(outer, tensors[id(inner)]) for outer, inner in graph.captures]
    twin._captured = {key: tensors[id(inner)] for key, inner in graph._captured.items()}
    twin._constants = {
        key: (value, tensors[id(symbolic)])
        for key, (value, symbolic) in graph._constants.items()
        if id(symbolic) in tensors
    }
    return twin


def spliced(graph: Any, values: Sequence[SymbolicTensor], home: Graph) -> list[SymbolicTensor]:
    """The outputs of a graph whose operations are copied to the end of ``home``.

    ``values`` stand for all of the graph's inputs.  Eager tensors stay themselves: ``home`` has its
    own constants of them.
    """
    tensors: Tensors = dict(zip(map(id, graph.inputs), values, strict=True))
    nodes: dict[int, Operation] = {}
    taken = {id(t.op) for t in graph.inputs}
    for eager, inner in graph._constants.values():
        tensors[id(inner)] = home.own(eager)
        taken.add(id(inner.op))
    for node in graph.operations:
        if id(node) not in taken:
            _twin(node, home, tensors, nodes)
    return [tensors[id(t)] for t in graph.outputs]


def insert_before(
    node: Operation, row: Op, inputs: Sequence[SymbolicTensor], attrs: Mapping[str, Any],
    spec: TensorSpec,
) -> SymbolicTensor:
    """Insert an operation ahead of another, in the graph that is being built; gives its output."""
    home = graph_of(node)
    new = Operation(home, row, tuple(inputs), home.names.unique(row.label), dict(attrs), ())
    new.outputs = (SymbolicTensor(new, 0, spec),)
    new.location, new.program = node.location, node.program
    home.operations.insert(node.index, new)
    home.names.operations[new.name] = new
    for index in range(node.index, len(home.operations)):
        home.operations[index].index = index
    return new.outputs[0]


def add_outputs(node: Operation, specs: Sequence[TensorSpec]) -> list[SymbolicTensor]:
    """Give an operation more outputs, after those that it has."""
    first = len(node.outputs)
    new = [SymbolicTensor(node, first + i, spec) for i, spec in enumerate(specs)]
    node.outputs = (*node.outputs, *new)
    interpreter.watch_amended(node, new)
    return new


def prune(graph: SubGraph, keep: int) -> None:
    """Drop the operations that no output needs, and all unused inputs but the first ``keep``.

    The graph is one of a derivative: its operations have no effects.
    """
    needed: set[int] = set()
    todo = [t.op for t in graph.outputs]
    while todo:
        node = todo.pop()
        if id(node) not in needed:
            needed.add(id(node))
            todo += [t.op for t in node.inputs]
            todo += node.controls
    needed |= {id(t.op) for t in graph.inputs[:keep]}
    graph.operations = [node for node in graph.operations if id(node) in needed]
    for index, node in enumerate(graph.operations):
        node.index = index
    graph.inputs = [t for t in graph.inputs if id(t.op) in needed]
    graph.captures = [pair for pair in graph.captures if id(pair[1].op) in needed]
    graph.names.operations = {node.name: node for node in graph.operations}
    graph._constants = {
        key: pair for key, pair in graph._constants.items() if id(pair[1].op) in needed
    }
