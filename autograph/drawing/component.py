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
    routes: list[_Way] = []
    references: dict[tuple[int, int, int], int] = {}
    for edge in edges:
        source, target = local[edge.source], local[edge.target]
        if (source, target) in turned:
            routes.append(_Way(edge, target, source, -1, True))
        elif edge.control:
            routes.append(_Way(edge, source, target, -1))
        elif layer[target] - layer[source] <= FAR:
            routes.append(_Way(edge, source, target, edge.port))
        else:
            key = (source, edge.port, target)
            if key not in references:
                references[key] = len(places)
                places.append(_reference(places[source], edge.port))
                layer.append(layer[target] - 1)
            routes.append(_Way(edge, references[key], target, 0))
    levels = {level: k for k, level in enumerate(sorted(set(layer)))}  # without empty layers
    for place, level in zip(places, layer):
        place.layer = levels[level]
    graph = _layered(places, routes)
    reduce_crossings(graph)
    extents = [place.size.extent for place in places]
    x = coordinates(graph, [*extents, *[(BEND, BEND)] * (len(graph.upper) - len(places))])
    return _finished(places, routes, x)


def _layers(places: Sequence[PlacedVertex], pairs: Sequence[tuple[int, int]]) -> list[int]:
    layers = layers_of(len(places), pairs)
    if max(layers) > ANCHORED:
        return layers
    top = [k for k, place in enumerate(places) if place.vertex.kind is VertexKind.INPUT]
    bottom = [k for k, place in enumerate(places) if place.vertex.kind is VertexKind.OUTPUT]
    return layers_of(len(places), pairs, top, bottom)


def _reference(source: PlacedVertex, port: int) -> PlacedVertex:
    """Return a small vertex that stands for an output of one far above."""
    vertex = source.vertex
    number = f":{port}" if len(vertex.ports) > 1 else ""
    text = vertex.ports[port]
    stand_in = Vertex(
        f"↑ {vertex.title}{number}", VertexKind.REFERENCE, tip=vertex.tip, ports=(text,),
        stands_for=source.index,
    )  # fmt: skip
    return PlacedVertex(stand_in, -1, vertex_size.size_of(stand_in, {0}, []), [])


def _layered(places: Sequence[PlacedVertex], routes: Sequence[_Way]) -> Layered:
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
    for route in routes:
        top_layer, bottom_layer = places[route.source].layer, places[route.target].layer
        trunk = trunks.setdefault((route.source, route.port), [route.source])
        while top_layer + len(trunk) < bottom_layer:
            item = add(top_layer + len(trunk))
            join(trunk[-1], item, route.port)
            trunk.append(item)
        route.bends = trunk[1 : bottom_layer - top_layer]
        join(trunk[bottom_layer - top_layer - 1], route.target, route.port)
    return graph


def _finished(places: list[PlacedVertex], routes: Sequence[_Way], x: Sequence[float]) -> Component:
    """Return the part: its left end is at 0, edges enter and leave boxes where that suits them."""
    bends = x[len(places) :]
    left_edge = min(x[k] - place.size.extent[0] for k, place in enumerate(places))
    left_edge = min([left_edge, *(value - BEND for value in bends)])
    for k, place in enumerate(places):
        place.x = x[k] - left_edge - place.size.width / 2
    leaving: dict[int, dict[int, list[float]]] = {}
    for route in routes:
        if route.port >= 0:
            goal = x[route.bends[0]] if route.bends else x[route.target]
            leaving.setdefault(route.source, {}).setdefault(route.port, []).append(goal - left_edge)
    for source, goals in leaving.items():
        _move_ports(places[source], goals)
    entering: dict[int, list[tuple[float, int]]] = {}
    component = Component(places)
    for number, route in enumerate(routes):
        start = places[route.source]
        xs = [start.middle + start.size.port_offset(route.port)]
        xs += [x[item] - left_edge for item in route.bends]
        entering.setdefault(route.target, []).append((xs[-1], number))
        component.routes.append(Route(route.edge, start, places[route.target], xs, route.turned))
    for target, entry_points in entering.items():
        for number, entry in _entries(places[target], entry_points):
            component.routes[number].xs.append(entry)
    _set_heights(component)
    right = max(place.middle + place.size.extent[1] for place in places)
    component.width = max([right, *(value - left_edge + BEND for value in bends)])
    return component


def _entries(place: PlacedVertex, entry_points: list[tuple[float, int]]) -> list[tuple[int, float]]:
    """Return where edges enter a box from above: straight down where the box is below them.

    Edges that come from one place enter at one place.
    """
    columns = sorted({round(x, 3) for x, _ in entry_points})
    half = place.size.entry_room / 2
    low, high = place.middle - half, place.middle + half
    wishes = [min(max(x, low), high) for x in columns]
    weights = [1000.0 if wish == x else 1.0 for wish, x in zip(wishes, columns)]
    at = dict(zip(columns, spaced(wishes, weights, [ENTRY_GAP] * (len(columns) - 1), low, high)))
    return [(number, at[round(x, 3)]) for x, number in entry_points]


def _move_ports(place: PlacedVertex, targets: dict[int, list[float]]) -> None:
    """Move the outputs of a box to where their edges go; each keeps room for its text."""
    size = place.size
    if len(size.ports) < 2:
        return
    ports = sorted(size.ports)
    goals = [targets.get(port, [place.middle]) for port in ports]  # none if the edge is turned
    wishes = [sum(port_goals) / len(port_goals) - place.middle for port_goals in goals]
    weights = [1.0] * len(ports)
    widths = [size.columns[port] for port in ports]
    low, high = -size.width / 2 + 6.0, size.width / 2 - widths[-1]
    size.ports.update(zip(ports, spaced(wishes, weights, widths[:-1], low, max(low, high))))


def _set_heights(component: Component) -> None:
    depth = max(place.layer for place in component.places) + 1
    component.heights = [0.0] * depth
    for place in component.places:
        component.heights[place.layer] = max(component.heights[place.layer], place.size.full_height)
    widest = [0.0] * depth
    for route in component.routes:
        for k, (a, b) in enumerate(zip(route.xs, route.xs[1:]), route.source.layer):
            widest[k] = max(widest[k], abs(a - b))
    component.gaps = [min(GAP + STEEPEST * width, WIDEST_GAP) for width in widest[:-1]]
    tops = component.tops()
    for place in component.places:
        place.y = tops[place.layer]
    component.height = tops[-1] + component.heights[-1]
