"""Layouts: whatever the diagram, boxes keep apart, lines end at boxes and pass between them."""

from __future__ import annotations

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from autograph.drawing.component import FAR
from autograph.drawing.crossing_reduction import Layered, crossings, reduce_crossings
from autograph.drawing.diagram import Diagram, Edge, Vertex, VertexKind
from autograph.drawing.layering import acyclic, layers_of
from autograph.drawing.layout import layout
from tests.support.drawings import check
from tests.support.nightly import examples

TEXTS = st.text(st.characters(codec="utf-8"), max_size=24)
TYPES = st.sampled_from(["", "int32[]", "float32[?, 128, 128]"])


@st.composite
def diagrams(draw, depth: int = 2) -> Diagram:
    """Any diagram: cycles, unconnected parts, several lines between two boxes."""
    vertices = []
    for _ in range(draw(st.integers(0, 6 if depth else 4))):
        nested = depth and draw(st.booleans())
        inside = draw(st.lists(diagrams(depth - 1), max_size=2)) if nested else []
        ports = tuple(draw(st.lists(TYPES, min_size=1, max_size=4)))
        kind = VertexKind.CONTROL if inside else draw(st.sampled_from(list(VertexKind)))
        lines = tuple(draw(st.lists(TEXTS, max_size=2)))
        vertices.append(Vertex(draw(TEXTS), kind, lines, "", ports, tuple(inside)))
    edges = []
    if len(vertices) > 1:
        ends = st.integers(0, len(vertices) - 1)
        for _ in range(draw(st.integers(0, 14))):
            a, b = draw(ends), draw(ends)
            if a != b:
                port = draw(st.integers(0, len(vertices[a].ports) - 1))
                edges.append(Edge(a, b, port, draw(st.booleans())))
    return Diagram(draw(TEXTS), vertices, edges)


@given(diagrams())
@settings(max_examples=examples(40, kept=15), deadline=None)
def test_nothing_overlaps_and_lines_end_at_boxes(diagram) -> None:
    check(layout(diagram))


@given(diagrams(depth=0))
@settings(max_examples=examples(20, kept=8), deadline=None)
def test_layouts_are_the_same_each_time(diagram) -> None:
    assert repr(layout(diagram).parts) == repr(layout(diagram).parts)


def chain(length: int, *more: Edge) -> Diagram:
    vertices = [Vertex(f"v{k}", ports=("int32[]",)) for k in range(length)]
    return Diagram("chain", vertices, [*[Edge(k, k + 1) for k in range(length - 1)], *more])


def test_a_chain_is_a_straight_line() -> None:
    (part,) = layout(chain(12)).parts
    assert [place.layer for place in part.places] == list(range(12))
    assert len({round(place.middle, 3) for place in part.places}) == 1
    assert all(len({round(x, 3) for x in route.xs}) == 1 for route in part.routes)


def test_a_long_edge_is_straight_where_it_passes_layers() -> None:
    (part,) = layout(chain(9, Edge(0, 8))).parts
    xs = part.routes[-1].xs
    assert len({round(x, 3) for x in xs[1:-1]}) == 1


def test_an_edge_over_many_layers_ends_at_a_reference() -> None:
    (part,) = layout(chain(FAR + 3, Edge(0, FAR + 2))).parts
    chip = part.places[-1]
    assert (chip.vertex.title, chip.vertex.kind) == ("↑ v0", VertexKind.REFERENCE)
    assert chip.vertex.stands_for == 0
    assert part.routes[-1].source is chip
    check(layout(chain(FAR + 3, Edge(0, FAR + 2))))


def test_inputs_stand_at_the_top_and_outputs_at_the_bottom() -> None:
    diagram = chain(5)
    diagram.vertices += [
        Vertex("late", VertexKind.INPUT, ports=("",)),
        Vertex("early", VertexKind.OUTPUT),
    ]
    diagram.edges += [Edge(5, 4), Edge(0, 6)]
    (part,) = layout(diagram).parts
    assert [part.places[5].layer, part.places[6].layer] == [0, 4]


def test_a_loop_is_drawn_upwards() -> None:
    (part,) = layout(chain(3, Edge(2, 0))).parts
    assert [route.turned for route in part.routes] == [False, False, True]
    assert [place.layer for place in part.places] == [0, 1, 2]


def test_unconnected_parts_fill_rows() -> None:
    made = layout(Diagram("", [Vertex(f"vertex {k}") for k in range(100)]))
    assert len(made.parts) == 100
    assert len({part.row for part in made.parts}) > 3
    assert made.width < 1700


@pytest.mark.parametrize("edge", [Edge(0, 0), Edge(0, 2), Edge(-1, 0), Edge(0, 1, 1)])
def test_impossible_edges_are_refused(edge) -> None:
    with pytest.raises(ValueError, match="Edge"):
        layout(Diagram("", [Vertex("a", ports=("",)), Vertex("b", ports=("",))], [edge]))


@given(st.lists(st.tuples(st.integers(0, 7), st.integers(0, 7)).filter(lambda e: e[0] != e[1])))
@settings(deadline=None)
def test_layers_follow_every_edge(edges) -> None:
    kept, turned = acyclic(8, edges)
    layer = layers_of(8, kept)
    assert all(layer[a] < layer[b] for a, b in kept)
    for a, b in edges:
        assert ((b, a) if (a, b) in turned else (a, b)) in kept


@given(st.integers(1, 5), st.integers(1, 5), st.data())
@settings(deadline=None)
def test_crossings_are_counted_as_by_looking_at_all_pairs(above, below, data) -> None:
    ends = st.tuples(st.integers(0, above - 1), st.integers(above, above + below - 1))
    segments = data.draw(st.lists(ends, unique=True))
    count = above + below
    upper: list[list[int]] = [[a for a, b in segments if b == k] for k in range(count)]
    lower: list[list[int]] = [[b for a, b in segments if a == k] for k in range(count)]
    graph = Layered(count, [list(range(above)), list(range(above, count))], upper, lower)
    expected = sum(
        (a - c) * (b - d) < 0 for k, (a, b) in enumerate(segments) for c, d in segments[:k]
    )
    assert crossings(graph) == expected
    reduce_crossings(graph)
    assert crossings(graph) <= expected


def test_a_tree_has_no_crossings() -> None:
    vertices = [Vertex(str(k), ports=("",)) for k in range(40)]
    edges = [Edge((k - 1) // 3, k) for k in range(39, 0, -1)]
    (part,) = layout(Diagram("", vertices, edges)).parts
    for a in part.routes:
        for b in part.routes:
            if a.source.layer == b.source.layer:
                assert (a.xs[0] - b.xs[0]) * (a.xs[1] - b.xs[1]) >= -0.01


def test_sizes_are_finite_for_any_text() -> None:
    made = layout(Diagram("", [Vertex("\0\u200b漢字" * 3, lines=("é" * 40,))]))
    assert math.isfinite(made.width) and made.width > 200
