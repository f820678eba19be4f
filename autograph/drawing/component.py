"""Layout of one connected part of a diagram: layers, order, coordinates, routes.

Edges that share their source share their way as long as they can.  An edge over very many layers
would cross the whole drawing: it ends at a reference, a small box that names the source.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from autograph.drawing import vertex_size
from autograph.drawing.coordinates import coordinates
from autograph.drawing.crossing_reduction import Layered, reduce_crossings
from autograph.drawing.diagram import Edge, Vertex, VertexKind
from autograph.drawing.layering import acyclic, layers_of
from autograph.drawing.placement import Component, PlacedVertex, Route
from autograph.drawing.spacing import spaced

ANCHORED = 14
"""Inputs stand at the top and outputs at the bottom of a part of so many layers at most."""
FAR = 24
"""An edge that passes more layers ends at a reference to its source."""
GAP, STEEPEST, WIDEST_GAP = 26.0, 0.10, 64.0
"""Least distance of layers, what each pixel that an edge goes sideways adds, and the most."""
ENTRY_GAP = 9.0
BEND = 4.0
"""Room of an edge on both sides where it passes a layer."""


@dataclass
class _Way:
    """Edge from ``source`` down to ``target``, which are numbers of places.

    ``port`` is -1 if it leaves from the middle; ``bends`` are its items between the two.
    """

    edge: Edge
    source: int
    target: int
    port: int
    turned: bool = False
    bends: list[int] = field(default_factory=list)


def component_of(places: list[PlacedVertex], edges: Sequence[Edge]) -> Component:
    """Lay out vertices that edges connect; references are added to ``places``."""
    local = {place.index: k for k, place in enumerate(places)}
    pairs, turned = acyclic(len(places), [(local[e.source], local[e.target]) for e in edges])
    layer = _layers(places, pairs)
    ways: list[_Way] = []
    references: dict[tuple[int, int, int], int] = {}
    for edge in edges:
        source, target = local[edge.source], local[edge.target]
        if (source, target) in turned:
            ways.append(_Way(edge, target, source, -1, True))
        elif edge.control:
            ways.append(_Way(edge, source, target, -1))
        elif layer[target] - layer[source] <= FAR:
            ways.append(_Way(edge, source, target, edge.port))
        else:
            key = (source, edge.port, target)
            if key not in references:
                references[key] = len(places)
                places.append(_reference(places[source], edge.port))
                layer.append(layer[target] - 1)
            ways.append(_Way(edge, references[key], target, 0))
    levels = {level: k for k, level in enumerate(sorted(set(layer)))}  # without empty layers
    for place, level in zip(places, layer):
        place.layer = levels[level]
    graph = _layered(places, ways)
    reduce_crossings(graph)
    extents = [place.size.extent for place in places]
    x = coordinates(graph, [*extents, *[(BEND, BEND)] * (len(graph.upper) - len(places))])
    return _finished(places, ways, x)


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


def _layered(places: Sequence[PlacedVertex], ways: Sequence[_Way]) -> Layered:
    """Return vertices and bends in layers; the bends of each way are noted in it."""
    depth = max(place.layer for place in places) + 1
    graph = Layered(len(places), [[] for _ in range(depth)], [], [])

    def add(layer: int) -> int:
        graph.layers[layer].append(len(graph.upper))
        graph.upper.append([])
        graph.lower.append([])
        return len(graph.upper) - 1

    def join(upper: int, lower: int, port: int) -> None:
        if lower not in graph.lower[upper]:
            graph.lower[upper].append(lower)
            graph.upper[lower].append(upper)
            if upper < len(places):
                size = places[upper].size
                graph.offsets[upper, lower] = size.port_offset(port) / size.width

    for place in places:
        add(place.layer)
    trunks: dict[tuple[int, int], list[int]] = {}
    for way in ways:
        first, last = places[way.source].layer, places[way.target].layer
        trunk = trunks.setdefault((way.source, way.port), [way.source])
        while first + len(trunk) < last:
            item = add(first + len(trunk))
            join(trunk[-1], item, way.port)
            trunk.append(item)
        way.bends = trunk[1 : last - first]
        join(trunk[last - first - 1], way.target, way.port)
    return graph


def _finished(places: list[PlacedVertex], ways: Sequence[_Way], x: Sequence[float]) -> Component:
    """Return the part: its left end is at 0, edges enter and leave boxes where that suits them."""
    bends = x[len(places) :]
    left = min(x[k] - place.size.extent[0] for k, place in enumerate(places))
    left = min([left, *(value - BEND for value in bends)])
    for k, place in enumerate(places):
        place.x = x[k] - left - place.size.width / 2
    leaving: dict[int, dict[int, list[float]]] = {}
    for way in ways:
        if way.port >= 0:
            goal = x[way.bends[0]] if way.bends else x[way.target]
            leaving.setdefault(way.source, {}).setdefault(way.port, []).append(goal - left)
    for source, goals in leaving.items():
        _move_ports(places[source], goals)
    entering: dict[int, list[tuple[float, int]]] = {}
    part = Component(places)
    for number, way in enumerate(ways):
        start = places[way.source]
        xs = [start.middle + start.size.port_offset(way.port)]
        xs += [x[item] - left for item in way.bends]
        entering.setdefault(way.target, []).append((xs[-1], number))
        part.routes.append(Route(way.edge, start, places[way.target], xs, way.turned))
    for target, found in entering.items():
        for number, entry in _entries(places[target], found):
            part.routes[number].xs.append(entry)
    _set_heights(part)
    right = max(place.middle + place.size.extent[1] for place in places)
    part.width = max([right, *(value - left + BEND for value in bends)])
    return part


def _entries(place: PlacedVertex, found: list[tuple[float, int]]) -> list[tuple[int, float]]:
    """Return where edges enter a box from above: straight down where the box is below them.

    Edges that come from one place enter at one place.
    """
    columns = sorted({round(x, 3) for x, _ in found})
    half = place.size.entry_room / 2
    low, high = place.middle - half, place.middle + half
    wishes = [min(max(x, low), high) for x in columns]
    weights = [1000.0 if wish == x else 1.0 for wish, x in zip(wishes, columns)]
    at = dict(zip(columns, spaced(wishes, weights, [ENTRY_GAP] * (len(columns) - 1), low, high)))
    return [(number, at[round(x, 3)]) for x, number in found]


def _move_ports(place: PlacedVertex, targets: dict[int, list[float]]) -> None:
    """Move the outputs of a box to where their edges go; each keeps room for its text."""
    size = place.size
    if len(size.ports) < 2:
        return
    ports = sorted(size.ports)
    goals = [targets.get(port, [place.middle]) for port in ports]  # none if the edge is turned
    wishes = [sum(found) / len(found) - place.middle for found in goals]
    weights = [1.0] * len(ports)
    widths = [size.columns[port] for port in ports]
    low, high = -size.width / 2 + 6.0, size.width / 2 - widths[-1]
    size.ports.update(zip(ports, spaced(wishes, weights, widths[:-1], low, max(low, high))))


def _set_heights(part: Component) -> None:
    depth = max(place.layer for place in part.places) + 1
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
