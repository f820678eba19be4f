"""Diagrams: what is drawn, before it has a layout: vertices, edges, and diagrams inside vertices.

The lowest file of the room.  Whoever draws something - a graph, a model - describes it as a
Diagram; ``layout`` finds the places, ``svg``, ``page`` and ``dot`` write it.
"""

from __future__ import annotations

import enum
from collections.abc import Iterator
from dataclasses import dataclass, field


class VertexKind(enum.Enum):
    """What a vertex stands for; decides its shape and colour."""

    OPERATION = "operation"
    HEAVY = "heavy"  # matrix products, convolutions: what most of the time goes to
    INPUT = "input"
    OUTPUT = "output"
    CONSTANT = "constant"
    VARIABLE = "variable"
    EFFECT = "effect"  # prints, asserts, raises
    CONTROL = "control"  # holds diagrams: branches, loops, calls
    REFERENCE = "reference"  # stands for a vertex drawn elsewhere


@dataclass
class Vertex:
    """Box of a diagram.

    title     the first line; ``lines`` are smaller ones below it
    tip       text shown when the pointer rests on it, such as the user's file and line
    ports     texts of the outputs: an edge leaves from each of them, with this text beside it
    inside    diagrams inside the box
    stands_for  index of a vertex of the same diagram that this one refers to
    scope     names of the scopes that it belongs to, from outside in (folding.py)
    seconds   time that it took in a profile, 0 without one
    """

    title: str
    kind: VertexKind = VertexKind.OPERATION
    lines: tuple[str, ...] = ()
    tip: str = ""
    ports: tuple[str, ...] = ()
    inside: tuple[Diagram, ...] = ()
    stands_for: int | None = None
    scope: tuple[str, ...] = ()
    seconds: float = 0.0


def duration(seconds: float) -> str:
    """Return a time as a box shows it."""
    for unit, size in (("s", 1.0), ("ms", 1e-3)):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds * 1e6:.3g} us"


@dataclass(frozen=True)
class Edge:
    """Line from an output of a vertex to another vertex; both are indices in the diagram.

    A ``control`` edge, drawn dashed, carries no value: its ``port`` does not matter.
    """

    source: int
    target: int
    port: int = 0
    control: bool = False
    tip: str = ""


@dataclass
class Diagram:
    """Vertices and edges, in the order in which a reader goes through them.

    ValueError for an edge from or to a vertex or port that does not exist, or from a vertex to
    itself.
    """

    title: str = ""
    vertices: list[Vertex] = field(default_factory=list)
    edges: list[Edge] = field(default_factory=list)

    def check(self) -> None:
        """Raise ValueError for an edge that cannot be drawn."""
        count = len(self.vertices)
        for edge in self.edges:
            if not (0 <= edge.source < count and 0 <= edge.target < count):
                raise ValueError(f"{edge} joins vertices of which there are only {count}")
            if edge.source == edge.target:
                raise ValueError(f"{edge} joins a vertex with itself")
            if not edge.control and not 0 <= edge.port < len(self.vertices[edge.source].ports):
                raise ValueError(f"{edge} leaves from a port that does not exist")

    def walk(self) -> Iterator[Diagram]:
        """Yield the diagram and all those inside of it."""
        waiting = [self]
        while waiting:
            diagram = waiting.pop()
            yield diagram
            for vertex in reversed(diagram.vertices):
                waiting += reversed(vertex.inside)
