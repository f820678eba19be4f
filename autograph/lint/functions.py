"""The functions of a module, and which of their statements run on a path that may be staged.

Uses ``staged_value_inference``; each rule takes a ``LintedFunction``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property

import gast

from autograph.converters import keep_as_python
from autograph.converters.context import Context
from autograph.converters.jump_queries import FUNCTIONS, LOOPS, blocks, escaping
from autograph.lint.staged_value_inference import Values, module_of
from autograph.syntax.emit import emit
from autograph.syntax.names import FreshNames

DEFINITIONS = (gast.FunctionDef, gast.AsyncFunctionDef)
Path = tuple["Decision", ...]


@dataclass(frozen=True)
class Decision:
    """Condition, or iterable of a loop, that may be staged."""

    statement: gast.stmt
    expression: gast.expr

    @property
    def text(self) -> str:
        """Return its text for messages."""
        return spoken(self.expression)

    @property
    def where(self) -> str:
        """Return how messages refer to it from another line."""
        return f"'{self.text}' (line {self.expression.lineno})"


@dataclass(frozen=True)
class GuardedStatement:
    """Statement with the decisions that it depends on, the innermost last."""

    statement: gast.stmt
    path: Path


def spoken(node: gast.AST) -> str:
    """Return the text of an expression on one line, shortened."""
    text = " ".join(emit(node).split())
    return text if len(text) <= 50 else f"{text[:47]}..."


class LintedFunction:
    """Function of a module with all that the rules need."""

    def __init__(
        self, node: gast.AST, values: Values, is_builtin: Callable[[str], bool], names: FreshNames
    ) -> None:
        self.node = node
        self.values = values
        self.imports = values.imports
        self.context = Context(node, names, is_builtin)
        keep_as_python.convert(self.context)

    @cached_property
    def statements(self) -> list[GuardedStatement]:
        """Return all statements, outermost first, each with the decisions around or before it."""
        guarded: list[GuardedStatement] = []
        self._block(self.node.body, (), guarded)
        return guarded

    def _block(self, block: list[gast.stmt], path: Path, guarded: list[GuardedStatement]) -> Path:
        """Walk a block; return the decisions by which it may be left early."""
        guards: Path = ()
        for statement in block:
            guarded.append(GuardedStatement(statement, path + guards))
            decision = self.decision(statement)
            inside = path + guards + (() if decision is None else (decision,))
            early: Path = ()
            for inner in blocks(statement):
                early += self._block(inner, inside, guarded)
            if decision is not None and escaping(statement):
                early += (decision,)
            if isinstance(statement, LOOPS) and gast.Return not in escaping(statement):
                early = ()
            guards += early
        return guards

    def decision(self, statement: gast.stmt) -> Decision | None:
        """Return what a statement decides by, if that may be and can be staged."""
        expression = tested(statement)
        if expression is None or statement in self.context.plain:
            return None
        if not self.values.may_stage(expression):
            return None
        return Decision(statement, self.staged_part(expression))

    def staged_part(self, test: gast.expr) -> gast.expr:
        """Return the operand of ``and``, ``or`` or ``not`` that may be staged."""
        if isinstance(test, gast.UnaryOp) and isinstance(test.op, gast.Not):
            return self.staged_part(test.operand)
        if isinstance(test, gast.BoolOp):
            staged = filter(self.values.may_stage, test.values)
            return self.staged_part(next(staged, test.values[0]))
        return test

    def name_of(self, node: gast.AST) -> str | None:
        """Return the dotted name of what an expression means, if it was imported or is a builtin.
        """
        module_name = module_of(node, self.imports)
        if module_name is None and isinstance(node, gast.Name):
            local = node.id in self.context.bound
            return node.id if not local and self.context.is_builtin(node.id) else None
        return module_name

    def decorators(self) -> Iterator[tuple[gast.AST, str]]:
        """Return the decorators with a dotted name, called or not."""
        for decorator in getattr(self.node, "decorator_list", ()):
            called = decorator.func if isinstance(decorator, gast.Call) else decorator
            name = module_of(called, self.imports)
            if name is not None:
                yield decorator, name


def tested(statement: gast.AST) -> gast.expr | None:
    """Return what a statement decides by: the test of an ``if`` or ``while``, a ``for``'s iterable.
    """
    if isinstance(statement, (gast.If, gast.While)):
        return statement.test
    return statement.iter if isinstance(statement, gast.For) else None


def own_expressions(statement: gast.stmt) -> Iterator[gast.AST]:
    """Return the nodes of a statement that are not in its blocks, nor in functions inside."""
    inner = {id(inner_statement) for block in blocks(statement) for inner_statement in block}
    inner |= {id(inner_statement) for inner_statement in getattr(statement, "cases", ())}
    waiting: list[gast.AST] = [statement]
    while waiting:
        node = waiting.pop()
        if id(node) in inner:
            continue
        yield node
        if not isinstance(node, FUNCTIONS):
            waiting += reversed(list(gast.iter_child_nodes(node)))


def functions(
    tree: gast.Module, is_builtin: Callable[[str], bool], strict: bool
) -> Iterator[LintedFunction]:
    """Return every function and method of a module, with inner ones, outermost first."""
    imports = imported(tree)

    def inside(
        node: gast.AST, outer: LintedFunction | None, names: FreshNames | None
    ) -> Iterator[LintedFunction]:
        for child in gast.iter_child_nodes(node):
            if not isinstance(child, DEFINITIONS):
                yield from inside(child, outer, names)
                continue
            is_method = isinstance(node, gast.ClassDef) and not _is_static(child)
            around = None if outer is None else outer.values
            values = Values(child, imports, around, is_builtin, strict, is_method)
            fresh_names = names or FreshNames(child)
            function = LintedFunction(child, values, is_builtin, fresh_names)
            yield function
            yield from inside(child, function, fresh_names)

    yield from inside(tree, None, None)


def _is_static(node: gast.AST) -> bool:
    return any(
        isinstance(decorator, gast.Name) and decorator.id == "staticmethod"
        for decorator in node.decorator_list
    )


def imported(tree: gast.Module) -> dict[str, str]:
    """Return the dotted names that a module's imports bind to names, at any level."""
    modules: dict[str, str] = {}
    for node in gast.walk(tree):
        if isinstance(node, gast.Import):
            for alias in node.names:
                if alias.asname:
                    modules[alias.asname] = alias.name
                else:
                    top = alias.name.partition(".")[0]
                    modules[top] = top
        elif isinstance(node, gast.ImportFrom) and not node.level:
            for alias in node.names:
                modules[alias.asname or alias.name] = f"{node.module}.{alias.name}"
    return modules
