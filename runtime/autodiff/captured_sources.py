"""Hidden sources: variables and eager tensors that operations read besides their inputs.

The key of a variable is its ``VariableStorage``.  An eager tensor that a traced function uses is a
constant of its graph; its key is its id.  Both may be nested deep in the graphs of an operation.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from typing import Any

from runtime.graph.side_table import SideTable
from runtime.ops.control_flow.recursive_call import Callee
from runtime.ops.resource.list_gradients import differentiable

Sources = dict[Hashable, Any]
"""What is read, by key: the storage of a variable, or an eager tensor."""

_KNOWN: SideTable[tuple[int, Sources]] = SideTable()
"""Graph -> how many operations it had, and what they read."""
_NONE: Sources = {}


def inner_graphs(node: Any) -> Iterator[Any]:
    """Return the graphs that an operation runs."""
    for value in node.attrs.values():
        for item in value if isinstance(value, tuple) else (value,):
            if hasattr(item, "operations"):
                yield item
            elif isinstance(item, Callee) and item.graph is not None:
                yield item.graph


def hidden_sources(node: Any) -> Sources:
    """Return the keys of variables and eager tensors that the graphs of an operation read."""
    if len(node.attrs) == 1:
        (only,) = node.attrs.values()
        if hasattr(only, "operations"):  # a call
            return sources_of(only)
    graphs = list(inner_graphs(node))
    derivative = node.attrs.get("derivative")
    if derivative is not None:
        storages = (*derivative.storages, *derivative.input_storages)
        return {storage: storage for storage in storages if storage is not None}
    if len(graphs) == 1:
        return sources_of(graphs[0])
    sources: Sources = {}
    for graph in graphs:
        sources.update(sources_of(graph))
    return sources


def sources_of(graph: Any) -> Sources:
    """Return the keys of variables and eager tensors that a graph and the graphs in it read."""
    if (cached := _cached_sources(graph)) is not None:
        return cached
    inner = _inner_first(graph)
    if inner is None:  # a graph calls itself
        sources: Sources = {}
        for member in _reachable(graph):
            sources.update(_own_sources(member))
        return _cache_sources(graph, sources)
    for member in inner:
        sources = _own_sources(member)
        for below in _below(member):
            sources.update(_cached_sources(below) or _NONE)
        _cache_sources(member, sources)
    return _cached_sources(graph) or _NONE


def _cached_sources(graph: Any) -> Sources | None:
    entry = _KNOWN.get(graph)
    return entry[1] if entry is not None and entry[0] == len(graph.operations) else None


def _cache_sources(graph: Any, sources: Sources) -> Sources:
    _KNOWN.put(graph, (len(graph.operations), sources or _NONE))
    return sources


def _below(graph: Any) -> list[Any]:
    """Return the graphs that the operations of a graph run, other than those of variables."""
    nodes = [node for node in graph.operations if node.attrs.get("storage") is None]
    return [inner for node in nodes for inner in inner_graphs(node)]


def _inner_first(graph: Any) -> list[Any] | None:
    """Return a graph and those in it that are not known yet, inner ones first; None in a circle."""
    order: list[Any] = []
    open_graphs: set[int] = {id(graph)}
    done: set[int] = set()
    stack = [(graph, iter(_below(graph)))]
    while stack:
        current, waiting = stack[-1]
        inner = next(waiting, None)
        if inner is None:
            order.append(current)
            done.add(id(current))
            open_graphs.discard(id(current))
            stack.pop()
        elif id(inner) in open_graphs:
            return None
        elif id(inner) not in done and _cached_sources(inner) is None:
            open_graphs.add(id(inner))
            stack.append((inner, iter(_below(inner))))
    return order


def _reachable(graph: Any) -> list[Any]:
    reachable, seen = [graph], {id(graph)}
    for current in reachable:
        for inner in _below(current):
            if id(inner) not in seen:
                seen.add(id(inner))
                reachable.append(inner)
    return reachable


def _own_sources(graph: Any) -> Sources:
    """Return the keys of what the operations of a graph itself read."""
    sources: Sources = {}
    for key, (tensor, _) in graph._constants.items():
        if differentiable(tensor):
            sources[key] = tensor
    for node in graph.operations:
        storage = node.attrs.get("storage")
        if storage is not None and node.outputs and storage.differentiable:
            if node.outputs[0].dtype is storage.dtype:
                sources[storage] = storage
    return sources
