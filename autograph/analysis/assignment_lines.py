"""Finds the lines that assign a variable, for the messages of join and effect errors.

Runs only when an error is raised.  The error knows the statement at which paths join; this module
finds the assignments on each path, the definition before a loop, or the line of the change.
"""

from __future__ import annotations

import re
import types
from collections.abc import Iterable, Iterator, Sequence

import gast

from autograph.analysis.manager import Analyses
from autograph.diagnostics.source_lines import lines_at, position_of, tree_at, tree_of
from autograph.errors import RelatedLine
from autograph.syntax.data_classes import dataclass

_FUNCTIONS = (gast.FunctionDef, gast.AsyncFunctionDef, gast.Lambda)
_LOOPS = (gast.For, gast.AsyncFor, gast.While)
_CHOICES = (gast.If, gast.IfExp)
_CHANGING = frozenset((
    "add", "append", "appendleft", "clear", "discard", "extend", "extendleft", "insert", "pop",
    "popitem", "popleft", "remove", "reverse", "rotate", "setdefault", "sort", "update",
))  # fmt: skip
_HUGE = 3000
_MOST = 3
"""How many lines are named for one path at most."""


def stores(frame: types.FrameType, name: str) -> list[RelatedLine]:
    """Return the lines that assign a variable in a frame's function; none in a huge file.

    Called while tracing, when no error is certain yet: it must not cost seconds.
    """
    lines, (line, *_) = lines_at(frame), position_of(frame)
    module = tree_at(frame) if len(lines) < _HUGE else None
    if module is None or line is None:
        return []
    around = [
        node for node in gast.walk(module)
        if isinstance(node, _FUNCTIONS[:2]) and node.lineno <= line <= (node.end_lineno or 0)
    ]  # fmt: skip
    line_numbers = _changes(around[-1].body, name) if around else []
    file = frame.f_code.co_filename
    return [RelatedLine(file, n, "assigned", lines[n - 1].strip()) for n in line_numbers[:_MOST]]


def first_write(
    functions: Iterable[types.FunctionType], subject: str
) -> tuple[str, int] | None:
    """Find where the first function that changes ``subject`` does so; else where it begins."""
    functions_with_body = [(f, body) for f in functions if (body := _body_of(f))]
    for spelling in _spellings(subject):
        for function, body in functions_with_body:
            for line in _changes(body, spelling):
                return function.__code__.co_filename, line
    return next(
        ((f.__code__.co_filename, f.__code__.co_firstlineno) for f, _ in functions_with_body), None
    )


def _body_of(function: types.FunctionType) -> list[gast.stmt]:
    """Return the statements of a function as the user wrote it."""
    code = function.__code__
    module = tree_of(code.co_filename, function.__globals__)
    candidates = [
        node for node in (gast.walk(module) if module is not None else ())
        if isinstance(node, _FUNCTIONS[:2]) and node.name == code.co_name
        and code.co_firstlineno <= (node.end_lineno or 0)
    ]  # fmt: skip
    nearest = min(candidates, key=lambda node: abs(node.lineno - code.co_firstlineno), default=None)
    return [] if nearest is None else list(nearest.body)


def is_written(frame: types.FrameType, name: str) -> bool:
    """Whether a name stands in the user's source of the function at a frame; true in doubt."""
    module = tree_at(frame)
    statement = None if module is None else _statement(module, frame)
    if module is None or statement is None:
        return True
    function = _Paths(module, statement).function() or module
    return any(isinstance(node, gast.Name) and node.id == name for node in gast.walk(function))


def assignments(frame: types.FrameType, subject: str) -> list[RelatedLine]:
    """Return the lines where the paths through the statement at a frame set ``subject``.

    ``subject`` is a variable, an attribute or item as the user spells it, or empty for the returned
    value.  The result is empty when the source is not available.
    """
    module, lines = tree_at(frame), lines_at(frame)
    statement = None if module is None else _statement(module, frame)
    if module is None or statement is None:
        return []
    places = _Paths(module, statement).places(subject)
    return [
        RelatedLine(frame.f_code.co_filename, line, role, text or lines[line - 1].strip())
        for line, role, text in dict.fromkeys(places)
        if line <= len(lines)
    ]


def _statement(module: gast.Module, frame: types.FrameType) -> gast.AST | None:
    """Return the loop or choice that stands where a frame is."""
    line, _, column, _ = position_of(frame)
    if line is None:
        return None
    around = [
        node for node in gast.walk(module)
        if isinstance(node, (*_LOOPS, *_CHOICES)) and node.lineno <= line <= (node.end_lineno or 0)
    ]  # fmt: skip
    on_line = [node for node in around if node.lineno == line]
    exact = [node for node in on_line if node.col_offset == column]
    # a ``return`` in a loop is a statement of generated code: the user's is around it
    return (exact or on_line or around[-1:] or [None])[0]


@dataclass(frozen=True)
class _Paths:
    """Finder of the paths through a loop or a choice of a module."""

    module: gast.Module
    statement: gast.AST

    def places(self, subject: str) -> Iterator[tuple[int, str, str]]:
        """Return line, role and text (empty for the whole line) of what sets ``subject``."""
        if isinstance(self.statement, gast.IfExp):
            body, orelse = self.statement.body, self.statement.orelse
            yield body.lineno, "when the test holds", _text(body)
            yield orelse.lineno, "otherwise", _text(orelse)
        elif not subject or subject[0] == "[":  # the result of the function, or an item of it
            yield from ((line, role, "") for line, role in self._returns())
        else:
            for name in _spellings(subject):
                assigned = list(self._assigned(name))
                if any(role != "before" for _, role in assigned):
                    yield from ((line, role, "") for line, role in assigned)
                    return

    def _sides(self) -> list[tuple[str, list[gast.stmt]]]:
        statement = self.statement
        if isinstance(statement, _LOOPS):
            head = statement.test if isinstance(statement, gast.While) else statement.target
            sides = [("in the loop", [head, *statement.body]), ("in its else", statement.orelse)]
            return [(role, body) for role, body in sides if body]
        return [("when the test holds", statement.body), ("otherwise", statement.orelse)]

    def _assigned(self, name: str) -> Iterator[tuple[int, str]]:
        sides = [(role, _changes(body, name)) for role, body in self._sides()]
        if not any(lines for _, lines in sides):
            sides = [(role, self._changes_in_calls(body, name)) for role, body in self._sides()]
        if not all(lines for _, lines in sides) or isinstance(self.statement, _LOOPS):
            yield from ((line, "before") for line in self._before(name))
        for role, lines in sides:
            yield from ((line, role) for line in lines[-1:])

    def _before(self, name: str) -> list[int]:
        """Return the lines that may have given a variable its value before the statement."""
        function = self.function()
        if function is None or isinstance(function, gast.Lambda) or not name.isidentifier():
            return []
        try:
            nodes = Analyses(function).reaching.definitions(self.statement, name)
        except LookupError:  # an ``elif`` of generated code: no statement of its own
            return []
        inside = set(map(id, gast.walk(self.statement)))
        return sorted(node.lineno for node in nodes if id(node) not in inside)[-_MOST:]

    def function(self) -> gast.AST | None:
        """Return the innermost function around the statement."""
        around = [
            node for node in gast.walk(self.module)
            if isinstance(node, _FUNCTIONS)
            and node.lineno <= self.statement.lineno <= (node.end_lineno or 0)
        ]  # fmt: skip
        return max(around, key=lambda node: (node.lineno, node.col_offset), default=None)

    def _returns(self) -> Iterator[tuple[int, str]]:
        function = self.function()
        if function is None or isinstance(function, gast.Lambda):
            return
        lines = _lines(function.body, gast.Return)
        last_line = self.statement.end_lineno or 0
        near = [n for n, line in enumerate(lines) if line > last_line]  # the statements after it
        shown = lines[: near[0] + 1] if near else lines
        yield from ((line, "returned here") for line in shown[-_MOST:])
        if not isinstance(function.body[-1], (gast.Return, gast.Raise)):
            yield function.lineno, "or nothing at the end of"

    def _changes_in_calls(self, body: Sequence[gast.AST], name: str) -> list[int]:
        """Return the lines that change something in the functions of the module that are called."""
        functions = self._called(body)
        subjects = [name]
        if "." in name:  # a method's name for ``self.x``
            subjects.append(f"self.{name.rpartition('.')[2]}")
        return [
            line for node in functions for text in subjects for line in _changes(node.body, text)
        ]

    def _called(self, body: Sequence[gast.AST]) -> list[gast.AST]:
        """Return the module's functions that ``body`` calls, and those that they call, by name."""
        defined: dict[str, list[gast.AST]] = {}
        for node in gast.walk(self.module):
            if isinstance(node, _FUNCTIONS[:2]):
                defined.setdefault(node.name, []).append(node)
        functions: list[gast.AST] = []
        waiting = list(body)
        while waiting:
            for node in _own(waiting.pop()):
                if isinstance(node, gast.Call):
                    name = getattr(node.func, "id", getattr(node.func, "attr", ""))
                    new = defined.pop(name, [])
                    functions += new
                    waiting += [statement for function in new for statement in function.body]
        return functions


def _spellings(subject: str) -> list[str]:
    """Return the ways to write a slot: itself, then what it is a part of."""
    spellings = [subject]
    while match := re.fullmatch(r"(.+)(\[[^\[\]]*\]|\.\w+)", spellings[-1]):
        spellings.append(match[1])
    return spellings


def _own(node: gast.AST) -> Iterator[gast.AST]:
    """Yield a node and what is below it, in the order of the source, without inner functions."""
    yield node
    if not isinstance(node, (*_FUNCTIONS, gast.ClassDef)):
        for child in gast.iter_child_nodes(node):
            yield from _own(child)


def _lines(body: Iterable[gast.AST], kind: type[gast.AST]) -> list[int]:
    return sorted(n.lineno for statement in body for n in _own(statement) if isinstance(n, kind))


def _changes(body: Sequence[gast.AST], name: str) -> list[int]:
    """Return the lines in ``body`` that assign, delete or change what ``name`` spells."""
    line_numbers = {
        node.lineno for statement in body for node in _own(statement) if _is_change(node, name)
    }
    return sorted(line_numbers)


def _is_change(node: gast.AST, name: str) -> bool:
    if isinstance(node, gast.Name):
        return node.id == name and isinstance(node.ctx, (gast.Store, gast.Del))
    if isinstance(node, (*_FUNCTIONS[:2], gast.ClassDef)):
        return bool(node.name == name)
    if isinstance(node, gast.alias):
        return bool((node.asname or node.name) == name)
    if isinstance(node, (gast.Attribute, gast.Subscript)):
        if isinstance(node.ctx, gast.Load):
            return False
        return _text(node) == name or isinstance(node, gast.Subscript) and _text(node.value) == name
    if isinstance(node, gast.Call) and isinstance(node.func, gast.Attribute):
        return node.func.attr in _CHANGING and _text(node.func.value) == name
    return False


def _text(node: gast.AST) -> str:
    from autograph.syntax.emit import emit  # most programs never write code

    return emit(node).strip()
