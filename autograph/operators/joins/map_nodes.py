"""Layout nodes for traced dicts and sets: how those of several paths become one.

Contents with the same keys on every path join item by item, as the items of a dict do.  Others
become a staged map: a list of keys and a list of values, whose layouts are those of lists.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from autograph.operators.joins import nodes
from autograph.operators.joins.identity import same
from autograph.operators.joins.join_errors import of_structures
from autograph.operators.joins.may_alias import check_current
from autograph.operators.joins.nodes import Node, SameNode, entered, lower_items, without_value
from autograph.operators.joins.object_nodes import was_before
from autograph.operators.state.closure_cells import UNDEFINED
from autograph.operators.state.outcome import PathValues, at_the_end_of, shown_outcome
from autograph.operators.state.sentinels import NEVER
from autograph.staging.access import SHARED, access_of, refuse_changes
from autograph.staging.protocol import Backend
from autograph.staging.staged_list import Contents, kind_of
from autograph.staging.staged_map import (
    KINDS,
    MapContents,
    TracedMap,
    hold_map,
    map_contents,
)
from autograph.staging.state_spec import Spec
from autograph.syntax.data_classes import dataclass

Make = Callable[[str, Any, Backend], Node]

LISTS: list[Callable[[str, Contents, Backend, Make], Node]] = []
"""Makes the node for the contents of a list; filled by ``list_nodes``, which imports this."""


def contents_node(name: str, value: MapContents, backend: Backend, make: Make) -> Node:
    """The node for what a dict or set holds."""
    if value.backend is not None:
        return _growing(name, value, backend, make)
    keys = value.keys.items
    single: Make = SameNode if make is entered else make  # type: ignore[assignment]
    items = tuple(
        _item(single, f"{name}[{key!r}]", item, backend)
        for key, item in zip(keys, value.values.items, strict=False)
    )
    return FixedMap(name, keys, items, (PathValues(value, shown_outcome()),))


def _item(make: Any, name: str, item: Any, backend: Backend) -> Node:
    return SameNode(name, item, shown_outcome()) if make is SameNode else make(name, item, backend)


@dataclass(frozen=True, eq=False)
class FixedMap:
    """The contents of a dict or set that has the same keys on every path."""

    name: str
    keys: tuple[Any, ...]
    items: tuple[Node, ...]
    examples: tuple[PathValues, ...]
    """What dicts held that it holds: one of other keys needs their items again."""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, FixedMap) and self.items == other.items

    def __hash__(self) -> int:
        return hash(self.name)

    def specs(self) -> list[Spec]:
        return [spec for item in self.items for spec in item.specs()]

    def lower(self, value: Any, backend: Backend) -> list[Any]:
        return lower_items(self.items, value, lambda value: value.values.items, backend)

    def lift(self, values: Iterator[Any], backend: Backend) -> Any:
        items = tuple([item.lift(values, backend) for item in self.items])
        return MapContents(Contents(None, self.keys), Contents(None, items))

    def widen(self, value: Any, backend: Backend) -> Node:
        if value is NEVER or value is UNDEFINED:
            return self
        keys = value.keys.items
        alike = value.backend is None and len(keys) == len(self.keys)
        if not (alike and all(map(_is_key, keys, self.keys))):
            return self._as_growing(backend).widen(value, backend)
        pairs = zip(self.items, value.values.items, strict=True)
        items = tuple(item.widen(value_item, backend) for item, value_item in pairs)
        if items == self.items:
            return self
        examples = (*self.examples, PathValues(value, shown_outcome()))
        return FixedMap(self.name, self.keys, items, examples)

    def _as_growing(self, backend: Backend) -> Node:
        """Return the node for contents of any keys that holds these, each as its path left them."""
        node: Node = None
        for contents, outcome in self.examples:
            with at_the_end_of(outcome):
                if node is None:
                    node = _growing(self.name, contents, backend)
                else:
                    node = node.widen(contents, backend)
        return node


def _is_key(first: Any, second: Any) -> bool:
    return first is second or same(first, second) or (type(first) is tuple and first == second)


def _growing(
    name: str, contents: MapContents, backend: Backend, make: Make = entered
) -> GrowingMap:
    """The node for contents whose keys only the run knows."""
    (list_node,) = LISTS
    keys = list_node(f"the keys of {name}", contents.keys, backend, make)
    values = list_node(f"the values of {name}", contents.values, backend, make)
    return GrowingMap(name, keys, values)


@dataclass(frozen=True)
class GrowingMap:
    """The contents of a dict or set that the backend holds."""

    name: str
    keys: Node
    values: Node

    def specs(self) -> list[Spec]:
        return [*self.keys.specs(), *self.values.specs()]

    def lower(self, value: Any, backend: Backend) -> list[Any]:
        if value is NEVER or value is UNDEFINED:
            return [*self.keys.lower(value, backend), *self.values.lower(value, backend)]
        keys, values = value.keys, value.values
        return [*self.keys.lower(keys, backend), *self.values.lower(values, backend)]

    def lift(self, values: Iterator[Any], backend: Backend) -> Any:
        keys = self.keys.lift(values, backend)
        return MapContents(keys, self.values.lift(values, backend), backend)

    def widen(self, value: Any, backend: Backend) -> Node:
        if value is NEVER or value is UNDEFINED:
            return self
        keys = self.keys.widen(value.keys, backend)
        values = self.values.widen(value.values, backend)
        if keys == self.keys and values == self.values:
            return self
        return GrowingMap(self.name, keys, values)


def map_node(name: str, value: Any, backend: Backend, make: Make) -> Node | None:
    """The node for a variable that refers to a traced dict or set; None for one of Python's own."""
    if not isinstance(value, TracedMap):
        return None
    check_current(value)
    inner = contents_node(name, map_contents(value), backend, make)
    return MapNode(name, kind_of(value), inner, _is_shared(value), _factory(value))


def joined_map(
    name: str, before: PathValues, value: Any, shared: bool, backend: Backend
) -> Node:
    """The node for dicts of different keys, the first one of which held ``before``."""
    with at_the_end_of(before.outcome):
        contents = contents_node(name, before.values, backend, entered)
    return MapNode(name, dict, contents, shared).widen(value, backend)


def _factory(value: Any) -> Any:
    return getattr(value, "default_factory", None)


def _is_shared(value: Any) -> bool:
    """Whether something else may refer to a dict or set, too."""
    if isinstance(value, TracedMap):
        access = access_of(value)
        return was_before(value) or access is not None and access.refusal is SHARED
    return was_before(value) or type(value) is not dict


@dataclass(frozen=True)
class MapNode:
    """A dict or set of the paths' own; ``shared``: on some path one that was there before."""

    name: str
    kind: Any
    inner: Node
    shared: bool
    factory: Any = None

    def described(self) -> str:
        """In the words of messages."""
        return f"a {self.kind.__name__}"

    def specs(self) -> list[Spec]:
        return list(self.inner.specs())

    def lower(self, value: Any, backend: Backend) -> list[Any]:
        missing = value is NEVER or value is UNDEFINED
        return list(self.inner.lower(value if missing else map_contents(value), backend))

    def lift(self, values: Iterator[Any], backend: Backend) -> Any:
        traced = KINDS[self.kind]
        joined: Any = traced()
        if self.factory is not None:
            joined.default_factory = self.factory
        hold_map(joined, self.inner.lift(values, backend))
        if self.shared:
            refuse_changes(joined, SHARED)
        return joined

    def widen(self, value: Any, backend: Backend) -> Node:
        if (without := without_value(self, value, backend)) is not None:
            return without
        if (without := nodes.OBJECTS["around"](self, value, backend)) is not None:
            return without
        if kind_of(value) is not self.kind or _factory(value) is not self.factory:
            raise of_structures(self.name, self.described(), value, backend)
        check_current(value)
        inner = self.inner.widen(map_contents(value), backend)
        shared = self.shared or _is_shared(value)
        if inner == self.inner and shared == self.shared:
            return self
        return MapNode(self.name, self.kind, inner, shared, self.factory)


nodes.MAKERS.update({MapContents: contents_node, **dict.fromkeys(KINDS, map_node)})
