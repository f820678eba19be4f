"""Aliases in the outcomes of paths: which containers, objects and arrays are one on some path.

    if n > 0:                        after the statement ``x`` and ``t[0]`` are different lists, of
        t = [x := [n]]               which a change of one must not be overlooked in the other:
    else:                            positions (0, 0) and (1,) are a pair
        t, x = [[1]], [2]

A position leads from the parts of an outcome to what they hold, by indexes, keys and attributes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import product
from typing import Any

from autograph.named_tuples import NamedTuple
from autograph.operators.joins.may_alias import check_current, link_objects, possible_objects
from autograph.operators.joins.object_nodes import attributes, joining, was_before
from autograph.operators.state.heap import Heap
from autograph.operators.state.sentinels import MaybeValue
from autograph.staging.aliases import link_aliases
from autograph.staging.protocol import Backend
from autograph.staging.staged_array import StagedArray, link_arrays, storage_of
from autograph.staging.staged_list import Contents, contents_of
from autograph.staging.staged_map import MapContents, StagedMap, TracedMap, map_contents
from autograph.staging.staged_union import (
    StagedChoice,
    StagedOptional,
    StagedReference,
    StagedVariant,
)

Position = tuple[Any, ...]


class Source(NamedTuple):
    """Position of what may be an object that existed before the statement."""

    position: Position
    identity: int


class Aliases:
    """Pairs of positions that hold one object on some path, and positions of older objects."""

    def __init__(
        self,
        pairs: frozenset[tuple[Position, Position]] = frozenset(),
        sources: dict[Source, Any] | None = None,
        heap: Heap | None = None,
    ) -> None:
        self.pairs = pairs
        self.sources = sources or {}
        self._heap = heap

    def __or__(self, other: Aliases) -> Aliases:
        sources = {**self.sources, **other.sources}
        return Aliases(self.pairs | other.pairs, sources, self._heap or other._heap)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Aliases):
            return NotImplemented
        return self.pairs == other.pairs and self.sources.keys() == other.sources.keys()

    def __hash__(self) -> int:
        return hash(self.pairs)

    def moved(self, last: int, by: int) -> Aliases:
        """Return the aliases when the part number ``last`` moves by some numbers."""

        def to(position: Position) -> Position:
            return (last + by, *position[1:]) if position[0] == last else position

        pairs = frozenset((to(one), to(other)) for one, other in self.pairs)
        sources = {s._replace(position=to(s.position)): v for s, v in self.sources.items()}
        return Aliases(pairs, sources, self._heap)

    def link(self, parts: Sequence[Any], backend: Backend) -> None:
        """Record in the joined parts what may be one object."""
        if not self.pairs and not self.sources:
            return
        with joining(self._heap):  # an older container has changed already, or is about to
            found: dict[Position, list[Any]] = {}
            for position, held in _holders(parts, backend, skip=was_before):
                found.setdefault(position, []).append(held)
            for position, other in self.pairs:
                for one, its in product(found.get(position, ()), found.get(other, ())):
                    _link(one, its)
        for source, value in self.sources.items():
            for joined in found.get(source.position, ()):
                if not isinstance(joined, StagedReference):
                    link_objects(value, joined)


NO_ALIASES = Aliases()


def _link(one: Any, other: Any) -> None:
    for left, right in product(_copies(one), _copies(other)):
        link_aliases(left, right)
        link_arrays(left, right)
        link_objects(left, right)


def _copies(value: Any) -> Sequence[Any]:
    """Return what a value holds a copy of: a reference is its older alternatives themselves."""
    if not isinstance(value, StagedReference):
        return (value,)
    return [one for one in value.ag__alternatives if not was_before(one)]


def aliases_of(parts: Sequence[Any], backend: Backend) -> Aliases:
    """Return the aliases at the end of a path, which must be shown."""
    pairs: set[tuple[Position, Position]] = set()
    sources: dict[Source, Any] = {}
    first: dict[int, Position] = {}
    for position, value in _holders(parts, backend):
        for one in _identities(value):
            if not isinstance(one, list | StagedChoice) and was_before(one):
                sources[Source(position, id(one))] = one
                if isinstance(one, dict | set):
                    continue  # they know what they may be; see ``dict_nodes``, ``map_nodes``
            known = first.setdefault(id(one), position)
            if known != position:
                pairs.add((known, position))
    return Aliases(frozenset(pairs), sources, joining.value)


def _identities(value: Any) -> Sequence[Any]:
    """Return the objects that a value may be, as far as it is a copy of them."""
    storage = storage_of(value)
    if storage is not None:
        possible = [*storage.storages]
        for one in possible:  # which grows
            possible += [source for source in one.links.sources if source not in possible]
        return [one for one in possible if one is storage or not was_before(one)]
    return [one for copy in _copies(value) for one in possible_objects(copy)]


def check_parts(parts: Sequence[Any], heap: Heap) -> None:
    """Raise EffectError if parts of an outcome hold what may be another object that changed."""
    with joining(heap):
        for _, value in _holders(parts, heap.backend):
            check_current(value)


def _holders(
    parts: Sequence[Any], backend: Backend, skip: Callable[[Any], bool] = lambda _: False
) -> Iterator[tuple[Position, Any]]:
    """Return what can be changed in parts of an outcome, with its position; ``skip`` says which
    contents are left out.
    """
    for number, part in enumerate(parts):
        yield from _held(part, (number,), (backend, skip), ())


def _held(
    value: Any, position: Position, how: tuple[Backend, Any], around: tuple[int, ...]
) -> Iterator[tuple[Position, Any]]:
    backend, skip = how
    while isinstance(value, MaybeValue | StagedOptional):
        value = value.ag__value
    if isinstance(value, StagedArray | StagedChoice | StagedReference):
        yield position, value
        return
    if isinstance(value, StagedVariant):
        for one in value.ag__alternatives:
            yield from _held(one, position, how, around)
        return
    items = _items(value, backend)
    if items is None:
        return
    if not isinstance(value, tuple | Contents | MapContents):
        yield position, value
        if skip(value) or id(value) in around:
            return
    for key, item in items:
        yield from _held(item, (*position, key), how, (*around, id(value)))


def _items(value: Any, backend: Backend) -> Iterable[tuple[Any, Any]] | None:
    """Return the items or attributes of a value, by key; None if it has none."""
    if isinstance(value, list):
        value = contents_of(value)
    elif isinstance(value, TracedMap):
        value = map_contents(value)
    if isinstance(value, Contents):
        return enumerate(value.items) if value.prefix is None else ()
    if isinstance(value, MapContents):
        fixed = value.backend is None
        return zip(value.keys.items, value.values.items, strict=False) if fixed else ()
    if isinstance(value, tuple):
        return enumerate(value)
    if isinstance(value, dict):
        return dict.items(value)
    if isinstance(value, set | StagedMap):
        return ()
    held = None if backend.owns(value) else attributes(value)
    return None if held is None else held.items()
