"""Run requests: graph, fetches, feeds and operations of a run."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from autograph.named_tuples import NamedTuple
from runtime.graph.func_graph import FuncGraph
from runtime.graph.graph import Graph
from runtime.graph.operation import Operation, SymbolicTensor
from runtime.graph.termination import must_run


class RunRequest(NamedTuple):
    """Request for the values of ``fetches``, given those of ``feeds``.

    ``operations`` run as well: fetched ones, and effects that belong to the run.  All elements are
    of ``graph``.
    """

    graph: Graph
    fetches: Sequence[SymbolicTensor]
    feeds: Sequence[SymbolicTensor]
    operations: Sequence[Operation] = ()

    @property
    def is_body(self) -> bool:
        """Whether it requests all outputs of a frozen graph, as ``request_for`` does."""
        graph: Any = self.graph
        frozen = isinstance(graph, FuncGraph) and graph.frozen
        return frozen and self.fetches is graph.outputs and self.feeds is graph.inputs


def request_for(graph: Any) -> RunRequest:
    """Return the request for the outputs and effects of a function, branch or loop body."""
    effects = [node for node in graph.operations if graph.runs_everything or must_run(node)]
    return RunRequest(graph, graph.outputs, graph.inputs, effects)
