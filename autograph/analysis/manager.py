"""Analysis manager of one function: computes analyses lazily and discards them after a change.

Converters get analyses from it and report their changes of the tree to it.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, TypeVar

import gast

from autograph.analysis.cfg import ControlFlowGraph
from autograph.analysis.liveness import Liveness
from autograph.analysis.reaching_definitions import Reaching
from autograph.analysis.scopes import FunctionScope

Analysis = TypeVar("Analysis")


class Analyses:
    """The analyses of one function.

    An analysis is a class that names in ``needs`` the analyses it builds on, and is made with
    the function's node and one object for each of them.
    """

    def __init__(self, function_node: gast.AST) -> None:
        self._function = function_node
        self._known: dict[type, Any] = {}

    def get(self, kind: type[Analysis]) -> Analysis:
        """Return the analysis of this kind, computed now unless it is still valid."""
        analysis = self._known.get(kind)
        if analysis is None:
            needed = [self.get(need) for need in getattr(kind, "needs", ())]
            make: Any = kind
            analysis = self._known[kind] = make(self._function, *needed)
        return analysis

    def changed(self, keep: Collection[type] = ()) -> None:
        """Discard, after a change of the tree, all analyses but the kinds that still hold."""
        self._known = {kind: analysis for kind, analysis in self._known.items() if kind in keep}

    @property
    def scopes(self) -> FunctionScope:
        """Return the scope of each name, and what statements read and write."""
        return self.get(FunctionScope)

    @property
    def cfg(self) -> ControlFlowGraph:
        """Return the control-flow graph."""
        return self.get(ControlFlowGraph)

    @property
    def liveness(self) -> Liveness:
        """Return which variables are live at each point."""
        return self.get(Liveness)

    @property
    def reaching(self) -> Reaching:
        """Return which assignments reach each point, and what may be undefined."""
        return self.get(Reaching)
