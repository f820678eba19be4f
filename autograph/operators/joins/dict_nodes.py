"""Layout node for dicts: the dicts of several paths join item by item."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from autograph.operators.joins.map_nodes import joined_map, map_node
from autograph.operators.joins.may_alias import check_current
from autograph.operators.joins.nodes import OBJECTS, NestNode, Node, is_shared
from autograph.operators.state.outcome import PathValues, shown_outcome
from autograph.staging.aliases import link_sources, sources_of
from autograph.staging.protocol import Backend
from autograph.staging.staged_list import kind_of
from autograph.staging.staged_map import (
    StagedMap,
    TracedDict,
    map_contents,
)
from autograph.syntax.data_classes import dataclass


@dataclass(frozen=True, eq=False)
class DictNode(NestNode):
    """Node for a dict with the same keys on every path; ``sources`` are the dicts it may be."""

    sources: tuple[Any, ...]
    example: PathValues

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, DictNode) or (self.keys, self.items) != (other.keys, other.items):
            return False
        return len(self.sources) == len(other.sources)

    def __hash__(self) -> int:
        return hash(self.name)

    def lift(self, values: Iterator[Any], backend: Backend) -> Any:
        joined = super().lift(values, backend)
        if self.kind is dict:
            joined = TracedDict(joined)
            link_sources(joined, self.sources)
        return joined

    def widen(self, value: Any, backend: Backend) -> Node:
        if (reference := OBJECTS["around"](self, value, backend)) is not None:
            return reference
        check_current(value)
        if self._differs(value):
            return joined_map(self.name, self.example, value, bool(self.sources), backend)
        wider = super().widen(value, backend)
        if type(wider) is not NestNode:
            return wider
        sources = _with_source(self.sources, value)
        if wider.items == self.items and sources is self.sources:
            return self
        keys, items = self.keys, wider.items
        return DictNode(self.name, self.kind, keys, items, sources, self.example)

    def _differs(self, value: Any) -> bool:
        """Whether a path has a dict of other keys, or one of staged keys."""
        if kind_of(value) is not dict or self.kind is not dict:
            return False
        return isinstance(value, StagedMap) or tuple(dict.keys(value)) != self.keys


def _with_source(sources: tuple[Any, ...], value: Any) -> tuple[Any, ...]:
    """Return the dicts that a variable may be and that something else may refer to as well."""
    older = sources_of(value, is_shared)
    new = [source for source in older if not any(source is known for known in sources)]
    return (*sources, *new) if new else sources


def dict_node(
    name: str, value: Any, backend: Backend, make: Callable[[str, Any, Backend], Node]
) -> Node:
    """Return the node for a dict; ``make`` makes the nodes of its items."""
    if isinstance(value, StagedMap):
        return map_node(name, value, backend, make)
    check_current(value)
    keys = tuple(value)
    items = tuple(make(f"{name}[{key!r}]", value[key], backend) for key in keys)
    sources = _with_source((), value)
    contents = PathValues(map_contents(value), shown_outcome())
    return DictNode(name, kind_of(value), keys, items, sources, contents)
