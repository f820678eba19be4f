"""Things that draw themselves: graphs and the traces of functions.

The room ``autograph.drawing`` draws; it is loaded when something is drawn first.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from html import escape
from typing import TYPE_CHECKING, Any

from runtime.types.atomic_files import file_errors, replacing

if TYPE_CHECKING:
    from autograph.drawing.diagram import Diagram

SHOWN = 4000
"""Notebooks show no graph of more boxes: a page of that size makes them slow."""


class Drawable:
    """Object with a diagram, drawn as SVG, HTML and dot without any other program."""

    def __diagram__(self, seconds: Mapping[str, float] | None = None) -> Diagram:
        raise NotImplementedError

    def to_svg(self, profile: Any = None) -> str:
        """Return the graph as a picture, an SVG file, light or dark as the reader prefers.

        Branches, bodies of loops and called functions are boxes inside of boxes; lines carry
        dtypes and shapes; a pointer that rests on a box shows the user's line.  The layout is that
        of Sugiyama, Tagawa and Toda (1981), with the coordinates of Brandes and Koepf (2001).
        Boxes show how long they took in ``profile``, which ``tf.profiler.trace`` recorded.
        """
        return _drawn(self.__diagram__(_seconds_of(profile)), ".svg")

    def to_html(self, profile: Any = None) -> str:
        """Return the graph as a page of HTML, whose boxes open and close; it loads nothing.

        Of a large graph the scopes, layers and functions are closed at first.  ``profile`` is that
        of ``to_svg``.
        """
        return _drawn(self.__diagram__(_seconds_of(profile)), ".html")

    def to_dot(self) -> str:
        """Return the graph as text for the programs of Graphviz."""
        return _drawn(self.__diagram__(), ".dot")

    def draw(self, to_file: str | os.PathLike[str], profile: Any = None) -> None:
        """Write the graph to a file, whose suffix names the format: .svg, .html, .dot, .png, .pdf.

        PNG and PDF need the extra ``pictures``.
        The file is written whole or not at all.  ``profile`` is that of ``to_svg``.  ValueError for
        another suffix, OpErrors such as NotFoundError where the file cannot be written.
        """
        path, suffix = checked_path(to_file)
        write_drawing(self.__diagram__(_seconds_of(profile)), path, suffix)

    def _repr_html_(self) -> str:
        return notebook_html(self.__diagram__())


def _seconds_of(profile: Any) -> Mapping[str, float] | None:
    """Return the times of operations in a profile, by name; TypeError for what is none."""
    if profile is None:
        return None
    if not hasattr(profile, "by_name"):
        raise TypeError(f"profile must be what tf.profiler.trace gives, got {profile!r}")
    times: Mapping[str, float] = profile.by_name()
    return times


def checked_path(to_file: str | os.PathLike[str]) -> tuple[str, str]:
    """Return the name of a file that a drawing goes to, and its suffix.

    TypeError for what names no file, ValueError for a suffix of no format.
    """
    from autograph.drawing.formats import suffix_of

    path = os.fsdecode(os.fspath(to_file))
    try:
        return path, suffix_of(path)
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from None


def write_drawing(
    diagram: Diagram, path: str, suffix: str, rankdir: str = "TB", dpi: int = 96
) -> None:
    """Write a diagram to a file, whole or not at all; OpErrors where it cannot be written.

    ``rankdir`` is the direction, ``dpi`` the resolution of a PNG.
    """
    from autograph.drawing.formats import file_of

    contents = file_of(diagram, suffix, rankdir, dpi)
    with file_errors(path), replacing(path) as file:
        file.write(contents)


def notebook_html(diagram: Diagram) -> str:
    """Return a diagram as notebooks show it; what is too large becomes a line of text."""
    from autograph.drawing.page import fragment
    from autograph.syntax.recursion_limit import deep

    count = sum(len(part_diagram.vertices) for part_diagram in diagram.walk())
    if count > SHOWN:
        return (
            f"<p>{escape(diagram.title)}: {count:,} boxes are too many for a notebook; "
            "<code>draw('graph.html')</code> makes a page of them.</p>"
        )
    return deep(lambda: fragment(diagram))


def _drawn(diagram: Diagram, suffix: str) -> str:
    from autograph.drawing.formats import drawn

    return drawn(diagram, suffix)
