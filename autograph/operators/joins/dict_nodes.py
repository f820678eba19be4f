"""Layout node for dicts: the dicts of several paths join item by item.

Flags record which dict the joined one is at run time; see ``state.dict_aliasing``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from autograph.operators.joins.descriptions import spec_of
from autograph.operators.joins.map_nodes import joined_map, map_node
from autograph.operators.joins.nodes import OBJECTS, NestNode, Node, is_shared
from autograph.operators.joins.twins import check_current
from autograph.operators.state.dict_aliasing import SELECT, JoinedDict, Tie
from autograph.staging.protocol import Backend
from autograph.staging.staged_list import kind_of
from autograph.staging.staged_map import (
    MapContents,
    StagedMap,
    TracedDict,
    map_contents,
)
from autograph.staging.state_spec import Spec


@dataclass(frozen=True, eq=False)
class DictNode(NestNode):
    """Node for a dict with the same keys on every path; ``sources`` are the dicts it may be."""

    sources: tuple[Any, ...]
    flag: Spec
    example: MapContents

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, DictNode) or (self.keys, self.items) != (other.keys, other.items):
            return False
        return len(self.sources) == len(other.sources)

    def __hash__(self) -> int:
        return hash(self.name)

    def specs(self) -> list[Spec]:
        return [*super().specs(), *[self.flag] * len(self.sources)]

    def lower(self, value: Any, backend: Backend) -> list[Any]:
        flags = [_flag(value, source, backend) for source in self.sources]
        return [*super().lower(value, backend), *flags]

    def lift(self, values: Iterator[Any], backend: Backend) -> Any:
        made = super().lift(values, backend)
        ties = [Tie(source, next(values)) for source in self.sources]
        if ties:
            return JoinedDict(made, ties, backend)
        return TracedDict(made) if self.kind is dict else made

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
        return DictNode(self.name, self.kind, keys, items, sources, self.flag, self.example)

    def _differs(self, value: Any) -> bool:
        """Whether a path has a dict of other keys, or one of staged keys."""
        if kind_of(value) is not dict or self.kind is not dict:
            return False
        return isinstance(value, StagedMap) or tuple(dict.keys(value)) != self.keys


def _flag(value: Any, source: Any, backend: Backend) -> Any:
    """Whether a path's dict is a source, perhaps through other dicts that it may be (staged)."""
    found: Any = value is source
    for tie in value.ties if isinstance(value, JoinedDict) and not found else ():
        flag = _flag(tie.source, source, backend)
        if flag is not False:
            found = SELECT[0](backend, tie.flag, flag, found)
    return found


def _with_source(sources: tuple[Any, ...], value: Any) -> tuple[Any, ...]:
    """Return the dicts that a variable may be and that something else may refer to as well."""
    waiting = [value]
    for one in waiting:
        if is_shared(one):
            if not any(one is source for source in sources):
                sources = (*sources, one)
        elif isinstance(one, JoinedDict):
            waiting += [tie.source for tie in one.ties]
    return sources


def dict_node(
    name: str, value: Any, backend: Backend, make: Callable[[str, Any, Backend], Node]
) -> Node:
    """Return the node for a dict; ``make`` makes the nodes of its items."""
    if isinstance(value, StagedMap):
        return map_node(name, value, backend, make)
    check_current(value)
    keys = tuple(value)
    items = tuple(make(f"{name}[{key!r}]", value[key], backend) for key in keys)
    sources, flag = _with_source((), value), spec_of(True, backend)
    return DictNode(name, kind_of(value), keys, items, sources, flag, map_contents(value))
