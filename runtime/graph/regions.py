"""Regions: the graphs that an operation holds, with the inputs that each of them receives.

Above operations, below whoever reads, copies or optimises graphs.  What
ops/control_flow/cond_while.py says about the attributes of higher-order ops is read here, and
nowhere else.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from autograph.named_tuples import NamedTuple
from runtime.graph.operation import Operation
from runtime.ops.op import CALL


class Region(NamedTuple):
    """Graph that an operation holds, and the origin of its inputs.

    The op itself computes the first ``own`` inputs (a loop's state, for instance); the others are
    ``captures`` inputs of the operation, from ``start`` on.
    """

    key: str
    number: int | None
    graph: Any
    own: int
    start: int
    captures: int


def regions(node: Operation) -> list[Region]:
    """Return the graphs of an operation, by the convention of control_flow/cond_while.py."""
    attrs = node.attrs
    places: list[tuple[str, int | None, Any]] = []
    for key, value in attrs.items():
        if hasattr(value, "operations"):
            places.append((key, None, value))
        elif isinstance(value, tuple | list):
            places += [(key, i, g) for i, g in enumerate(value) if hasattr(g, "operations")]
    if CALL in node.op_def.traits:
        ((key, number, graph),) = places
        return [Region(key, number, graph, 0, 0, len(node.inputs))]
    splits = attrs.get("splits", ())
    if len(splits) != len(places):
        return []
    start = len(node.inputs) - sum(splits)
    regions_found = []
    for (key, number, graph), count in zip(places, splits, strict=True):
        regions_found.append(Region(key, number, graph, len(graph.inputs) - count, start, count))
        start += count
    return regions_found


def with_graphs(node: Operation, changed: Sequence[Any]) -> dict[str, Any]:
    """Return the attributes of an operation with other graphs, in the order of regions."""
    attrs = dict(node.attrs)
    for region, graph in zip(regions(node), changed, strict=True):
        if region.number is None:
            attrs[region.key] = graph
        else:
            graphs = list(attrs[region.key])
            graphs[region.number] = graph
            attrs[region.key] = tuple(graphs)
    return attrs


class Loop(NamedTuple):
    """State of a loop: inputs from ``first`` of the operation, from ``offset`` of its body."""

    carried: int
    first: int
    offset: int


def loop_of(node: Operation) -> Loop:
    """Return the position of a loop's state; an op that counts passes the iteration first."""
    own_inputs = len(node.inputs) - sum(node.attrs["splits"])
    carried = node.attrs.get("carried", own_inputs)
    first = own_inputs - carried - node.attrs.get("extra", 0)
    return Loop(carried, first, first)
