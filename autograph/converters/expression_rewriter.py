"""One walk over a function that applies every expression converter, inside out.

An expression converter is a table ``RULES``: it maps a node type to a function of the node and its
``ExpressionContext``, which returns the replacement.  All tables are applied in a single walk,
because walking a tree costs more than rewriting its nodes.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace

import gast

from autograph.analysis.liveness import FRAME_READERS
from autograph.named_tuples import NamedTuple
from autograph.syntax.data_classes import dataclass
from autograph.syntax.node_fields import NodeFields, child_nodes


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
    numbers: frozenset[str] = frozenset()
    """Names that are numbers by what is done with them."""

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
_SPECIAL = frozenset((*_SCOPES, *_TESTS, gast.ClassDef, gast.GeneratorExp, gast.UnaryOp))


class _Plan(NamedTuple):
    """What is done with the nodes of a class."""

    fields: tuple[str, ...]
    rules: tuple[Rule, ...]
    is_special: bool
    """Whether the context of its parts may be another, or their truth is all that counts."""


class _Plans(dict[type, _Plan | None]):
    """Plans by class, made on first use; None where nothing is done, nor in any part."""

    def __init__(self, tables: Iterable[Mapping[type, Rule]]) -> None:
        super().__init__()
        self._rules: dict[type, list[Rule]] = {}
        for table in tables:
            for kind, rule in table.items():
                self._rules.setdefault(kind, []).append(rule)

    def __missing__(self, kind: type) -> _Plan | None:
        plan = None
        if issubclass(kind, gast.AST):
            fields, rules = _FIELDS[kind], self._rules.get(kind, ())
            if fields or rules:
                plan = _Plan(fields, tuple(rules), kind in _SPECIAL)
        self[kind] = plan
        return plan


class Rewriter:
    """Rewriter that applies tables of rules to a tree, in place."""

    def __init__(
        self,
        tables: tuple[Mapping[type, Rule], ...],
        enter: Callable[[gast.AST, ExpressionContext], ExpressionContext],
    ) -> None:
        self.plans = _Plans(tables)
        self.enter = enter

    def rewrite(self, node: gast.AST, context: ExpressionContext) -> gast.AST:
        """Rewrite a node and all below it."""
        kind, plans = type(node), self.plans
        plan = plans[kind]
        if plan is None:
            return node
        fields, rules, is_special = plan
        inside = self._inside(node, kind, context) if is_special else context
        fields_of_node = node.__dict__
        for field in fields:
            value = fields_of_node.get(field)
            if value.__class__ is list:
                for position, child in enumerate(value):
                    if plans[child.__class__] is not None:
                        value[position] = self.rewrite(child, inside)
            elif plans[value.__class__] is not None:
                fields_of_node[field] = self.rewrite(value, inside)
        for rule in rules:
            if type(node) is kind:
                node = rule(node, context)
        return node

    def _inside(
        self, node: gast.AST, kind: type, context: ExpressionContext
    ) -> ExpressionContext:
        """Return the context of a node's parts; mark those of which only the truth is used."""
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
        return inside


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
            stack += child_nodes(node)
    return True
