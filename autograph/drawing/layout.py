"""Layout of diagrams: places for boxes and routes for edges, in pixels.

A layered drawing in four steps (Sugiyama, Tagawa and Toda 1981): layers, order within layers,
coordinates, routes.  Parts that no edge joins are laid out alone and packed in rows.  Diagrams
inside vertices are laid out first: for the diagram around, they are large vertices.  Heights of
layers are added up last, so that a page can do that anew when a box is collapsed (drawing.js).

A route is the vertical line through ``xs[0]`` from the source to the end of its layer, then a curve
to ``xs[1]`` in the next layer, and so on; only the gaps between layers hold curves, so that no
route meets a box.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from autograph.drawing import vertex_size
from autograph.drawing.coordinates import coordinates
from autograph.drawing.crossing_reduction import Layered, reduce_crossings
from autograph.drawing.diagram import Diagram, Edge, Vertex, VertexKind
from autograph.drawing.layering import acyclic, layers_of
from autograph.drawing.vertex_size import VertexSize

ANCHORED = 14
"""Inputs stand at the top and outputs at the bottom of a diagram of so many layers at most."""
FAR = 24
"""An edge that passes more layers ends at a reference to its source."""
GAP, STEEPEST, WIDEST_GAP = 26.0, 0.10, 64.0
ROW = 1500.0
PART_GAP = 34.0
MARGIN = 14.0


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
        found, y = [], 0.0
        for height, gap in zip(self.heights, [*self.gaps, 0.0]):
            found.append(y)
            y += height + gap
        return found


@dataclass
class DiagramLayout:
    """Diagram with places: its parts, in rows, and its size."""

    diagram: Diagram
    parts: list[Component]
    width: float
    height: float


def layout(diagram: Diagram) -> DiagramLayout:
    """Find places for everything in a diagram; ValueError for an edge that cannot be drawn."""
    diagram.check()
    places = []
    for index, vertex in enumerate(diagram.vertices):
        inside = [layout(one) for one in vertex.inside]
        used = {e.port for e in diagram.edges if e.source == index and not e.control}
        size = vertex_size.size_of(vertex, used, [(one.width, one.height) for one in inside])
        places.append(PlacedVertex(vertex, index, size, inside))
    parts = [_part(*part) for part in _connected(places, diagram.edges)]
    width, height = _pack(parts)
    return DiagramLayout(diagram, parts, width, height)


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
    found: dict[int, tuple[list[PlacedVertex], list[Edge]]] = {}
    for place in places:
        found.setdefault(find(place.index), ([], []))[0].append(place)
    for edge in edges:
        found[find(edge.source)][1].append(edge)
    return list(found.values())


def _part(places: list[PlacedVertex], edges: Sequence[Edge]) -> Component:
    local = {place.index: k for k, place in enumerate(places)}
    pairs, turned = acyclic(len(places), [(local[e.source], local[e.target]) for e in edges])
    layer = _layers(places, pairs)
    ways: list[tuple[Edge, int, int, bool]] = []
    chips: dict[tuple[int, int, int], int] = {}
    for edge in edges:
        source, target = local[edge.source], local[edge.target]
        back = (source, target) in turned
        if back:
            source, target = target, source
        if layer[target] - layer[source] > FAR and not back and not edge.control:
            key = (source, edge.port, target)
            if key not in chips:
                chips[key] = len(places)
                places.append(_reference(places[source], edge.port))
                layer.append(layer[target] - 1)
            ways.append((edge, chips[key], target, False))
        else:
            ways.append((edge, source, target, back))
    levels = sorted(set(layer))  # a reference may have left a layer empty
    layer = [levels.index(one) for one in layer]
    return _placed(places, layer, ways)


def _layers(places: Sequence[PlacedVertex], pairs: Sequence[tuple[int, int]]) -> list[int]:
    found = layers_of(len(places), pairs)
    if max(found) > ANCHORED:
        return found
    top = [k for k, place in enumerate(places) if place.vertex.kind is VertexKind.INPUT]
    bottom = [k for k, place in enumerate(places) if place.vertex.kind is VertexKind.OUTPUT]
    return layers_of(len(places), pairs, top, bottom)


def _reference(source: PlacedVertex, port: int) -> PlacedVertex:
    """Return a small vertex that stands for an output of one far above."""
    vertex = source.vertex
    number = f":{port}" if len(vertex.ports) > 1 else ""
    text = vertex.ports[port]
    made = Vertex(
        f"↑ {vertex.title}{number}", VertexKind.REFERENCE, tip=vertex.tip, ports=(text,),
        stands_for=source.index,
    )  # fmt: skip
    return PlacedVertex(made, -1, vertex_size.size_of(made, {0}, []), [])


def _placed(
    places: list[PlacedVertex], layer: Sequence[int], ways: Sequence[tuple[Edge, int, int, bool]]
) -> Component:
    graph = Layered(len(places), [[] for _ in range(max(layer) + 1)], [], [])
    for item, k in enumerate(layer):
        places[item].layer = k
        graph.layers[k].append(item)
        graph.upper.append([])
        graph.lower.append([])
    trunks: dict[tuple[int, int], list[int]] = {}
    bends = []
    for edge, source, target, back in ways:
        port = -1 if edge.control or back else 0 if source >= len(layer) else edge.port
        trunk = trunks.setdefault((source, port), [source])
        while layer[source] + len(trunk) < layer[target]:
            item = len(graph.upper)
            graph.upper.append([])
            graph.lower.append([])
            graph.layers[layer[source] + len(trunk)].append(item)
            _join(graph, trunk[-1], item, places, port)
            trunk.append(item)
        way = trunk[: layer[target] - layer[source]]
        _join(graph, way[-1], target, places, port)
        bends.append(way)
    reduce_crossings(graph)
    extents = [place.size.extent for place in places]
    extents += [(1.0, 1.0)] * (len(graph.upper) - len(places))
    x = coordinates(graph, extents)
    return _finished(places, ways, bends, x, max(layer) + 1)


def _join(
    graph: Layered, upper: int, lower: int, places: Sequence[PlacedVertex], port: int
) -> None:
    if lower not in graph.lower[upper]:
        graph.lower[upper].append(lower)
        graph.upper[lower].append(upper)
        if upper < graph.real and port >= 0:
            size = places[upper].size
            graph.offsets[upper, lower] = size.port_offset(port) / max(size.width, 1.0)


def _finished(
    places: list[PlacedVertex], ways: Sequence[tuple[Edge, int, int, bool]],
    bends: Sequence[list[int]], x: Sequence[float], depth: int,
) -> Component:  # fmt: skip
    """Return the part with routes, heights and places from the coordinates."""
    part = Component(places)
    left = min(x[k] - place.size.extent[0] for k, place in enumerate(places))
    left = min([left, *(value - 4 for value in x[len(places) :])])
    for k, place in enumerate(places):
        place.x = x[k] - left - place.size.width / 2
    entries: dict[int, list[tuple[float, int]]] = {}
    starts: list[list[float]] = []
    for number, ((edge, source, target, back), way) in enumerate(zip(ways, bends)):
        place = places[source]
        port = -1 if edge.control or back else 0 if place.index < 0 else edge.port
        xs = [place.middle + (place.size.port_offset(port) if port >= 0 else 0.0)]
        xs += [x[item] - left for item in way[1:]]
        starts.append(xs)
        entries.setdefault(target, []).append((xs[-1], number))
    ends: dict[int, float] = {}
    for target, found in entries.items():
        ends.update(_entries(places[target], found))
    for number, (edge, source, target, back) in enumerate(ways):
        xs = [*starts[number], ends[number]]
        part.routes.append(Route(edge, places[source], places[target], xs, back))
    _set_heights(part, depth)
    right = max(place.x + place.size.width / 2 + place.size.extent[1] for place in places)
    part.width = max([right, *(value + 4 for route in part.routes for value in route.xs)])
    return part


def _entries(place: PlacedVertex, found: list[tuple[float, int]]) -> list[tuple[int, float]]:
    """Return where edges enter a box from above: as straight as possible, apart from each other.

    Edges that come from one place enter at one place.
    """
    found = sorted(found)
    columns = sorted({round(x, 3) for x, _ in found})
    room = place.size.entry_room
    step = min(16.0, room / max(len(columns) - 1, 1))
    low, high = place.middle - room / 2, place.middle + room / 2
    wanted = [min(max(x, low), high) for x in columns]
    for k in range(1, len(wanted)):
        wanted[k] = max(wanted[k], wanted[k - 1] + step)
    over = high
    for k in reversed(range(len(wanted))):
        wanted[k] = min(wanted[k], over)
        over = wanted[k] - step
    at = dict(zip(columns, wanted))
    return [(number, at[round(x, 3)]) for x, number in found]


def _set_heights(part: Component, depth: int) -> None:
    part.heights = [0.0] * depth
    for place in part.places:
        part.heights[place.layer] = max(part.heights[place.layer], place.size.full_height)
    widest = [0.0] * depth
    for route in part.routes:
        for k, (a, b) in enumerate(zip(route.xs, route.xs[1:]), route.source.layer):
            widest[k] = max(widest[k], abs(a - b))
    part.gaps = [min(GAP + STEEPEST * width, WIDEST_GAP) for width in widest[:-1]]
    tops = part.tops()
    for place in part.places:
        place.y = tops[place.layer]
    part.height = tops[-1] + part.heights[-1]


def _pack(parts: Sequence[Component]) -> tuple[float, float]:
    """Place the parts in rows; return width and height of all, with a margin."""
    x, y, row, height, width = MARGIN, MARGIN, 0, 0.0, 0.0
    limit = max([ROW, *(part.width for part in parts)])
    for part in parts:
        if x > MARGIN and x + part.width > limit + MARGIN:
            x, y, row, height = MARGIN, y + height + PART_GAP, row + 1, 0.0
        part.x, part.y, part.row = x, y, row
        x += part.width + PART_GAP
        height = max(height, part.height)
        width = max(width, part.x + part.width)
    return max(width, MARGIN) + MARGIN, y + height + MARGIN
