"""Slots of objects that outlive the trace of a function, and are written to with staged values.

A backend that traces functions for later calls makes a :class:`TraceHeap` before it calls the
Python function.  What the function writes with staged values becomes state of its calls; what it
writes with other values happens while tracing.
"""

from __future__ import annotations

import functools
import os
import types
import weakref
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from autograph.errors import EffectError
from autograph.operators.state.attributes import attributes, has_members
from autograph.operators.state.closure_cells import UNDEFINED
from autograph.operators.state.heap import Heap, Remembered
from autograph.operators.state.holders import (
    GlobalNames,
    held_by,
    home_of,
    is_users,
    moves_keys,
    parts_of,
    put_in_order,
    set_slot,
    taken_from_class,
)
from autograph.operators.state.iterator_progress import ITERATORS
from autograph.operators.state.library_objects import AssignedAttributes
from autograph.operators.state.links import (
    CONSTANTS,
    ContentsLink,
    HeapReference,
    HeldContents,
    Link,
    links_to,
)
from autograph.operators.state.optional_attributes import original_of
from autograph.operators.state.plain_values import put_plain_values
from autograph.operators.state.reached_code import (
    functions_of,
    functions_of_modules,
    is_user_code,
    variables_of,
)
from autograph.operators.state.saved_memory import SavedMemory, memory_of
from autograph.operators.state.sentinels import MaybeValue
from autograph.operators.state.skip_list import is_skipped_function
from autograph.operators.state.unknown_effects import refuse_unknown_effects
from autograph.staging.protocol import Backend
from autograph.staging.staged_array import ArrayStorage
from autograph.staging.staged_collection import StagedCollection, a_kind
from autograph.staging.staged_list import TracedList
from autograph.staging.staged_map import TracedMap
from autograph.staging.staged_union import StagedChoice, StagedOptional, StagedVariant
from autograph.tracing import CallsPython

MOST_INSIDE = 2000
"""Number of objects in a written value that are searched for staged ones."""

HELP = "use a runtime.Variable for state that is kept from call to call, or return the value"

Test = Callable[[Any], bool]


class OutlivingSlot:
    """Attribute, item, closure cell or global variable that outlives a call.

    Objects are held weakly where that is possible: a trace must not keep them alive.
    """

    def __init__(self, holder: Any, key: Any, label: str) -> None:
        self.key = key
        self.label = label
        self.identity = id(holder), key
        try:
            self.holder: Callable[[], Any] = weakref.ref(holder)
        except TypeError:
            self.holder = lambda: holder

    @property
    def is_gone(self) -> bool:
        """Whether its object no longer exists."""
        return self.holder() is None

    def read(self) -> Any:
        """Return what it holds now; UNDEFINED where it is empty."""
        holder, key = self.holder(), self.key
        if isinstance(holder, dict):
            return dict.get(holder, key, UNDEFINED)
        if isinstance(holder, type):
            return original_of(vars(holder).get(key, UNDEFINED))
        namespace = attributes(holder)
        value = UNDEFINED if namespace is None else namespace.get(key, UNDEFINED)
        return held_by(holder).get(key, UNDEFINED) if value is UNDEFINED else value

    def write(self, value: Any) -> None:
        """Assign the slot; UNDEFINED deletes it."""
        holder = self.holder()
        if holder is not None and (value is not UNDEFINED or self.read() is not UNDEFINED):
            set_slot(holder, self.key, value)


class TraceHeap(Heap):
    """Contents, before tracing, of the objects within reach of a traced function."""

    def __init__(
        self, function: Any, arguments: Mapping[str, Any], backend: Backend, is_staged: Test,
        python_counts: bool = False,
    ) -> None:
        """Remember what is within reach of a function and of its arguments, by their names.

        ``is_staged`` tells whether a value that is no collection is staged.  With
        ``python_counts``, changes count also where no staged value is written.
        """
        self._is_staged = is_staged
        self._python_counts = python_counts
        self.carried: dict[int, Any] = {}
        """What stands for containers that are carried as a whole, by identity."""
        named = dict(arguments)
        while isinstance(function, functools.partial):
            named |= {f"argument {number}": value for number, value in enumerate(function.args)}
            named |= function.keywords
            function = function.func
        if isinstance(function, types.MethodType):
            code = getattr(function.__func__, "__code__", None)
            first = code.co_varnames[0] if code and code.co_argcount else "self"
            named[first], function = function.__self__, function.__func__
        self._arguments = named
        super().__init__((function, GlobalNames(named, named)), (), backend)
        self._remember(os.environ, "os.environ")
        if refuse_unknown_effects.value:
            self.refuse_iterators()

    def staged_changes(self) -> dict[OutlivingSlot, Any]:
        """Return the slots that hold staged values which they did not hold before, and the values.

        Raises EffectError, after restoring everything, for a change that no slot can carry.
        """
        changes: dict[OutlivingSlot, Any] = {}
        for remembered, now in self._changed():
            if id(remembered.holder) in self.carried:
                continue
            if self._python_counts and moves_keys(remembered.holder, now, remembered.contents):
                raise self.refusal(remembered.label, "a dict with moved keys").of(remembered.holder)
            for key, value in remembered.differences(now):
                if self._counts(remembered, key, value):
                    self._check_slot(remembered, now, key)
                    holder = remembered.holder
                    home = home_of(holder)
                    changes[OutlivingSlot(home, key, remembered.part(key))] = value
        return changes

    def references_to(self, holder: Any) -> list[OutlivingSlot] | None:
        """Return the slots that refer to a list, dict or set; None if anything else does."""
        if id(holder) not in self._objects:
            return None
        links = [link for link in self._references() if link.value is holder]
        named = {link.source for link in links if link.slot is not None}
        slots = [link.slot for link in links if link.slot is not None or link.source not in named]
        return None if not slots or None in slots else slots

    def label_of(self, holder: Any) -> str:
        """Return how the user would spell an object within reach."""
        return self._objects[id(holder)].label

    def put_in_place(self, replacement: Any, holder: Any) -> None:
        """Remember a container instead of what stood for it."""
        for remembered in self._objects.values():
            for key, value in remembered.contents.items():
                if value is replacement:
                    remembered.contents[key] = holder

    def remembered(self, slot: OutlivingSlot) -> Any:
        """Return what a slot held when it was remembered."""
        for remembered in self._objects.values():
            holder = remembered.holder
            home = home_of(holder)
            if id(home) == slot.identity[0] and slot.key in remembered.contents:
                return remembered.contents[slot.key]
        return UNDEFINED

    def links(self, slots: Iterable[OutlivingSlot]) -> list[Link]:
        """The references that led to the objects that hold slots, except from the arguments."""
        return list(links_to({slot.identity[0] for slot in slots}, self._references()))

    def reads(self, slots: Iterable[OutlivingSlot]) -> list[Link | ContentsLink]:
        """Return what calls may read besides slots: variables, attributes by name, collections."""
        carried: dict[int, set[Any]] = {}
        for slot in slots:
            carried.setdefault(slot.identity[0], set()).add(slot.key)
        names = self._names()
        computed = not names.isdisjoint(_COMPUTING)
        links: dict[tuple[int, Any], Link | ContentsLink] = {}
        for remembered in self._objects.values():
            holder = remembered.holder
            carried_keys = frozenset(carried.get(id(holder), ()))
            if isinstance(holder, (list, dict, deque, set)) or memory_of(holder) is not None:
                if not isinstance(holder, TracedList | TracedMap):
                    contents = HeldContents(holder, remembered.label, carried_keys, held_by)
                    links[id(holder), None] = ContentsLink(contents)
            for owner, name, value in taken_from_class(holder, names - carried_keys):
                slot = OutlivingSlot(owner, name, remembered.part(name))
                links[slot.identity] = Link(slot, value)
        for _, slot, _ in self._references():
            if slot is None or slot.identity in links or (slot.identity[0], None) in links:
                continue
            if slot.key in carried.get(slot.identity[0], ()):
                continue
            is_named = computed or slot.key in names or slot.key == "cell_contents"
            value = slot.read()
            if is_named and not isinstance(value, _FIXED):
                links[slot.identity] = Link(slot, value)
        if not names.isdisjoint(_ENVIRONMENT):
            links[id(os.environ), None] = ContentsLink(
                HeldContents(os.environ, "os.environ", frozenset(), dict)
            )
        return list(links.values())

    def _names(self) -> set[str]:
        """Return the names and texts in the code within reach."""
        names: set[str] = set()
        holders = [remembered.holder for remembered in self._objects.values()]
        waiting = [f.__code__ for f in holders if isinstance(f, types.FunctionType)]
        while waiting:
            code = waiting.pop()
            names.update(code.co_names)
            names.update(const for const in code.co_consts if isinstance(const, str))
            waiting += [const for const in code.co_consts if isinstance(const, types.CodeType)]
        return names

    def _references(self) -> Iterator[HeapReference]:
        """The references between the objects within reach, as they were remembered."""
        for source, remembered in self._objects.items():
            holder = remembered.holder
            home = home_of(holder)
            fixed = home is self._arguments or isinstance(holder, _UNASSIGNED)
            for key, value in remembered.contents.items():
                if isinstance(holder, set):
                    value = key
                label = remembered.part(key)
                slot = None if fixed else OutlivingSlot(home, key, label)
                yield HeapReference(source, slot, value)
            yield from (HeapReference(source, None, v) for _, v in self._behind(holder, ""))
            if is_user_code(holder):
                for namespace, name in variables_of(holder):
                    slot = OutlivingSlot(namespace, name, name)
                    yield HeapReference(source, slot, namespace[name])

    def put_back(self) -> None:
        """Remove from objects all staged values and stand-ins that they did not hold before."""
        for remembered, now in self._changed():
            holder, before = remembered.holder, remembered.contents
            if isinstance(holder, (os._Environ, *ITERATORS)):
                continue  # it holds no staged value
            staged = [k for k, v in remembered.differences(now) if self._counts(remembered, k, v)]
            if staged and isinstance(holder, _MOVING) and len(now) != len(before):
                remembered.restore()
                continue
            for key in staged:
                set_slot(holder, key, before.get(key, UNDEFINED))
            put_in_order(holder, before)
        put_plain_values(self._changed())

    def _counts(self, remembered: Remembered, key: Any, value: Any) -> bool:
        """Whether a change happens in each call, and not only while tracing."""
        holder = remembered.holder
        if self.holds_staged(key if isinstance(holder, set) else value):
            self._check_alternatives(value, remembered.part(key))
            return True
        if not self._python_counts or isinstance(holder, TracedList | TracedMap):
            return False
        if value is UNDEFINED or type(value) is SavedMemory:
            return True
        return self._is_data(value, remembered.part(key))

    def _check_alternatives(self, value: Any, label: str) -> None:
        """Refuse a new object that a slot may hold: each call would leave the same one there."""
        if isinstance(value, StagedOptional | MaybeValue):
            possible: Iterable[Any] = [value.ag__value]
        else:
            possible = (
                value.ag__alternatives if isinstance(value, StagedChoice | StagedVariant) else ()
            )
        for alternative in possible:
            self._check_alternatives(alternative, label)
            if not self.holds_staged(alternative):
                self._is_data(alternative, label)

    def _is_data(self, value: Any, label: str) -> bool:
        """Whether a value can be written anew in each call; EffectError for a new object."""
        if isinstance(value, (list, tuple, dict)) and not self.knows(value):
            items = [*value, *value.values()] if isinstance(value, dict) else value
            return all(self._is_data(item, label) for item in items)
        if isinstance(value, set | frozenset | deque) and not self.knows(value):
            return all(self._is_data(item, label) for item in parts_of(value))
        if isinstance(value, (*CONSTANTS, types.NoneType)) or self.knows(value):
            return True
        if isinstance(value, (*_VALUES, *self.backend.array_types)):
            return True
        if self.backend.owns(value):
            return not self.backend.is_reference(value)
        cls: Any = type(value)
        is_of_program = isinstance(value, types.FunctionType) or is_users(cls)
        if not is_of_program and cls.__hash__ not in (None, object.__hash__):
            return True  # what is compared by value does not change
        raise self.refusal(label, f"which is given a new {cls.__name__}")

    def _check_slot(self, remembered: Remembered, now: dict[Any, Any], key: Any) -> None:
        """Refuse a change of a collection that no single slot can carry."""
        holder, before = remembered.holder, remembered.contents
        moves = isinstance(holder, (set, os._Environ, TracedList, TracedMap, *ITERATORS))
        if isinstance(holder, AssignedAttributes) and holder.computes(key):
            raise self.refusal(remembered.part(key), "an attribute that its class computes")
        if moves or memory_of(holder) is not None:
            raise self.refusal(remembered.label, a_kind(holder)).of(holder)
        if isinstance(holder, list | deque) and len(now) != len(before):
            how = "grows" if len(now) > len(before) else "shrinks"
            description = f"{a_kind(holder)} of {len(before)}, which {how}"
            raise self.refusal(remembered.label, description).of(holder)

    def refusal(self, label: str, change: str) -> EffectError:
        """Return the error for a staged value that cannot be carried to the next call."""
        from autograph.analysis.assignment_lines import first_write  # costs an import

        self.restore()
        holders = [remembered.holder for remembered in self._objects.values()]
        return EffectError(
            f"'{label}', {change}, outlives the call and "
            + ("changes" if self._python_counts else "holds a staged value at its end")
            + ", which cannot be carried to the next call",
            where=first_write(list(filter(is_user_code, holders)), label),
            help=HELP,
            subject=label,
        )

    def holds_staged(self, value: Any) -> bool:
        """Whether a value that was made while tracing holds a staged value."""
        seen: set[int] = set()
        waiting = [value]
        while waiting and len(seen) < MOST_INSIDE:
            item = waiting.pop()
            if self._is_staged(item) or isinstance(item, StagedCollection | MaybeValue):
                return True
            if id(item) in seen or id(item) in self._objects:
                continue  # what was there before has slots of its own
            seen.add(id(item))
            waiting += parts_of(item)
        return False

    def _behind(self, value: Any, label: str) -> Iterable[tuple[str, Any]]:
        """Return what a holder reaches, with functions that may write to their own globals."""
        yield from super()._behind(value, label)
        if isinstance(value, types.FunctionType):
            if is_skipped_function(value):
                return
            code, defaults = value.__code__, value.__defaults__ or ()
            first = code.co_argcount - len(defaults)
            yield from zip(code.co_varnames[first : code.co_argcount], defaults, strict=True)
            yield from (("", f) for f in functions_of_modules(value))
        elif has_members(value) and not isinstance(value, CallsPython):
            for base in type(value).__mro__:
                if is_users(base):
                    yield base.__name__, base
                    yield from (("", f) for f in functions_of(base))

    def _is_holder(self, value: Any) -> bool:
        # the arrays among the arguments are written back by themselves
        return not isinstance(value, ArrayStorage) and super()._is_holder(value)


_MOVING = (list, deque, set)
"""Collections whose items have no lasting keys."""

_UNASSIGNED = (set, tuple, TracedList, TracedMap)  # references in them cannot be assigned
_VALUES = (type, types.ModuleType, types.BuiltinFunctionType, bytearray)
"""Further classes whose values can be written anew in each call."""

_FIXED = (types.ModuleType, types.BuiltinFunctionType, type)
"""Classes of values that a name is assumed to keep."""

_COMPUTING = {"getattr", "setattr", "vars", "__dict__", "eval", "exec", "attrgetter"}
"""Names by which code can reach attributes that it does not name."""

_ENVIRONMENT = {"environ", "getenv"}
