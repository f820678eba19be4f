"""May-aliases: dicts, sets and objects that may be one object, which only the run knows.

    o = Box(n)               what a path makes of staged values leaves it by value: after the
    if n > 0: p = o          statement ``p`` is an object of joined attributes, an alias of ``o``
    else: p = Box(2)         where n > 0

All that may be one object can be used until one of them is changed; from then on the others are
stale, and using one is an error.  What existed before a statement needs no aliases: the variable is
a reference to one of the objects (``ChoiceNode``, ``ReferenceNode``).  What a path makes cannot be
one of them: it is made in the graph of the path, and each iteration of a loop makes another, so
that no number tells which one it is.  Lists have the same rule in ``staging.access``, arrays in
``staging.staged_array``.
"""

from __future__ import annotations

import itertools
import threading
from collections.abc import Callable, Iterable
from typing import Any

from autograph.diagnostics.user_frame import user_line
from autograph.errors import EffectError
from autograph.operators.state.copied_objects import is_made
from autograph.operators.state.guarded_classes import GuardedClasses
from autograph.operators.state.heap import unchanged
from autograph.operators.state.holders import held_by
from autograph.operators.state.new_objects import was_made_while_tracing
from autograph.staging.access import COPY_OBJECT, access_of, possibly_same, restricted, stale
from autograph.staging.staged_list import TracedList, kind_of
from autograph.staging.staged_map import TracedMap
from autograph.staging.staged_union import StagedChoice
from autograph.tracing import when_traces_end


class MayAlias:
    """Another object that an object may be, and what it held when that was recorded."""

    __slots__ = ("before", "serial", "value")

    def __init__(self, value: Any, serial: int) -> None:
        self.value = value
        self.serial = serial
        self.before: dict[Any, Any] | None = None

    @property
    def changed(self) -> bool:
        """Whether the other object has changed since."""
        return self.before is not None and not unchanged(held_by(self.value), self.before)


class _Record:
    """What one object may be."""

    __slots__ = ("aliases", "serial", "stale_since", "value")

    def __init__(self, value: Any) -> None:
        self.value = value
        self.serial = next(_serials)
        self.aliases: list[MayAlias] = []
        self.stale_since = -1
        """When a statement changed what it may be; -1 if none did."""


class _Log(threading.local):
    """Aliases that a thread has recorded, for the paths that it is tracing; those without contents
    are ``pending``."""

    def __init__(self) -> None:
        self.recorded: list[tuple[_Record, MayAlias | None, int]] = []
        self.pending: list[MayAlias] = []


_serials = itertools.count()
_log = _Log()
_records: dict[int, _Record] = {}
"""What objects may be, by identity, until the last trace ends."""


def enter_path() -> tuple[int, int]:
    """Begin a path; return what ``leave_path`` takes."""
    return len(_log.recorded), next(_serials)


def leave_path(
    start: tuple[int, int], is_known: Callable[[Any], bool]
) -> list[tuple[Any, int]]:
    """End a path: older objects are only what they were before.

    Returns those that became stale, with the time: the joined outcome does not make them so.
    Objects of the path itself keep what they may be, which the joined outcome needs.
    """
    first, serial = start
    of_path = _log.recorded[first:]
    del _log.recorded[first:]
    outdated = {}
    for record, alias, before in reversed(of_path):
        if record.serial > serial and not is_known(record.value):
            continue
        if alias is None or alias.changed:
            outdated[id(record)] = record.value
        if alias is None:
            record.stale_since = before
        else:
            record.aliases.remove(alias)
    now = next(_serials)
    return [(value, now) for value in outdated.values()]


def mark_stale(values: Iterable[tuple[Any, int]]) -> None:
    """Record that a statement changed on some path what these objects may be."""
    for value, serial in values:
        record = _record_of(value)
        _log.recorded.append((record, None, record.stale_since))
        record.stale_since = serial


def link_objects(first: Any, second: Any) -> None:
    """Record that two dicts, sets or objects may be one, if one of them was joined of several."""
    for side, opposite in ((first, second), (second, first)):
        if isinstance(side, StagedChoice):
            for alternative in side.ag__alternatives:
                link_objects(alternative, opposite)
            return
    if first is second or isinstance(first, TracedList) or isinstance(second, TracedList):
        return
    if not (_is_map(first) and _is_map(second)):
        if type(first) is not type(second) or not (is_made(first) or is_made(second)):
            return
    serial = next(_serials)
    for side, opposite in ((first, possible_objects(second)), (second, possible_objects(first))):
        for possible in opposite:
            if possible is not side:
                _record(side, MayAlias(possible, serial))
                _record(possible, MayAlias(side, serial))


def _is_map(value: Any) -> bool:
    return isinstance(value, dict | set)


def _record_of(value: Any) -> _Record:
    with _classes.lock:
        if not _records:
            when_traces_end(_forget)
        record = _records.setdefault(id(value), _Record(value))
        if isinstance(value, TracedMap):
            restricted(value).check = check_current
        elif not _is_map(value):
            _classes.add(type(value))
    return record


def _record(value: Any, alias: MayAlias) -> None:
    record = _record_of(value)
    if any(a.value is alias.value and a.serial == alias.serial for a in record.aliases):
        return
    record.aliases.append(alias)
    _log.recorded.append((record, alias, 0))
    _log.pending.append(alias)


def note_contents() -> None:
    """Note what aliases hold, after a statement has set all that it changes."""
    for alias in _log.pending:
        alias.before = held_by(alias.value)
    _log.pending.clear()


def possible_objects(value: Any) -> list[Any]:
    """Return what a list, dict, set or object may be: itself first."""
    if isinstance(value, list):
        return [value, *possibly_same(value)]
    objects, seen = [value], {id(value)}
    for possible in objects:  # which grows
        candidates = [alias.value for alias in _aliases_of(possible)]
        if isinstance(possible, StagedChoice):
            candidates += possible.ag__alternatives
        candidates += getattr(access_of(possible), "sources", ())
        for candidate in candidates:
            if id(candidate) not in seen:
                seen.add(id(candidate))
                objects.append(candidate)
    return objects


def _aliases_of(value: Any) -> list[MayAlias]:
    record = _records.get(id(value))
    return record.aliases if record is not None else []


def may_be_one(first: Any, second: Any) -> bool:
    """Whether two lists, dicts, sets or objects may be one object, which only the run knows."""
    if not isinstance(first, list | dict | set) and id(first) not in _records:
        return False
    return any(second is possible for possible in possible_objects(first)[1:])


def check_current(value: Any) -> None:
    """Raise EffectError for a dict, set or object that may be another one that changed."""
    access = access_of(value) if isinstance(value, TracedMap) else None
    is_outdated = access is not None and access.is_stale
    if is_outdated or id(value) in _records and _is_stale(value):
        raise stale(kind_of(value).__name__, is_object=not _is_map(value))


def _is_stale(value: Any) -> bool:
    """Whether something changed that an object may be, directly or through others.

    Of another one only what happened since the object is its alias counts: the object has been
    linked to its older aliases as they were then.
    """
    waiting, seen = [(value, -1)], {id(value)}
    for possible, since in waiting:  # which grows
        record = _records.get(id(possible))
        if record is None:
            continue
        if record.stale_since > since:
            return True
        for alias in record.aliases:
            if alias.serial <= since:
                continue
            if alias.changed:
                return True
            if id(alias.value) not in seen:
                seen.add(id(alias.value))
                waiting.append((alias.value, alias.serial))
    return False


def _check_change(value: Any) -> None:
    """Refuse to change what may be an object from outside of the function."""
    check_current(value)
    for alias in possible_objects(value)[1:]:
        if not (is_made(alias) or was_made_while_tracing(alias)):
            kind = type(value).__name__
            raise EffectError(
                f"an object of type {kind} is changed that comes from outside of the function on "
                "some staged path",
                where=user_line(),
                help=COPY_OBJECT,
            )


def _checking(name: str, plain: Callable[..., Any]) -> Callable[..., Any]:
    """Return a method that looks at what an object may be before it calls the plain one."""
    check = check_current if name == "__getattribute__" else _check_change

    def method(self: Any, attribute: str, *value: Any) -> Any:
        if id(self) in _records and not attribute.startswith("__"):
            check(self)
        return plain(self, attribute, *value)

    return method


_classes = GuardedClasses(("__getattribute__", "__setattr__", "__delattr__"), _checking)


def _forget() -> None:
    with _classes.lock:
        _classes.release()
        _records.clear()
