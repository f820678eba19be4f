"""Optional attributes: those that an object has on some paths only, as the run decides.

    if x > 0:
        self.extra = x       # elsewhere there is none, or that of the class

The slot holds a ``MaybeValue``.  Until the last trace ends, a descriptor in the object's class
stands before it, so that each read, in whatever code, asks whether the attribute is there.
``attributes`` writes such slots; ``operators.optional_attributes`` says what a read of one gives.
"""

from __future__ import annotations

import enum
import sys
import types
from collections.abc import Callable
from typing import Any

from autograph.operators.state.closure_cells import UNDEFINED
from autograph.operators.state.guarded_classes import put_back
from autograph.operators.state.sentinels import MaybeValue
from autograph.syntax.fork_safe_lock import fork_safe_lock
from autograph.syntax.heap_types import is_heap_type
from autograph.tracing import when_traces_end

READ: list[Callable[[Any, OptionalAttribute, MaybeValue], Any]] = []
"""What a read of an optional attribute gives; filled by ``operators.optional_attributes``."""

DELETE: list[Callable[[Any, OptionalAttribute, MaybeValue], None]] = []
"""What precedes the deletion of one; likewise."""

_made: dict[tuple[type, str], OptionalAttribute] = {}
_lock = fork_safe_lock()

# From 3.13 on a class has 1,000 versions; once they are used up, CPython's inline caches no longer
# see its changes.  The descriptors then stay: of objects without such slots they give the same.
_STAYS = sys.version_info >= (3, 13)

_SLOTS_NAME_MODULES = sys.version_info >= (3, 13)
"""Whether Python's error for an empty slot names the module of the class."""


class OptionalAttribute:
    """Descriptor that stands before one attribute of a class's objects.

    original  what the class held by that name
    """

    def __init__(self, name: str, original: Any) -> None:
        self.name = name
        self.original = original

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        if instance is None:
            return self._of_class(owner)
        member = self.held(instance)
        if member is UNDEFINED:
            return self.otherwise(instance)
        return READ[0](instance, self, member) if type(member) is MaybeValue else member

    def __set__(self, instance: Any, value: Any) -> None:
        slot = self._slot()
        if slot is None:
            object.__getattribute__(instance, "__dict__")[self.name] = value
        else:
            slot.__set__(instance, value)

    def __delete__(self, instance: Any) -> None:
        member = self.held(instance)
        if member is UNDEFINED:
            raise self.missing(instance)
        if type(member) is MaybeValue:
            DELETE[0](instance, self, member)
        slot = self._slot()
        if slot is None:
            del object.__getattribute__(instance, "__dict__")[self.name]
        else:
            slot.__delete__(instance)

    def held(self, instance: Any) -> Any:
        """Return what an object's own slot holds; UNDEFINED where it is empty."""
        slot = self._slot()
        if slot is None:
            return object.__getattribute__(instance, "__dict__").get(self.name, UNDEFINED)
        try:
            return slot.__get__(instance)
        except AttributeError:
            return UNDEFINED

    def otherwise(self, instance: Any) -> Any:
        """Return what an object without the attribute has from its class; or AttributeError."""
        member = UNDEFINED if self._slot() is not None else in_class(type(instance), self.name)
        if member is UNDEFINED:
            raise self.missing(instance)
        return _bound(member, instance, type(instance))

    def _slot(self) -> Any:
        return self.original if isinstance(self.original, types.MemberDescriptorType) else None

    def missing(self, instance: Any) -> AttributeError:
        """Return the error for an object without the attribute."""
        kind = type(instance)
        is_slot = self._slot() is not None
        has_module = is_slot and _SLOTS_NAME_MODULES and kind.__module__ != "__main__"
        name = f"{kind.__module__}.{kind.__qualname__}" if has_module else kind.__name__
        text = f"{name!r} object has no attribute {self.name!r}"
        return AttributeError(text, name=self.name, obj=instance)

    def _of_class(self, owner: Any) -> Any:
        in_class_dict = in_class(owner, self.name)
        if in_class_dict is UNDEFINED:
            text = f"type object {owner.__name__!r} has no attribute {self.name!r}"
            raise AttributeError(text, name=self.name, obj=owner)
        return _bound(in_class_dict, None, owner)


def _bound(member: Any, instance: Any, owner: Any) -> Any:
    get = getattr(type(member), "__get__", None)
    return member if get is None else get(member, instance, owner)


def original_of(value: Any) -> Any:
    """Return what a class holds by a name; UNDEFINED where an optional attribute hides nothing."""
    return value.original if type(value) is OptionalAttribute else value


def in_class(owner: type, name: str) -> Any:
    """Return what a class and its bases hold by a name; UNDEFINED if nothing."""
    members = (original_of(vars(base).get(name, UNDEFINED)) for base in owner.__mro__)
    return next((member for member in members if member is not UNDEFINED), UNDEFINED)


def may_be_optional(holder: Any, name: Any) -> bool:
    """Whether an object can have an attribute on some paths only."""
    kind = type(holder)
    if not is_heap_type(kind) or isinstance(kind, enum.EnumMeta) or not isinstance(name, str):
        return False
    if isinstance(holder, (type, dict, list, tuple, set, frozenset, types.CellType)):
        return False
    member = in_class(kind, name)
    return isinstance(member, types.MemberDescriptorType) or not hasattr(type(member), "__set__")


def make_optional(kind: type, name: str) -> None:
    """Put the descriptor into a class until the last trace ends."""
    owner = next((base for base in kind.__mro__ if _is_slot(base, name)), kind)
    with _lock:
        original = vars(owner).get(name, UNDEFINED)
        if type(original) is OptionalAttribute:
            return
        if not _made:
            when_traces_end(_restore_classes)
        attribute = _made[owner, name] = OptionalAttribute(name, original)
        type.__setattr__(owner, name, attribute)


def _is_slot(owner: type, name: str) -> bool:
    return isinstance(original_of(vars(owner).get(name)), types.MemberDescriptorType)


def _restore_classes() -> None:
    with _lock:
        for (owner, name), attribute in _made.items():
            if not _STAYS:
                put_back(owner, name, attribute, attribute.original)
        _made.clear()
