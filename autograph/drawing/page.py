"""HTML pages of diagrams: boxes open and close, lines light up; nothing else is loaded."""

from __future__ import annotations

import functools
import importlib.resources

from autograph.drawing.diagram import Diagram
from autograph.drawing.layout import layout
from autograph.drawing.palette import page_style
from autograph.drawing.placement import DiagramLayout
from autograph.drawing.svg import picture, text

BUTTONS = (
    ("close", "Close all boxes"), ("open", "Open all boxes"), ("fit", "Fit to the window"),
)  # fmt: skip


def page(diagram: Diagram) -> str:
    """Return a diagram as a page of HTML; ValueError for an edge that cannot be drawn."""
    placed = layout(diagram)
    title = text(diagram.title or "graph")
    return (
        f'<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{title}</title>\n<style>\n{page_style()}</style>\n</head>\n<body>\n"
        f"<header><h1>{title}</h1><p>{text(_count(diagram))}</p>{_buttons(placed)}</header>\n"
        f"<main>\n{picture(placed, live=True)}</main>\n"
        f"<script>\n{script('drawing.js')}</script>\n</body>\n</html>\n"
    )


def fragment(diagram: Diagram) -> str:
    """Return a diagram as a part of a page, as notebooks show it.

    Its script finds the drawing before it, so that several of them share a page.
    """
    return (
        '<div style="overflow: auto; max-height: 48em">\n'
        f"{picture(layout(diagram), live=True)}<script>\n{script('drawing.js')}</script></div>\n"
    )


@functools.cache
def script(name: str) -> str:
    """Return the text of a script of this folder."""
    return (importlib.resources.files("autograph.drawing") / name).read_text(encoding="utf-8")


def _count(diagram: Diagram) -> str:
    vertices = sum(len(inner.vertices) for inner in diagram.walk())
    edges = sum(len(inner.edges) for inner in diagram.walk())
    return f"{vertices:,} boxes, {edges:,} edges"


def _buttons(placed: DiagramLayout) -> str:
    nested = any(vertex.inside for vertex in placed.diagram.vertices)
    shown = BUTTONS if nested else BUTTONS[2:]
    buttons = [f'<button type="button" data-do="{do}">{label}</button>' for do, label in shown]
    return f"<nav>{''.join(buttons)}</nav>"
