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

    def moved(self, number: int, by: int) -> Aliases:
        """Return the aliases when the part number ``number`` moves by some numbers."""

        def to(position: Position) -> Position:
            return (number + by, *position[1:]) if position[0] == number else position

        pairs = frozenset((to(first), to(second)) for first, second in self.pairs)
        sources = {s._replace(position=to(s.position)): v for s, v in self.sources.items()}
        return Aliases(pairs, sources, self._heap)

    def link(self, values: Sequence[Any], backend: Backend) -> None:
        """Record in the joined parts what may be one object."""
        if not self.pairs and not self.sources:
            return
        with joining(self._heap):  # an older container has changed already, or is about to
            holders: dict[Position, list[Any]] = {}
            for position, holder in _holders(values, backend, skip=was_before):
                holders.setdefault(position, []).append(holder)
            for position, alias in self.pairs:
                pairs = product(holders.get(position, ()), holders.get(alias, ()))
                for holder, alias_holder in pairs:
                    _link(holder, alias_holder)
        for source, value in self.sources.items():
            for joined in holders.get(source.position, ()):
                if not isinstance(joined, StagedReference):
                    link_objects(value, joined)


NO_ALIASES = Aliases()


def _link(first: Any, second: Any) -> None:
    for first_copy, second_copy in product(_copies(first), _copies(second)):
        link_aliases(first_copy, second_copy)
        link_arrays(first_copy, second_copy)
        link_objects(first_copy, second_copy)


def _copies(value: Any) -> Sequence[Any]:
    """Return what a value holds a copy of: a reference is its older alternatives themselves."""
    if not isinstance(value, StagedReference):
        return (value,)
    return [alternative for alternative in value.ag__alternatives if not was_before(alternative)]


def aliases_of(values: Sequence[Any], backend: Backend) -> Aliases:
    """Return the aliases at the end of a path, which must be shown."""
    pairs: set[tuple[Position, Position]] = set()
    sources: dict[Source, Any] = {}
    first: dict[int, Position] = {}
    for position, value in _holders(values, backend):
        for identity in _identities(value):
            if not isinstance(identity, list | StagedChoice) and was_before(identity):
                sources[Source(position, id(identity))] = identity
                if isinstance(identity, dict | set):
                    continue  # they know what they may be; see ``dict_nodes``, ``map_nodes``
            first_position = first.setdefault(id(identity), position)
            if first_position != position:
                pairs.add((first_position, position))
    return Aliases(frozenset(pairs), sources, joining.value)


def _identities(value: Any) -> Sequence[Any]:
    """Return the objects that a value may be, as far as it is a copy of them."""
    storage = storage_of(value)
    if storage is not None:
        possible = [*storage.storages]
        for candidate in possible:  # which grows
            possible += [source for source in candidate.links.sources if source not in possible]
        return [source for source in possible if source is storage or not was_before(source)]
    return [candidate for copy in _copies(value) for candidate in possible_objects(copy)]


def check_parts(values: Sequence[Any], heap: Heap) -> None:
    """Raise EffectError if parts of an outcome hold what may be another object that changed."""
    with joining(heap):
        for _, value in _holders(values, heap.backend):
            check_current(value)


def _holders(
    values: Sequence[Any], backend: Backend, skip: Callable[[Any], bool] = lambda _: False
) -> Iterator[tuple[Position, Any]]:
    """Return what can be changed in parts of an outcome, with its position; ``skip`` says which
    contents are left out.
    """
    for number, value in enumerate(values):
        yield from _held(value, (number,), (backend, skip), ())


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
        for alternative in value.ag__alternatives:
            yield from _held(alternative, position, how, around)
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
    attribute_values = None if backend.owns(value) else attributes(value)
    return None if attribute_values is None else attribute_values.items()
