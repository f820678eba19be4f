"""Layout of diagrams: places for boxes and routes for edges, in pixels.

A layered drawing in four steps (Sugiyama, Tagawa and Toda 1981): layers, order within layers,
coordinates, routes.  Parts that no edge joins are laid out alone and packed in rows.  Diagrams
inside vertices are laid out first: for the diagram around, they are large vertices.  Heights of
layers are added up last, so that a page can do that anew when a box is collapsed (drawing.js).

No package does this without Graphviz's program.  grandalf (the last release is of 2023) and the
``layout_sugiyama`` of igraph place boxes of a flat graph, and networkx knows layers alone: none of
them has vertices that hold diagrams, edges that begin at one of several outputs, or routes that
keep clear of boxes, and the core may need no package but NumPy, gast and astunparse.

A route is the vertical line through ``xs[0]`` from the source to the end of its layer, then a curve
to ``xs[1]`` in the next layer, and so on; only the gaps between layers hold curves, so that no
route meets a box.
"""

from __future__ import annotations

from collections.abc import Sequence

from autograph.drawing.component import component_of
from autograph.drawing.diagram import Diagram, Edge
from autograph.drawing.placement import Component, DiagramLayout, PlacedVertex
from autograph.drawing.vertex_size import closed_size, size_of

ROW = 1500.0
"""Parts that no edge joins stand in rows of this width, or of that of the widest part."""
PART_GAP = 34.0
MARGIN = 14.0


def layout(diagram: Diagram, closed: bool = False) -> DiagramLayout:
    """Find places for everything in a diagram; ValueError for an edge that cannot be drawn.

    ``closed`` gives boxes that hold diagrams the size that they have without, at every level:
    drawing.js makes room for what is opened.
    """
    diagram.check()
    used: list[set[int]] = [set() for _ in diagram.vertices]
    for edge in diagram.edges:
        if not edge.control:
            used[edge.source].add(edge.port)
    places = []
    for index, vertex in enumerate(diagram.vertices):
        inside = [layout(inner, closed) for inner in vertex.inside]
        size = size_of(vertex, used[index], [(inner.width, inner.height) for inner in inside])
        if closed and inside:
            size = closed_size(size, size_of(vertex, used[index], []))
        places.append(PlacedVertex(vertex, index, size, inside))
    components = [component_of(*component) for component in _connected(places, diagram.edges)]
    width, height = _pack(components)
    return DiagramLayout(diagram, components, width, height)


def _connected(
    places: Sequence[PlacedVertex], edges: Sequence[Edge]
) -> list[tuple[list[PlacedVertex], list[Edge]]]:
    """Return the places and edges of each connected part, in the order of their first vertices."""
    leader = list(range(len(places)))

    def find(vertex: int) -> int:
        while leader[vertex] != vertex:
            leader[vertex] = leader[leader[vertex]]
            vertex = leader[vertex]
        return vertex

    for edge in edges:
        a, b = find(edge.source), find(edge.target)
        leader[max(a, b)] = min(a, b)
    by_root: dict[int, tuple[list[PlacedVertex], list[Edge]]] = {}
    for place in places:
        by_root.setdefault(find(place.index), ([], []))[0].append(place)
    for edge in edges:
        by_root[find(edge.source)][1].append(edge)
    return list(by_root.values())


def _pack(components: Sequence[Component]) -> tuple[float, float]:
    """Place the parts in rows; return width and height of all, with a margin."""
    x, y, row, height, width = MARGIN, MARGIN, 0, 0.0, 0.0
    limit = max([ROW, *(component.width for component in components)])
    for component in components:
        if x > MARGIN and x + component.width > limit + MARGIN:
            x, y, row, height = MARGIN, y + height + PART_GAP, row + 1, 0.0
        component.x, component.y, component.row = x, y, row
        x += component.width + PART_GAP
        height = max(height, component.height)
        width = max(width, component.x + component.width)
    return max(width, MARGIN) + MARGIN, y + height + MARGIN
