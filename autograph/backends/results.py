"""How autograph's own staged values leave a trace: as trees of the library's values.

Libraries take the results of functions apart by their classes.  A backend registers these classes
with ``take_apart`` and the ``rebuild`` of what it returns:

    a list of known length          a list
    a list that a loop made longer  an array of the items; of an unknown number: a ``BoundedList``
    a dict or set of staged keys    a dict or set, where the keys are known by then
    a value that may be None        None or the value, where that is known by then
"""

from __future__ import annotations

import copy
from collections import defaultdict
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from autograph.backends.list_forms import ListReference
from autograph.errors import ConcreteValueError
from autograph.staging import (
    Prefix,
    StagedChoice,
    StagedList,
    StagedMap,
    StagedOptional,
    StagedReference,
    StagedText,
    StagedUnion,
    StagedVariant,
    TracedList,
    as_staged_list,
    check_usable,
    kind_of,
    map_contents,
    settled_map,
    user_line,
)

RESULTS: tuple[type, ...] = (
    StagedChoice, StagedOptional, StagedReference, StagedText, StagedVariant,
)  # fmt: skip
"""Classes of results besides those of containers."""


class BoundedList(NamedTuple):
    """A list of which only the run knows the length: the first ``length`` of the ``items``."""

    items: Any
    length: Any


class Maybe(NamedTuple):
    """A value that is None unless ``present``, where that is not one known bool."""

    present: Any
    value: Any


class Shape:
    """What a value was taken apart from; equal for values that are rebuilt alike."""

    def __init__(self, rebuild: Callable[..., Any], *details: Any) -> None:
        self.rebuild = rebuild
        self.details = details

    def __eq__(self, other: object) -> bool:
        same = isinstance(other, Shape) and self.rebuild is other.rebuild
        return same and self.details == other.details  # type: ignore[attr-defined]

    def __hash__(self) -> int:
        return hash(self.rebuild)

    def __call__(self, parts: Sequence[Any]) -> Any:
        """Return the value for other parts."""
        return self.rebuild(parts, *self.details)


def take_apart(value: Any) -> tuple[list[Any], Shape]:
    """Return the parts of a staged value of autograph's own, and how it is rebuilt of others."""
    if isinstance(value, StagedOptional):
        return [value.ag__present, value.ag__value], Shape(_optional, value.ag__backend)
    if isinstance(value, StagedReference):
        return take_apart(copy.copy(value))
    if isinstance(value, (StagedText, StagedUnion)):
        raise _refused(value)
    check_usable(value)
    if isinstance(value, StagedList):
        prefix = as_staged_list(value).prefix
        items, length = _items(prefix), prefix.handle.length
        if type(length) is int:
            return [items], Shape(_first)
        return [items, prefix.backend.list_len(prefix.handle)], Shape(_bounded)
    if isinstance(value, StagedMap):
        parts = [part for prefix in settled_map(value) for part in _with_length(prefix)]
        return parts, Shape(_map, kind_of(value), value.backend, _factory(value))
    if isinstance(value, TracedList):
        return [*list.__iter__(value)], Shape(_list)
    contents = map_contents(value)
    details = kind_of(value), contents.keys.items, _factory(value)
    return list(contents.values.items), Shape(_fixed_map, *details)


def _refused(value: Any) -> Exception:
    return ConcreteValueError(
        f"the result of a staged function is {value!r}, which is no array",
        where=user_line(),
        help="return the numbers that it is made of, and make it outside of the staged function",
    )


def _items(prefix: Prefix) -> Any:
    """Return the items of a list: one tree of their buffers; those of the known length."""
    handle: ListReference = prefix.handle
    length: Any = handle.length
    buffers = handle.buffers
    if type(length) is int and length < handle.capacity:
        buffers = [buffer[:length] for buffer in buffers]
    return prefix.lift(buffers)


def _with_length(prefix: Prefix) -> list[Any]:
    return [_items(prefix), prefix.backend.list_len(prefix.handle)]


def _factory(value: Any) -> Any:
    return value.default_factory if isinstance(value, defaultdict) else None


def _first(parts: Sequence[Any]) -> Any:
    return parts[0]


def _list(parts: Sequence[Any]) -> Any:
    return list(parts)


def _bounded(parts: Sequence[Any]) -> Any:
    return BoundedList(*parts)


def _optional(parts: Sequence[Any], backend: Any) -> Any:
    present, value = parts
    if backend.is_staged(present):
        return StagedOptional(value, present, backend)
    known = backend.known(present)
    if known is None:
        return Maybe(present, value)
    return value if known else None


def _fixed_map(parts: Sequence[Any], kind: Any, keys: Sequence[Any], factory: Any) -> Any:
    if kind is set:
        return set(keys)
    made = kind() if factory is None else kind(factory)
    dict.update(made, zip(keys, parts, strict=True))
    return made


def _map(parts: Sequence[Any], kind: Any, backend: Any, factory: Any) -> Any:
    count = backend.known(parts[1])
    if count is None:
        return tuple(BoundedList(*parts[k : k + 2]) for k in range(0, len(parts), 2))
    columns = [backend.taken(items, int(count)) for items in parts[::2]]
    keys = [backend.plain_key(key) for key in columns[0]]
    return _fixed_map(columns[1] if len(columns) > 1 else (), kind, keys, factory)
