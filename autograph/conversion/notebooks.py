"""Notebooks of Jupyter: their code cells as one module, and back.

Lines that are IPython's and not Python's - ``%magics``, ``!commands``, ``help?`` - stand as names
of their own in the module, and come back where it is taken apart.  The format is nbformat's,
version 4.
"""

from __future__ import annotations
import __future__

import ast
import functools
import json
import operator
import re
from collections.abc import Iterator
from typing import Any

from autograph.conversion.module_source import IMPORT, FileError, convert_text
from autograph.syntax.data_classes import dataclass
from autograph.syntax.modules import ModuleText

SUFFIX = ".ipynb"

FLAGS = ast.PyCF_ALLOW_TOP_LEVEL_AWAIT
"""A cell may await."""

_LINE = re.compile(
    r"^(?P<margin>[ \t]*)(?P<target>[\w.,\[\]\"' \t*()]+?[ \t]*=[ \t]*)?"
    r"(?P<magic>%[A-Za-z%].*|![^=].*|\?.*)$"
)
_HELP = re.compile(r"^(?P<margin>[ \t]*)(?P<target>)(?P<magic>[A-Za-z_][\w.]*\?\??[ \t]*)$")
_FUTURE = re.compile(r"^(?P<margin>)(?P<target>)(?P<magic>from[ \t]+__future__[ \t]+import\b.*)$")
_PYTHON_CELLS = ("time", "timeit", "capture", "prun")
"""CodeCell magics whose cells are Python."""


@dataclass(frozen=True)
class CodeCell:
    """Number of a code cell among all cells, from 1, and the row of the module where it begins."""

    number: int
    row: int


class Notebook:
    """Notebook as a module; FileError for what is none, or one of another language."""

    def __init__(self, data: bytes, filename: str) -> None:
        self.filename = filename
        self._content = _content(data, filename)
        self._magics: list[str] = []
        self._cells: list[CodeCell] = []
        self._mark = _unused_name(data)
        rows: list[str] = []
        for number, cell in enumerate(self._content["cells"], 1):
            if _is_code(cell):
                if rows:
                    rows.append(f"{self._mark}cell")
                self._cells.append(CodeCell(number, len(rows) + 1))
                rows += self._python(_source(cell, filename, number))
        self.text = "".join(row + "\n" for row in rows)

    def _python(self, source: str) -> list[str]:
        """Return the rows of a cell, with what is not Python replaced by names."""
        rows = source.split("\n")
        magic = re.match(r"%%(\w+)", source)
        if magic and magic[1] not in _PYTHON_CELLS:
            return [self._name(row) for row in rows]
        match = _LINE.match(rows[0]) if magic else None
        first = [self._name(rows[0])] if match else []
        following = rows[len(first) :]
        strings = _rows_of_strings(following)
        return first + [
            row if number in strings else self._masked(row) for number, row in enumerate(following)
        ]

    def _masked(self, row: str) -> str:
        match = _LINE.match(row) or _HELP.match(row) or _FUTURE.match(row)
        if match is None:
            return row
        return f"{match['margin']}{match['target'] or ''}{self._name(match['magic'])}"

    def _name(self, magic: str) -> str:
        self._magics.append(magic)
        return f"{self._mark}{len(self._magics) - 1}"

    def programs(self) -> Iterator[tuple[int, str]]:
        """Yield the number and the Python text of each code cell, with names in place of IPython's
        lines.
        """
        texts = self.text.split(f"{self._mark}cell\n")
        for cell, text in zip(self._cells, texts, strict=False):
            yield cell.number, text

    @property
    def placeholders(self) -> dict[str, None]:
        """The names that stand for IPython's lines."""
        return {f"{self._mark}{number}": None for number in range(len(self._magics))}

    @property
    def compiler_flags(self) -> int:
        """The flags of ``compile`` for a cell: those of its imports from ``__future__``, too."""
        words = {word for line in self._magics if _FUTURE.match(line)
                 for word in re.findall(r"\w+", line)}
        features = [getattr(__future__, name) for name in __future__.all_feature_names
                    if name in words]
        return functools.reduce(operator.or_, (f.compiler_flag for f in features), FLAGS)

    def place(self, row: int) -> tuple[int, int]:
        """Return the number of the cell, and the line in it, of a row of the module."""
        cell = next((c for c in reversed(self._cells) if c.row <= row), CodeCell(1, 1))
        return cell.number, row - cell.row + 1

    def error(self, error: FileError) -> FileError:
        """Return an error in the module as one in its cell."""
        if error.where is None:
            return error
        number, line = self.place(error.where[1])
        message = self.message(error.message, number)
        return FileError(message, f"{self.filename}:cell {number}", line, error.column)

    def message(self, message: str, cell: int) -> str:
        """Return a message about a cell, with lines of the module counted in their cells."""

        def counted(match: re.Match[str]) -> str:
            number, line = self.place(int(match[1]))
            return f"line {line}" if number == cell else f"line {line} of cell {number}"

        return re.sub(r"\bline (\d+)\b", counted, self.original(message))

    def module(self) -> ModuleText:
        """Return the module; raises SyntaxError for text that Python cannot parse."""
        return ModuleText(self.text, self.filename, FLAGS)

    def original(self, text: str) -> str:
        """Return text of the module with IPython's lines in it again."""
        return re.sub(
            rf"{self._mark}(\d+)", lambda match: self._magics[int(match[1])], text
        )

    def converted(self) -> bytes | None:
        """Return the notebook with its functions converted; None if there is nothing to convert.

        The import of the operators is a cell of its own, before the first code cell.  Raises
        FileError, which names the cell, where a function cannot be converted.
        """
        try:
            text = convert_text(self.text, self.filename, FLAGS, imports=False)
        except FileError as error:
            raise self.error(error) from None
        if text == self.text:
            return None
        sources = self.original(text).split(f"{self._mark}cell\n")
        cells = self._content["cells"]
        for cell, source in zip(self._cells, sources, strict=True):
            cell_of_file = cells[cell.number - 1]
            source = source.removesuffix("\n")
            is_list = isinstance(cell_of_file["source"], list)
            cell_of_file["source"] = source.splitlines(keepends=True) if is_list else source
        cells.insert(self._cells[0].number - 1, self._import_cell())
        return (json.dumps(self._content, indent=1, ensure_ascii=False) + "\n").encode()

    def _import_cell(self) -> dict[str, Any]:
        import_cell: dict[str, Any] = {
            "cell_type": "code", "execution_count": None, "metadata": {}, "outputs": [],
            "source": [IMPORT],
        }  # fmt: skip
        if any("id" in cell for cell in self._content["cells"]):
            import_cell["id"] = "autograph-operators"
        return import_cell


def _content(data: bytes, filename: str) -> dict[str, Any]:
    try:
        content = json.loads(data)
    except UnicodeDecodeError as error:
        raise FileError(f"not a notebook: {error.reason}", filename) from None
    except json.JSONDecodeError as error:
        raise FileError(
            f"not a notebook: {error.msg} in its JSON", filename, error.lineno, error.colno
        ) from None
    except RecursionError:
        raise FileError("not a notebook: nested too deeply", filename) from None
    if not isinstance(content, dict) or not isinstance(content.get("nbformat"), int):
        raise FileError("not a notebook: its JSON has no 'nbformat'", filename)
    if content["nbformat"] != 4 or not isinstance(content.get("cells"), list):
        raise FileError(
            f"a notebook of format {content['nbformat']}; save it with Jupyter as format 4",
            filename,
        )
    language = _language(content)
    if language not in (None, "python"):
        raise FileError(f"a notebook of the language {language!r}, not Python", filename)
    return content


def _language(content: dict[str, Any]) -> Any:
    about = content.get("metadata")
    for section, key in (("kernelspec", "language"), ("language_info", "name")):
        language = about.get(section) if isinstance(about, dict) else None
        name = language.get(key) if isinstance(language, dict) else None
        if isinstance(name, str):
            return name.lower()
    return None


def _is_code(cell: Any) -> bool:
    return isinstance(cell, dict) and cell.get("cell_type") == "code"


def _source(cell: dict[str, Any], filename: str, number: int) -> str:
    source = cell.get("source")
    if isinstance(source, list) and all(isinstance(line, str) for line in source):
        return "".join(source)
    if isinstance(source, str):
        return source
    raise FileError(f"not a notebook: cell {number} has no source", filename)


def _unused_name(data: bytes) -> str:
    """Return the beginning of names that are not in a notebook."""
    number = 0
    while f"__autograph{number}_".encode() in data:
        number += 1
    return f"__autograph{number}_"


_QUOTE = re.compile(r"\"\"\"|'''|#|\"(?:\\.|[^\"\\])*\"|'(?:\\.|[^'\\])*'")
"""A quote of a long string, a short string, or the beginning of a comment."""


def _rows_of_strings(rows: list[str]) -> set[int]:
    """Return the rows that continue a string of several lines, by a count of its quotes."""
    inside: set[int] = set()
    quote = ""
    for number, row in enumerate(rows):
        if quote:
            inside.add(number)
        at = 0
        while at < len(row):
            if quote:
                end = row.find(quote, at)
                if end < 0:
                    break
                at, quote = end + 3, ""
                continue
            found = _QUOTE.search(row, at)
            if found is None or found[0] == "#":
                break
            at = found.end()
            if found[0] in ('"""', "'''"):
                quote = found[0]
    return inside
