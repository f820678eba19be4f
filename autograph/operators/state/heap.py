"""Heap: detects the Python objects that a staged path changes, and carries them as state.

Before a path is traced, the contents of all objects that its variables reach are recorded.
Afterwards each attribute, item or captured variable that refers to another object is a *slot* that
the path changed; a slot joins like a variable.  A change that cannot join, such as to a set, is an
error: it would happen once, during tracing, and never at run time.
"""

from __future__ import annotations

import _thread
import collections
import functools
import types
from collections import deque
from collections.abc import Hashable, Iterable, Iterator
from dataclasses import field
from typing import Any

from autograph.diagnostics.user_frame import user_line
from autograph.errors import EffectError
from autograph.operators.state.attributes import has_members
from autograph.operators.state.closure_cells import UNDEFINED
from autograph.operators.state.holders import (
    GlobalNames,
    held_by,
    is_class_with_state,
    is_reordered,
    is_users,
    replace_contents,
    set_slot,
    spelling,
)
from autograph.operators.state.iterator_progress import ITERATORS, OPAQUE
from autograph.operators.state.library_objects import AssignedAttributes, LibraryObjects
from autograph.operators.state.reached_objects import globals_of, reached_from
from autograph.operators.state.saved_memory import SavedMemory, memory_of
from autograph.operators.state.sentinels import MaybeValue
from autograph.operators.state.skip_list import is_skipped_function
from autograph.operators.state.stored_results import STORED
from autograph.staging.protocol import Backend
from autograph.staging.staged_array import StagedArray
from autograph.staging.staged_collection import a_kind
from autograph.staging.staged_list import Contents, TracedList, kind_of
from autograph.staging.staged_map import MapContents, TracedMap
from autograph.staging.staged_union import StagedUnion
from autograph.syntax.data_classes import dataclass
from autograph.tracing import CallsPython

MOST_OBJECTS = 1_000_000
"""The largest number of objects that a function or path may reach: more are an error."""


@dataclass(frozen=True)
class HeapSlot:
    """Slot of an object: an attribute, an item, or the contents of a closure cell."""

    holder: Any = field(compare=False)
    identity: int
    key: Hashable
    label: str = field(compare=False)

    def read(self) -> Any:
        return held_by(self.holder).get(self.key, UNDEFINED)

    def write(self, value: Any) -> None:
        set_slot(self.holder, self.key, value)


@dataclass
class Remembered:
    """Object, its name in the user's source, and what it held when it was remembered."""

    holder: Any
    label: str
    contents: dict[Any, Any]

    def part(self, key: Any) -> str:
        """Return how the user would spell one of its slots."""
        return spelling(self.holder, self.label, key)

    def restore(self) -> None:
        """Restore the object's contents."""
        replace_contents(self.holder, self.contents)

    def differences(self, now: dict[Any, Any]) -> Iterator[tuple[Any, Any]]:
        """Return the keys of slots whose contents differ in ``now``, with those contents."""
        for key in {**self.contents, **now}:
            value = now.get(key, UNDEFINED)
            if not _is_same(value, self.contents.get(key, UNDEFINED)):
                yield key, value


_CONTAINERS = (dict, list, set)


class Heap:
    """Snapshot of the contents of the objects that some variables reach."""

    def __init__(self, bodies: Iterable[Any], own_cells: Iterable[Any], backend: Backend) -> None:
        """Remember what bodies can reach, except the variables in the cells ``own_cells``."""
        self.backend = backend
        self.repeats = False
        """Whether the paths are traced, or run, more than once: each time makes other objects."""
        self.iterates = False
        """Whether the paths are the iterations of a loop."""
        self._own_cells = frozenset(map(id, own_cells))
        self._objects: dict[int, Remembered] = {}
        self._libraries = LibraryObjects()
        self._namespaces: dict[int, GlobalNames] = {}
        """The global variables that functions assign, by the identity of what holds them."""
        self._shared: set[int] = set()
        """Objects to which several variables and objects refer, by identity."""
        self._new_keys: dict[int, list[Any]] = {}
        """The keys that the first path to do so has put into a dict, in order."""
        self._reach(("", body) for body in (*bodies, *STORED.dicts.values()))

    def _reach(self, objects: Iterable[tuple[str, Any]]) -> None:
        """Remember what some objects, which are given with their names, lead to."""
        waiting = deque(objects)
        while waiting or self._libraries.lead_to(waiting):
            label, value = waiting.popleft()
            if isinstance(value, StagedArray):
                value = value.storage
            elif isinstance(value, _CONTAINERS) and not issubclass(type(value), _CONTAINERS):
                value = getattr(value, "__wrapped__", value)  # a proxy only says that it is one
            if id(value) in self._own_cells:
                waiting.extend((label, item) for item in held_by(value).values())
                continue
            if id(value) in self._objects:
                self._shared.add(id(value))
                continue
            if not self._is_holder(value):
                if not self.backend.owns(value):
                    self._libraries.note(value, label)
                continue
            if len(self._objects) >= MOST_OBJECTS:
                raise _too_many(label)
            if isinstance(value, GlobalNames):
                contents = self._remember_globals(value)
            else:
                contents = self._remember(value, label)
            waiting.extend(
                (spelling(value, label, key), item) for key, item in contents.items()
                if type(item) not in _CONSTANTS
            )  # fmt: skip
            waiting.extend(self._behind(value, label))
            if isinstance(value, types.FunctionType):
                self._libraries.note_names(value.__code__)
        for holder, label, names in self._libraries.with_assigned():
            remembered = self._objects.setdefault(id(holder), Remembered(holder, label, {}))
            remembered.contents |= {k: v for k, v in holder.held().items() if k in names}

    def note_call(self, function: types.FunctionType, owner: Any) -> None:
        """Remember what a function may change besides its arguments, before a path calls it.

        ``owner`` is the object or class that the function is a method of, if it is one.
        """
        if id(function) in self._objects or is_skipped_function(function):
            return
        reached = list(globals_of(function))
        if owner is not None:
            reached.append((function.__name__, function))
            kind = owner if isinstance(owner, type) else type(owner)
            reached += [(base.__name__, base) for base in kind.__mro__]
        self._libraries.note_names(function.__code__)
        self._reach(reached)

    def _remember(self, value: Any, label: str) -> dict[Any, Any]:
        contents = held_by(value)
        self._objects[id(value)] = Remembered(value, label, contents)
        return contents

    def _remember_globals(self, names: GlobalNames) -> dict[str, Any]:
        """Remember global variables, each once; return those that were not known."""
        remembered = self._namespaces.setdefault(id(names.namespace), names)
        if remembered is names:
            return self._remember(names, "")
        new = tuple(name for name in names.names if name not in remembered.names)
        remembered.names += new
        contents = held_by(GlobalNames(names.namespace, new))
        self._objects[id(remembered)].contents |= contents
        return contents

    def _behind(self, value: Any, label: str) -> Iterable[tuple[str, Any]]:
        """Return what an object reaches although it is not among its contents."""
        return reached_from(value, label)

    def changes(self) -> dict[HeapSlot, Any]:
        """Return the slots that hold another object than remembered, and what they hold now.

        Raises EffectError for a change that cannot be carried.
        """
        changed: dict[HeapSlot, Any] = {}
        for remembered, now in self._changed():
            _check(remembered, now)
            self._check_order(remembered, now)
            for key, value in remembered.differences(now):
                holder = remembered.holder
                changed[HeapSlot(holder, id(holder), key, remembered.part(key))] = value
        return changed

    def _check_order(self, remembered: Remembered, now: dict[Any, Any]) -> None:
        """Refuse new keys of a dict that an earlier path has put there in another order."""
        holder, before = remembered.holder, remembered.contents
        if not isinstance(holder, dict) or isinstance(holder, TracedMap):
            return
        new = [key for key in now if key not in before]
        earlier = self._new_keys.setdefault(id(holder), new)
        if [key for key in earlier if key in now] != [key for key in new if key in earlier]:
            raise _reordered(holder, remembered.label)

    def has_changed(self) -> bool:
        """Whether any object holds something else than remembered."""
        return next(self._changed(), None) is not None

    def _changed(self) -> Iterator[tuple[Remembered, dict[Any, Any]]]:
        """Return the objects that hold something else than remembered, and what they hold now."""
        for remembered in list(self._objects.values()):
            now = held_by(remembered.holder)
            if not unchanged(now, remembered.contents) or (
                isinstance(remembered.holder, dict) and [*now] != [*remembered.contents]
            ):
                yield remembered, now

    def check_iterators(self) -> None:
        """Raise EffectError if an iterator gave items on a path without an outcome."""
        for remembered in self._objects.values():
            if isinstance(remembered.holder, ITERATORS):
                now = held_by(remembered.holder)
                if now != remembered.contents:
                    _check(remembered, now)

    def refuse_iterators(self) -> None:
        """Raise EffectError for an iterator within reach: what is taken cannot be put back."""
        for remembered in self._objects.values():
            if isinstance(remembered.holder, (*ITERATORS, *OPAQUE)):
                raise _gives(remembered.label)

    def check_taking(self, iterator: Any) -> None:
        """Raise EffectError for an iterator from before whose position cannot be read."""
        if isinstance(iterator, OPAQUE) and id(iterator) in self._objects:
            raise _gives(self._objects[id(iterator)].label)

    def knows(self, value: Any) -> bool:
        """Whether an object was within reach."""
        return id(value) in self._objects

    def is_shared(self, value: Any) -> bool:
        """Whether several variables and objects within reach refer to an object."""
        return id(value) in self._shared

    def instances(self, kind: type) -> list[Any]:
        """Return the objects within reach that are instances of a class."""
        return [r.holder for r in self._objects.values() if isinstance(r.holder, kind)]

    def label_of_holder(self, value: Any) -> str | None:
        """Return what refers to an object besides the variables themselves; None if nothing."""
        for remembered in self._objects.values():
            for key, held in remembered.contents.items():
                if held is value:
                    return remembered.part(key)
        return None

    def before(self, slot: HeapSlot) -> Any:
        """Return what a slot held when it was remembered."""
        return self._objects[slot.identity].contents.get(slot.key, UNDEFINED)

    def restore(self) -> None:
        """Restore everything as it was remembered."""
        for remembered, _ in self._changed():
            remembered.restore()

    def _is_holder(self, value: Any) -> bool:
        kind = type(value)
        if isinstance(value, CallsPython) or getattr(kind, "__stateful__", False):
            return True
        if kind in _IMMUTABLE or isinstance(value, Backend) or self.backend.owns(value):
            return False
        if kind is tuple:
            return not _IMMUTABLE_KINDS.issuperset(map(type, value))
        if isinstance(value, (*_HOLDERS, *ITERATORS, *OPAQUE)) or memory_of(value) is not None:
            return True
        if issubclass(kind, type):
            return is_class_with_state(value)
        if not is_users(kind) and kind not in _PLAIN_OBJECTS:
            return False
        return has_members(value)


def unchanged(now: dict[Any, Any], before: dict[Any, Any]) -> bool:
    """Whether contents are the very same objects under the same keys."""
    if now.keys() != before.keys():
        return False
    for key, value in before.items():  # a loop: each trace asks this of all that it reaches
        if now[key] is not value and not _is_same(now[key], value):
            return False
    return True


def _is_same(left: Any, right: Any) -> bool:
    return left is right or (type(left) in _COMPARED and left.same(right))


_COMPARED = (Contents, MapContents, SavedMemory)
"""Classes of contents that are made anew each time they are asked for."""


_HOLDERS = (
    types.CellType, types.FunctionType, types.MethodType, types.BuiltinMethodType,
    types.MethodWrapperType, functools.partial, tuple, list, dict, set, deque, GlobalNames,
    StagedUnion, MaybeValue,
)
_CONSTANTS = (bool, int, float, complex, str, bytes, type(None))
_IMMUTABLE = (*_CONSTANTS, types.ModuleType)
_IMMUTABLE_KINDS = frozenset(_IMMUTABLE)
_PLAIN_OBJECTS = (
    types.SimpleNamespace, collections.UserDict, collections.UserList, collections.ChainMap,
    _thread._local,
)  # fmt: skip


def _too_many(label: str) -> EffectError:
    first = label.partition(".")[0].partition("[")[0]
    return EffectError(
        f"a path that depends on a staged value reaches more than {MOST_OBJECTS:,} Python objects, "
        f"'{label}' among them: too many to find out which of them it changes",
        where=user_line(),
        help=f"pass what is needed of '{first}' as an argument, as an array or a tensor",
        subject=first,
    )


def _check(remembered: Remembered, now: dict[Any, Any]) -> None:
    """Refuse a change that no slot can carry."""
    holder, label, before = remembered.holder, remembered.label, remembered.contents
    if isinstance(holder, (TracedList, TracedMap)):
        return
    if isinstance(holder, set):
        raise EffectError(
            f"'{label}', a set, changes on a path that depends on a staged value",
            help="use a dict with a fixed set of keys, or a tensor of flags",
            subject=label,
        ).of(holder)
    if isinstance(holder, ITERATORS):
        raise _gives(label)
    if memory_of(holder) is not None:
        is_array = hasattr(holder, "shape")
        raise EffectError(
            f"'{label}', {'an array' if is_array else a_kind(holder)}, changes on a path that "
            "depends on a staged value",
            help="use a tensor, and assign the result of an operation to the variable"
            if is_array else "change it outside of the function, or use a list",
            subject=label,
        ).of(holder)
    if isinstance(holder, AssignedAttributes):
        raise_if_computed(remembered, now)
    if is_reordered(holder, now, before):
        raise _reordered(holder, label)
    if isinstance(holder, (list, deque)) and len(now) != len(before):
        kind, how = kind_of(holder).__name__, "grows" if len(now) > len(before) else "shrinks"
        raise EffectError(
            f"'{label}', a {kind} of {len(before)}, {how} on a path that depends on a staged value",
            help=f"create the {kind} in the function that is staged, or use a tensor",
            subject=label,
        ).of(holder)


def _reordered(holder: Any, label: str) -> EffectError:
    return EffectError(
        f"'{label}', a {type(holder).__name__}, changes the order of its keys on a path that "
        "depends on a staged value",
        help="make another dict with the keys in that order on every path",
        subject=label,
    ).of(holder)


def raise_if_computed(remembered: Remembered, now: dict[Any, Any]) -> None:
    """Refuse to change an attribute of a library's object that its class computes."""
    for name, _ in remembered.differences(now):
        holder = remembered.holder
        if holder.computes(name):
            kind = type(holder.owner).__name__
            raise EffectError(
                f"'{remembered.part(name)}', an attribute that the class {kind} computes, changes "
                "on a path that depends on a staged value",
                help="set it outside of the function that is staged",
                subject=remembered.label,
            ).of(holder.owner)


def _gives(label: str) -> EffectError:
    return EffectError(
        f"'{label}', an iterator, is advanced on a path that depends on a staged value",
        help="create the iterator on that path, or index a list or tensor by a number",
        subject=label,
    )


