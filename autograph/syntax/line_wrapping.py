"""Line wrapping: breaks long generated lines inside brackets.  Used by ``emit``."""

from __future__ import annotations

import io
import tokenize

WIDTH = 100
# Since Python 3.12 an f-string comes as several tokens.
_FSTRING_START = getattr(tokenize, "FSTRING_START", -1)
_FSTRING_END = getattr(tokenize, "FSTRING_END", -1)


def wrapped(line: str, width: int = WIDTH) -> str:
    """Return a line of code, broken so that no part is wider than ``width`` where possible.

    The line keeps its tokens; a line that holds a string of several lines stays as it is.
    """
    if len(line) <= width or "\n" in line:
        return line
    deeper = 8 if line.endswith(":") else 4  # an inner block is indented by four
    margin = " " * (len(line) - len(line.lstrip()) + deeper)
    breaks = _breaks(line)
    rows: list[str] = []
    start, lead = 0, ""
    while len(lead) + len(line) - start > width:
        ahead = [(depth, position) for depth, position in breaks if position > start + 1]
        room = start + width - len(lead) + 1
        # The shallowest brackets first, there as late as possible.
        fitting = [(depth, -position) for depth, position in ahead if position <= room]
        if not ahead:
            break
        position = -min(fitting)[1] if fitting else ahead[0][1]
        rows.append(lead + line[start:position].rstrip())
        start, lead = position, margin
    rows.append(lead + line[start:])
    return "\n".join(rows)


def _breaks(line: str) -> list[tuple[int, int]]:
    """Return the positions inside brackets where a new line may begin, each with its depth."""
    breaks: list[tuple[int, int]] = []
    depth = strings = 0
    for token in tokenize.generate_tokens(io.StringIO(line + "\n").readline):
        if token.type == _FSTRING_START:
            strings += 1
        elif token.type == _FSTRING_END:
            strings -= 1
        elif strings:
            continue  # before 3.12 a line must not end inside a field
        elif token.string in ("(", "[", "{"):
            depth += 1
            if line[token.end[1]] not in ")]}":
                breaks.append((depth, token.end[1]))
        elif token.string in (")", "]", "}"):
            depth -= 1
        elif token.string == "," and depth and line[token.end[1]] == " ":
            breaks.append((depth, token.end[1] + 1))
        elif token.string in ("and", "or", "if", "else", "for") and depth:
            breaks.append((depth, token.start[1]))
    return breaks
