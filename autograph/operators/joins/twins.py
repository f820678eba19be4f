"""Twins: dicts, sets and objects of the user's that may be one object, which only the run knows.

Where a variable is different objects on different paths, staging makes an object of joined
attributes, or a dict or set of joined items.  All of those that it may be can be used until one of
them is changed; from then on the others are stale, and using one is an error.  Lists and arrays
have the same rule: ``staging.list_aliasing``, ``staging.staged_array``.
"""

from __future__ import annotations

import itertools
import threading
from collections.abc import Callable, Iterable
from typing import Any

from autograph.diagnostics.user_frame import user_line
from autograph.errors import EffectError
from autograph.operators.state.closure_cells import UNDEFINED
from autograph.operators.state.copied_objects import is_made
from autograph.operators.state.heap import unchanged
from autograph.operators.state.holders import held_by
from autograph.operators.state.new_objects import was_made_while_tracing
from autograph.operators.state.optional_attributes import put_back
from autograph.staging.access import COPY_OBJECT, access_of, possibly_same, restricted, stale
from autograph.staging.registry import when_traces_end
from autograph.staging.staged_list import TracedList, kind_of
from autograph.staging.staged_map import TracedMap
from autograph.staging.staged_union import StagedChoice
from autograph.syntax.fork_safe_lock import fork_safe_lock


class Twin:
    """Another object that an object may be, and what it held when that was found out."""

    __slots__ = ("before", "other", "serial")

    def __init__(self, other: Any, serial: int) -> None:
        self.other = other
        self.serial = serial
        self.before: dict[Any, Any] | None = None

    @property
    def changed(self) -> bool:
        """Whether the other object has changed since."""
        return self.before is not None and not unchanged(held_by(self.other), self.before)


class _Entry:
    """What is known of one object."""

    __slots__ = ("serial", "stale_since", "twins", "value")

    def __init__(self, value: Any) -> None:
        self.value = value
        self.serial = next(_serials)
        self.twins: list[Twin] = []
        self.stale_since = -1
        """When a statement changed what it may be; -1 if none did."""


class _Log(threading.local):
    """Twins that a thread has recorded, for the paths that it is tracing; those without contents
    are ``pending``."""

    def __init__(self) -> None:
        self.entries: list[tuple[_Entry, Twin | None, int]] = []
        self.pending: list[Twin] = []


_serials = itertools.count()
_log = _Log()
_entries: dict[int, _Entry] = {}
"""What objects may be, by identity, until the last trace ends."""

_guarded: dict[type, dict[str, tuple[Any, Any]]] = {}
_lock = fork_safe_lock()


def enter_path() -> tuple[int, int]:
    """Begin a path; return what ``leave_path`` takes."""
    return len(_log.entries), next(_serials)


def leave_path(
    start: tuple[int, int], is_known: Callable[[Any], bool]
) -> list[tuple[Any, int]]:
    """End a path: older objects are only what they were before.

    Returns those that became stale, with the time: the joined outcome does not make them so.
    Objects of the path itself keep what they may be, which the joined outcome needs.
    """
    first, serial = start
    recorded = _log.entries[first:]
    del _log.entries[first:]
    stale_ones = {}
    for entry, twin, before in reversed(recorded):
        if entry.serial > serial and not is_known(entry.value):
            continue
        if twin is None or twin.changed:
            stale_ones[id(entry)] = entry.value
        if twin is None:
            entry.stale_since = before
        else:
            entry.twins.remove(twin)
    now = next(_serials)
    return [(value, now) for value in stale_ones.values()]


def mark_stale(values: Iterable[tuple[Any, int]]) -> None:
    """Record that a statement changed on some path what these objects may be."""
    for value, serial in values:
        entry = _entry(value)
        _log.entries.append((entry, None, entry.stale_since))
        entry.stale_since = serial


def link_twins(one: Any, other: Any) -> None:
    """Record that two dicts, sets or objects may be one, if one of them was joined of several."""
    for side, opposite in ((one, other), (other, one)):
        if isinstance(side, StagedChoice):
            for alternative in side.ag__alternatives:
                link_twins(alternative, opposite)
            return
    if one is other or isinstance(one, TracedList) or isinstance(other, TracedList):
        return
    if not (_is_map(one) and _is_map(other)):
        if type(one) is not type(other) or not (is_made(one) or is_made(other)):
            return
    serial = next(_serials)
    for side, opposite in ((one, possible_objects(other)), (other, possible_objects(one))):
        for possible in opposite:
            if possible is not side:
                _record(side, Twin(possible, serial))
                _record(possible, Twin(side, serial))


def _is_map(value: Any) -> bool:
    return isinstance(value, dict | set)


def _entry(value: Any) -> _Entry:
    with _lock:
        if not _entries:
            when_traces_end(_forget)
        entry = _entries.setdefault(id(value), _Entry(value))
        if isinstance(value, TracedMap):
            restricted(value).check = check_current
        elif not _is_map(value) and type(value) not in _guarded:
            kind = type(value)
            _guarded[kind] = {
                name: _watching(kind, name)
                for name in ("__getattribute__", "__setattr__", "__delattr__")
            }
    return entry


def _record(value: Any, twin: Twin) -> None:
    entry = _entry(value)
    if any(known.other is twin.other and known.serial == twin.serial for known in entry.twins):
        return
    entry.twins.append(twin)
    _log.entries.append((entry, twin, 0))
    _log.pending.append(twin)


def note_twins() -> None:
    """Note what twins hold, after a statement has set all that it changes."""
    for twin in _log.pending:
        twin.before = held_by(twin.other)
    _log.pending.clear()


def possible_objects(value: Any) -> list[Any]:
    """Return what a list, dict, set or object may be: itself first."""
    if isinstance(value, list):
        return [value, *possibly_same(value)]
    found, seen = [value], {id(value)}
    for one in found:
        others = [twin.other for twin in _twins_of(one)]
        if isinstance(one, StagedChoice):
            others += one.ag__alternatives
        others += getattr(access_of(one), "sources", ())
        for other in others:
            if id(other) not in seen:
                seen.add(id(other))
                found.append(other)
    return found


def _twins_of(value: Any) -> list[Twin]:
    known = _entries.get(id(value))
    return known.twins if known is not None else []


def may_be_one(one: Any, other: Any) -> bool:
    """Whether two lists, dicts, sets or objects may be one object, which only the run knows."""
    if not isinstance(one, list | dict | set) and id(one) not in _entries:
        return False
    return any(other is possible for possible in possible_objects(one)[1:])


def check_current(value: Any) -> None:
    """Raise EffectError for a dict, set or object that may be another one that changed."""
    access = access_of(value) if isinstance(value, TracedMap) else None
    is_outdated = access is not None and access.is_stale
    if is_outdated or id(value) in _entries and _is_stale(value):
        raise stale(kind_of(value).__name__, is_object=not _is_map(value))


def _is_stale(value: Any) -> bool:
    """Whether something changed that an object may be, directly or through others.

    Of another one only what happened since the object is its twin counts: the object has been
    linked to its older twins as they were then.
    """
    waiting, seen = [(value, -1)], {id(value)}
    for one, since in waiting:
        entry = _entries.get(id(one))
        if entry is None:
            continue
        if entry.stale_since > since:
            return True
        for twin in entry.twins:
            if twin.serial <= since:
                continue
            if twin.changed:
                return True
            if id(twin.other) not in seen:
                seen.add(id(twin.other))
                waiting.append((twin.other, twin.serial))
    return False


def _check_change(value: Any) -> None:
    """Refuse to change what may be an object from outside of the function."""
    check_current(value)
    for other in possible_objects(value)[1:]:
        if not (is_made(other) or was_made_while_tracing(other)):
            kind = type(value).__name__
            raise EffectError(
                f"an object of type {kind} is changed that comes from outside of the function on "
                "some staged path",
                where=user_line(),
                help=COPY_OBJECT,
            )


def _watching(kind: type, name: str) -> tuple[Any, Any]:
    """Replace a method by one that checks twins; return what the class held, and the new one."""
    original = vars(kind).get(name, UNDEFINED)
    plain: Callable[..., Any] = getattr(kind, name)
    check = check_current if name == "__getattribute__" else _check_change

    def method(self: Any, attribute: str, *value: Any) -> Any:
        if id(self) in _entries and not attribute.startswith("__"):
            check(self)
        return plain(self, attribute, *value)

    type.__setattr__(kind, name, method)
    return original, method


def _forget() -> None:
    with _lock:
        for kind, methods in _guarded.items():
            for name, (original, method) in methods.items():
                put_back(kind, name, method, original)
        _guarded.clear()
        _entries.clear()
