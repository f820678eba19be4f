"""Heap: detects the Python objects that a staged path changes, and carries them as state.

Before a path is traced, the contents of all objects that its variables reach are recorded.
Afterwards each attribute, item or captured variable that refers to another object is a *slot* that
the path changed; a slot joins like a variable.  A change that cannot join, such as to a set, is an
error: it would happen once, during tracing, and never at run time.
"""

from __future__ import annotations

import types
from collections import deque
from collections.abc import Hashable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from autograph.errors import EffectError
from autograph.operators.state.attributes import (
    attributes,
    has_members,
    members,
    replace_members,
    set_member,
)
from autograph.operators.state.closure_cells import UNDEFINED
from autograph.operators.state.dict_aliasing import JoinedDict
from autograph.operators.state.iterator_progress import ITERATORS, OPAQUE, progress, wrapped
from autograph.operators.state.sentinels import MaybeValue
from autograph.operators.state.skip_list import is_skipped
from autograph.staging.protocol import Backend
from autograph.staging.staged_list import Contents, TracedList, contents_of, hold
from autograph.staging.staged_union import StagedUnion
from autograph.staging.state_spec import Stateful
from autograph.syntax.instructions import instructions

MOST_OBJECTS = 2000
"""The largest number of objects that are recorded, nearest to the variables first."""

LARGEST = 1 << 20
"""Larger arrays, in bytes, are not recorded."""

CONTENTS = "contents"
"""The key of all that a traced list holds: its items join together."""

LONGEST = 200
"""The items of longer collections are not searched for further objects."""


@dataclass(frozen=True)
class HeapSlot:
    """Slot of an object: an attribute, an item, or the contents of a closure cell."""

    holder: Any = field(compare=False)
    identity: int
    key: Hashable
    label: str = field(compare=False)

    def read(self) -> Any:
        return _contents(self.holder).get(self.key, UNDEFINED)

    def write(self, value: Any) -> None:
        _set(self.holder, self.key, value)


@dataclass
class _Remembered:
    holder: Any
    label: str
    contents: dict[Any, Any]


class Heap:
    """Snapshot of the contents of the objects that some variables reach."""

    def __init__(self, bodies: Iterable[Any], own: Iterable[Any], backend: Backend) -> None:
        """Remember what is within reach of bodies, except the variables in the cells ``own``."""
        self.backend = backend
        self.repeats = False
        """Whether the paths are traced, or run, more than once: each time makes other objects."""
        own_cells = frozenset(map(id, own))
        self._objects: dict[int, _Remembered] = {}
        waiting = deque(("", body) for body in bodies)
        while waiting and len(self._objects) < MOST_OBJECTS:
            label, value = waiting.popleft()
            if id(value) in own_cells:
                waiting.extend((label, item) for item in _contents(value).values())
                continue
            if id(value) in self._objects or not self._is_holder(value):
                continue
            contents = _contents(value)
            self._objects[id(value)] = _Remembered(value, label, contents)
            if len(contents) <= LONGEST:
                parts = ((_part(value, label, key), item) for key, item in contents.items())
                waiting.extend(parts)
            waiting.extend(_behind(value, label))

    def changes(self) -> dict[HeapSlot, Any]:
        """The slots that hold another object than remembered, and what they hold now.

        Raises EffectError for a change that cannot be carried.
        """
        found: dict[HeapSlot, Any] = {}
        for remembered in self._objects.values():
            holder, before = remembered.holder, remembered.contents
            now = _contents(holder)
            if _unchanged(now, before):
                continue
            _check(remembered, now)
            for key in {**before, **now}:
                value = now.get(key, UNDEFINED)
                if not _is_same(value, before.get(key, UNDEFINED)):
                    label = _part(holder, remembered.label, key)
                    found[HeapSlot(holder, id(holder), key, label)] = value
        return found

    def check_iterators(self) -> None:
        """EffectError when one gave items, on a path that has no outcome to say so."""
        for remembered in self._objects.values():
            if isinstance(remembered.holder, ITERATORS):
                now = _contents(remembered.holder)
                if now != remembered.contents:
                    _check(remembered, now)

    def check_taking(self, iterator: Any) -> None:
        """EffectError when an iterator whose progress nothing tells is there from before."""
        if isinstance(iterator, OPAQUE) and id(iterator) in self._objects:
            raise _gives(self._objects[id(iterator)].label)

    def knows(self, value: Any) -> bool:
        """Whether an object was within reach."""
        return id(value) in self._objects

    def joined_dicts(self) -> list[JoinedDict]:
        """The dicts within reach that may be the same as others."""
        return [r.holder for r in self._objects.values() if isinstance(r.holder, JoinedDict)]

    def label_of_holder(self, value: Any) -> str | None:
        """What, besides the variables themselves, refers to an object; None when nothing does."""
        for remembered in self._objects.values():
            for key, held in remembered.contents.items():
                if held is value:
                    return _part(remembered.holder, remembered.label, key)
        return None

    def before(self, slot: HeapSlot) -> Any:
        """What a slot held when it was remembered."""
        return self._objects[slot.identity].contents.get(slot.key, UNDEFINED)

    def restore(self) -> None:
        """Put everything back as it was remembered."""
        for remembered in self._objects.values():
            holder, before = remembered.holder, remembered.contents
            now = _contents(holder)
            if _unchanged(now, before):
                continue
            _replace(holder, before)

    def _is_holder(self, value: Any) -> bool:
        kind = type(value)
        if isinstance(value, Stateful):
            return True
        if kind in _IMMUTABLE or isinstance(value, Backend) or self.backend.owns(value):
            return False
        if isinstance(value, (*_HOLDERS, *ITERATORS, *OPAQUE)) or _bytes(value) is not None:
            return True
        if issubclass(kind, type) or is_skipped(kind.__module__) and kind not in _PLAIN_OBJECTS:
            return False
        return has_members(value)


def _unchanged(now: dict[Any, Any], before: dict[Any, Any]) -> bool:
    return now.keys() == before.keys() and all(_is_same(now[k], v) for k, v in before.items())


def _is_same(left: Any, right: Any) -> bool:
    return left is right or (type(left) is Contents and left.same(right))


class _Globals:
    """The global variables that one code object assigns."""

    def __init__(self, namespace: dict[str, Any], names: Iterable[str]) -> None:
        self.namespace = namespace
        self.names = tuple(names)


_HOLDERS = (
    types.CellType, types.FunctionType, types.MethodType, tuple, list, dict, set, deque, _Globals,
    StagedUnion, MaybeValue,
)
_IMMUTABLE = (bool, int, float, complex, str, bytes, type(None), type, types.ModuleType)
_PLAIN_OBJECTS = (types.SimpleNamespace,)


def _bytes(value: Any) -> memoryview | None:
    """The memory of an array or bytearray that can be written to, unless it is large."""
    if isinstance(value, (list, dict, tuple)):
        return None
    try:
        memory = memoryview(value)
    except (TypeError, ValueError, BufferError):
        return None
    plain = memory.c_contiguous and not memory.readonly and "O" not in memory.format
    return memory.cast("B") if plain and 0 < memory.nbytes <= LARGEST else None


def _contents(holder: Any) -> dict[Any, Any]:
    """What an object holds, by key."""
    if isinstance(holder, TracedList):
        return {CONTENTS: contents_of(holder)}
    if isinstance(holder, dict):
        return dict(dict.items(holder))
    if isinstance(holder, (list, deque, tuple)):
        return dict(enumerate(holder))
    if isinstance(holder, _Globals):
        return {n: holder.namespace[n] for n in holder.names if n in holder.namespace}
    if isinstance(holder, set):
        return dict.fromkeys(set.__iter__(holder), True)
    if isinstance(holder, types.CellType):
        try:
            return {"cell_contents": holder.cell_contents}
        except ValueError:
            return {}
    if isinstance(
        holder, (types.FunctionType, types.MethodType, StagedUnion, MaybeValue, *OPAQUE)
    ):
        return {}
    if isinstance(holder, ITERATORS):
        return {progress(holder): None}
    memory = _bytes(holder)
    if memory is not None:
        return {memory.tobytes(): None}  # as a key, so that memories compare by value
    return members(holder)


def _behind(holder: Any, label: str) -> Iterator[tuple[str, Any]]:
    """What is within reach of a holder although it is not among its contents."""
    if isinstance(holder, StagedUnion):
        yield from ((label, one) for one in holder.ag__possible_objects)
    elif isinstance(holder, ITERATORS):
        yield from ((label, one) for one in wrapped(holder))
    elif isinstance(holder, MaybeValue):
        yield label, holder.value
    elif isinstance(holder, types.MethodType):
        yield label, holder.__self__
        yield label, holder.__func__
    elif isinstance(holder, types.FunctionType):
        code = holder.__code__
        cells = zip(code.co_freevars, holder.__closure__ or (), strict=True)
        if is_skipped(holder.__module__):  # an operator's own: only what it calls matters
            inner = ((n, v) for n, cell in cells for v in _contents(cell).values())
            called = ((n, f) for n, v in inner for f in (v if type(v) is tuple else (v,)))
            yield from ((n, f) for n, f in called if isinstance(f, types.FunctionType))
            return
        yield from cells
        namespace = holder.__globals__
        yield from ((name, namespace[name]) for name in code.co_names if name in namespace)
        assigned = _assigned_globals(code)
        if assigned:
            yield "", _Globals(namespace, assigned)
    elif isinstance(holder, TracedList):
        items = enumerate(contents_of(holder).items)
        yield from ((f"{label}[{number}]", item) for number, item in items)
    elif isinstance(holder, JoinedDict):
        yield from ((label, tie.source) for tie in holder.ties)
    elif isinstance(holder, (dict, list)) and type(holder) not in (dict, list):
        held = attributes(holder)
        if isinstance(held, dict):
            yield label, held


@lru_cache(maxsize=4096)
def _assigned_globals(code: types.CodeType) -> tuple[str, ...]:
    """The globals that a code object, or one inside it, assigns or deletes."""
    names: set[str] = set()
    waiting = [code]
    while waiting:
        code = waiting.pop()
        names.update(i.argval for i in instructions(code) if i.opname in _GLOBAL_STORES)
        waiting += [const for const in code.co_consts if isinstance(const, types.CodeType)]
    return tuple(sorted(names))


_GLOBAL_STORES = ("STORE_GLOBAL", "DELETE_GLOBAL")


def _part(holder: Any, label: str, key: Any) -> str:
    """How the user would spell a slot."""
    if isinstance(holder, (types.CellType, TracedList)):
        return label
    if isinstance(holder, _Globals):
        return str(key)
    if isinstance(holder, (list, dict, tuple, deque, set)):
        return f"{label}[{key!r}]"
    return f"{label}.{key}"


def _check(remembered: _Remembered, now: dict[Any, Any]) -> None:
    """Refuse what no slot can carry."""
    holder, label, before = remembered.holder, remembered.label, remembered.contents
    if isinstance(holder, set):
        raise EffectError(
            f"'{label}', a set, changes on a path that depends on a staged value",
            help="use a dict with a fixed set of keys, or a tensor of flags",
            subject=label,
        )
    if isinstance(holder, ITERATORS):
        raise _gives(label)
    if _bytes(holder) is not None:
        raise EffectError(
            f"'{label}', an array, changes on a path that depends on a staged value",
            help="use a tensor, and assign the result of an operation to the variable",
            subject=label,
        )
    if isinstance(holder, TracedList):
        return
    if isinstance(holder, (list, deque)) and len(now) != len(before):
        what = "grows" if len(now) > len(before) else "shrinks"
        raise EffectError(
            f"'{label}', a list of {len(before)}, {what} on a path that depends on a staged value",
            help="create the list in the function that is staged, or use a tensor",
            subject=label,
        )


def _gives(label: str) -> EffectError:
    return EffectError(
        f"'{label}', an iterator, is advanced on a path that depends on a staged value",
        help="create the iterator on that path, or index a list or tensor by a number",
        subject=label,
    )


def _set(holder: Any, key: Any, value: Any) -> None:
    if isinstance(holder, types.CellType):
        if value is UNDEFINED:
            del holder.cell_contents
        else:
            holder.cell_contents = value
    elif isinstance(holder, _Globals):
        _set(holder.namespace, key, value)
    elif isinstance(holder, TracedList):
        hold(holder, value)
    elif isinstance(holder, (list, deque)):
        holder[key] = value
    elif isinstance(holder, dict):
        dict.pop(holder, key, None) if value is UNDEFINED else dict.__setitem__(holder, key, value)
    else:
        set_member(holder, key, value)


def _replace(holder: Any, contents: dict[Any, Any]) -> None:
    if isinstance(holder, TracedList):
        hold(holder, contents[CONTENTS])
    elif isinstance(holder, (list, deque)):
        _refill(holder, contents.values())
    elif isinstance(holder, set):
        holder.clear()
        holder.update(contents)
    elif isinstance(holder, dict):
        dict.clear(holder)
        dict.update(holder, contents)
    elif isinstance(holder, _Globals):
        for name in holder.names:
            _set(holder.namespace, name, contents.get(name, UNDEFINED))
    elif isinstance(holder, types.CellType):
        _set(holder, "cell_contents", contents.get("cell_contents", UNDEFINED))
    elif isinstance(holder, ITERATORS):
        pass  # it cannot go back
    elif (memory := _bytes(holder)) is not None:
        memory[:] = next(iter(contents))
    else:
        replace_members(holder, contents)


def _refill(holder: list[Any] | deque[Any], items: Iterable[Any]) -> None:
    holder.clear()
    holder.extend(items)
