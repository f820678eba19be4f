"""Formats of drawings, by the suffix of a file's name."""

from __future__ import annotations

import os

from autograph.drawing.diagram import Diagram
from autograph.drawing.dot import dot
from autograph.drawing.page import page
from autograph.drawing.svg import svg
from autograph.syntax.recursion_limit import deep

FORMATS = {".svg": svg, ".html": page, ".dot": dot, ".gv": dot}


def suffix_of(path: str) -> str:
    """Return the suffix of a file that a drawing goes to; ValueError for an unknown one."""
    suffix = os.path.splitext(path)[1].lower()
    if suffix in FORMATS:
        return suffix
    fault = f"the suffix {suffix!r} names no format of drawings" if suffix else "has no suffix"
    raise ValueError(
        f"{fault}; write .svg, .html or .dot. Other pictures (PNG, PDF) are made of the SVG by a "
        "browser, Inkscape or rsvg-convert"
    )


def drawn(diagram: Diagram, suffix: str) -> str:
    """Return a diagram in a format; ValueError for an edge that cannot be drawn."""
    return deep(lambda: FORMATS[suffix](diagram))
