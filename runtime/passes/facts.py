"""What passes ask about operations, tensors and the graphs that operations hold.

Everything here is answered by the rows: their traits, and the facets ``total`` and ``infer``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from runtime import numbers
from runtime.facets.totals import fitting
from runtime.op import CALLS, CHOOSES, ELEMENTWISE, HIGHER_ORDER, LOOPS, STATEFUL, Op
from runtime.ops.constants import constant_op, placeholder_op
from runtime.symbolic import Operation, SymbolicTensor, subgraphs
from runtime.types import TensorSpec


def never_raises(row: Op, specs: Sequence[TensorSpec], attrs: dict[str, Any]) -> bool:
    """Whether a kernel certainly computes a result for inputs of these specs."""
    total = row.total
    if total is None:
        return ELEMENTWISE in row.traits and fitting(*specs)
    return total if isinstance(total, bool) else total(*specs, **attrs)


def total(node: Operation) -> bool:
    """Whether an operation has no effects, cannot raise and ends: it may be moved or dropped."""
    row = node.row
    if row is constant_op:
        return True
    if STATEFUL in row.traits:
        return False
    if HIGHER_ORDER in row.traits:
        return _total_graphs(node)
    if numbers.is_pythons(node):
        return numbers.never_raises(node)
    if row.total is None and len(node.inputs) > 1:  # a tensor fits itself
        different = {id(t): t.spec for t in node.inputs}
        return never_raises(row, list(different.values()), node.attrs)
    return never_raises(row, [t.spec for t in node.inputs], node.attrs)


def _total_graphs(node: Operation) -> bool:
    """A choice or call whose graphs hold nothing that may raise; loops may go on for ever."""
    traits = node.row.traits
    if CHOOSES in traits and node.inputs[0].shape.num_elements() != 1:
        return False
    if LOOPS in traits or not traits & {CHOOSES, CALLS}:
        return False
    return all(
        total(inner) or inner.row is placeholder_op
        for graph in subgraphs(node)
        for inner in graph.operations
    )


def constant_value(tensor: SymbolicTensor) -> Any:
    """The array of a constant, else None."""
    node = tensor.op
    return node.attrs["value"] if node.row is constant_op else None


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
    """The graphs of an operation, as the convention of ops/control_flow.py has them."""
    attrs = node.attrs
    places: list[tuple[str, int | None, Any]] = []
    for key, value in attrs.items():
        if hasattr(value, "operations"):
            places.append((key, None, value))
        elif isinstance(value, tuple | list):
            places += [(key, i, g) for i, g in enumerate(value) if hasattr(g, "operations")]
    if CALLS in node.row.traits:
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


def stands_for(new: SymbolicTensor, old: SymbolicTensor) -> bool:
    """Whether a tensor may take the place of another that has the same value.

    What computes with Python numbers (see numbers.py) needs inputs that stand for such.
    """
    return new.dtype is old.dtype and (new.weak or not old.weak)
