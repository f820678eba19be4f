"""Formats findings: as text, for GitHub, as JSON, as counts; and formats entries of the table.

Independent of the terminal: the command says whether to use colours.
"""

from __future__ import annotations

import json
import textwrap
from collections import Counter
from collections.abc import Callable, Sequence

from autograph.diagnostics.printable import printable
from autograph.lint.codes import TABLE, Check
from autograph.lint.modules import Problem

Paint = Callable[[str, str], str]
"""Text in a colour, by the number of the terminal's."""
TAB = "\t"


def concise(problems: Sequence[Problem], paint: Paint) -> str:
    """``file:line:col CODE message``, a line each."""
    return "".join(
        f"{paint(f'{printable(p.place)}:{p.line}:{p.column}', '1')} {paint(p.code, '31')} "
        f"{printable(p.message)}\n"
        for p in problems
    )


def full(problems: Sequence[Problem], paint: Paint) -> str:
    """Format each finding with its line of source, a mark under it, and the name of the code."""
    sections = []
    for p in problems:
        start = p.column - 1
        end = p.end_column - 1 if p.end_line == p.line else len(p.text)
        margin = " " * len(str(p.line))
        indent = "".join("\t" if letter == "\t" else " " for letter in p.text[:start])
        marks = "^" * max(1, end - start)
        sections.append(
            concise([p], paint)
            + f"{margin} |\n{p.line} | {printable(p.text, keep=TAB)}\n"
            + f"{margin} | {indent}{paint(marks, '31')}\n"
            + f"{margin} = {TABLE[p.code].name}: `autograph check --explain {p.code}`\n\n"
        )
    return "".join(sections)


def as_json(problems: Sequence[Problem]) -> str:
    """A list of objects with the keys that other checkers use."""
    rows = [
        {
            "code": p.code, "name": TABLE[p.code].name, "message": p.message,
            "filename": p.filename, **({} if p.cell is None else {"cell": p.cell}),
            "location": {"row": p.line, "column": p.column},
            "end_location": {"row": p.end_line, "column": p.end_column},
        }
        for p in problems
    ]  # fmt: skip
    return json.dumps(rows, indent=2) + "\n"


def github(problems: Sequence[Problem]) -> str:
    """Annotations, as GitHub's runner reads them from a job's output."""
    return "".join(
        f"::warning title={_property(f'autograph {p.code}')},file={_property(p.filename)},"
        f"line={p.line},col={p.column},endLine={p.end_line},endColumn={p.end_column}"
        f"::{_data(f'{p.place}:{p.line}:{p.column} {p.code} {p.message}')}\n"
        for p in problems
    )


def _data(text: str) -> str:
    text = text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")
    return printable(text)


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")


def statistics(problems: Sequence[Problem]) -> str:
    """Format how often each code was found, the most frequent first."""
    counts = Counter(p.code for p in problems)
    width = len(str(max(counts.values(), default=0)))
    return "".join(
        f"{count:{width}}  {code}  {TABLE[code].name}\n"
        for code, count in sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    )


def explained(check: Check, fence: bool = False) -> str:
    """Format an entry of the table: what it means, an example, the remedy; Markdown with ``fence``.
    """

    def paragraph(text: str) -> str:
        width = 120 if fence else 96
        return textwrap.fill(text, width, break_long_words=False, break_on_hyphens=False)

    def block(text: str) -> str:
        if fence:
            return f"```python\n{text}```\n"
        return "".join(f"    {line}".rstrip() + "\n" for line in text.splitlines())

    title = f"{check.code}: {check.name}"
    where = f"Staged for {' or '.join(check.libraries)}" if check.libraries else "Staged"
    happens = (
        f"{where}, this raises `{check.error}`:" if check.error
        else f"{where}, this gives something else than Python:"
    )
    return (
        f"{'## ' if fence else ''}{title}\n\n{paragraph(check.about)}\n\n{happens}\n\n"
        f"{block(check.example)}\nWrite instead:\n\n{block(check.remedy)}"
    )
