"""Contents of Python objects, by key: read, written, and replaced as a whole.

Used by ``heap``, for objects, their classes, collections, closure cells and global variables.
"""

from __future__ import annotations

import enum
import functools
import itertools
import os
import types
from collections import OrderedDict, deque
from collections.abc import Iterable, Iterator
from typing import Any

from autograph.operators.state.attributes import (
    attributes,
    has_members,
    members,
    replace_members,
    set_member,
)
from autograph.operators.state.closure_cells import UNDEFINED
from autograph.operators.state.iterator_progress import ITERATORS, OPAQUE, progress
from autograph.operators.state.library_objects import AssignedAttributes
from autograph.operators.state.optional_attributes import OptionalAttribute, original_of
from autograph.operators.state.saved_memory import SavedMemory, memory_of
from autograph.operators.state.sentinels import MaybeValue
from autograph.operators.state.skip_list import is_skipped
from autograph.staging.chosen_storage import ChosenStorage
from autograph.staging.staged_array import ArrayStorage
from autograph.staging.staged_list import TracedList, contents_of, hold
from autograph.staging.staged_map import TracedMap, hold_map, map_contents
from autograph.staging.staged_union import StagedUnion
from autograph.staging.wrapped_set import own_set
from autograph.syntax.heap_types import is_heap_type
from autograph.tracing import CallsPython

CONTENT = "content"
"""Key of the contents of the storage of an array."""

CONTENTS = "contents"
"""Key of the contents of a traced list: its items join together."""

class GlobalNames:
    """Holder of the global variables that one code object assigns."""

    def __init__(self, namespace: dict[str, Any], names: Iterable[str]) -> None:
        self.namespace = namespace
        self.names = tuple(names)


EMPTY = (
    types.FunctionType, types.MethodType, types.BuiltinMethodType, types.MethodWrapperType,
    functools.partial, StagedUnion, MaybeValue, CallsPython, *OPAQUE,
)  # fmt: skip
"""Classes of objects without contents: their references are followed."""


def is_users(kind: type) -> bool:
    """Whether a class is the user's, not one of Python's or of a library."""
    module = kind.__module__
    if module == "builtins":  # also of classes in code that was run without a module's name
        return is_heap_type(kind)
    return isinstance(module, str) and not is_skipped(module)  # some classes in C compute it


def is_class_with_state(value: Any) -> bool:
    """Whether a value is a class of the user's, whose own attributes may be assigned."""
    if not isinstance(value, type) or isinstance(value, enum.EnumMeta):
        return False
    return is_heap_type(value) and is_users(value)


def _data_of(owner: type) -> dict[str, Any]:
    """Return the attributes of a class that are neither methods nor descriptors."""
    values = {name: original_of(value) for name, value in vars(owner).items()}
    return {
        name: value for name, value in values.items()
        if not (
            value is UNDEFINED or name.startswith("__") or name == "_abc_impl"
            or hasattr(type(value), "__get__")
        )
    }  # fmt: skip


def taken_from_class(value: Any, names: set[str]) -> Iterator[tuple[Any, str, Any]]:
    """Yield what a use of these names of an object depends on besides its own attributes.

    As holder, name and value: that it has no such attribute, and the method of its class.
    """
    own_members = None if isinstance(value, (type, list, dict, deque, set)) else attributes(value)
    if not isinstance(own_members, dict) or not is_users(type(value)):
        return
    classes = [base for base in type(value).__mro__ if is_users(base)]
    for name in names - own_members.keys():
        owner = next((base for base in classes if name in vars(base)), None)
        if owner is not None:
            yield value, name, UNDEFINED
            if isinstance(vars(owner)[name], _METHODS):
                yield owner, name, vars(owner)[name]


_METHODS = (types.FunctionType, classmethod, staticmethod, property)


def set_class_member(owner: type, name: str, value: Any) -> None:
    """Set an attribute of a class, or delete it for UNDEFINED."""
    before = vars(owner).get(name)
    if type(before) is OptionalAttribute:
        before.original = value
    elif value is not UNDEFINED:
        type.__setattr__(owner, name, value)
    elif name in vars(owner):
        type.__delattr__(owner, name)


def held_by(holder: Any) -> dict[Any, Any]:
    """Return the contents of an object, by key."""
    if isinstance(holder, ChosenStorage):
        return {}
    if isinstance(holder, ArrayStorage):
        return {CONTENT: holder.content}
    if isinstance(holder, TracedList):
        return {CONTENTS: contents_of(holder)}
    if isinstance(holder, TracedMap):
        return {CONTENTS: map_contents(holder)}
    if isinstance(holder, dict):
        return in_order(holder)
    if isinstance(holder, os._Environ):
        return dict(vars(holder)["_data"])  # of which the values stay the same objects
    if isinstance(holder, list):
        return dict(enumerate(list.__iter__(holder)))  # also of one that refuses to be read
    if isinstance(holder, (deque, tuple)):
        return dict(enumerate(holder))
    if isinstance(holder, AssignedAttributes):
        return holder.held()
    if isinstance(holder, GlobalNames):
        return {n: holder.namespace[n] for n in holder.names if n in holder.namespace}
    if isinstance(holder, set):
        return dict.fromkeys(set.__iter__(own_set(holder)), True)
    if isinstance(holder, types.CellType):
        try:
            return {"cell_contents": holder.cell_contents}
        except ValueError:
            return {}
    if isinstance(holder, EMPTY):
        return {}
    if isinstance(holder, ITERATORS):
        return {progress(holder): None}
    if isinstance(holder, type):
        return _data_of(holder)
    memory = memory_of(holder)
    if memory is not None:
        return {CONTENT: SavedMemory(holder, memory)}
    return members(holder)


def in_order(holder: dict[Any, Any]) -> dict[Any, Any]:
    """Return the items of a dict in its order, without asking methods of a subclass."""
    if not isinstance(holder, OrderedDict):
        return dict(dict.items(holder))
    return {key: dict.__getitem__(holder, key) for key in OrderedDict.__iter__(holder)}


def is_reordered(holder: Any, now: dict[Any, Any], before: dict[Any, Any]) -> bool:
    """Whether keys of a dict that were there stand in another order, or a new one before them."""
    if not isinstance(holder, dict) or isinstance(holder, TracedMap):
        return False
    stay = [key for key in before if key in now]
    return [*now][: len(stay)] != stay


def moves_keys(holder: Any, now: dict[Any, Any], before: dict[Any, Any]) -> bool:
    """Whether a dict has lost keys, or has them in another order: no slot of its carries that."""
    if not isinstance(holder, dict) or isinstance(holder, TracedMap):
        return False
    return not before.keys() <= now.keys() or is_reordered(holder, now, before)


def put_in_order(holder: Any, before: dict[Any, Any]) -> None:
    """Let the keys of a dict that were there before stand in the order that they had."""
    if isinstance(holder, dict) and not isinstance(holder, TracedMap):
        contents = in_order(holder)
        if [*contents] != [*before]:
            first = {key: contents[key] for key in before if key in contents}
            replace_contents(holder, {**first, **contents})


def spelling(holder: Any, label: str, key: Any) -> str:
    """Return the expression by which the user would write a slot."""
    if isinstance(holder, (types.CellType, TracedList, TracedMap, ArrayStorage)):
        return label
    if isinstance(holder, GlobalNames):
        return str(key)
    if isinstance(holder, (list, dict, tuple, deque, set)):
        return f"{label}[{key!r}]"
    return f"{label}.{key}"


def home_of(holder: Any) -> Any:
    """Return the object whose slots a holder shows."""
    if isinstance(holder, AssignedAttributes):
        owner = holder.owner
        return vars(owner) if isinstance(owner, types.ModuleType) else owner
    return holder.namespace if isinstance(holder, GlobalNames) else holder


def set_slot(holder: Any, key: Any, value: Any) -> None:
    """Set one slot of an object to a value; UNDEFINED deletes it."""
    if isinstance(holder, types.CellType):
        if value is UNDEFINED:
            del holder.cell_contents
        else:
            holder.cell_contents = value
    elif isinstance(holder, GlobalNames):
        set_slot(holder.namespace, key, value)
    elif isinstance(holder, AssignedAttributes):
        holder.set(key, value)
    elif isinstance(holder, TracedList):
        hold(holder, value)
    elif isinstance(holder, TracedMap):
        hold_map(holder, value)
    elif isinstance(holder, (list, deque)):
        holder[key] = value
    elif isinstance(holder, dict):
        _set_key(OrderedDict if isinstance(holder, OrderedDict) else dict, holder, key, value)
    elif isinstance(holder, type):
        set_class_member(holder, key, value)
    elif type(value) is SavedMemory:
        value.restore(holder)
    else:
        set_member(holder, key, value)


def replace_contents(holder: Any, contents: dict[Any, Any]) -> None:
    """Replace the contents of an object."""
    if isinstance(holder, ArrayStorage):
        holder.content = contents[CONTENT]
    elif isinstance(holder, TracedList):
        hold(holder, contents[CONTENTS])
    elif isinstance(holder, TracedMap):
        hold_map(holder, contents[CONTENTS])
    elif isinstance(holder, (list, deque)):
        _refill(holder, contents.values())
    elif isinstance(holder, set):
        holder.clear()
        holder.update(contents)
    elif isinstance(holder, os._Environ):
        holder.clear()
        holder.update({holder.decodekey(k): holder.decodevalue(v) for k, v in contents.items()})
    elif isinstance(holder, dict):
        base: Any = OrderedDict if isinstance(holder, OrderedDict) else dict
        base.clear(holder)
        for key, item in contents.items():
            base.__setitem__(holder, key, item)
    elif isinstance(holder, GlobalNames | AssignedAttributes):
        for name in holder.names:
            set_slot(holder, name, contents.get(name, UNDEFINED))
    elif isinstance(holder, types.CellType):
        set_slot(holder, "cell_contents", contents.get("cell_contents", UNDEFINED))
    elif isinstance(holder, ITERATORS):
        pass  # it cannot go back
    elif isinstance(holder, type):
        for name in {**_data_of(holder), **contents}:
            set_class_member(holder, name, contents.get(name, UNDEFINED))
    elif memory_of(holder) is not None:
        contents[CONTENT].restore(holder)
    else:
        replace_members(holder, contents)


def _set_key(base: Any, holder: Any, key: Any, value: Any) -> None:
    if value is not UNDEFINED:
        base.__setitem__(holder, key, value)
    elif dict.__contains__(holder, key):
        base.__delitem__(holder, key)


def _refill(holder: list[Any] | deque[Any], items: Iterable[Any]) -> None:
    holder.clear()
    holder.extend(items)


def parts_of(value: Any) -> Iterable[Any]:
    """Return the parts of a value, as far as they may be staged."""
    if isinstance(value, TracedList):
        contents = contents_of(value)
        return contents.items
    if isinstance(value, TracedMap):
        held = map_contents(value)
        return [*held.keys.items, *held.values.items]
    if isinstance(value, dict):
        return [*dict.keys(value), *dict.values(value)]
    if isinstance(value, list | tuple | deque | set | frozenset):
        return list(value)
    if isinstance(value, types.FunctionType):
        cells = [held_by(cell).values() for cell in value.__closure__ or ()]
        return [*itertools.chain(*cells), *(value.__defaults__ or ())]
    if isinstance(value, types.MethodType):
        return [value.__self__, value.__func__]
    if isinstance(value, type | types.ModuleType) or not is_users(type(value)):
        return []
    return members(value).values() if has_members(value) else []
