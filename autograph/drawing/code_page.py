"""HTML page of a function's source beside its generated code; lines that belong together light up.

``autograph code --html`` writes it.
"""

from __future__ import annotations

import io
import keyword
import token
import tokenize
from collections.abc import Sequence

from autograph.drawing.page import script
from autograph.drawing.palette import code_style, page_style
from autograph.drawing.svg import text
from autograph.syntax.line_links import LinkedCode

_KINDS = {token.STRING: "string", token.NUMBER: "number", token.COMMENT: "comment"}
_KINDS |= {
    getattr(token, name): "string" for name in ("FSTRING_START", "FSTRING_MIDDLE", "FSTRING_END")
    if hasattr(token, name)
}  # fmt: skip


def code_page(linked: LinkedCode) -> str:
    """Return the page: the source on the left, the generated code on the right."""
    title = text(linked.name)
    count = linked.code.count("\n") + 1
    before = linked.source.count("\n") + 1
    return (
        f'<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{title}</title>\n<style>\n{page_style()}{code_style()}</style>\n</head>\n<body>\n"
        f"<header><h1>{title}</h1><p>{text(linked.filename)}</p>"
        f"<p>{before} lines become {count}</p></header>\n"
        '<main class="code">\n<section><h2>source</h2>\n'
        f"{_listing(linked.source, linked.first_line, linked.source_links)}</section>\n"
        "<section><h2>generated code</h2>\n"
        f"{_listing(linked.code, 1, linked.code_links)}</section>\n</main>\n"
        f"<script>\n{script('code_page.js')}</script>\n</body>\n</html>\n"
    )


def _listing(code: str, first: int, links: Sequence[int]) -> str:
    """Return a text as a list of lines, each with the number of the line that it belongs to."""
    width = len(str(first + len(links)))
    shown = []
    for k, (line, link) in enumerate(zip(_coloured(code), links, strict=True)):
        data = f' data-line="{link}" tabindex="0"' if link else ""
        shown.append(f"<div{data}><i>{first + k:>{width}}</i>{line or ' '}</div>")
    return f"<pre>{''.join(shown)}</pre>\n"


def _coloured(code: str) -> list[str]:
    """Return the lines of a text as HTML, with marks for keywords, strings, numbers, comments."""
    lines = code.split("\n")
    marks: list[list[tuple[int, int, str]]] = [[] for _ in lines]
    try:
        for item in tokenize.generate_tokens(io.StringIO(code).readline):
            kind = _KINDS.get(item.type)
            if item.type == token.NAME and keyword.iskeyword(item.string):
                kind = "keyword"
            if kind is not None:
                (row, start), (end_row, end) = item.start, item.end
                for k in range(row, end_row + 1):
                    stop = end if k == end_row else len(lines[k - 1])
                    marks[k - 1].append((start if k == row else 0, stop, kind))
    except (tokenize.TokenError, IndentationError):
        pass  # a method is indented, a lambda is no whole statement: what was found is shown
    return [_marked(line, found) for line, found in zip(lines, marks)]


def _marked(line: str, marks: Sequence[tuple[int, int, str]]) -> str:
    pieces, place = [], 0
    for start, end, kind in marks:
        pieces.append(text(line[place:start]))
        pieces.append(f'<b class="{kind}">{text(line[start:end])}</b>')
        place = max(place, end)
    return "".join([*pieces, text(line[place:])])
