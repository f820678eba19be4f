"""Hidden sources: variables and eager tensors that operations read besides their inputs.

The key of a variable is its ``VariableStorage``.  An eager tensor that a traced function uses is a
constant of its graph; its key is its id.  Both may be nested deep in the graphs of an operation.
"""

from __future__ import annotations

import weakref
from collections.abc import Hashable, Iterator
from typing import Any

from runtime.ops.control_flow.recursive_call import Callee
from runtime.ops.resource.list_gradients import differentiable

Sources = dict[Hashable, Any]
"""What is read, by key: the storage of a variable, or an eager tensor."""

_known: weakref.WeakKeyDictionary[Any, tuple[int, Sources]] = weakref.WeakKeyDictionary()
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
    graphs = list(inner_graphs(node))
    own = node.attrs.get("derivative")
    if own is not None:
        storages = (*own.storages, *own.input_storages)
        return {storage: storage for storage in storages if storage is not None}
    if len(graphs) == 1:
        return sources_of(graphs[0])
    found: Sources = {}
    for graph in graphs:
        found.update(sources_of(graph))
    return found


def sources_of(graph: Any) -> Sources:
    """Return the keys of variables and eager tensors that a graph and the graphs in it read."""
    known = _known.get(graph)
    if known is not None and known[0] == len(graph.operations):
        return known[1]
    found: Sources = {}
    seen: set[int] = set()
    todo = [graph]
    while todo:
        inner = todo.pop()
        if id(inner) in seen:
            continue
        seen.add(id(inner))
        for key, (tensor, _) in inner._constants.items():
            if differentiable(tensor):
                found[key] = tensor
        for node in inner.operations:
            storage = node.attrs.get("storage")
            if storage is None:
                todo += inner_graphs(node)
            elif node.outputs and storage.differentiable and node.outputs[0].dtype is storage.dtype:
                found[storage] = storage
    _known[graph] = (len(graph.operations), found or _NONE)
    return found
