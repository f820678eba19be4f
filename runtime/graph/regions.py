"""Regions: the graphs that an operation holds, and which of its inputs go into each of them.

Above operations, below whoever reads, copies or optimises graphs.  What
ops/control_flow/cond_while.py says about the attributes of higher-order ops is read here, and
nowhere else.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from runtime.graph.operation import Operation
from runtime.ops.op import CALL


class Region(NamedTuple):
    """A graph that an operation holds, and where its inputs come from.

    The first ``own`` inputs are given by the row itself (a state, for instance); the others are
    the ``captures`` inputs of the operation from ``start`` on.
    """

    key: str
    place: int | None
    graph: Any
    own: int
    start: int
    captures: int


def regions(node: Operation) -> list[Region]:
    """The graphs of an operation, as the convention of ops/control_flow/cond_while.py has them."""
    attrs = node.attrs
    places: list[tuple[str, int | None, Any]] = []
    for key, value in attrs.items():
        if hasattr(value, "operations"):
            places.append((key, None, value))
        elif isinstance(value, tuple | list):
            places += [(key, i, g) for i, g in enumerate(value) if hasattr(g, "operations")]
    if CALL in node.op_def.traits:
        ((key, place, graph),) = places
        return [Region(key, place, graph, 0, 0, len(node.inputs))]
    splits = attrs.get("splits", ())
    if len(splits) != len(places):
        return []
    start = len(node.inputs) - sum(splits)
    found = []
    for (key, place, graph), count in zip(places, splits, strict=True):
        found.append(Region(key, place, graph, len(graph.inputs) - count, start, count))
        start += count
    return found


def with_graphs(node: Operation, changed: Sequence[Any]) -> dict[str, Any]:
    """The attributes of an operation with other graphs, in the order of its regions."""
    attrs = dict(node.attrs)
    for region, graph in zip(regions(node), changed, strict=True):
        if region.place is None:
            attrs[region.key] = graph
        else:
            graphs = list(attrs[region.key])
            graphs[region.place] = graph
            attrs[region.key] = tuple(graphs)
    return attrs


class Loop(NamedTuple):
    """A loop's state: inputs ``first`` ... of the operation, ``offset`` ... of its body."""

    carried: int
    first: int
    offset: int


def loop_of(node: Operation) -> Loop:
    """Where a loop keeps its state.  A row that counts its turns passes the number first."""
    own = len(node.inputs) - sum(node.attrs["splits"])
    carried = node.attrs.get("carried", own)
    first = own - carried - node.attrs.get("extra", 0)
    return Loop(carried, first, first)
