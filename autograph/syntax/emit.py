"""Prints a gast tree as Python source: for ``to_code`` and the command line.

Prints statements; ``patterns`` and ``expressions`` print their parts.  The user's comments are
printed at the statements at which they stood.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import gast

from autograph.syntax.comments import Comment, Placement
from autograph.syntax.expressions import NAMED, TEST, YIELD, level_of
from autograph.syntax.line_wrapping import WIDTH, wrapped
from autograph.syntax.literals import docstring
from autograph.syntax.patterns import Patterns

_GAPS = {"module": 2, "class": 1}  # blank lines around definitions
_DEFINITIONS = (gast.FunctionDef, gast.AsyncFunctionDef, gast.ClassDef)


def emit(
    node: gast.AST | Sequence[gast.AST],
    comments: Mapping[int, Comment] | None = None,
    indent: int = 0,
) -> str:
    """Return the source of a tree, or of a list of statements, ending with a line end.

    ``comments`` are those of the user's file by line; each is written once, at the first
    statement at or after its line, or at the end.  ``indent`` counts levels of four spaces.
    """
    emitter = Emitter(indent, comments or {}, node)
    if isinstance(node, gast.Module):
        emitter.statements(node.body, "module")
    elif isinstance(node, gast.stmt):
        emitter.statements([node])
    elif isinstance(node, gast.AST):
        emitter.statements([gast.copy_location(gast.Expr(node), node)])
    else:
        emitter.statements(node)
    return emitter.text()


class Emitter(Patterns):
    """Writes statements line by line, and comments between them."""

    def __init__(
        self, indent: int, comments: Mapping[int, Comment], tree: gast.AST | Sequence[gast.AST]
    ) -> None:
        super().__init__(indent)
        self.future_imports: list[str] = []  # the base class notes them
        self._comments = Placement(comments, tree)
        self._trailing_comment = ""  # the comment that ends the line being written
        self._line = 0  # where that line begins

    def text(self) -> str:
        """Return all that was written, and the comments that found no statement."""
        self._lines(self._comments.rest())
        return "".join(self._parts)[1:] + "\n"

    def fill(self, text: str = "") -> None:
        """Begin a line."""
        self._line = len(self._parts)
        self.write("\n" + "    " * self._indent + text)

    # Blocks

    def statements(self, body: Sequence[gast.AST], kind: str = "block") -> None:
        """Write the statements of a module, class, function or other block."""
        gap = "\n" * _GAPS.get(kind, 0)
        for index, node in enumerate(body):
            if index and isinstance(node, _DEFINITIONS) | isinstance(body[index - 1], _DEFINITIONS):
                self.write(gap)
            self._before(node)
            if index == 0 and kind != "block" and _is_docstring(node):
                self.fill(docstring(node.value.value))
            else:
                self.dispatch(node)
            self._end_line("")

    def block(self, owner: gast.AST, body: Sequence[gast.AST], kind: str = "block") -> None:
        """Write ``:`` and an indented body."""
        self._end_line(":")
        self._indent += 1
        if body:
            self.statements(body, kind)
        else:
            self.fill("pass")
        if self._comments.pending:
            self._lines(self._comments.after(owner, body))
        self._indent -= 1

    def clause(self, word: str, owner: gast.AST, body: Sequence[gast.AST]) -> None:
        """Write ``else`` or ``finally`` with its body; nothing when there is none."""
        if body:
            if self._comments.pending:
                self._trailing_comment = self._comments.beside_clause(body)
            self.fill(word)
            self.block(owner, body)

    # Comments

    def _end_line(self, text: str) -> None:
        """End a statement or the head of one: break long lines, add the comment."""
        self.write(text)
        line = "".join(self._parts[self._line :])
        if len(line) > WIDTH + 1:
            self._parts[self._line :] = ["\n", wrapped(line[1:])]
        if self._trailing_comment:
            self.write("  " + self._trailing_comment)
            self._trailing_comment = ""
        self._line = len(self._parts)

    def _lines(self, texts: Sequence[str]) -> None:
        for text in texts:
            self.fill(text)

    def _before(self, node: gast.AST) -> None:
        if self._comments.pending:
            texts, self._trailing_comment = self._comments.before(node)
            self._lines(texts)

    # Simple statements; the base class writes import, pass, break, continue, global, nonlocal

    def _value(self, node: gast.AST) -> None:
        if level_of(node) == YIELD:
            self.dispatch(node)
        else:
            self.unbracketed(node)

    def _Expr(self, node: gast.Expr) -> None:
        self.fill()
        self.operand(node.value, YIELD if level_of(node.value) == YIELD else TEST)

    def _Assign(self, node: gast.Assign) -> None:
        self.fill()
        for target in node.targets:
            self.unbracketed(target)
            self.write(" = ")
        self._value(node.value)

    def _AugAssign(self, node: gast.AugAssign) -> None:
        self.fill()
        self.dispatch(node.target)
        self.write(f" {self.binop[type(node.op).__name__]}= ")
        self._value(node.value)

    def _AnnAssign(self, node: gast.AnnAssign) -> None:
        self.fill()
        bracketed = not node.simple and isinstance(node.target, gast.Name)
        self.write("(" if bracketed else "")
        self.dispatch(node.target)
        self.write("): " if bracketed else ": ")
        self.operand(node.annotation, TEST)
        if node.value is not None:
            self.write(" = ")
            self._value(node.value)

    def _Return(self, node: gast.Return) -> None:
        self.fill("return")
        if node.value is not None:
            self.write(" ")
            self.unbracketed(node.value)

    def _Delete(self, node: gast.Delete) -> None:
        self.fill("del ")
        self.sequence(node.targets)

    def _Assert(self, node: gast.Assert) -> None:
        self.fill("assert ")
        self.sequence([node.test] if node.msg is None else [node.test, node.msg])

    def _Raise(self, node: gast.Raise) -> None:
        self.fill("raise")
        if node.exc is not None:
            self.write(" ")
            self.operand(node.exc, TEST)
        if node.cause is not None:
            self.write(" from ")
            self.operand(node.cause, TEST)

    def _TypeAlias(self, node: gast.TypeAlias) -> None:
        self.fill("type ")
        self.dispatch(node.name)
        self._type_params(node)
        self.write(" = ")
        self.operand(node.value, TEST)

    # Definitions

    def _FunctionDef(self, node: gast.FunctionDef, word: str = "def ") -> None:
        self._decorators(node)
        self.fill(word + node.name)
        self._type_params(node)
        self.write("(")
        self.dispatch(node.args)
        self.write(")")
        if node.returns is not None:
            self.write(" -> ")
            self.operand(node.returns, TEST)
        self.block(node, node.body, "function")

    def _AsyncFunctionDef(self, node: gast.AsyncFunctionDef) -> None:
        self._FunctionDef(node, "async def ")

    def _ClassDef(self, node: gast.ClassDef) -> None:
        self._decorators(node)
        self.fill("class " + node.name)
        self._type_params(node)
        if node.bases or node.keywords:
            self.write("(")
            self.sequence([*node.bases, *node.keywords])
            self.write(")")
        self.block(node, node.body, "class")

    def _decorators(self, node: gast.AST) -> None:
        for decorator in node.decorator_list:
            self.fill("@")
            self.operand(decorator, TEST)

    def _type_params(self, node: gast.AST) -> None:
        if node.type_params:
            self.write("[")
            self.sequence(node.type_params)
            self.write("]")

    def _TypeVar(self, node: gast.TypeVar) -> None:
        self.write(node.name)
        if node.bound is not None:
            self.write(": ")
            self.operand(node.bound, TEST)
        self._type_default(node)

    def _TypeVarTuple(self, node: gast.TypeVarTuple) -> None:
        self.write("*" + node.name)
        self._type_default(node)

    def _ParamSpec(self, node: gast.ParamSpec) -> None:
        self.write("**" + node.name)
        self._type_default(node)

    def _type_default(self, node: gast.AST) -> None:
        if node.default_value is not None:
            self.write(" = ")
            self.operand(node.default_value, TEST)

    # Branches and loops

    def _If(self, node: gast.If, word: str = "if ") -> None:
        self.fill(word)
        self.operand(node.test, NAMED)
        self.block(node, node.body)
        if len(node.orelse) == 1 and isinstance(node.orelse[0], gast.If):
            self._before(node.orelse[0])
            self._If(node.orelse[0], "elif ")
        else:
            self.clause("else", node, node.orelse)

    def _While(self, node: gast.While) -> None:
        self.fill("while ")
        self.operand(node.test, NAMED)
        self.block(node, node.body)
        self.clause("else", node, node.orelse)

    def _For(self, node: gast.For, word: str = "for ") -> None:
        self.fill(word)
        self.unbracketed(node.target)
        self.write(" in ")
        self.operand(node.iter, TEST)
        self.block(node, node.body)
        self.clause("else", node, node.orelse)

    def _AsyncFor(self, node: gast.AsyncFor) -> None:
        self._For(node, "async for ")

    def _With(self, node: gast.With, word: str = "with ") -> None:
        self.fill(word)
        first = node.items[0]
        if len(node.items) == 1 and first.optional_vars is None and _is_tuple(first.context_expr):
            self.write("(")  # with (a, b): would enter two managers
            self.dispatch(first)
            self.write(")")
        else:
            self.sequence(node.items)
        self.block(node, node.body)

    def _AsyncWith(self, node: gast.AsyncWith) -> None:
        self._With(node, "async with ")

    def _withitem(self, node: gast.withitem) -> None:
        self.operand(node.context_expr, TEST)
        if node.optional_vars is not None:
            self.write(" as ")
            self.dispatch(node.optional_vars)

    def _Try(self, node: gast.Try, word: str = "except") -> None:
        self.fill("try")
        self.block(node, node.body)
        for handler in node.handlers:
            self._before(handler)
            self.fill(word)
            if handler.type is not None:
                self.write(" ")
                self.operand(handler.type, TEST)
            if handler.name is not None:
                self.write(" as " + handler.name.id)
            self.block(handler, handler.body)
        self.clause("else", node, node.orelse)
        self.clause("finally", node, node.finalbody)

    def _TryStar(self, node: gast.TryStar) -> None:
        self._Try(node, "except*")

    def _Match(self, node: gast.Match) -> None:
        self.fill("match ")
        self.operand(node.subject, TEST)
        self._end_line(":")
        self._indent += 1
        for case in node.cases:
            self._before(case)
            self.fill("case ")
            self.pattern(case.pattern)
            if case.guard is not None:
                self.write(" if ")
                self.operand(case.guard, NAMED)
            self.block(case.pattern, case.body)
        self._indent -= 1


def _is_docstring(node: gast.AST) -> bool:
    if not isinstance(node, gast.Expr) or not isinstance(node.value, gast.Constant):
        return False
    return isinstance(node.value.value, str) and not node.value.kind


def _is_tuple(node: gast.AST) -> bool:
    return isinstance(node, gast.Tuple)
