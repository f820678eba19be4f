"""Effects of statements: what each statement reads, writes and deletes, in one walk.

Uses ``expression_effects`` for simple statements; ``scopes`` answers queries about the result.  The
parts that it records are those that the nodes of ``cfg`` execute.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

import gast

from autograph.analysis import inner_scopes
from autograph.analysis.effects_record import Effects, Part
from autograph.analysis.expression_effects import PartWalk


class Walk(PartWalk):
    """The walk over the statements of one function."""

    def block(self, statements: Iterable[gast.stmt], total: Effects) -> None:
        """Walk statements and add their effects to ``total``."""
        for statement in statements:
            total.add(self.statement(statement))

    def statement(self, node: gast.stmt) -> Effects:
        """Walk a statement and everything inside it."""
        rule = COMPOUND.get(node.__class__)
        if rule is None:
            return self.part(node)
        total = self.effects[node] = Effects()
        rule(self, node, total)
        return total

    def condition(self, test: gast.expr) -> Effects:
        """Walk a test; the operands of ``and``, ``or`` and ``not`` are separate parts."""
        if isinstance(test, gast.BoolOp):
            operands = test.values
        elif isinstance(test, gast.UnaryOp) and isinstance(test.op, gast.Not):
            operands = [test.operand]
        else:
            return self.part(test)
        total = self.effects[test] = Effects()
        for operand in operands:
            total.add(self.condition(operand))
        return total

    def _branch(self, node: gast.AST, total: Effects) -> None:
        total.add(self.condition(node.test))
        self.block(node.body, total)
        self.block(node.orelse, total)

    def _for(self, node: gast.AST, total: Effects) -> None:
        total.add(self.part(node.iter))
        total.add(self.part(node.target))
        self.block(node.body, total)
        self.block(node.orelse, total)
        total.suspends |= isinstance(node, gast.AsyncFor)

    def _with(self, node: gast.AST, total: Effects) -> None:
        for item in node.items:
            total.add(self.part(item.context_expr))
            if item.optional_vars is not None:
                total.add(self.part(item.optional_vars))
        self.block(node.body, total)
        total.suspends |= isinstance(node, gast.AsyncWith)

    def _try(self, node: gast.AST, total: Effects) -> None:
        self.block(node.body, total)
        for handler in node.handlers:
            inside = self.effects[handler] = Effects()
            if handler.type is not None:
                inside.add(self.part(handler.type))
            if handler.name is not None:
                inside.add(self.part(handler.name))
                drop = self.parts[handler] = Part()
                drop.deletes = self.symbols[handler.name.id]
                inside.add(drop)
            self.block(handler.body, inside)
            total.add(inside)
        self.block(node.orelse, total)
        self.block(node.finalbody, total)

    def _match(self, node: gast.AST, total: Effects) -> None:
        total.add(self.part(node.subject))
        for case in node.cases:
            inside = self.effects[case] = Effects()
            inside.add(self.part(case.pattern))
            inside.add(self._captures(case))
            if case.guard is not None:
                inside.add(self.condition(case.guard))
            self.block(case.body, inside)
            total.add(inside)

    def _captures(self, case: gast.match_case) -> Part:
        """Walk what a case binds once its pattern fits, which is a separate part."""
        captures = self.parts[case] = Part()
        for pattern in inner_scopes.subpatterns(case.pattern):
            name = inner_scopes.captured_by(pattern)
            if name is not None:
                captures.writes |= self.symbols[name]
        captures.assigned = captures.writes
        self.bound |= captures.writes
        return captures


COMPOUND: dict[type, Callable[[Walk, gast.AST, Effects], None]] = {
    gast.If: Walk._branch,
    gast.While: Walk._branch,
    gast.For: Walk._for,
    gast.AsyncFor: Walk._for,
    gast.With: Walk._with,
    gast.AsyncWith: Walk._with,
    gast.Try: Walk._try,
    gast.TryStar: Walk._try,
    gast.Match: Walk._match,
}
