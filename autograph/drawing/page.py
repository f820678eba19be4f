"""HTML pages of diagrams: boxes open and close, lines light up; nothing else is loaded.

A large diagram begins with its scopes closed (folding.py); a page also zooms, shows an overview,
and searches by name (viewer.js).
"""

from __future__ import annotations

import functools
import importlib.resources

from autograph.drawing.diagram import Diagram
from autograph.drawing.folding import folded, size_of
from autograph.drawing.layout import layout
from autograph.drawing.palette import page_style, themed_style
from autograph.drawing.placement import DiagramLayout
from autograph.drawing.svg import picture, text

BUTTONS = (
    ("close", "Close all boxes"), ("open", "Open all boxes"),
    ("out", "−"), ("in", "+"), ("fit", "Fit to the window"),
)  # fmt: skip
ALL = 400
"""Of more boxes, no button opens all."""


def page(diagram: Diagram) -> str:
    """Return a diagram as a page of HTML; ValueError for an edge that cannot be drawn."""
    placed = _folded_layout(diagram)
    title = text(diagram.title or "graph")
    start = ' data-start="fit"' if placed.diagram is not diagram else ""
    scripts = "\n".join(map(script, ("drawing.js", "viewer.js")))
    return (
        f'<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{title}</title>\n<style>\n{page_style()}</style>\n</head>\n<body>\n"
        f"<header><h1>{title}</h1><p>{text(_count(diagram))}</p>{_controls(placed)}</header>\n"
        f'<main class="viewer"{start}>\n{picture(placed, live=True)}</main>\n'
        '<div class="overview" hidden><svg><use href="#drawing"/></svg><i></i></div>\n'
        f"<script>\n{scripts}</script>\n</body>\n</html>\n"
    )


def fragment(diagram: Diagram) -> str:
    """Return a diagram as a part of a page, as notebooks show it.

    Its script finds the drawing before it, so that several of them share a page.  Colours are those
    of the notebook's theme.
    """
    return (
        '<div style="overflow: auto; max-height: 48em">\n'
        f"<style>\n{themed_style()}</style>\n{picture(_folded_layout(diagram), live=True)}"
        f"<script>\n{script('drawing.js')}</script></div>\n"
    )


def _folded_layout(diagram: Diagram) -> DiagramLayout:
    """Return the layout of a diagram, with closed scopes if it is large."""
    scopes = folded(diagram)
    return layout(scopes, closed=scopes is not diagram)


@functools.cache
def script(name: str) -> str:
    """Return the text of a script of this folder."""
    return (importlib.resources.files("autograph.drawing") / name).read_text(encoding="utf-8")


def _count(diagram: Diagram) -> str:
    edges = sum(len(inner.edges) for inner in diagram.walk())
    return f"{size_of(diagram):,} boxes, {edges:,} edges"


def _controls(placed: DiagramLayout) -> str:
    """Return the search and the buttons: those that open and close only where there are boxes."""
    nested = any(vertex.inside for vertex in placed.diagram.vertices)
    large = size_of(placed.diagram) > ALL
    buttons = "".join(
        f'<button type="button" data-do="{do}">{shown}</button>'
        for do, shown in BUTTONS
        if (nested or do not in ("close", "open")) and not (large and do == "open")
    )
    search = '<input type="search" placeholder="Search by name" aria-label="Search by name">'
    return f"<nav>{search}<output></output>{buttons}</nav>"
