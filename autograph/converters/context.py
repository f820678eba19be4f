"""Context of the statement converters: the facts and analyses of the function being converted.

The pipeline makes one for each function, outermost first, and passes it to every converter.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import gast

from autograph.analysis.manager import Analyses
from autograph.syntax.names import FreshNames
from autograph.syntax.node_fields import child_nodes, kinds_in

FunctionNode: TypeAlias = gast.FunctionDef | gast.AsyncFunctionDef


class Context:
    """State of one function during the statement converters."""

    def __init__(
        self, function: FunctionNode, names: FreshNames, is_builtin: Callable[[str], bool]
    ):
        self.function = function
        self.names = names
        self.is_builtin = is_builtin
        self.analyses = Analyses(function)
        self._bound: frozenset[str] | None = None
        self.kinds = kinds_in(function)
        """Kinds of nodes in the function as the user wrote it, without itself and operators."""
        self.has_effects = has_effects(function)
        """Whether a statement of the function is there for its effect alone."""
        self.plain: frozenset[gast.AST] = frozenset()
        """The compound statements that stay Python (they yield, await, or leave a loop
        that does)."""
        self.generated: set[str] = set()
        """Names of the local functions that the converters made."""
        self.undefined: frozenset[int] = frozenset()
        """Ids of the names that may be read before they are assigned."""
        self.left_open: frozenset[str] = frozenset()
        """Variables that a statement which becomes a call assigns on some ways only."""
        self.left_open_inside: frozenset[str] = frozenset()
        """Those of them that the user's inner functions refer to."""
        self.open_around: frozenset[str] = frozenset()
        """Those of the functions around."""
        self.result: str | None = None
        """The variable that holds what a ``return`` inside a loop returns."""

    @property
    def bound(self) -> frozenset[str]:
        """Return the names that the user's function binds, without those that converters added."""
        if self._bound is None:
            self._bound = self.analyses.scopes.bound - self.names.added
        return self._bound

    def is_functional(self, statement: gast.AST) -> bool:
        """Whether a statement is an ``if``, ``while``, ``for`` or ``try`` that becomes a call."""
        return (
            isinstance(statement, (gast.If, gast.While, gast.For, gast.Try))
            and statement not in self.plain
        )

    def changed(self) -> None:
        """Discard the analyses of the function after a change of its tree."""
        self.analyses.changed()

    def result_name(self) -> str:
        """Return the name of the result variable, chosen on first use."""
        if self.result is None:
            self.result = self.names.fresh("result")
        return self.result


_WITHOUT_EFFECT = (gast.Constant, gast.Name, gast.Await, gast.Yield, gast.YieldFrom)
"""What stands for a docstring, for nothing, or in functions that stay plain Python."""


def has_effects(function: FunctionNode) -> bool:
    """Whether a function has a statement for its effect alone, or one that may raise later.

    A value that is None on some path raises, at run time, where it is used as something else.
    """
    stack: list[gast.AST] = list(function.body)
    while stack:
        node = stack.pop()
        if isinstance(node, gast.expr):
            continue
        if isinstance(node, (gast.Assert, gast.Raise)):
            return True
        if isinstance(node, gast.Expr):
            if not isinstance(node.value, _WITHOUT_EFFECT):
                return True
        elif isinstance(node, gast.Assign) and isinstance(node.value, gast.Constant):
            if node.value.value is None:
                return True
        elif isinstance(node, gast.stmt | gast.ExceptHandler | gast.match_case):
            if not isinstance(node, gast.ClassDef):
                stack += child_nodes(node)
    return False
