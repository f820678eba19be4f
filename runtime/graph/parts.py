"""Parts of graphs: which operations a layer, a gradient or an optimizer recorded, for drawings.

Below diagrams.py, which shows parts as boxes.  Names of operations say nothing of them: a name
scope for each would cost time, and change the names.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any, NamedTuple

from runtime.graph.side_table import SideTable


class PartOfGraph(NamedTuple):
    """Name of a part, and the numbers of its operations: from ``first`` to before ``end``."""

    name: str
    first: int
    end: int


_parts: SideTable[list[PartOfGraph]] = SideTable()


def note_part(graph: Any, name: str, first: int) -> None:
    """Note that the operations from ``first`` on, up to the last one now, belong together."""
    end = len(graph.operations)
    if end - first > 1:
        _parts.setdefault(graph, []).append(PartOfGraph(name, first, end))


@contextlib.contextmanager
def part_of_graph(graph: Any, name: str) -> Iterator[None]:
    """Operations that a graph records inside of the block are a part; no graph notes nothing."""
    if graph is None:
        yield
        return
    first = len(graph.operations)
    yield
    note_part(graph, name, first)


def scopes_of(graph: Any) -> list[tuple[str, ...]]:
    """Return the parts that each operation of a graph belongs to, from outside in.

    A zero byte and a number tell apart parts of one name.
    """
    scopes: list[tuple[str, ...]] = [()] * len(graph.operations)
    parts = sorted(_parts.get(graph) or (), key=lambda part: (part.first, -part.end))
    for part in parts:
        for number in range(part.first, min(part.end, len(scopes))):
            scopes[number] = (*scopes[number], f"{part.name}\0{part.first}")
    return scopes
