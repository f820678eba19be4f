"""Comments: reads the user's comments from source and attaches them to the statements of a tree.

``source`` reads them, ``emit`` writes them.  Trees carry no comments; all that ties a comment to a
statement is its line in the user's file, which generated statements carry too.
"""

from __future__ import annotations

import io
import tokenize
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

import gast

from autograph.syntax.data_classes import dataclass

_BLOCKS = ("body", "handlers", "orelse", "finalbody", "cases")


@dataclass(frozen=True)
class Comment:
    """A comment: its text from ``#`` on, whether it has its line for itself, its column."""

    text: str
    own_line: bool
    column: int = 0


def comments_of(text: str, first_line: int = 1) -> dict[int, Comment]:
    """Return the comments in ``text`` by line number, its first line being ``first_line``."""
    rows = text.split("\n")
    comments: dict[int, Comment] = {}
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT:
            row, column = token.start
            own_line = not rows[row - 1][:column].strip()
            comments[first_line + row - 1] = Comment(token.string.rstrip(), own_line, column)
    return comments


class Placement:
    """Placement of comments: each is returned once, while a tree's statements are written in order.
    """

    def __init__(
        self, comments: Mapping[int, Comment], tree: gast.AST | Sequence[gast.AST]
    ) -> None:
        self.pending = dict(sorted(comments.items()))
        self._tree = tree
        self._columns: dict[float, int] = {}  # of the lines on which statements begin
        self._left: Counter[int] = Counter()  # statements that begin on a line, still to come
        for node in _statements(tree) if comments else ():
            line, column = _start(node), getattr(node, "col_offset", 0)
            self._columns[line] = min(self._columns.get(line, column), column)
            self._left[line] += 1
        self._starts = sorted(self._columns)

    def before(self, node: gast.AST) -> tuple[list[str], str]:
        """Return the comments above a statement, handler or case, and the one at the end of its
        line.
        """
        start = _start(node)
        self._left[start] -= 1
        following = self._next_start(start)
        body = getattr(node, "body", None) or getattr(node, "cases", None)
        if body:
            end_line = min(max(_start(body[0]), start + 1), following)
        else:
            # A generated statement may claim all lines of the block it stands for.
            end_line = 1 + (_end(node) if _end(node) < following else start)
        above, beside = [], []
        header_end = 0
        for line, comment in self.pending.items():
            # Of several statements made from one line, the last gets the comment beside it.
            if line >= end_line or (self._left[line] > 0 and not comment.own_line):
                continue
            if line < start:
                above.append(line)
            elif not comment.own_line:
                beside.append(line)
            elif not body or line <= (header_end := header_end or _header_end(node)):
                above.append(line)
        if len(beside) != 1:
            return self._take(sorted(above + beside)), ""
        return self._take(above), self.pending.pop(beside[0]).text

    def beside_clause(self, body: Sequence[gast.AST]) -> str:
        """Return the comment behind the ``else:`` or ``finally:`` before ``body``."""
        for line, comment in self.pending.items():
            if not comment.own_line and line < _start(body[0]) and not self._left[line]:
                return self.pending.pop(line).text
        return ""

    def after(self, owner: gast.AST, body: Sequence[gast.AST]) -> list[str]:
        """Return the comments that end the body of ``owner``: those indented more than it."""
        if owner is self._tree:
            return self.rest()
        end = max(map(_end, body), default=_start(owner))
        following = self._next_start(end)
        lines = []
        for line, comment in self.pending.items():
            if line >= following:
                break
            # Between two blocks of one statement a comment belongs to the one it touches.
            touching = line == end + 1
            if comment.column == self._columns.get(following) and not touching:
                break
            if comment.own_line and comment.column > getattr(owner, "col_offset", 0):
                lines.append(line)
            end += touching
        return self._take(lines)

    def rest(self) -> list[str]:
        """Return all remaining comments."""
        return self._take(list(self.pending))

    def _take(self, lines: list[int]) -> list[str]:
        return [self.pending.pop(line).text for line in lines]

    def _next_start(self, line: int) -> float:
        index = bisect_right(self._starts, line)
        return self._starts[index] if index < len(self._starts) else float("inf")


def _start(node: gast.AST) -> int:
    """Return the line on which a statement, handler or case begins; 0 when it has no position."""
    if isinstance(node, gast.match_case):
        node = node.pattern
    decorators = getattr(node, "decorator_list", None)
    return getattr(decorators[0] if decorators else node, "lineno", 0) or 0


def _end(node: gast.AST) -> int:
    return getattr(node, "end_lineno", None) or _start(node)


def _header_end(node: gast.AST) -> int:
    """Return the last line of a compound statement before its body."""
    end_line = _start(node)
    stack = [getattr(node, field, None) for field in node._fields if field not in _BLOCKS]
    while stack:
        inner = stack.pop()
        if isinstance(inner, list):
            stack.extend(inner)
        elif isinstance(inner, gast.AST):
            end_line = max(end_line, _end(inner))
            stack.extend(getattr(inner, field, None) for field in inner._fields)
    return end_line


def _statements(tree: gast.AST | Sequence[gast.AST]) -> Iterator[gast.AST]:
    """Yield the statements, handlers and cases of a tree."""
    stack = list(tree) if isinstance(tree, (list, tuple)) else [tree]
    while stack:
        node = stack.pop()
        yield node
        for field in _BLOCKS:
            below = getattr(node, field, None)
            if isinstance(below, list):
                stack.extend(below)
