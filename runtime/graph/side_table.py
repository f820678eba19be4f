"""Side tables: data of one room about graphs, outside of the class of graphs.

The engine caches the executables of a graph, autodiff its derivatives; neither is part of the
graph.  Only the module that makes a table reads it.
"""

from __future__ import annotations

from typing import Any, Generic, Protocol, TypeVar

T = TypeVar("T")


class Annotated(Protocol):
    """A graph, as far as side tables know it."""

    side_tables: dict[Any, Any]


class SideTable(Generic[T]):
    """Table of one value for each graph.

    An entry is stored in its graph and collected with it: a weak dictionary would keep a graph
    alive whose entry refers to it, as an executable does.
    """

    __slots__ = ()

    def get(self, graph: Annotated) -> T | None:
        """Return the entry of a graph, or None."""
        entry: T | None = graph.side_tables.get(self)
        return entry

    def put(self, graph: Annotated, value: T) -> T:
        """Set the entry of a graph; return the value."""
        graph.side_tables[self] = value
        return value

    def setdefault(self, graph: Annotated, value: T) -> T:
        """Return the entry of a graph, set to ``value`` if there is none."""
        entry: T = graph.side_tables.setdefault(self, value)
        return entry

    def drop(self, graph: Annotated) -> None:
        """Remove the entry of a graph, if there is one."""
        graph.side_tables.pop(self, None)
