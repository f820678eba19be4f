"""Widths of texts in the fonts of the drawings, without any font at hand.

Titles are set in Helvetica or a font with its widths (Arial, Liberation Sans, Nimbus Sans), types
and attributes in a fixed-width font, whose characters are at most 0.61 of the size wide.
"""

from __future__ import annotations

import unicodedata

SANS = "Helvetica, Arial, 'Liberation Sans', 'Nimbus Sans', sans-serif"
MONO = "ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', 'Liberation Mono', monospace"
TITLE_SIZE, LINE_SIZE, PORT_SIZE = 12.0, 10.0, 9.5

_FIXED = 0.61
_BOLD = 1.22
# Widths of Helvetica in thousandths of the size, from " " to "~".
_SANS = (
    278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278,
    556, 556, 556, 556, 556, 556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556,
    1015, 667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667, 556, 833, 722, 778,
    667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469, 556,
    333, 556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556,
    556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584,
)  # fmt: skip


def title_width(text: str, size: float = TITLE_SIZE) -> float:
    """Return the width of a title, set in bold, in pixels."""
    return sum(map(_sans, text)) * size * _BOLD / 1000


def fixed_width(text: str, size: float = LINE_SIZE) -> float:
    """Return the width of a text in the fixed-width font, in pixels."""
    return sum(map(_cells, text)) * size * _FIXED


def shortened(text: str, length: int) -> str:
    """Return a text of at most ``length`` characters; the middle of a longer one is left out."""
    if len(text) <= length:
        return text
    end = (length - 1) // 3
    return f"{text[: length - 1 - end]}…{text[len(text) - end :]}"


def _sans(character: str) -> float:
    code = ord(character)
    if 32 <= code < 127:
        return _SANS[code - 32]
    return 600 * _cells(character) + 80


def _cells(character: str) -> float:
    """Return how many cells of a fixed-width font a character takes: some more than one."""
    if character < "\u0300":
        return 1
    if unicodedata.combining(character):
        return 0
    return 1.75 if unicodedata.east_asian_width(character) in "WF" else 1.15
