"""References that lead to the slots that a traced function carries from call to call.

Used by ``outliving``.  The slots of a trace are those of certain objects.  They are the objects
that plain Python would reach in another call only while every reference on the way is the same.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable, Iterable, Iterator
from typing import Any, Protocol

from autograph.named_tuples import NamedTuple
from autograph.operators.state.attributes import members
from autograph.operators.state.holders import CONTENT, held_by
from autograph.operators.state.saved_memory import SavedMemory


class Readable(Protocol):
    """Slot that can be read."""

    label: str

    def read(self) -> Any:
        """Return the present contents."""


class HeapReference(NamedTuple):
    """Reference of one object to another; ``slot`` is None where it cannot be assigned."""

    source: int
    slot: Any
    value: Any


class Link:
    """Slot that a trace went through, and the object that it referred to.

    The object is held weakly where that is possible.
    """

    __slots__ = ("_target", "slot")

    def __init__(self, slot: Readable, target: Any) -> None:
        self.slot = slot
        self._target: Callable[[], Any]
        try:
            self._target = weakref.ref(target)
        except TypeError:
            self._target = lambda: (target,)

    @property
    def target(self) -> Any:
        """The object; None when it is gone."""
        target = self._target()
        return target[0] if type(target) is tuple else target

    @property
    def holds(self) -> bool:
        """Whether the slot refers to the same object as when it was traced."""
        target, now = self._target(), self.slot.read()
        if type(target) is tuple:
            return target[0] is now or is_same_constant(target[0], now)
        return target is not None and target is now


CONSTANTS = (bool, int, float, complex, str, bytes)
"""Classes whose values are compared by value."""


def is_same_constant(first: Any, second: Any) -> bool:
    """Whether two values are numbers, texts or bytes of one class and value."""
    kind = type(first)
    return kind is type(second) and kind in CONSTANTS and repr(first) == repr(second)


def _is_same(now: Any, before: Any) -> bool:
    return (
        now is before
        or is_same_constant(now, before)
        or (type(now) is type(before) is SavedMemory and now.same(before))
    )


class HeldContents(NamedTuple):
    """Contents of a collection or array, as one value that is read anew each time."""

    holder: Any
    label: str
    keys: frozenset[Any]
    """The keys that do not count."""
    held: Callable[[Any], dict[Any, Any]]

    def read(self) -> dict[Any, Any]:
        """What it holds now, by key."""
        return {k: v for k, v in self.held(self.holder).items() if k not in self.keys}


class ContentsLink:
    """Collection or array that a trace read, with its contents at that time."""

    __slots__ = ("before", "slot")

    def __init__(self, slot: HeldContents) -> None:
        self.slot = slot
        self.before = slot.read()

    @property
    def holds(self) -> bool:
        """Return whether the contents are the same."""
        before, holder = self.before, self.slot.holder
        if type(before.get(CONTENT)) is SavedMemory:
            return bool(before[CONTENT].is_in(holder))
        if type(holder) is list and not self.slot.keys:
            return len(before) == len(holder) and all(map(_is_same, holder, before.values()))
        now = self.slot.read()
        return len(before) == len(now) and all(
            key in now and _is_same(now[key], value) for key, value in before.items()
        )

    @property
    def empty(self) -> dict[Any, Any] | None:
        """Return the dict that has to stay empty, where that is all that the link says."""
        holder = self.slot.holder
        plain = type(holder) is dict and not self.before and not self.slot.keys
        return holder if plain and self.slot.held is held_by else None

    def changed(self) -> list[Any] | None:
        """Return the keys whose values changed; None if the keys differ."""
        before, now = self.before, self.slot.read()
        if before.keys() != now.keys():
            return None
        return [key for key, value in before.items() if not _is_same(now[key], value)]


class ObjectAttributes:
    """Argument of a class with its own ``__eq__``: equal objects may have other attributes."""

    __slots__ = ("_attributes", "_object")

    def __init__(self, value: Any) -> None:
        self._object = value
        self._attributes = members(value)

    def same(self, other: ObjectAttributes, identity: bool) -> bool:
        """Whether it is the same object; without ``identity``, one with the same attributes."""
        if self._object is other._object or identity:
            return self._object is other._object
        mine, its = self._attributes, other._attributes
        return mine.keys() == its.keys() and all(_is_same(its[name], mine[name]) for name in mine)


def links_to(targets: Iterable[int], references: Iterable[HeapReference]) -> Iterator[Link]:
    """Return the slots on all paths to objects, which are identified by their ids."""
    sources: dict[int, list[HeapReference]] = {}
    for reference in references:
        sources.setdefault(id(reference.value), []).append(reference)
    waiting = list(targets)
    seen = set(waiting)
    while waiting:
        for source, slot, value in sources.get(waiting.pop(), ()):
            if slot is not None:
                yield Link(slot, value)
            if source not in seen:
                seen.add(source)
                waiting.append(source)
