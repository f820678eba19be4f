"""Large diagrams with scopes as boxes: what is drawn closed at first, to be opened by a click.

Between diagrams and their layout: ``page`` folds a diagram of more than ``MANY`` boxes.  Vertices
name the scopes that they belong to; those of one scope become a diagram inside of a vertex.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from autograph.drawing.diagram import Diagram, Edge, Vertex, VertexKind, duration

MANY = 60
"""Diagrams of more boxes are folded."""
SCREEN = 24
"""What has no scopes is divided into connected parts where it has more boxes than this."""
TIPS = 8
READERS = 4
_INPUTS, _OUTPUTS = "from ", "to "

Group = list[int]


def size_of(diagram: Diagram) -> int:
    """Return the number of boxes of a diagram, with those inside of boxes."""
    return sum(len(inner.vertices) for inner in diagram.walk())


def folded(diagram: Diagram) -> Diagram:
    """Return a diagram with its scopes as boxes; the same one if it is small."""
    return _with_folded_insides(diagram) if size_of(diagram) > MANY else diagram


def label(scope: str) -> str:
    """Return the name of a scope as readers see it; what follows a zero byte tells it from others
    of that name.
    """
    return scope.partition("\0")[0]


def _with_folded_insides(diagram: Diagram) -> Diagram:
    """Fold the diagrams inside of vertices first, then the vertices."""
    vertices = [
        replace(vertex, inside=tuple(map(_with_folded_insides, vertex.inside)))
        for vertex in diagram.vertices
    ]
    return _fold(Diagram(diagram.title, vertices, diagram.edges), 0)


def _fold(diagram: Diagram, depth: int) -> Diagram:
    """Fold the vertices of a diagram by their scopes from a depth on.

    A scope that holds nearly all is no box of its own.  What has no scope is divided, if it is
    much, into connected parts.
    """
    ends = (VertexKind.INPUT, VertexKind.OUTPUT)
    own = [index for index, vertex in enumerate(diagram.vertices) if vertex.kind not in ends]
    if len(own) <= SCREEN:
        return diagram
    groups = _by_scope(diagram.vertices, depth)
    if len(groups) == 1 and len(groups[0][1]) > 0.95 * len(own):
        return _fold(diagram, depth + 1)
    covered = {index for _, group in groups for index in group}
    rest = [index for index in own if index not in covered]
    if len(rest) > SCREEN:
        parts = _connected(diagram, rest)
        groups += parts if groups or len(parts) > 1 else []
    return _grouped(diagram, groups, depth + 1) if groups else diagram


def _by_scope(vertices: Sequence[Vertex], depth: int) -> list[tuple[str, Group]]:
    """Return the vertices of each scope of a depth that holds several."""
    scopes: dict[tuple[str, ...], Group] = {}
    for index, vertex in enumerate(vertices):
        if len(vertex.scope) > depth:
            scopes.setdefault(vertex.scope[: depth + 1], []).append(index)
    return [(scope[-1], group) for scope, group in scopes.items() if len(group) > 1]


def _connected(diagram: Diagram, rest: Sequence[int]) -> list[tuple[str, Group]]:
    """Return the parts of some vertices that edges of values connect, if there are several.

    Vertices that many others read, as a learning rate is, connect nothing.
    """
    readers: dict[int, set[int]] = {}
    for edge in diagram.edges:
        if not edge.control:
            readers.setdefault(edge.source, set()).add(edge.target)
    inside, leader = set(rest), {index: index for index in rest}

    def find(index: int) -> int:
        while leader[index] != index:
            leader[index] = leader[leader[index]]
            index = leader[index]
        return index

    for edge in diagram.edges:
        shared = len(readers.get(edge.source, ())) > 6
        if not (edge.control or shared) and {edge.source, edge.target} <= inside:
            leader[find(edge.target)] = find(edge.source)
    parts: dict[int, Group] = {}
    for index in rest:
        parts.setdefault(find(index), []).append(index)
    large = [group for group in parts.values() if len(group) > 2]
    if len(large) == 1 and len(large[0]) > 0.8 * len(rest):
        large = _runs(large[0]) if len(large[0]) > 2 * SCREEN else []
    return [(f"{_called(diagram, group)}\0{group[0]}", group) for group in large]


def _runs(group: Group) -> list[Group]:
    """Divide vertices, in the order of the program, into parts that fit a screen."""
    size = max(SCREEN, -(-len(group) // SCREEN))
    return [group[start : start + size] for start in range(0, len(group), size)]


def _called(diagram: Diagram, group: Group) -> str:
    """Return a name for vertices without a scope: of what they change, or of their last."""
    for kind in (VertexKind.VARIABLE, VertexKind.HEAVY, VertexKind.CONTROL):
        for index in reversed(group):
            if diagram.vertices[index].kind is kind:
                return diagram.vertices[index].title
    return f"… {diagram.vertices[group[-1]].title}"


@dataclass
class _Inner:
    """Diagram inside a box, while it is built."""

    vertices: list[Vertex] = field(default_factory=list)
    edges: dict[tuple[int, int, int, bool], Edge] = field(default_factory=dict)
    at: dict[int, int] = field(default_factory=dict)
    """Index of a vertex of the diagram around -> its index here."""
    pills: dict[tuple[str, int, int], int] = field(default_factory=dict)

    def pill(self, title: str, kind: VertexKind, key: int, index: int, text: str) -> int:
        """Return the vertex that stands for one outside."""
        place = self.pills.get((title, key, index))
        if place is None:
            place = self.pills[title, key, index] = len(self.vertices)
            ports = (text,) if kind is VertexKind.INPUT else ()
            self.vertices.append(Vertex(title, kind, (), title, ports))
        return place

    def join(self, edge: Edge) -> None:
        self.edges.setdefault((edge.source, edge.target, edge.port, edge.control), edge)


def _grouped(diagram: Diagram, groups: Sequence[tuple[str, Group]], depth: int) -> Diagram:
    """Return a diagram in which each group of vertices is one, with a diagram inside."""
    owner = {index: number for number, (_, group) in enumerate(groups) for index in group}
    inner = [_Inner() for _ in groups]
    outer = Diagram(diagram.title)
    place: dict[int, int] = {}
    box: dict[int, int] = {}
    for index, vertex in enumerate(diagram.vertices):
        number = owner.get(index)
        if number is None:
            place[index] = len(outer.vertices)
            outer.vertices.append(vertex)
            continue
        inner[number].at[index] = len(inner[number].vertices)
        inner[number].vertices.append(vertex)
        if number not in box:
            box[number] = len(outer.vertices)
            outer.vertices.append(Vertex(label(groups[number][0]), VertexKind.CONTROL))
    names = [label(name) for name, _ in groups]
    joined: dict[tuple[int, int, int, bool], list[Edge]] = {}
    for edge in diagram.edges:
        source, target = owner.get(edge.source), owner.get(edge.target)
        if source is not None and source == target:
            at = inner[source].at
            inner[source].join(replace(edge, source=at[edge.source], target=at[edge.target]))
            continue
        begin = place[edge.source] if source is None else box[source]
        end = place[edge.target] if target is None else box[target]
        port = edge.port if source is None else 0
        joined.setdefault((begin, end, port, edge.control), []).append(edge)
        if edge.control:
            continue
        text = diagram.vertices[edge.source].ports[edge.port]
        if target is not None:
            title = diagram.vertices[edge.source].title if source is None else names[source]
            pill = inner[target].pill(title, VertexKind.INPUT, edge.source, edge.port, text)
            inner[target].join(Edge(pill, inner[target].at[edge.target], 0, False, edge.tip))
        if source is not None:
            title = diagram.vertices[edge.target].title if target is None else names[target]
            key = edge.target if target is None else -1 - target
            pill = inner[source].pill(title, VertexKind.OUTPUT, key, 0, text)
            begin = inner[source].at[edge.source]
            inner[source].join(Edge(begin, pill, edge.port, False, edge.tip))
    outputs = _outer_edges(outer, joined, diagram, set(box.values()))
    for number, (name, group) in enumerate(groups):
        members = [diagram.vertices[index] for index in group]
        part = _with_few_readers(inner[number].vertices, list(inner[number].edges.values()))
        count = sum(1 + sum(map(size_of, vertex.inside)) for vertex in members)
        seconds = sum(vertex.seconds for vertex in members)
        lines = (f"{count:,} operations", *([duration(seconds)] if seconds else ()))
        outer.vertices[box[number]] = Vertex(
            label(name), VertexKind.CONTROL, lines, label(name),
            (outputs.get(box[number], ""),), (_fold(part, depth),), seconds=seconds,
        )  # fmt: skip
    return outer


def _with_few_readers(vertices: list[Vertex], edges: Sequence[Edge]) -> Diagram:
    """Return a diagram in which what stands for a vertex outside stands beside each that needs it.

    One for all of many would join parts that have nothing to do with each other.
    """
    ends = {VertexKind.INPUT: 0, VertexKind.OUTPUT: 1}
    uses: dict[int, int] = {}
    for edge in edges:
        for place, index in enumerate((edge.source, edge.target)):
            if ends.get(vertices[index].kind) == place:
                uses[index] = uses.get(index, 0) + 1
    copies: dict[tuple[int, int], int] = {}

    def copy_for(index: int, other: int) -> int:
        if uses.get(index, 0) <= READERS:
            return index
        if not any(key[0] == index for key in copies):
            return copies.setdefault((index, other), index)
        if (index, other) not in copies:
            copies[index, other] = len(vertices)
            vertices.append(vertices[index])
        return copies[index, other]

    return Diagram("", vertices, [
        replace(edge, source=copy_for(edge.source, edge.target),
                target=copy_for(edge.target, edge.source))
        for edge in edges
    ])  # fmt: skip


def _outer_edges(
    outer: Diagram, joined: dict[tuple[int, int, int, bool], list[Edge]], diagram: Diagram,
    boxes: set[int],
) -> dict[int, str]:  # fmt: skip
    """Add the edges between boxes, one for all of a direction; return the texts of the ports."""
    values: dict[int, set[tuple[int, int]]] = {}
    for (begin, end, port, control), edges in joined.items():
        if control and ((begin, end, 0, False) in joined or end in boxes or begin in boxes):
            continue  # what a line of values says already, or of the inside alone
        tips = [edge.tip for edge in edges[:TIPS]]
        if len(edges) > TIPS:
            tips.append(f"… {len(edges) - TIPS} more")
        outer.edges.append(Edge(begin, end, port, control, "\n".join(tips)))
        if begin in boxes:
            values.setdefault(begin, set()).update((edge.source, edge.port) for edge in edges)
    texts = {}
    for begin, sources in values.items():
        source, port = next(iter(sources))
        ports = diagram.vertices[source].ports
        one = ports[port] if port < len(ports) else ""
        texts[begin] = one if len(sources) == 1 else f"{len(sources)} values"
    return texts
