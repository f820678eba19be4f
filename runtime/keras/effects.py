"""Order of effects in graphs that sessions run, where a fetch runs only what it needs."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from typing import Any

from runtime.graph.collections import GraphKeys
from runtime.graph.graph import Graph
from runtime.graph.trace import current_graph
from runtime.state.variable import Variable


class RecordedEffects:
    """Operations with effects that a session's graph records from now on; none elsewhere.

    Eagerly and in functions all effects run, in their order.
    """

    def __init__(self) -> None:
        graph = current_graph()
        self.graph = graph if isinstance(graph, Graph) and not graph.temporary else None
        self._start = 0 if self.graph is None else len(self.graph.operations)

    def before(self, variables: Sequence[Variable]) -> Any:
        """Return a context whose operations wait for the effects, but for initial values."""
        if self.graph is None:
            return contextlib.nullcontext()
        initial = {id(variable.initializer) for variable in variables}
        recorded = self.graph.operations[self._start :]
        effects = [node for node in recorded if node.stateful and id(node) not in initial]
        return self.graph.control_dependencies(effects)


def note_update(layer: Any, operation: Any) -> None:
    """Note what changes a weight besides training, in a session's graph: nobody fetches it.

    It is in ``layer.updates`` and in the collection ``GraphKeys.UPDATE_OPS``.
    """
    graph = current_graph()
    if isinstance(graph, Graph) and not graph.temporary:
        layer._keras.updates.append(operation)
        graph.get_collection_ref(GraphKeys.UPDATE_OPS).append(operation)
