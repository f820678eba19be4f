"""A module as text and tree: maps statements to their positions in the text.

``conversion.module_source`` uses it to write converted bodies into the text.
"""

from __future__ import annotations

import io
import re
import token as tokens
import tokenize
from bisect import bisect_left
from collections.abc import Iterator
from functools import cached_property

import gast

from autograph.syntax.comments import Comment
from autograph.syntax.data_classes import dataclass
from autograph.syntax.parse import parse
from autograph.syntax.recursion_limit import deep
from autograph.syntax.tree_translation import to_gast

_FUNCTIONS = (gast.FunctionDef, gast.AsyncFunctionDef)
_SCOPES = (*_FUNCTIONS, gast.Lambda, gast.ClassDef)
_ROW = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+$")
_Position = tuple[int, int]
"""A row, from 1, and a column in characters, from 0."""


@dataclass(frozen=True)
class BodyText:
    """Position of a function's body in the text, apart from a docstring that has its own lines."""

    start: int
    """Offset into the text: the first line of the body, or behind the colon on the same line."""
    end: int
    """Offset behind the body's last line."""
    is_inline: bool
    """Whether the body shares the line of the header."""
    has_docstring: bool
    """Whether a docstring stands in front, outside."""
    margin: str
    """The white space in front of the body's statements."""
    unit: str
    """The white space of one level."""
    comments: dict[int, Comment]


class ModuleText:
    """Text of a module and its tree; raises SyntaxError for text that Python cannot parse.

    ``flags`` are those of ``compile``.
    """

    def __init__(self, text: str, filename: str, flags: int = 0) -> None:
        self.text = text
        self.filename = filename
        self.rows: list[str] = _ROW.findall(text)
        plain = "".join(row.rstrip("\r\n") + "\n" for row in self.rows)
        tree = parse(plain, filename)
        # a return outside of a function ...
        compile(tree, filename, "exec", flags, dont_inherit=True)
        self.tree: gast.Module = deep(lambda: to_gast(tree))
        self._offsets = [0]
        for row in self.rows:
            self._offsets.append(self._offsets[-1] + len(row))
        self._plain = plain

    @cached_property
    def _tokens(self) -> list[tokenize.TokenInfo]:
        return list(tokenize.generate_tokens(io.StringIO(self._plain).readline))

    @cached_property
    def _starts(self) -> list[_Position]:
        return [token.start for token in self._tokens]

    def functions(self) -> Iterator[gast.FunctionDef | gast.AsyncFunctionDef]:
        """Return the outermost functions and methods, in the order of the text."""
        waiting: list[gast.AST] = [self.tree]
        while waiting:
            node = waiting.pop()
            if isinstance(node, _FUNCTIONS):
                yield node
            else:
                waiting += reversed(list(gast.iter_child_nodes(node)))

    def body(self, node: gast.FunctionDef | gast.AsyncFunctionDef) -> BodyText:
        """Return where the body of a function is."""
        row, colon = self._colon(node)
        first, *later = node.body
        first_row = self.first_row(first)
        base, ending = self._margin(node.lineno), self.last_row(node)
        is_inline = first_row == row
        margin = f"{base}    " if is_inline else self._margin(first_row)
        kept_row = self.last_row(first)
        has_docstring = (
            not is_inline
            and is_docstring(first)
            and bool(later)
            and self.first_row(later[0]) > kept_row
        )
        if not has_docstring:
            kept_row = row
        return BodyText(
            start=self._offsets[row - 1] + colon if is_inline else self._offsets[kept_row],
            end=self._offsets[ending],
            is_inline=is_inline,
            has_docstring=has_docstring,
            margin=margin,
            unit=margin.removeprefix(base) or "    ",
            comments=self._comments(kept_row + (not is_inline), ending),
        )

    def offset(self, row: int, column: int = 0) -> int:
        """Return the index into the text of a position."""
        return self._offsets[row - 1] + column

    def column(self, row: int, utf8_column: int) -> int:
        """Return a column of the tree in characters."""
        return len(self.rows[row - 1].encode()[:utf8_column].decode())

    def first_row(self, node: gast.AST) -> int:
        """Return the row on which a statement starts, with its decorators."""
        decorators = getattr(node, "decorator_list", None) or [node]
        index = bisect_left(self._starts, (decorators[0].lineno, decorators[0].col_offset))
        if decorators[0] is not node:
            while self._tokens[index].string != "@":
                index -= 1
        return min(node.lineno, self._starts[index][0])

    def last_row(self, node: gast.AST) -> int:
        """Return the row on which the logical line that ends a node ends."""
        end = node.end_lineno, self.column(node.end_lineno, node.end_col_offset)
        index = bisect_left(self._starts, end)
        while self._tokens[index].type != tokens.NEWLINE:
            index += 1
        return self._starts[index][0]

    def is_ended(self, offset: int) -> bool:
        """Whether there is a line end in front of an offset."""
        return self.text[offset - 1 : offset] in ("\r", "\n")

    def above(self, row: int) -> int:
        """Return the row where the comments start that belong to the statement at a row.

        Comments at the very top belong to the file; an encoding cookie may be among them.
        """
        first = row
        while first > 1 and self.rows[first - 2].startswith("#"):
            first -= 1
        return first if first > 1 else row

    def ending(self, row: int) -> str:
        """Return the line end of a row; that of the row before where the file ends without one."""
        line = self.rows[row - 1]
        if line[-1:] not in "\r\n":
            line = self.rows[row - 2] if row > 1 else "\n"
        return line[len(line.rstrip("\r\n")) :]

    def _colon(self, node: gast.AST) -> _Position:
        """Return the position behind the colon that ends the header of a function."""
        first = node.body[0]
        start = (getattr(first, "decorator_list", None) or [first])[0]
        index = bisect_left(self._starts, (node.lineno, node.col_offset))
        stop = start.lineno, self.column(start.lineno, start.col_offset)
        depth, end = 0, self._tokens[index].end
        while self._starts[index] < stop:
            token = self._tokens[index]
            if token.type == tokens.OP:
                depth += (token.string in "([{") - (token.string in ")]}")
                if token.string == ":" and not depth:
                    end = token.end
            index += 1
        return end

    def _comments(self, first: int, end_row: int) -> dict[int, Comment]:
        comments: dict[int, Comment] = {}
        for index in range(bisect_left(self._starts, (first, 0)), len(self._tokens)):
            token = self._tokens[index]
            row, column = token.start
            if row > end_row:
                break
            if token.type == tokens.COMMENT:
                own_line = not self.rows[row - 1][:column].strip()
                comments[row] = Comment(token.string.rstrip(), own_line, column)
        return comments

    def _margin(self, row: int) -> str:
        line = self.rows[row - 1]
        margin = line[: len(line) - len(line.lstrip(" \t\f"))]
        return margin.rpartition("\f")[2]  # Python restarts counting columns after a form feed


def is_docstring(node: gast.AST) -> bool:
    """Whether a statement is a string alone."""
    return (
        isinstance(node, gast.Expr)
        and isinstance(node.value, gast.Constant)
        and isinstance(node.value.value, str)
    )


def bound_names(tree: gast.Module) -> set[str]:
    """Return the global names that a module may bind, judged by its text, and a few more."""
    names: set[str] = set()
    waiting: list[tuple[gast.AST, bool]] = [(tree, True)]
    while waiting:
        node, is_global = waiting.pop()
        if isinstance(node, gast.Global):
            names.update(node.names)
        if is_global:
            names.update(_bound_by(node))
        inner = is_global and not isinstance(node, _SCOPES)
        for child in gast.iter_child_nodes(node):
            waiting.append((child, inner))
    return names


def _bound_by(node: gast.AST) -> Iterator[str]:
    if isinstance(node, gast.Name) and not isinstance(node.ctx, gast.Load):
        yield node.id
    elif isinstance(node, (*_FUNCTIONS, gast.ClassDef, gast.MatchAs, gast.MatchStar)):
        if node.name is not None:
            yield node.name
    elif isinstance(node, gast.MatchMapping) and node.rest is not None:
        yield node.rest
    elif isinstance(node, gast.alias):
        yield (node.asname or node.name).partition(".")[0]
