"""Copies of the items of staged lists: as they are when a list is laid out, and of what they refer
to, for lists that leave the trace or are copied with all that is in them.

    q.append(c)              ``c`` is one of several lists: the item is its number, so ``q[i]`` is
    copy.deepcopy(q)         the list itself; a copy, or the caller, needs what it holds
"""

from __future__ import annotations

import operator
from collections.abc import Iterable, Iterator
from copy import copy
from dataclasses import dataclass, fields, is_dataclass, replace
from typing import Any

from autograph.operators.joins import nodes
from autograph.operators.joins.nodes import Node, SameNode, entered
from autograph.operators.joins.object_nodes import ChoiceNode, is_repeated
from autograph.operators.joins.reference_nodes import ReferenceNode, is_container
from autograph.operators.state.outcome import shown_outcome
from autograph.staging.access import PUT, access_of, stored_items
from autograph.staging.protocol import Backend
from autograph.staging.staged_list import kind_of
from autograph.staging.staged_map import TracedMap, snapshot
from autograph.staging.staged_tuple import StagedTuple
from autograph.staging.staged_union import StagedReference
from autograph.staging.state_spec import Spec


def item_now(value: Any) -> Any:
    """Return an item as it is now: a list or dict is copied, since it may be changed later."""
    if type(value) is tuple:
        return tuple(map(item_now, value))
    access = access_of(value)
    if access is not None and access.is_stale or isinstance(value, StagedTuple):
        return value
    if not isinstance(value, TracedMap) and kind_of(value) is not list:
        return value
    container = snapshot(value)
    for key, item in [*stored_items(container)]:
        kind = list if isinstance(container, list) else dict
        kind.__setitem__(container, key, item_now(item))
    return container


def is_shared_item(item: Any) -> bool:
    """Whether each iteration appends the same list, or a variable refers to it, too."""
    outcome = shown_outcome()
    return is_repeated(item) or outcome is not None and any(v is item for v in outcome.values)


def check_unchanged(items: Iterable[Any]) -> None:
    """Raise EffectError if iterations change a container from before the loop that is an item of a
    list of staged length, or in one: the list holds it as it was.
    """
    outcome = shown_outcome()
    changed = () if outcome is None else {slot.identity for slot in outcome.effects}
    waiting = [*items] if changed else []
    for value in waiting:  # which grows
        if is_container(value) and is_repeated(value) and id(value) in changed:
            raise PUT[list].error(value)
        if isinstance(value, tuple):
            waiting += value
        elif is_container(value) and not isinstance(value, set):
            waiting += [item for _, item in stored_items(value)]


@dataclass(frozen=True)
class ReferredNode:
    """Node for what one of several containers holds; ``contents`` is the node for each of them."""

    name: str
    contents: Node

    def specs(self) -> list[Spec]:
        return list(self.contents.specs())

    def lower(self, value: Any, backend: Backend) -> list[Any]:
        value = copy(value) if isinstance(value, StagedReference) else value
        return list(self.contents.lower(value, backend))

    def lift(self, values: Iterator[Any], backend: Backend) -> Any:
        return self.contents.lift(values, backend)

    def widen(self, value: Any, backend: Backend) -> Node:
        value = copy(value) if isinstance(value, StagedReference) else value
        return self.contents.widen(value, backend)


def without_references(node: Node, backend: Backend) -> Node:
    """Return the node for the same values, which holds what they refer to; the same node if they
    refer to nothing.
    """
    containers: tuple[Any, ...] = ()
    contents = None
    if isinstance(node, ReferenceNode):
        containers, contents = node.alternatives, node.new
    elif isinstance(node, SameNode) and is_container(node.value):
        containers = (node.value,)
    if containers:
        for container in containers:
            wider = entered if contents is None else nodes.OBJECTS["widened"]
            contents = wider(contents or node.name, container, backend)
        return ReferredNode(node.name, without_references(contents, backend))
    changes: dict[str, Any] = {}
    for name, inner in _inner_nodes(node):
        if isinstance(inner, tuple):
            changed_inner: Any = tuple([without_references(item, backend) for item in inner])
            is_other = any(map(operator.is_not, changed_inner, inner))
        else:
            changed_inner = without_references(inner, backend)
            is_other = changed_inner is not inner
        if is_other:
            changes[name] = changed_inner
    if not changes:
        return node
    if "item" in changes:  # of a list that the backend holds
        changes["spec"] = backend.list_spec(tuple(changes["item"].specs()))
    changed: Node = replace(node, **changes)
    return changed


def objects_of(node: Node) -> Iterator[Any]:
    """Return the Python objects that values with this layout refer to."""
    if isinstance(node, SameNode):
        yield node.value
    elif isinstance(node, ChoiceNode):
        yield from node.alternatives
    for _, inner in _inner_nodes(node):
        for item in inner if isinstance(inner, tuple) else (inner,):
            yield from objects_of(item)


def _inner_nodes(node: Node) -> Iterator[tuple[str, Any]]:
    """Return the nodes in a node, each or a tuple of them with the name of its field."""
    for field in fields(node) if is_dataclass(node) else ():
        inner = getattr(node, field.name)
        if _is_node(inner) or isinstance(inner, tuple) and inner and all(map(_is_node, inner)):
            yield field.name, inner


def _is_node(value: Any) -> bool:
    return hasattr(type(value), "widen") and hasattr(type(value), "lower")

