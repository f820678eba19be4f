"""Run requests: which values of a graph are asked for, given which others."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from runtime.graph.func_graph import FuncGraph
from runtime.graph.graph import Graph
from runtime.graph.operation import Operation, SymbolicTensor


class RunRequest(NamedTuple):
    """Request for the values of ``fetches``, given those of ``feeds``.

    ``operations`` run as well: those that were fetched, and the effects that belong to the run.
    All are of ``graph``.
    """

    graph: Graph
    fetches: Sequence[SymbolicTensor]
    feeds: Sequence[SymbolicTensor]
    operations: Sequence[Operation] = ()

    @property
    def is_body(self) -> bool:
        """Whether it asks for all that a traced graph gives, as ``request_for`` does."""
        graph: Any = self.graph
        frozen = isinstance(graph, FuncGraph) and graph.frozen
        return frozen and self.fetches is graph.outputs and self.feeds is graph.inputs


def request_for(graph: Any) -> RunRequest:
    """Request for a function's body, branch or loop body: its outputs, and all of its effects."""
    effects = [node for node in graph.operations if graph.runs_everything or node.stateful]
    return RunRequest(graph, graph.outputs, graph.inputs, effects)
