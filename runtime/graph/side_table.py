"""Side tables: what one room keeps about graphs, outside of the graphs' own class.

An executor keeps what it compiled of a graph, autodiff the derivatives that it made; neither is
part of the graph.  The owner of a table is the module that makes it, and nobody else reads it.
"""

from __future__ import annotations

from typing import Any, Generic, Protocol, TypeVar

T = TypeVar("T")


class Annotated(Protocol):
    """A graph, as far as side tables know it."""

    side_tables: dict[Any, Any]


class SideTable(Generic[T]):
    """Table of one value for each graph.

    An entry lies with its graph and goes with it: a weak dictionary would keep a graph alive whose
    entry refers to it, as what was compiled of a graph does.
    """

    __slots__ = ()

    def get(self, graph: Annotated) -> T | None:
        """Entry of a graph, or None."""
        found: T | None = graph.side_tables.get(self)
        return found

    def put(self, graph: Annotated, value: T) -> T:
        """Enter a value, which is given back."""
        graph.side_tables[self] = value
        return value

    def setdefault(self, graph: Annotated, value: T) -> T:
        """Entry of a graph: the value unless there is one."""
        found: T = graph.side_tables.setdefault(self, value)
        return found

    def drop(self, graph: Annotated) -> None:
        """Take the entry of a graph out, if there is one."""
        graph.side_tables.pop(self, None)
