"""Diagrams of graphs whose operations name tasks of a cluster: each part is a box of its task."""

from __future__ import annotations

from typing import Any

from autograph.drawing.diagram import Diagram, Edge, Vertex, VertexKind
from runtime.graph.order import topological_order
from runtime.graph.printer import type_text
from runtime.graph.task_parts import (
    GraphPart,
    TaskPlacement,
    cut,
    homes_of,
    part_graph,
    task_of_device,
)
from runtime.ops.array.constants import placeholder_op
from runtime.types.errors import UnimplementedError

__all__ = ["diagram_of_tasks", "parts_by_task"]

MASTER = "the master"
"""Task of operations that name none."""


def parts_by_task(graph: Any) -> list[GraphPart]:
    """Return the parts of a graph; none where it names fewer than two tasks, or cannot be cut."""
    devices = {*(node.device for node in graph.operations), *homes_of(graph).values()}
    tasks = {task for task in map(task_of_device, devices) if task is not None}
    if not tasks:
        return []
    fed = frozenset(id(n.outputs[0]) for n in graph.operations if n.op_def is placeholder_op)
    nodes = topological_order(graph, graph.operations, fed)
    try:
        parts = cut(nodes, (), fed, TaskPlacement(graph, sorted(tasks), MASTER))
    except UnimplementedError:
        return []
    return parts if len({part.task for part in parts}) > 1 else []


def diagram_of_tasks(parts: list[GraphPart], title: str, diagram_of: Any) -> Diagram:
    """Return a diagram with a box for each part, what is in it drawn by ``diagram_of``."""
    diagram = Diagram(title)
    origin: dict[int, tuple[int, int]] = {}
    for part in parts:
        for key, tensor in part.received.items():
            if key not in origin:  # a placeholder
                text = type_text(tensor)
                tip = f"input {tensor.op.name}: {text}"
                origin[key] = len(diagram.vertices), 0
                diagram.vertices.append(
                    Vertex(tensor.op.name, VertexKind.INPUT, (), tip, (text,))
                )
        target = len(diagram.vertices)
        results = list(part.results.values())
        names = [tensor.name.removesuffix(":0") for tensor in results]
        inside = diagram_of(part_graph(part), part.task, names)
        ports = tuple(map(type_text, results))
        tip = f"{len(part.operations)} operations on {part.task}"
        diagram.vertices.append(Vertex(part.task, VertexKind.CONTROL, (), tip, ports, (inside,)))
        origin.update((id(tensor), (target, port)) for port, tensor in enumerate(results))
        for key, tensor in part.received.items():
            source, port = origin[key]
            label = f"{tensor.name.removesuffix(':0')}: {type_text(tensor)}"
            diagram.edges.append(Edge(source, target, port, False, label))
    return diagram
