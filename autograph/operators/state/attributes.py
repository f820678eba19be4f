"""Attributes of plain objects, in their dict or in slots of their class: read and written.

Used by ``heap``.  No code of the user's runs: neither properties nor ``__getattr__``.
"""

from __future__ import annotations

import _thread
import types
from typing import Any

from autograph.operators.state.closure_cells import UNDEFINED
from autograph.operators.state.optional_attributes import make_optional, original_of
from autograph.operators.state.sentinels import MaybeValue


def attributes(value: Any) -> Any:
    """Return the dict of an object's attributes, or None."""
    kind = _thread._local if isinstance(value, _thread._local) else object
    try:
        return kind.__getattribute__(value, "__dict__")
    except AttributeError:
        return None


def has_members(value: Any) -> bool:
    """Whether an object has attributes that can change."""
    return isinstance(attributes(value), dict) or bool(_slots(type(value)))


def members(holder: Any) -> dict[str, Any]:
    """Return the attributes that an object has now."""
    values = dict(attributes(holder) or {})
    for name, slot in _slots(type(holder)).items():
        try:
            values[name] = slot.__get__(holder)
        except AttributeError:  # an empty slot
            continue
    return values


def set_member(holder: Any, name: str, value: Any) -> None:
    """Set an attribute, or delete it for UNDEFINED."""
    if type(value) is MaybeValue:
        make_optional(type(holder), name)
    slot = _slots(type(holder)).get(name)
    if slot is None:
        namespace = attributes(holder)
        namespace.pop(name, None) if value is UNDEFINED else namespace.__setitem__(name, value)
    elif value is not UNDEFINED:
        slot.__set__(holder, value)
    elif name in members(holder):
        slot.__delete__(holder)


def replace_members(holder: Any, contents: dict[str, Any]) -> None:
    """Give an object these attributes, and no others."""
    for name in {**members(holder), **contents}:
        set_member(holder, name, contents.get(name, UNDEFINED))


def _slots(kind: type) -> dict[str, types.MemberDescriptorType]:
    """Return the slots of a class and its bases, by name."""
    slots: dict[str, types.MemberDescriptorType] = {}
    for base in kind.__mro__:
        if "__slots__" in base.__dict__:
            for name, value in base.__dict__.items():
                slot = original_of(value)
                if isinstance(slot, types.MemberDescriptorType):
                    slots.setdefault(name, slot)
    return slots
