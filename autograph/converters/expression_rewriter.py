"""One walk over a function that applies every expression converter, inside out.

An expression converter is a table ``RULES``: it maps a node type to a function of the node and its
``ExpressionContext``, which returns the replacement.  All tables are applied in a single walk,
because walking a tree costs more than rewriting its nodes.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

import gast

from autograph.analysis.liveness import FRAME_READERS
from autograph.syntax.node_fields import NodeFields


@dataclass(frozen=True)
class ExpressionContext:
    """Context of an expression, as far as the rules need it."""

    is_builtin: Callable[[str], bool]
    undefined: frozenset[int] = frozenset()
    """Ids of the names that may be read before they are assigned."""
    left_open: frozenset[str] = frozenset()
    """Variables of functions around that may be undefined whenever code here runs."""
    left_open_here: frozenset[str] = frozenset()
    """Those of the innermost function, for the functions inside."""
    in_class: bool = False
    """Directly in a class body, where a lambda would not see the class's names."""
    first_parameter: str | None = None
    """The first parameter of the innermost user function."""
    effects: bool = False
    """Directly in a user's function that has statements for their effect."""
    local: frozenset[str] = frozenset()
    """Names that the functions around assign or take as parameters."""
    sequences: set[str] = dataclasses.field(default_factory=set)
    """Names that were assigned a tuple or list written out, so far."""

    def means_builtin(self, name: str) -> bool:
        """Whether a name means Python's builtin of that name here."""
        return name not in self.local and self.is_builtin(name)


Rule = Callable[[gast.AST, ExpressionContext], gast.AST]
_FIELDS = NodeFields(without=("annotation", "returns", "decorator_list", "type_params"))
_TESTS = {
    gast.If: "test", gast.While: "test", gast.IfExp: "test", gast.Assert: "test",
    gast.comprehension: "ifs",
}  # fmt: skip
_SCOPES = (gast.FunctionDef, gast.AsyncFunctionDef, gast.Lambda)


class Rewriter:
    """Rewriter that applies tables of rules to a tree, in place."""

    def __init__(
        self,
        tables: tuple[Mapping[type, Rule], ...],
        enter: Callable[[gast.AST, ExpressionContext], ExpressionContext],
    ) -> None:
        self.rules: dict[type, list[Rule]] = {}
        for table in tables:
            for kind, rule in table.items():
                self.rules.setdefault(kind, []).append(rule)
        self.enter = enter

    def rewrite(self, node: gast.AST, context: ExpressionContext) -> gast.AST:
        """Rewrite a node and all below it."""
        kind = type(node)
        inside = context
        if kind in _SCOPES:
            inside = self.enter(node, context)
        elif kind is gast.ClassDef:
            inside = replace(context, in_class=True)
        elif kind is gast.GeneratorExp and context.left_open_here:
            inside = replace(context, left_open=context.left_open | context.left_open_here)
        if kind in _TESTS:
            tests = getattr(node, _TESTS[kind])
            for test in tests if type(tests) is list else (tests,):
                mark_test(test)
        elif kind is gast.UnaryOp and isinstance(node.op, gast.Not):
            mark_test(node.operand)
        for field in _FIELDS[kind]:
            value = getattr(node, field, None)
            if value.__class__ is list:
                for position, child in enumerate(value):
                    if isinstance(child, gast.AST):
                        value[position] = self.rewrite(child, inside)
            elif isinstance(value, gast.AST):
                setattr(node, field, self.rewrite(value, inside))
        for rule in self.rules.get(kind, ()):
            if type(node) is kind:
                node = rule(node, context)
        return node


def mark_test(node: gast.AST) -> None:
    """Mark an ``and`` or ``or`` of which only the truth is used."""
    if isinstance(node, gast.BoolOp):
        node.is_test = True
        for value in node.values:
            mark_test(value)


def moves(*nodes: gast.AST) -> bool:
    """Whether expressions may move into a lambda.

    They may not with ``:=``, ``yield`` or ``await`` inside, nor with a call of ``eval`` and the
    like, which would look for the user's variables in the lambda.
    """
    stack: list[gast.AST] = list(nodes)
    while stack:
        node = stack.pop()
        if isinstance(node, (gast.NamedExpr, gast.Yield, gast.YieldFrom, gast.Await)):
            return False
        if isinstance(node, gast.Name) and node.id in FRAME_READERS:
            return False
        if isinstance(node, gast.comprehension) and node.is_async:
            return False
        if not isinstance(node, gast.Lambda):
            stack.extend(gast.iter_child_nodes(node))
    return True
