"""Staged maps: dicts and sets whose keys depend on staged values.

While a backend is tracing, converted code makes traced dicts and sets.  They are Python's own until
a key is staged or a staged path changes which keys one has: then the same object is a staged one,
of which the backend holds the keys and the values as two lists, in the order of insertion.

``operators.containers.map_ops`` installs the methods of staged maps; backends know the classes
because they return and print such maps.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import Any

from autograph.diagnostics.user_frame import user_line
from autograph.errors import ConcreteValueError
from autograph.staging.access import Access, TracedContainer, settle_class
from autograph.staging.protocol import Backend
from autograph.staging.staged_collection import StagedCollection
from autograph.staging.staged_list import (
    Contents,
    Seen,
    TracedList,
    contents_of,
    hold,
    kind_of,
)
from autograph.staging.wrapped_set import WrappedSet, own_set


class MapContents:
    """Contents of a dict or set; ``backend`` is None while Python holds them."""

    __slots__ = ("backend", "keys", "values")

    def __init__(self, keys: Contents, values: Contents, backend: Backend | None = None) -> None:
        self.keys = keys
        self.values = values
        values.outer = dict
        self.backend = backend

    def same(self, other: object) -> bool:
        """Return whether another map holds the very same objects."""
        return (
            type(other) is MapContents
            and self.keys.same(other.keys)
            and self.values.same(other.values)
        )


class TracedMap(TracedContainer):
    """Base of dicts and sets made in converted code while a backend records."""

    access: Access | None = None
    _held: MapContents | None = None
    """Contents of a staged map."""

    def _is_in_backend(self) -> bool:
        return self._held is not None

    def __reduce_ex__(self, protocol: Any) -> Any:
        kind: Any = type(self)
        if kind._kind is defaultdict:
            return defaultdict, (self.default_factory, dict(self))  # type: ignore[attr-defined, call-overload]
        plain = list if kind._kind is set else dict
        return kind._kind, (plain(self),)  # type: ignore[call-overload]


class StagedMap(StagedCollection, TracedMap):
    """Base of dicts and sets whose keys are known only at run time."""

    @property
    def backend(self) -> Backend:
        """Return the backend that holds the keys and values."""
        assert self._held is not None and self._held.backend is not None
        return self._held.backend

    def __repr__(self) -> str:
        return f"<{type(self)._kind.__name__} of staged keys>"  # type: ignore[attr-defined]

    def _unknown(self, need: str) -> Exception:
        kind = type(self)._kind.__name__  # type: ignore[attr-defined]
        return ConcreteValueError(
            f"a {kind} has staged keys: {need} is known only at run time",
            where=user_line(),
            help="in a converted function use 'for', 'in', len(), indexes and its methods; "
            "outside of it, return it",
        )


class TracedDict(TracedMap, dict[Any, Any], metaclass=Seen):
    """A dict made in converted code while a backend records."""

    _kind = dict


class StagedDict(StagedMap, TracedDict):
    """A dict of staged keys."""

    _is_staged = True


class TracedDefaultDict(TracedMap, defaultdict[Any, Any], metaclass=Seen):
    """As ``TracedDict``, with a default factory."""

    _kind = defaultdict


class StagedDefaultDict(StagedMap, TracedDefaultDict):
    """A ``defaultdict`` of staged keys."""

    _is_staged = True


class TracedCounter(TracedMap, Counter[Any], metaclass=Seen):
    """As ``TracedDict``, counting."""

    _kind = Counter


class StagedCounter(StagedMap, TracedCounter):
    """A ``Counter`` of staged keys."""

    _is_staged = True


class TracedSet(TracedMap, WrappedSet, metaclass=Seen):
    """A set made in converted code while a backend records."""

    _kind = set


class StagedSet(StagedMap, TracedSet):
    """A set of staged items."""

    _is_staged = True


KINDS: dict[type, type[Any]] = {}
"""Traced class of each of Python's classes."""

for _fixed_class, _staged_class in (
    (TracedDict, StagedDict), (TracedDefaultDict, StagedDefaultDict),
    (TracedCounter, StagedCounter), (TracedSet, StagedSet),
):  # fmt: skip
    _class: Any = _fixed_class
    _class._classes = _fixed_class, _staged_class
    KINDS[_class._kind] = _class


def map_contents(holder: Any) -> MapContents:
    """Return the present contents of a traced dict or set."""
    if isinstance(holder, StagedMap):
        assert holder._held is not None
        return holder._held
    if isinstance(holder, set):
        holder = own_set(holder)
        return MapContents(Contents(None, tuple(set.__iter__(holder))), _NOTHING)
    keys, values = tuple(dict.keys(holder)), tuple(dict.values(holder))
    return MapContents(Contents(None, keys), Contents(None, values))


_NOTHING = Contents(None, ())


def snapshot(container: Any) -> Any:
    """Return a list, or a traced dict or set, with the present contents of another one."""
    if isinstance(container, list):
        copy: Any = TracedList()
        hold(copy, contents_of(container))
        return copy
    copy = KINDS[kind_of(container)]()
    if isinstance(container, defaultdict):
        copy.default_factory = container.default_factory
    hold_map(copy, map_contents(container))
    return copy


def contents_held(container: Any) -> Contents | MapContents:
    """Return the present contents of a list, or of a traced dict or set."""
    return contents_of(container) if isinstance(container, list) else map_contents(container)


def hold_map(holder: Any, contents: MapContents) -> None:
    """Set the contents of a dict or set."""
    plain: Any = set if isinstance(holder, set) else dict
    plain.clear(own_set(holder))
    holder._held = None if contents.backend is None else contents
    settle_class(holder)
    if contents.backend is not None:
        return
    if plain is set:
        set.update(own_set(holder), contents.keys.items)
    else:
        dict.update(holder, zip(contents.keys.items, contents.values.items, strict=True))
