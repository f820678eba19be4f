"""Large diagrams: scopes are boxes that begin closed, nothing is lost, and opening makes room."""

from __future__ import annotations

import pytest

from autograph.drawing import folding
from autograph.drawing.diagram import Diagram, Edge, Vertex, VertexKind
from autograph.drawing.layout import layout
from autograph.drawing.page import fragment, page
from tests.support.browser import CHROMIUM, ask


def layered(layers: int, size: int, scoped: bool = True) -> Diagram:
    """Layers of a chain of operations each; every operation is also read far below."""
    vertices = [Vertex("x", VertexKind.INPUT, ports=("float32[2]",))]
    edges = []
    for layer in range(layers):
        for number in range(size):
            scope = ("model", f"layer {layer}\0{layer}") if scoped else ()
            vertices.append(Vertex(f"op{number}", ports=("float32[2]",), scope=scope, seconds=1e-3))
            edges.append(Edge(len(vertices) - 2, len(vertices) - 1))
    vertices.append(Vertex("result", VertexKind.OUTPUT))
    edges.append(Edge(len(vertices) - 2, len(vertices) - 1))
    return Diagram("net", vertices, edges)


def operations(diagram: Diagram) -> list[Vertex]:
    return [v for inner in diagram.walk() for v in inner.vertices if v.title.startswith("op")]


def test_small_diagrams_stay_as_they_are() -> None:
    diagram = layered(2, 10)
    assert folding.folded(diagram) is diagram


def test_scopes_become_boxes_and_nothing_is_lost() -> None:
    diagram = layered(12, 30)
    top = folding.folded(diagram)
    assert [v.title for v in top.vertices] == [
        "x", *[f"layer {k}" for k in range(12)], "result"
    ]  # the scope around all of them is none
    assert len(operations(top)) == 360
    assert len(top.edges) == 13 and all(edge.target == edge.source + 1 for edge in top.edges)
    box = top.vertices[1]
    assert box.lines == ("30 operations", "30 ms") and box.ports == ("float32[2]",)
    inside = box.inside[0]
    assert {v.title for v in inside.vertices if v.kind is VertexKind.INPUT} == {"x"}
    assert {v.title for v in inside.vertices if v.kind is VertexKind.OUTPUT} == {"layer 1"}


@pytest.mark.parametrize("count", [70, 400, 1500])
def test_what_has_no_scopes_is_divided_to_fit_a_screen(count: int) -> None:
    top = folding.folded(layered(1, count, scoped=False))
    assert len(operations(top)) == count
    assert len(top.vertices) <= 70
    layout(top, closed=True)


def test_the_diagrams_given_are_not_changed() -> None:
    diagram = layered(12, 30)
    before = [*diagram.vertices], [*diagram.edges]
    folding.folded(diagram)
    assert (diagram.vertices, diagram.edges) == before


MEASURED = """
(() => {
  const boxes = () => [...document.querySelectorAll("main .box")].filter((e) =>
    e.getClientRects().length);
  const area = (box) => box.querySelector(":scope > rect").getBoundingClientRect();
  const overlapping = () => boxes().flatMap((a, k) => boxes().slice(0, k).filter((b) => {
    const [p, q] = [area(a), area(b)];
    return !a.contains(b) && !b.contains(a) && p.left < q.right - 0.1 && q.left < p.right - 0.1
      && p.top < q.bottom - 0.1 && q.top < p.bottom - 0.1;
  })).length;
  const loose = () => [...document.querySelectorAll("main .edge")].filter((edge) => {
    if (!edge.getClientRects().length) return false;
    const [source, target] = edge.dataset.ends.split(" ").map((k) =>
      area([...edge.parentElement.children].filter((e) => e.classList.contains("box"))[k]));
    const line = edge.querySelector("path").getBoundingClientRect();
    return Math.abs(line.top - source.bottom) > 8 || Math.abs(line.bottom - target.top) > 8
      || line.left > source.right || line.right < source.left;
  }).length;
  const main = document.querySelector("main"), svg = main.querySelector("svg");
  const fits = svg.getBoundingClientRect().height <= main.clientHeight
    && svg.getBoundingClientRect().width <= main.clientWidth;
  const state = () => [boxes().length, overlapping(), loose()];
  const closed = state();
  for (const head of document.querySelectorAll("main > svg > g > [data-head] > .title")) {
    head.dispatchEvent(new MouseEvent("click", { bubbles: true }));
  }
  const opened = state();
  const search = document.querySelector("nav input");
  document.querySelector("nav [data-do=close]").click();
  search.value = "op7";
  search.dispatchEvent(new Event("input"));
  search.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter" }));
  const hit = svg.querySelector(".box.marked"), seen = hit && area(hit);
  const view = main.getBoundingClientRect();
  document.querySelector("nav [data-do=in]").click();
  return { fits, closed, opened, zoom: svg.drawing.zoom > 1,
    overview: !document.querySelector(".overview").hidden,
    hit: hit && hit.querySelector(".title").textContent,
    inside: Boolean(seen && seen.top >= view.top - 1 && seen.bottom <= view.bottom + 1) };
})()
"""


@pytest.mark.skipif(CHROMIUM is None, reason="needs Chromium")
def test_a_page_begins_with_the_top_level_and_finds_what_is_inside(tmp_path) -> None:
    shown = ask(page(layered(8, 12)), tmp_path, MEASURED, False)
    assert not isinstance(shown, str), shown
    assert shown["fits"] and shown["closed"] == [10, 0, 0]
    assert shown["opened"][0] > 100 and shown["opened"][1:] == [0, 0]
    assert (shown["hit"], shown["inside"], shown["zoom"], shown["overview"]) == (
        "op7", True, True, True
    )


def test_notebooks_show_the_top_level_first() -> None:
    assert fragment(layered(8, 12)).count("data-closed") == 8
