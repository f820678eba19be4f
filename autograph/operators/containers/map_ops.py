"""Operations on staged dicts and sets, and the dicts and sets that converted code makes.

    {"a": x}             =>  ag__.dict_({"a": x})
    {key: x}             =>  ag__.dict_of((key, x))
    {x, y}               =>  ag__.set_of(x, y)

A backend holds the keys, and the values, as lists.  These are the operations that the methods in
``map_constructors`` are written with.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from autograph.operators.containers.homes import lend
from autograph.operators.containers.list_ops import as_staged_list
from autograph.operators.containers.map_keys import (
    compared_kind,
    is_key,
    key_backend,
    kind_of_key,
    refuse_key,
)
from autograph.operators.control.conditionals import if_stmt
from autograph.operators.control.raises import raise_stmt
from autograph.operators.joins.join_errors import no_lists
from autograph.operators.joins.list_nodes import as_prefix, by_value, holding
from autograph.operators.joins.nodes import converted, entered
from autograph.operators.state.copied_objects import putting
from autograph.staging.access import access_of
from autograph.staging.copies import check_shared, chosen, is_swap, note_value, put
from autograph.staging.protocol import Backend
from autograph.staging.registry import tracing_backend
from autograph.staging.staged_list import Contents, Prefix, StagedList, TracedList, kind_of
from autograph.staging.staged_map import (
    MapContents,
    StagedMap,
    TracedDict,
    TracedMap,
    TracedSet,
    hold_map,
    map_contents,
    snapshot,
)
from autograph.staging.staged_tuple import StagedTuple, with_contents
from autograph.staging.wrapped_set import own_set

_KEYS = "the keys"
_VALUES = "the values"
FOUND = ("", "")


# -- making them -----------------------------------------------------------------------------------


def dict_(items: dict[Any, Any]) -> dict[Any, Any]:
    """A dict that converted code makes: one that can become staged, where a backend records."""
    return items if tracing_backend() is None else TracedDict(items)


def dict_of(*pairs: tuple[Any, Any]) -> dict[Any, Any]:
    """A display of these keys and values."""
    if tracing_backend() is None:
        return dict(pairs)
    mapping = TracedDict()
    for key, value in pairs:
        set_at(mapping, key, value)
    return mapping


def set_of(*items: Any) -> Any:
    """A display of these items."""
    if tracing_backend() is None:
        return set(items)
    items_set = TracedSet()
    for item in items:
        add(items_set, item)
    return items_set


MANY = 64
"""Dicts and sets of more keys are searched by the backend, and not key by key."""


def searched_copy(holder: Any, key: Any) -> StagedMap | None:
    """Return a staged copy of a large dict or set of Python's own, to search it for a staged key.

    None for small ones, and where a staged one cannot hold the keys or values.
    """
    backend = key_backend(key)
    if backend is None or len(holder) <= MANY or backend.list_spec(()) is None:
        return None
    values = holder.values() if isinstance(holder, dict) else ()
    kinds = {kind_of_key(held_key) for held_key in holder}
    if len(kinds) != 1 or None in kinds or len({type(value) for value in values}) > 1:
        return None
    if not all(map(is_key, values)):
        return None
    copy: Any = (TracedDict if isinstance(holder, dict) else TracedSet)(holder)
    give(copy, backend)
    staged: StagedMap = copy
    if isinstance(holder, dict):  # the values are made here, too, and not where a key was found
        _change(staged, keys_of(staged), values_of(staged))
    return staged


# -- what a map holds ------------------------------------------------------------------------------


def give(holder: Any, backend: Backend) -> None:
    """Give the items of a dict or set to a backend."""
    if backend.list_spec(()) is None:
        raise no_lists(backend)
    contents = map_contents(holder)
    for key in contents.keys.items:
        refuse_key(key, None, contents.keys.items[0])
    hold_map(holder, MapContents(contents.keys, contents.values, backend))
    keys_of(holder)
    values_of(holder)


def keys_of(holder: StagedMap) -> Prefix:
    """The keys, all of them in the backend's hands."""
    contents = map_contents(holder)
    return as_prefix(contents.keys, _KEYS, holder.backend)


def values_of(holder: StagedMap) -> Prefix:
    """The values, as ``keys_of``."""
    return as_prefix(map_contents(holder).values, _VALUES, holder.backend)


def _change(holder: StagedMap, keys: Prefix, values: Prefix | None) -> None:
    contents = map_contents(holder)
    values_left = contents.values if values is None else Contents(values, ())
    hold_map(holder, MapContents(Contents(keys, ()), values_left, holder.backend))


def with_handle(prefix: Prefix, handle: Any) -> Prefix:
    """A list laid out in the same way."""
    return Prefix(handle, prefix.item, prefix.spec, prefix.examples, prefix.backend)


def find(holder: StagedMap, key: Any) -> Any:
    """Where a key stands, or a negative number; None if it is known not to be there."""
    prefix, backend = keys_of(holder), holder.backend
    kind = kind_of_key(key)
    if kind is None:
        hash(key)
        return None
    if prefix.item is None or compared_kind(kind_of_key(prefix.examples[0])) != compared_kind(kind):
        return None
    return backend.list_find(prefix.handle, converted(entered("a key", key, backend), key, backend))


def length(holder: StagedMap) -> Any:
    """``len(holder)``."""
    return holder.backend.list_len(keys_of(holder).handle)


def contains(holder: StagedMap, key: Any) -> Any:
    """``key in holder``."""
    position = find(holder, key)
    return False if position is None else position >= 0


# -- reading and changing --------------------------------------------------------------------------


def _value(holder: StagedMap, position: Any) -> Any:
    prefix = values_of(holder)
    values = holder.backend.list_item(prefix.handle, position, prefix.spec, FOUND)
    return prefix.lift(values)


def value_or(
    holder: StagedMap, key: Any, missing: Callable[[], Any], own: bool = False, lent: bool = False
) -> Any:
    """The value of a key, or what ``missing()`` gives; that may change the dict.

    Lists in it cannot be changed unless it is to be one's ``own``; ``lent``, a list changes the one
    in the dict.
    """
    position = find(holder, key)
    if position is None:
        value = missing()
        if lent and find(holder, key) is not None:  # the dict holds a copy of it now
            return value_or(holder, key, key_error(key), own, lent)
        return value
    value = if_stmt(
        position >= 0, lambda: _value(holder, position), missing, (), (holder, missing)
    )()
    if own:
        return value
    if lent and isinstance(value, TracedList | TracedMap) and access_of(value) is None:
        return _lent(value, holder, key)
    copy = chosen(value)
    note_value(holder, copy)
    return copy


def _lent(value: Any, holder: StagedMap, key: Any) -> Any:
    """The copy of a value: staged, as a change of its length would make the values in the dict."""
    if isinstance(value, TracedMap):
        give(value, holder.backend)
    elif kind_of(value) is list:
        StagedList.give(value, holder.backend)  # type: ignore[attr-defined]
    else:
        return value
    note_value(holder, value)
    lend(value, holder, key)
    return value


def key_error(key: Any) -> Callable[[], Any]:
    """What raises KeyError for a key."""

    return raising(KeyError(key))


def raising(error: Exception) -> Callable[[], Any]:
    """What raises an exception at run time."""

    def missing() -> Any:
        raise raise_stmt(error)

    return missing


def item(holder: StagedMap, key: Any, own: bool = False) -> Any:
    """``holder[key]``, without what a subclass may do where the key is missing."""
    return value_or(holder, key, key_error(key), own)


def set_at(holder: Any, key: Any, value: Any) -> None:
    """``holder[key] = value``."""
    if not _becomes_staged(holder, key):
        dict.__setitem__(holder, key, value)
        return
    position, backend = find(holder, key), holder.backend
    note_value(holder, value)
    if not is_swap(holder, key, value):
        check_shared((value,))
        put(value, dict)
    if isinstance(value, TracedList | TracedMap):
        value = snapshot(value)
    keys, values = keys_of(holder), values_of(holder)
    refuse_key(key, keys)
    keys, values = holding(keys, (key,), _KEYS), holding(values, (value,), _VALUES)
    entry = converted(keys.item, key, backend)
    with putting(True):
        stored = converted(values.item, value, backend)
    position = -1 if position is None else position
    _change(
        holder,
        with_handle(keys, backend.list_add(keys.handle, position, entry)),
        with_handle(values, backend.list_put(values.handle, position, stored)),
    )


def _becomes_staged(holder: Any, key: Any) -> bool:
    """Whether a dict or set is staged, if need be because a key is."""
    if isinstance(holder, StagedMap):
        return True
    backend = key_backend(key) if is_key(key) else None
    if backend is None:
        return False  # Python says what is wrong with a tensor
    give(holder, backend)
    return True


def becomes_staged(holder: Any, key: Any) -> bool:
    """As ``_becomes_staged``, of a dict or set that was made in converted code."""
    return isinstance(holder, TracedMap) and _becomes_staged(holder, key)


def add(holder: Any, key: Any) -> None:
    """``holder.add(key)``."""
    if not _becomes_staged(holder, key):
        set.add(own_set(holder), key)
        return
    position, backend = find(holder, key), holder.backend
    keys = keys_of(holder)
    refuse_key(key, keys)
    keys = holding(keys, (key,), _KEYS)
    entry = converted(keys.item, key, backend)
    handle = backend.list_add(keys.handle, -1 if position is None else position, entry)
    _change(holder, with_handle(keys, handle), None)


def drop(holder: StagedMap, key: Any, missing: Callable[[], Any] | None) -> None:
    """Remove a key; do what ``missing`` says if it is not there."""
    position = find(holder, key)
    if position is None:
        if missing is not None:
            missing()
        return

    def there() -> None:
        remove_at(holder, position)

    if_stmt(position >= 0, there, missing, (), (holder,))()


def remove_at(holder: StagedMap, position: Any) -> None:
    """Remove the item at a place, which there is."""
    keys, backend = keys_of(holder), holder.backend
    values = None
    if not isinstance(holder, set):
        values = values_of(holder)
        values = with_handle(values, backend.list_without(values.handle, position, FOUND))
    _change(holder, with_handle(keys, backend.list_without(keys.handle, position, FOUND)), values)


# -- for sets, and for backends --------------------------------------------------------------------


def same_class(first_set: Any, second_set: Any) -> tuple[Prefix, Prefix]:
    """The keys of two sets, laid out alike."""
    first, second = keys_of(first_set), keys_of(second_set)
    for key in second.examples[:1]:
        refuse_key(key, first)
    first = holding(first, second.examples, _KEYS)
    return first, holding(second, first.examples, _KEYS)


def with_keys(holder: StagedMap, prefix: Prefix, handle: Any) -> None:
    """Let a set hold these items."""
    _change(holder, with_handle(prefix, handle), None)


def as_staged_set(items: Any, backend: Backend) -> StagedMap:
    """A set as a staged one; a copy, if it is Python's own."""
    if isinstance(items, StagedMap):
        return items
    copied: Any = TracedSet(items)
    give(copied, backend)
    staged: StagedMap = copied
    return staged


def as_staged_map(holder: Any, backend: Backend) -> StagedMap:
    """A traced dict or set, its items in the hands of a backend."""
    if not isinstance(holder, StagedMap):
        give(holder, backend)
    staged: StagedMap = holder
    return staged


def settled_map(holder: StagedMap) -> tuple[Prefix, ...]:
    """What a backend holds of a staged dict, its keys and its values; of a set, its items."""
    return (keys_of(holder),) if isinstance(holder, set) else (keys_of(holder), values_of(holder))


def without_references(holder: StagedList | StagedMap) -> Any:
    """Return the list, dict or set; a copy that holds what items refer to, if they refer to it."""
    if isinstance(holder, StagedList):
        prefix = as_staged_list(holder).prefix
        copied = by_value(prefix)
        if copied is prefix:
            return holder
        is_tuple = isinstance(holder, StagedTuple)
        return with_contents(Contents(copied, ())) if is_tuple else as_staged_list(copied)
    if isinstance(holder, set):
        return holder
    values = values_of(holder)
    copied = by_value(values)
    if copied is values:
        return holder
    copied_map = snapshot(holder)
    _change(copied_map, keys_of(holder), copied)
    return copied_map


def has(holder: Any, key: Any) -> Any:
    """``key in holder``, of a dict that converted code made."""
    if not _becomes_staged(holder, key):
        return dict.__contains__(holder, key)
    return contains(holder, key)


def at(holder: Any, key: Any) -> Any:
    """``holder[key]``, of a dict that converted code made."""
    return item(holder, key) if isinstance(holder, StagedMap) else dict.__getitem__(holder, key)
