"""Diagrams of graphs, for drawings: what is a box, what is written in it, which line joins what.

Above graphs and the printer.  Constants are written into the operations that use them; graphs that
an operation holds become diagrams inside of its box.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from autograph.drawing.diagram import Diagram, Edge, Vertex, VertexKind, duration
from autograph.drawing.text_extent import shortened
from runtime.graph.nesting import deeply
from runtime.graph.operation import Operation, SymbolicTensor, subgraphs
from runtime.graph.parts import scopes_of
from runtime.graph.printer import GraphPrinter, subgraphs_of, type_text
from runtime.graph.regions import Region, loop_of, regions
from runtime.ops.array.constants import constant_op, placeholder_op
from runtime.ops.op import BRANCH, CALL, HIGHER_ORDER, LOOP, STATEFUL
from runtime.ops.resource.variable import VariableStorage
from runtime.ops.rules.lowering import Multiplies, OnWindows
from runtime.types.annexes import added_names

LINES, LINE_LENGTH, TITLE_LENGTH = 3, 32, 36
_GENERIC = "input"
"""Inputs of branches and bodies have names that begin so, unless the user named them."""

Names = dict[int, str]
"""Id of a tensor -> what it is called."""


def diagram_of(
    graph: Any, title: str = "", outputs: Sequence[str] = (),
    seconds: Mapping[str, float] | None = None,
) -> Diagram:  # fmt: skip
    """Return the diagram of a graph; ``outputs`` are the names of the results.

    ``seconds`` are the times of operations in a profile, by name.  Of a graph for a cluster,
    each part that a task runs is a box.
    """
    title = title or getattr(graph, "name", "") or "graph"
    if not hasattr(graph, "inputs"):
        by_task: dict[str, Any] = added_names("diagrams")  # it imports graphs, which import this
        parts = by_task["parts_by_task"](graph)
        if parts:
            drawn = functools.partial(diagram_of, seconds=seconds)
            boxes: Diagram = by_task["diagram_of_tasks"](parts, title, drawn)
            return boxes
    count = len(getattr(graph, "outputs", ()))
    names = outputs or _numbered("result", count)
    reader = _GraphReader(set(), seconds or {})
    return deeply(graph, lambda: reader.diagram(graph, title, {}, names))


def _numbered(name: str, count: int) -> list[str]:
    return [name] if count == 1 else [f"{name} {k}" for k in range(count)]


class _GraphReader:
    """Reader of graphs; ``seen`` holds those that are drawn in full already."""

    def __init__(self, seen: set[int], seconds: Mapping[str, float]) -> None:
        self.seen = seen
        self.seconds = seconds

    def diagram(self, graph: Any, title: str, names: Names, outputs: Sequence[str]) -> Diagram:
        """Return the diagram of one graph; ``names`` are those of its inputs."""
        self.seen.add(id(graph))
        return _DiagramBuilder(self, graph, title, names).build(outputs)

    def inside(self, node: Operation, around: Names) -> tuple[Diagram, ...]:
        """Return the diagrams of the graphs that an operation holds and that are not drawn yet.

        ``around`` are the names of the inputs of the operation's own graph.
        """
        diagrams = []
        for region in regions(node) or _unmapped(node):
            if id(region.graph) not in self.seen:
                label = region.graph.name
                if region.number is not None and not label.endswith(f"_{region.number}"):
                    label = f"{region.number}: {label}"
                names = _input_names(node, region, around)
                outputs = _output_names(node, region, names)
                diagrams.append(self.diagram(region.graph, label, names, outputs))
        return tuple(diagrams)


def _unmapped(node: Operation) -> list[Region]:
    """Return the graphs of an operation that follows no convention about its inputs."""
    return [
        Region(key, None, graph, len(getattr(graph, "inputs", ())), 0, 0)
        for key, value in node.attrs.items()
        for graph in subgraphs_of(value)
    ]


def _input_names(node: Operation, region: Region, around: Names) -> Names:
    """Return names for the inputs of a graph: the user's, or those of what is passed for them."""
    origins: dict[int, SymbolicTensor] = {}
    inputs = region.graph.inputs
    for k in range(region.captures):
        origins[id(inputs[region.own + k])] = node.inputs[region.start + k]
    input_names: Names = {}
    if _is_loop(node):
        loop = loop_of(node)
        carried = inputs[loop.offset :][: loop.carried]
        for k, tensor in enumerate(carried):
            origins[id(tensor)] = node.inputs[loop.first + k]
        user_name_list = node.attrs["body_graph"].result_names
        input_names.update((id(t), name) for t, name in zip(carried, user_name_list) if name)
        for k, tensor in enumerate(carried):
            if origins[id(tensor)].op.op_def is constant_op:
                input_names.setdefault(id(tensor), f"state {k}")
    for tensor in inputs:
        origin = origins.get(id(tensor))
        if origin is not None and tensor.op.name.startswith(_GENERIC):
            input_names.setdefault(id(tensor), around.get(id(origin)) or _called(origin))
    return input_names


def _output_names(node: Operation, region: Region, names: Names) -> list[str]:
    graph = region.graph
    if graph is node.attrs.get("test_graph"):
        return ["go on?"]
    numbered = _numbered("result", len(graph.outputs))
    if len(graph.result_names) == len(numbered):
        numbered = [name or number_name for name, number_name in zip(graph.result_names, numbered)]
    if _is_loop(node):
        loop = loop_of(node)
        for k, tensor in enumerate(graph.inputs[loop.offset :][: loop.carried]):
            numbered[k] = f"next {names.get(id(tensor)) or _short(tensor)}"
    return numbered


def _is_loop(node: Operation) -> bool:
    return LOOP in node.op_def.traits and {"splits", "body_graph"} <= node.attrs.keys()


def _called(tensor: SymbolicTensor) -> str:
    """Return the name of a tensor, or the value of a constant: the names of those say nothing."""
    value = tensor.op.attrs.get("value")
    if tensor.op.op_def is constant_op and value is not None and np.size(value) == 1:
        return GraphPrinter().constant(np.asarray(value))
    return _short(tensor)


def _short(tensor: SymbolicTensor) -> str:
    return str(tensor.name.removesuffix(":0").removeprefix("captured/"))


class _DiagramBuilder:
    """Builder of the diagram of one graph."""

    def __init__(self, reader: _GraphReader, graph: Any, title: str, names: Names) -> None:
        self.reader = reader
        self.graph = graph
        self.names = names
        self.made = Diagram(title)
        self.printer = GraphPrinter()
        self.origin: dict[int, tuple[int, int]] = {}
        """Id of a tensor -> index of its vertex, and port."""
        self.vertex: dict[int, int] = {}
        """Id of an operation -> index of its vertex."""
        self.edges: dict[tuple[int, int, int], int] = {}
        """Source, port and target -> index of the edge."""
        self.constants: dict[int, Operation] = {}
        self.used: set[int] = set()
        self.scopes = dict(zip(map(id, graph.operations), scopes_of(graph)))
        """Id of an operation -> the parts of the graph that it belongs to."""

    def build(self, outputs: Sequence[str]) -> Diagram:
        """Return the diagram, with an output vertex for each result."""
        added = self.graph.extensions
        nodes = [added.get(node, [node])[-1] for node in self.graph.operations]
        results = getattr(self.graph, "outputs", ())
        self.used = {id(t) for node in nodes for t in node.inputs} | {id(t) for t in results}
        for node in nodes:
            if node.op_def is constant_op:
                self.constants[id(node.outputs[0])] = node
            elif node.op_def is placeholder_op:
                self._input(node)
            else:
                self._operation(node)
        for node in self.constants.values():
            if id(node.outputs[0]) not in self.used:
                self._constant(node)
        for tensor, name in zip(results, outputs, strict=True):
            self._output(tensor, name)
        return self.made

    def _add(self, vertex: Vertex, node: Operation | None = None) -> int:
        index = len(self.made.vertices)
        self.made.vertices.append(vertex)
        if node is not None:
            self._note_scope(vertex, node)
            self.vertex[id(node.recorded)] = index
            self.origin.update((id(t), (index, k)) for k, t in enumerate(node.outputs))
        return index

    def _note_scope(self, vertex: Vertex, node: Operation) -> None:
        """Note parts and name scopes of an operation, and how long it took in the profile."""
        if vertex.kind is VertexKind.INPUT:
            return
        parts = self.scopes.get(id(node), ())
        is_read = vertex.kind is VertexKind.VARIABLE  # whose name says the variable, not a scope
        vertex.scope = parts or (() if is_read else tuple(node.name.split("/")[:-1]))
        seconds = self.reader.seconds.get(node.name, 0.0)
        if seconds:
            vertex.seconds = seconds
            vertex.lines = (*vertex.lines, duration(seconds))

    def _input(self, node: Operation) -> None:
        (tensor,) = node.outputs
        if id(tensor) not in self.used and self.names:
            return  # a capture of the other branch, or state that only the body needs
        name = self.names.get(id(tensor), node.name)
        tip = f"input {name}: {type_text(tensor)}"
        vertex = Vertex(_title(name), VertexKind.INPUT, (), tip, (type_text(tensor),))
        self._add(vertex, node)

    def _constant(self, node: Operation) -> int:
        tensor = node.outputs[0]
        text = shortened(self._value(node), LINE_LENGTH)
        tip = f"constant {node.name}: {type_text(tensor)}\n{_where(node)}"
        return self._add(Vertex(text, VertexKind.CONSTANT, (), tip, (type_text(tensor),)))

    def _value(self, node: Operation) -> str:
        """Write the value of a constant, or its type where there are many elements."""
        array = np.asarray(node.attrs["value"])
        text = self.printer.constant(array)
        return text if len(text) <= LINE_LENGTH else f"{type_text(node.outputs[0])} of constants"

    def _output(self, tensor: SymbolicTensor, name: str) -> None:
        tip = f"{name}: {type_text(tensor)}"
        constant = self.constants.get(id(tensor))
        lines = () if constant is None else (self._value(constant),)
        index = self._add(Vertex(_title(name), VertexKind.OUTPUT, lines, tip))
        if constant is None:
            self._join(tensor, index, tip)

    def _operation(self, node: Operation) -> None:
        holds_graphs = HIGHER_ORDER in node.op_def.traits
        folded = [] if holds_graphs else self._folded(node)
        index = self._add(self._box(node, folded), node)
        for k, tensor in enumerate(node.inputs):
            label = f"{_short(tensor)}: {type_text(tensor)}, {_argument(node, k)} of {node.name}"
            constant = self.constants.get(id(tensor))
            if constant is None:
                self._join(tensor, index, label)
            elif holds_graphs:
                self.made.edges.append(Edge(self._constant(constant), index, 0, False, label))
        for control in node.controls:
            source = self.vertex.get(id(control.recorded))
            if source is not None and source != index:
                tip = f"{node.name} runs after {control.name}"
                self.made.edges.append(Edge(source, index, 0, True, tip))

    def _join(self, tensor: SymbolicTensor, target: int, tip: str) -> None:
        """Add an edge; several from a tensor to an operation are one, which says so."""
        origin = self.origin.get(id(tensor))
        if origin is None:
            return
        source, port = origin
        edges = self.made.edges
        edge_index = self.edges.setdefault((source, port, target), len(edges))
        if edge_index < len(edges):
            edges[edge_index] = replace(edges[edge_index], tip=f"{edges[edge_index].tip}\n{tip}")
        else:
            edges.append(Edge(source, target, port, False, tip))

    def _folded(self, node: Operation) -> list[str]:
        """Write the constants among the inputs of an operation."""
        return [
            f"{_argument(node, k)}={self._value(self.constants[id(tensor)])}"
            for k, tensor in enumerate(node.inputs) if id(tensor) in self.constants
        ]  # fmt: skip

    def _box(self, node: Operation, folded: list[str]) -> Vertex:
        storage = node.attrs.get("storage")
        title, lines, kind = node.op_def.name, list(folded), _kind(node)
        lines += [
            f"{key}={self.printer.value(value)}" for key, value in node.attrs.items()
            if _is_telling(key, value)
        ]  # fmt: skip
        if isinstance(storage, VariableStorage):
            title, lines = storage.name.removesuffix(":0"), [title, *lines]
        inside = self.reader.inside(node, self.names) if HIGHER_ORDER in node.op_def.traits else ()
        if CALL in node.op_def.traits:
            title = next(region.graph.name for region in regions(node))
            lines = [node.op_def.name if inside else "call, drawn above"]
        if HIGHER_ORDER in node.op_def.traits and CALL not in node.op_def.traits and not inside:
            lines.append("drawn above" if any(subgraphs(node)) else "calls itself")
        if len(lines) > LINES:
            lines[LINES - 1 :] = [f"… {len(lines) - LINES + 1} more"]
        shown = tuple(shortened(line, LINE_LENGTH) for line in lines)
        ports = tuple(map(type_text, node.outputs))
        return Vertex(_title(title), kind, shown, self._tip(node), ports, inside)

    def _tip(self, node: Operation) -> str:
        """Return the user's line, and the operation as the printer writes it."""
        return f"{_where(node)}\n{self.printer.line(node)}".strip()


def _kind(node: Operation) -> VertexKind:
    traits = node.op_def.traits
    if isinstance(node.attrs.get("storage"), VariableStorage):
        return VertexKind.VARIABLE
    if traits & {BRANCH, LOOP, CALL, HIGHER_ORDER}:
        return VertexKind.CONTROL
    if STATEFUL in traits:
        return VertexKind.EFFECT
    heavy = isinstance(node.op_def.lower, Multiplies | OnWindows)
    return VertexKind.HEAVY if heavy else VertexKind.OPERATION


def _is_telling(key: str, value: Any) -> bool:
    """Whether an attribute is worth a line: defaults and objects are not."""
    if value is None or value is False or key in ("splits", "storage") or subgraphs_of(value):
        return False
    if isinstance(value, tuple | list):
        texts = any(isinstance(item, str) and " " in item for item in value)  # messages
        told = all(_is_telling("", item) or item is False for item in value)
        return bool(value) and told and not texts
    plain = isinstance(value, bool | int | float | str | bytes | np.generic)
    return plain or hasattr(value, "as_numpy_dtype")


def _argument(node: Operation, number: int) -> str:
    """Return the name of an input: ``x``, or ``inputs[2]`` of an op that takes any number."""
    names = node.op_def.inputs
    first = next((k for k, name in enumerate(names) if name.startswith("*")), len(names))
    if number < first:
        return names[number]
    return f"{names[first][1:]}[{number - first}]" if first < len(names) else f"input {number}"


def _title(name: str) -> str:
    return shortened(name, TITLE_LENGTH)


def _where(node: Operation) -> str:
    return node.location.described() if node.location else ""
