"""Staged arrays: mutable arrays of the user's whose contents a backend stages.

Each refers to a storage, and several may share one: an array and its views.  The contents of a
storage are state of branches and loops, as attributes are.  Where a variable is different arrays on
different paths, joining makes an array with a storage of its own that may be one of the others: all
of them can be read until one is changed; from then on the others are stale, and using one is an
error.
"""

from __future__ import annotations

import itertools
import linecache
import sys
import threading
from collections.abc import Callable, Iterable, Iterator
from types import FrameType, ModuleType
from typing import Any

from autograph.diagnostics.user_frame import is_own, user_line
from autograph.errors import EffectError, RelatedLine

UserLine = tuple[str, int] | None
_serial = itertools.count()


class StaleContent:
    """Contents of a storage that may have changed with another one."""

    __slots__ = ("array", "before", "location", "serial")

    def __init__(self, location: UserLine, before: Any, array: Any = None) -> None:
        self.location = location
        self.array = array
        """An array of Python's that the storage may be: if it were staged, contents were known."""
        self.before: Any = before.before if type(before) is StaleContent else before
        self.serial = next(_serial)


class _Links:
    """Properties of a storage besides its contents."""

    __slots__ = ("arrays", "assumed", "changed_at", "others", "refusal", "rebinds", "sources")

    def __init__(self) -> None:
        self.sources: list[ArrayStorage] = []
        """The storages that this one may be."""
        self.assumed: list[ArrayStorage] = []
        """Likewise, but a change of this one leaves them alone: the loop is then traced again."""
        self.others: list[ArrayStorage] = []
        """The storages that may be this one."""
        self.arrays: list[Any] = []
        """Arrays that Python holds, and that this one may be."""
        self.refusal = ""
        """Why it cannot be changed, if it cannot."""
        self.rebinds = False
        """Whether it may be a tensor's: of which a change makes another one."""
        self.changed_at: UserLine = None
        """Where it was changed last."""


class _ChangeLog(threading.local):
    """Log of the storages that this thread has changed, in order."""

    def __init__(self) -> None:
        self.entries: list[ArrayStorage] = []


_log = _ChangeLog()


class ChangeWatch:
    """Watch over the storages that exist when a path, or a function, begins to be traced."""

    def __init__(self) -> None:
        self.log = _log.entries
        self.start = len(self.log)
        """Length of the log when the watch began: the log is longer if a storage has changed."""
        self._serial = next(_serial)

    def check(
        self, is_inside: Callable[[Any], bool], is_outside: Callable[[Any], bool]
    ) -> None:
        """Raise EffectError if one ends up with contents from inside, or is stale from then on."""
        for storage in self.log[self.start :]:
            content = storage.content
            if storage.serial > self._serial:
                continue
            if type(content) is StaleContent:
                lost = content.serial > self._serial and is_outside(content.before)
            else:
                lost = is_inside(content)
            if lost:
                raise EffectError(
                    "an array is changed in place on a path that depends on a staged value, and "
                    "staging cannot carry the change out of it",
                    where=storage.links.changed_at,
                    help="change a copy, x + 0, and return it",
                )

    def __enter__(self) -> ChangeWatch:
        return self

    def __exit__(self, *exception: object) -> None:
        """Forget the changes since then: no enclosing path sees them."""
        del self.log[self.start :]


class ArrayStorage:
    """Storage of staged arrays; ``content`` is a value of the backend, or a ``StaleContent``."""

    __stateful__ = True

    def __init__(self, content: Any) -> None:
        self.content = content
        self.serial = next(_serial)
        self._links: _Links | None = None

    @property
    def links(self) -> _Links:
        """Properties besides the contents; most storages never need them."""
        if self._links is None:
            self._links = _Links()
        return self._links

    @property
    def storages(self) -> tuple[ArrayStorage, ...]:
        """The storages of which it is one: itself."""
        return (self,)

    is_one = True
    """Whether it is known which storage it is."""

    @property
    def version(self) -> Any:
        """What stands for the contents: the same object as long as nothing changes them."""
        return self.content

    def joined(self) -> ArrayStorage | None:
        """Return the storage that joining made for an array: one of several knows the older ones.
        """
        return self

    @property
    def rebinds(self) -> bool:
        """Whether it may belong to a tensor, of which a change makes another tensor."""
        return self._links is not None and self._links.rebinds

    def read(self, array: Any) -> Any:
        """Return the contents, for ``array``; raise EffectError when they are stale."""
        content = self.content
        if type(content) is StaleContent:
            raise _stale(array, content.location).of(content.array)
        return content

    def write(self, content: Any, array: Any) -> None:
        """Change the contents through ``array``: storages that may be the same become stale."""
        self._set(content, self._let_change(array))

    def update(self, change: Callable[[Any], Any], array: Any) -> None:
        """Change the contents through ``array`` to what a function makes of them."""
        self.write(change(self.read(array)), array)

    def abandon(self, array: Any) -> ArrayStorage:
        """Return the storage of the replacement of ``array``, which may be a tensor: ``rebinds``.
        """
        line = self._let_change(array)
        successor = ArrayStorage(self.content)
        successor.links.rebinds = True
        self._set(StaleContent(line, self.content), line)
        return successor

    def _set(self, content: Any, line: UserLine) -> None:
        _log.entries.append(self)
        self.links.changed_at = line
        self.content = content

    def _let_change(self, array: Any) -> UserLine:
        """Make storages that may be the same stale; raise EffectError when this one cannot be
        changed.
        """
        links, line = self.links, user_line()
        if links.refusal:
            raise _refused(array, links.refusal)
        for concrete in links.arrays:
            holder = _holder_of(concrete, self)
            if holder:
                raise _refused(
                    array, f"is an array that '{holder}' refers to, too, on some staged path"
                ).of(concrete)
        aliases = self.possibly_same()
        array = next((a for storage in (self, *aliases) for a in storage.links.arrays), None)
        for alias in aliases:
            alias._set(StaleContent(line, alias.content, array), line)
        return line

    def possibly_same(self) -> list[ArrayStorage]:
        """Return the others that may be this one: its sources, and those it was joined into."""
        storages = [self]
        for storage in storages:
            storages += [s for s in storage.links.sources if not _among(s, storages)]
        for storage in storages:
            storages += [s for s in storage.links.others if not _among(s, storages)]
        return storages[1:]


def _among(value: Any, values: list[Any]) -> bool:
    return any(value is member for member in values)


class StagedArray:
    """Base of the arrays of backends.  ``storage`` is None for scalars, which are immutable."""

    __slots__ = ()

    storage: ArrayStorage | None

    def current(self) -> Any:
        """Return its current value as an immutable one."""
        raise NotImplementedError

    def snapshot(self) -> StagedArray:
        """Return the array as it is now, which no change reaches."""
        raise NotImplementedError

    @classmethod
    def holding(cls, value: Any, storage: ArrayStorage, is_array: bool) -> StagedArray:
        """Return the array whose storage holds exactly ``value``; or a scalar, without storage,
        where that may be one.
        """
        raise NotImplementedError

    def is_part_of(self, container: Any, key: Any) -> bool:
        """Return whether it is the view ``container[key]``: a change of it changes that, too."""
        raise NotImplementedError

    @property
    def is_whole(self) -> bool:
        """Whether it is all of what its storage holds, and no view."""
        raise NotImplementedError

    def is_portable(self) -> bool:
        """Return whether other paths than the one that made it can use it."""
        raise NotImplementedError


def storage_of(value: Any) -> ArrayStorage | None:
    """Return the storage of a staged array; None for other values."""
    return value.storage if isinstance(value, StagedArray) else None


def link_storages(
    joined: ArrayStorage, sources: Iterable[Any], refusal: str = "", rebinds: bool = False
) -> None:
    """Record that a new storage may be one of these, or of an array of Python's."""
    links = joined.links
    links.refusal, links.rebinds = refusal, rebinds
    for source in sources:
        if isinstance(source, ArrayStorage):
            links.sources.append(source)
            source.links.others.append(joined)
            links.refusal = links.refusal or source.links.refusal
            links.rebinds = links.rebinds or source.links.rebinds
            links.arrays += source.links.arrays
        else:
            links.arrays.append(source)


def link_arrays(first: Any, second: Any) -> None:
    """Record that two parts of an outcome, which share a storage on some path, may do so."""
    left, right = (storage and storage.joined() for storage in map(storage_of, (first, second)))
    if left is not None and right is not None and left is not right:
        left.links.others.append(right)
        right.links.others.append(left)


# -- errors ------------------------------------------------------------------------------------


def _users_frames() -> Iterator[FrameType]:
    frame: FrameType | None = sys._getframe(1)
    while frame is not None:
        if not is_own(frame.f_code.co_filename):
            yield frame
        frame = frame.f_back


def name_of(array: Any) -> str:
    """Return the name that the user's code has for an array; empty when it has none."""
    for frame in _users_frames():
        for name, value in frame.f_locals.items():
            if value is array:
                return name
    return ""


def _holder_of(array: Any, storage: ArrayStorage) -> str:
    """Return a variable of the user's code through which an array of Python's can be reached, or
    that may be this array in another storage.
    """
    for frame in _users_frames():
        for name, value in (*frame.f_locals.items(), *frame.f_globals.items()):
            values: Any = (value,)
            if isinstance(value, (list, tuple, set)):
                values = value
            elif isinstance(value, dict):
                values = value.values()
            elif not isinstance(value, (type(array), StagedArray, type, ModuleType)):
                values = getattr(value, "__dict__", {}).values()
            if any(_may_share(value_inside, array, storage) for value_inside in list(values)):
                return name
    return ""


def _may_share(value: Any, array: Any, storage: ArrayStorage) -> bool:
    """Whether a value is an array of Python's, or a view of what that is a view of, or may be it
    in another storage than this one.
    """
    if value is array:
        return True
    if isinstance(value, StagedArray):
        its = value.storage
        return its is not None and its is not storage and _among(array, its.links.arrays)
    if type(value) is not type(array):
        return False
    mine, its = getattr(value, "base", None), getattr(array, "base", None)
    return mine is array or its is value or mine is not None and mine is its


def _shown(array: Any) -> tuple[str, str]:
    """Return how messages name an array, and how to write a copy of it."""
    name = name_of(array)
    return (f"'{name}'", name) if name else ("an array", "x")


def changed_line(location: UserLine, role: str = "changed") -> tuple[RelatedLine, ...]:
    """Return the line that explains an error, if it is known."""
    if location is None:
        return ()
    return (RelatedLine(*location, role, linecache.getline(*location).strip()),)


def _stale(array: Any, location: UserLine) -> EffectError:
    shown, name = _shown(array)
    return EffectError(
        f"{shown} is used after an array that shares its memory on some staged path was changed "
        "in place",
        where=user_line(),
        help=f"change a copy, {name} + 0, or give each variable an array of its own on every path",
        subject=name_of(array),
        related_lines=changed_line(location),
    )


def _refused(array: Any, why: str) -> EffectError:
    shown, name = _shown(array)
    return EffectError(
        f"{shown} is changed in place, but {why}",
        where=user_line(),
        help=f"change a copy, {name} + 0, and return it",
        subject=name_of(array),
    )
