"""Small functions as trees, with a way to point at their statements."""

from __future__ import annotations

import textwrap

import gast

from autograph.analysis.manager import Analyses


class Sample:
    """The first function of a source text, and its analyses."""

    def __init__(self, source: str) -> None:
        tree = gast.parse(textwrap.dedent(source).strip("\n") + "\n")
        self.node = next(
            node
            for node in gast.walk(tree)
            if isinstance(node, (gast.FunctionDef, gast.AsyncFunctionDef, gast.Lambda))
        )
        self.analyses = Analyses(self.node)

    def find(self, kind: type, number: int = 0) -> gast.AST:
        """The statement or expression of this kind that stands at this place in the source."""
        found = [node for node in gast.walk(self.node) if isinstance(node, kind)]
        return sorted(found, key=lambda node: (node.lineno, node.col_offset))[number]

    def line(self, number: int) -> gast.AST:
        """The outermost statement that starts on a line; the ``def`` is line 1."""
        return next(
            node
            for node in gast.walk(self.node)
            if isinstance(node, gast.stmt) and node.lineno == number
        )
