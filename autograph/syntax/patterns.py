"""Prints the patterns of ``match``: the part of ``emit`` between strings and statements."""

from __future__ import annotations

from collections.abc import Sequence

import gast

from autograph.syntax.expressions import BIT_OR, TEST
from autograph.syntax.strings import Strings

AS, OR, CLOSED = range(3)  # how tightly a pattern binds


class Patterns(Strings):
    """Writes expressions and patterns; statements are added by its subclass."""

    def pattern(self, node: gast.AST, level: int = AS) -> None:
        """Write a pattern, in parentheses when it binds less tightly than ``level``."""
        kind = type(node)
        own_level = OR if kind is gast.MatchOr else CLOSED
        if kind is gast.MatchAs and node.pattern is not None:
            own_level = AS
        self.write("(" if own_level < level else "")
        self.dispatch(node)
        self.write(")" if own_level < level else "")

    def _patterns(self, texts: Sequence[str], nodes: Sequence[gast.AST], comma: str = "") -> None:
        for text, node in zip(texts, nodes, strict=True):
            self.write(comma + text)
            self.pattern(node)
            comma = ", "

    def _MatchValue(self, node: gast.MatchValue) -> None:
        self.operand(node.value, BIT_OR)

    def _MatchSingleton(self, node: gast.MatchSingleton) -> None:
        self.write(repr(node.value))

    def _MatchSequence(self, node: gast.MatchSequence) -> None:
        self.write("[")
        self._patterns([""] * len(node.patterns), node.patterns)
        self.write("]")

    def _MatchMapping(self, node: gast.MatchMapping) -> None:
        self.write("{")
        keys = [self.text_of(key, TEST) + ": " for key in node.keys]
        self._patterns(keys, node.patterns)
        if node.rest is not None:
            self.write((", **" if keys else "**") + node.rest)
        self.write("}")

    def _MatchClass(self, node: gast.MatchClass) -> None:
        self.dispatch(node.cls)
        self.write("(")
        names = [""] * len(node.patterns) + [name + "=" for name in node.kwd_attrs]
        self._patterns(names, [*node.patterns, *node.kwd_patterns])
        self.write(")")

    def _MatchStar(self, node: gast.MatchStar) -> None:
        self.write("*" + (node.name or "_"))

    def _MatchAs(self, node: gast.MatchAs) -> None:
        if node.pattern is not None:
            self.pattern(node.pattern, OR)
            self.write(" as ")
        self.write(node.name or "_")

    def _MatchOr(self, node: gast.MatchOr) -> None:
        for index, pattern in enumerate(node.patterns):
            self.write(" | " if index else "")
            self.pattern(pattern, CLOSED)
