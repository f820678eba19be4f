"""Base class of graphs: what an operation asks of the graph that it belongs to.

Below operations and tensors, which name their graph by this class; ``Graph`` derives from it.
"""

from __future__ import annotations

from typing import Any


class GraphBase:
    """A graph as its operations see it."""

    temporary = False
    """Whether it is traced for a function, branch or loop body: ``init_scope`` steps out of it."""
    operations: list[Any]
    """The operations in program order."""
    extensions: dict[Any, list[Any]]
    """By recorded operation: what gives the same and more, see extensions.py."""
    rewired: int
    """How often an operation was given one more control input after it was made."""

    @property
    def stateful(self) -> bool:
        """Whether running the whole graph has effects."""
        raise NotImplementedError

    @property
    def title(self) -> str:
        """What messages call this graph."""
        return "the graph"

    def current_program(self) -> int:
        """The run of the outermost converted function that records now; 0 when there is none."""
        raise NotImplementedError

    def check_open(self) -> None:
        """RuntimeError when the graph takes no more operations."""
        raise NotImplementedError

    def check_recording(self) -> None:
        """InternalError when the graph was traced to its end: nothing in it changes any more."""
        raise NotImplementedError
