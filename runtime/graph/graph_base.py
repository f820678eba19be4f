"""Base class of graphs: what an operation asks of the graph that it belongs to.

Below operations and tensors, which name their graph by this class; ``Graph`` derives from it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Self


class GraphBase:
    """Graph, as its operations see it."""

    temporary = False
    """Whether it is traced for a function, branch or loop body, which ``init_scope`` leaves."""
    operations: list[Any]
    """The operations in program order."""
    extensions: dict[Any, list[Any]]
    """Extensions of each recorded operation (extensions.py)."""
    late_controls: int
    """How many control inputs operations were given after they were recorded."""

    def answer(self, question: str, find: Callable[[Self], bool]) -> bool:
        """Return ``find(self)``; a graph that no longer changes caches it by ``question``."""
        return find(self)

    @property
    def stateful(self) -> bool:
        """Whether running the whole graph has effects."""
        raise NotImplementedError

    @property
    def title(self) -> str:
        """Name of this graph in messages."""
        return "the graph"

    def current_run_id(self) -> int:
        """Return the run id of the converted code that records now; 0 outside of such code."""
        raise NotImplementedError

    def check_open(self) -> None:
        """Raise RuntimeError when the graph is finalized."""
        raise NotImplementedError

    def check_recording(self) -> None:
        """Raise InternalError when the graph is frozen, RuntimeError when it is finalized."""
        raise NotImplementedError
