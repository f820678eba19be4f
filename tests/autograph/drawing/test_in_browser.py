"""Pages in a real browser: no text is cut off, boxes open and close, dark where that is preferred.

The tests skip where there is no Chromium.
"""

from __future__ import annotations

import pytest

from autograph.drawing.diagram import Diagram, Edge, Vertex, VertexKind
from autograph.drawing.page import fragment, page
from autograph.drawing.palette import DARK, LIGHT
from tests.support.browser import CHROMIUM, ask

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="needs Chromium")

MEASURED = """
(() => {
  const boxes = () => [...document.querySelectorAll(".box")].filter((e) => e.getClientRects().length
    && e.querySelector(":scope > rect").getBoundingClientRect().width);
  const area = (box) => box.querySelector(":scope > rect").getBoundingClientRect();
  const overlapping = () => boxes().flatMap((a, k) => boxes().slice(0, k).filter((b) => {
    const [p, q] = [area(a), area(b)];
    return !a.contains(b) && !b.contains(a) && p.left < q.right - 0.1 && q.left < p.right - 0.1
      && p.top < q.bottom - 0.1 && q.top < p.bottom - 0.1;
  }).map((b) => `${a.textContent} on ${b.textContent}`));
  const cut = () => boxes().flatMap((box) => [...box.children].filter((e) =>
    e.tagName === "text" && !e.classList.contains("port")
    && e.getComputedTextLength() > area(box).width - 3).map((e) => e.textContent));
  const loose = () => [...document.querySelectorAll(".edge")].filter((edge) => {
    if (!edge.getClientRects().length) return false;
    const [source, target] = edge.dataset.ends.split(" ").map((k) =>
      area([...edge.parentElement.children].filter((e) => e.classList.contains("box"))[k]));
    const line = edge.querySelector("path").getBoundingClientRect();
    return Math.abs(line.top - source.bottom) > 1.5 || Math.abs(line.bottom - target.top) > 8;
  }).length;
  const state = () => [overlapping(), cut(), loose(), boxes().length,
    Number(document.querySelector("svg").getAttribute("height"))];
  const opened = state();
  const click = (element) => element.dispatchEvent(new MouseEvent("click", { bubbles: true }));
  click(document.querySelectorAll("[data-head] > rect")[1]);
  const inner = state();
  click(document.querySelector("[data-head] > .title"));
  const outer = state();
  click(document.querySelector("nav [data-do=open]"));
  const again = state();
  click(document.querySelector("nav [data-do=close]"));
  document.querySelector(".input").dispatchEvent(new MouseEvent("mouseover", { bubbles: true }));
  return { opened, inner, outer, again, closed: state(),
    marked: document.querySelectorAll(".edge.marked").length,
    page: getComputedStyle(document.querySelector(".page")).fill,
    loaded: performance.getEntriesByType("resource").length };
})()
"""


def vertex(title: str, *inside: Diagram, **more: object) -> Vertex:
    kind = VertexKind.CONTROL if inside else VertexKind.OPERATION
    return Vertex(title, ports=("float32[?, 16]",), inside=inside, kind=kind, **more)


def nested() -> Diagram:
    chain = [vertex("MMMMWWWW"), vertex("漢字かな"), vertex("x", lines=("axis=(0, 1, 2, 3)",))]
    branch = Diagram("then", chain, [Edge(0, 1), Edge(1, 2), Edge(0, 2)])
    short = Diagram("otherwise", [vertex("identity")])
    cond = vertex("cond", branch, short)
    body = Diagram("body", [vertex("floormod"), cond, vertex("add")], [Edge(0, 1), Edge(1, 2)])
    other = [vertex(name) for name in ("tanh", "a_rather_long_name_of_an_operation")]
    start = Vertex("n", VertexKind.INPUT, ports=("int32[]",))
    loop = vertex("while", Diagram("test", [vertex("greater")]), body)
    edges = [Edge(0, 1), Edge(1, 2), Edge(0, 2), Edge(0, 3), Edge(3, 2)]
    return Diagram("loops", [start, loop, *other], edges)


def rgb(colour: str) -> str:
    numbers = [int(colour[k : k + 2], 16) for k in (1, 3, 5)]
    return f"rgb({', '.join(map(str, numbers))})"


@pytest.mark.parametrize("dark", [False, True])
def test_boxes_open_and_close(tmp_path, dark) -> None:
    found = ask(page(nested()), tmp_path, MEASURED, dark)
    assert isinstance(found, dict), found
    for name in ("opened", "inner", "outer", "again", "closed"):
        overlapping, cut, loose, _, _ = found[name]
        assert (overlapping, cut, loose) == ([], [], 0), name
    counts = [found[name][3] for name in ("opened", "inner", "outer", "again", "closed")]
    assert counts == [12, 8, 4, 12, 4]
    heights = [found[name][4] for name in ("opened", "inner", "outer", "again")]
    assert heights[0] > heights[1] > heights[2]
    assert heights[0] == pytest.approx(heights[3], abs=0.3)
    assert found["marked"] == 3
    assert found["page"] == rgb((DARK if dark else LIGHT)["page"])
    assert found["loaded"] == 0


@pytest.mark.nightly
def test_two_drawings_share_a_page(tmp_path) -> None:
    both = f"<html><title></title><body>{fragment(nested())}{fragment(nested())}</body></html>"
    assert ask(both, tmp_path, "document.querySelectorAll('svg[data-ready]').length") == 2
