"""Lists of generated pages, whose lines have at most 120 characters; no table can be wrapped."""

from __future__ import annotations

import textwrap

WIDTH = 120


def item(*lines: str) -> str:
    """Return an entry of a list, each of the given lines beginning one of its own."""
    first, *further = [
        textwrap.fill(
            line, WIDTH, initial_indent=start, subsequent_indent="  ",
            break_long_words=False, break_on_hyphens=False,
        )
        for line, start in zip(lines, ["- ", *["  "] * len(lines)], strict=False)
    ]  # fmt: skip
    return "\n".join([first, *further]) + "\n"


def paragraph(text: str) -> str:
    """Return a paragraph."""
    return textwrap.fill(text, WIDTH, break_long_words=False, break_on_hyphens=False) + "\n"
