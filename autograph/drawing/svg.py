"""SVG of diagrams: one self-contained picture, light or dark as the reader prefers."""

from __future__ import annotations

import json
import re
from html import escape

from autograph.drawing.diagram import Diagram, VertexKind
from autograph.drawing.layout import MARGIN, PART_GAP, layout
from autograph.drawing.palette import ROOT, style
from autograph.drawing.placement import Component, DiagramLayout, PlacedVertex, Route
from autograph.drawing.vertex_size import (
    ABOVE,
    FRAME_GAP,
    FRAME_HEADER,
    FRAME_MARGIN,
    HEADER,
    LINE_HEIGHT,
    PILLS,
    PORT_TEXT,
    TITLE_HEIGHT,
)

ROUND, TIP, TIP_WIDTH = 6.0, 6.0, 3.2
SIZES = {
    "margin": MARGIN, "partGap": PART_GAP, "frameHeader": FRAME_HEADER, "frameGap": FRAME_GAP,
    "frameMargin": FRAME_MARGIN, "closedMargin": 2.0, "tip": TIP, "tipWidth": TIP_WIDTH,
}  # fmt: skip
"""What drawing.js needs to arrange a drawing anew."""
_UNWRITABLE = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def svg(diagram: Diagram) -> str:
    """Return a diagram as a file of SVG; ValueError for an edge that cannot be drawn."""
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + picture(layout(diagram))


def picture(placed: DiagramLayout, live: bool = False) -> str:
    """Return the element ``svg`` of a layout.

    ``live`` adds what drawing.js needs to collapse boxes and to follow edges.
    """
    width, height = number(placed.width), number(placed.height)
    title = text(placed.diagram.title or "graph")
    writer = SvgWriter(live)
    writer.diagram(placed)
    role = f"data-sizes='{json.dumps(SIZES)}'" if live else 'role="img"'
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" class="{ROOT}" width="{width}" '
        f'height="{height}" viewBox="0 0 {width} {height}" {role} aria-label="{title}">',
        f"<style>\n{style()}</style>",
        f'<rect class="page" width="{width}" height="{height}"/>',
        *writer.lines,
        "</svg>",
    ]
    return "\n".join(lines) + "\n"


def text(value: str) -> str:
    """Return a text as XML; a character that XML cannot hold becomes a replacement character."""
    return escape(_UNWRITABLE.sub("\ufffd", value))


def number(value: float) -> str:
    """Return a number of pixels with one digit after the point, if that is needed."""
    digits = f"{value:.1f}".removesuffix(".0")
    return "0" if digits == "-0" else digits


class SvgWriter:
    """Writer of the elements of layouts into ``lines``; numbers the diagrams that it writes."""

    def __init__(self, live: bool) -> None:
        self.live = live
        self.lines: list[str] = []
        self._count = 0

    def diagram(self, placed: DiagramLayout) -> None:
        """Write a diagram: part by part, edges below boxes."""
        self._count += 1
        name = f"g{self._count}"
        for component in placed.parts:
            data = _part_data(component) if self.live else ""
            self.lines.append(
                f'<g class="component"{data} transform="{_moved(component.x, component.y)}">'
            )
            tops = component.tops()
            numbers = {id(place): k for k, place in enumerate(component.places)}
            for route in component.routes:
                self._edge(component, tops, route, numbers)
            for place in component.places:
                self._box(place, name)
            self.lines.append("</g>")

    def _edge(
        self, component: Component, tops: list[float], route: Route, numbers: dict[int, int]
    ) -> None:
        kind = "edge after" if route.edge.control else "edge"
        data = _route_data(route, numbers) if self.live else ""
        tip = f"<title>{text(route.edge.tip)}</title>" if route.edge.tip else ""
        line, head = path(component, tops, route)
        self.lines.append(
            f'<g class="{kind}"{data}>{tip}<path d="{line}"/><path class="tip" d="{head}"/></g>'
        )

    def _box(self, place: PlacedVertex, diagram: str) -> None:
        vertex, size = place.vertex, place.size
        data = _box_data(place, diagram) if self.live else ""
        kind = f"box {vertex.kind.value}"
        self.lines.append(f'<g class="{kind}"{data} transform="{_moved(place.x, place.y)}">')
        if vertex.tip:
            self.lines.append(f"<title>{text(vertex.tip)}</title>")
        pill = vertex.kind in PILLS and not vertex.lines
        self._rectangle(size.width, size.height, min(size.height / 2, 10.0) if pill else ROUND)
        self._texts(place)
        if self.live and size.frames:
            mark = "▸" if size.open_width else "▾"
            self.lines.append(
                f'<text class="toggle" x="13" y="{number(HEADER - 9)}">{mark}</text>'
            )
        for frame, inner in zip(size.frames, place.inside):
            row = f' data-row="{frame.row}"' if self.live else ""
            row += ' style="display: none"' if size.open_width else ""
            self.lines.append(f'<g class="frame"{row} transform="{_moved(frame.x, frame.y)}">')
            self._rectangle(frame.width, frame.height, ROUND)
            title = text(inner.diagram.title)
            shift = (frame.width - inner.width) / 2
            self.lines.append(f'<text class="small heading" x="9" y="15">{title}</text>')
            self.lines.append(f'<g class="content" transform="{_moved(shift, FRAME_HEADER)}">')
            self.diagram(inner)
            self.lines.append("</g></g>")
        self._ports(place)
        self.lines.append("</g>")

    def _rectangle(self, width: float, height: float, radius: float) -> None:
        self.lines.append(
            f'<rect width="{number(width)}" height="{number(height)}" rx="{number(radius)}"/>'
        )

    def _texts(self, place: PlacedVertex) -> None:
        vertex, size = place.vertex, place.size
        middle = number(size.width / 2)
        pill = vertex.kind in PILLS
        plain = vertex.kind in (VertexKind.CONSTANT, VertexKind.REFERENCE)
        kind = ("" if plain else "title") + (" small" if pill else "")
        y = ABOVE + TITLE_HEIGHT - 5
        if size.frames:
            y = HEADER - 9
        elif pill and not vertex.lines:
            y = size.height / 2 + 3.7
        title = text(vertex.title)
        self.lines.append(
            f'<text class="{kind.strip()}" x="{middle}" y="{number(y)}">{title}</text>'
        )
        for line in vertex.lines:
            y += LINE_HEIGHT
            self.lines.append(
                f'<text class="line" x="{middle}" y="{number(y)}">{text(line)}</text>'
            )

    def _ports(self, place: PlacedVertex) -> None:
        size = place.size
        for port, offset in size.ports.items():
            shown = place.vertex.ports[port]
            if shown:
                x = number(size.width / 2 + offset + PORT_TEXT)
                y = number(size.height + 11.5)
                self.lines.append(f'<text class="port" x="{x}" y="{y}">{text(shown)}</text>')


def path(component: Component, tops: list[float], route: Route) -> tuple[str, str]:
    """Return the line of an edge, and the triangle at its end, as paths of SVG."""
    layer, xs = route.source.layer, route.xs
    x = xs[0]
    start = route.source.y + route.source.size.height
    commands = [f"M{number(x)} {number(start + (TIP if route.turned else 0))}"]
    end = route.target.y - (0 if route.turned else TIP)
    for k, after in enumerate(xs[1:], layer):
        if abs(after - x) < 0.05:
            continue
        low, high = tops[k] + component.heights[k], tops[k + 1]
        if k + 1 == route.target.layer:
            high = end
        middle = number((low + high) / 2)
        commands.append(f"V{number(low)}C{number(x)} {middle} {number(after)} {middle} "
                     f"{number(after)} {number(high)}")  # fmt: skip
        x = after
    commands.append(f"V{number(end)}")
    if route.turned:
        head = f"M{number(xs[0])} {number(start)}l{-TIP_WIDTH} {TIP + 1}h{2 * TIP_WIDTH}z"
    else:
        head = (
            f"M{number(xs[-1])} {number(route.target.y)}l{-TIP_WIDTH} {-TIP - 1}h{2 * TIP_WIDTH}z"
        )
    return "".join(commands), head


def _moved(x: float, y: float) -> str:
    return f"translate({number(x)} {number(y)})"


def _part_data(component: Component) -> str:
    gaps = " ".join(map(number, component.gaps))
    width = number(component.width)
    return (
        f' data-row="{component.row}" data-width="{width}" '
        f'data-layers="{len(component.heights)}" data-gaps="{gaps}"'
    )


def _route_data(route: Route, numbers: dict[int, int]) -> str:
    ends = f"{numbers[id(route.source)]} {numbers[id(route.target)]}"
    turned = " data-turned" if route.turned else ""
    return f' data-ends="{ends}" data-xs="{" ".join(map(number, route.xs))}"{turned}'


def _box_data(place: PlacedVertex, diagram: str) -> str:
    size, vertex = place.size, place.vertex
    data = f' data-layer="{place.layer}" data-below="{number(size.full_height - size.height)}"'
    if place.index >= 0:
        data += f' data-name="{diagram}v{place.index}"'
    if vertex.stands_for is not None:
        data += f' data-goes="{diagram}v{vertex.stands_for}" role="link" tabindex="0"'
    if size.frames:
        head = number(size.frames[0].y)
        opened = "false" if size.open_width else "true"
        data += f' data-head="{head}" role="button" tabindex="0" aria-expanded="{opened}"'
        if size.open_width:
            data += f' data-closed data-wide="{number(size.open_width)}"'
    return data
