"""Places of what is drawn: boxes, and routes of edges through the layers of a connected part.

``layout`` and ``component`` find them, ``svg`` writes them.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from autograph.drawing.diagram import Diagram, Edge, Vertex
from autograph.drawing.vertex_size import VertexSize


@dataclass
class PlacedVertex:
    """Box of a vertex: its left upper corner in the part, its size, and the layer."""

    vertex: Vertex
    index: int
    size: VertexSize
    inside: list[DiagramLayout]
    layer: int = 0
    x: float = 0.0
    y: float = 0.0

    @property
    def middle(self) -> float:
        """Where the coordinates of its column are."""
        return self.x + self.size.width / 2


@dataclass
class Route:
    """Way of an edge: from ``source`` at ``xs[0]`` through one layer after the other.

    ``turned`` says that the edge points upwards: the way begins at its target.
    """

    edge: Edge
    source: PlacedVertex
    target: PlacedVertex
    xs: list[float]
    turned: bool = False


@dataclass
class Component:
    """Connected part of a diagram: its places and routes, and the heights of layers and gaps."""

    places: list[PlacedVertex] = field(default_factory=list)
    routes: list[Route] = field(default_factory=list)
    heights: list[float] = field(default_factory=list)
    gaps: list[float] = field(default_factory=list)
    row: int = 0
    x: float = 0.0
    y: float = 0.0
    width: float = 0.0
    height: float = 0.0

    def tops(self) -> list[float]:
        """Return where each layer begins."""
        tops, y = [], 0.0
        for height, gap in zip(self.heights, [*self.gaps, 0.0]):
            tops.append(y)
            y += height + gap
        return tops


@dataclass
class DiagramLayout:
    """Diagram with places: its parts, in rows, and its size."""

    diagram: Diagram
    parts: list[Component]
    width: float
    height: float
