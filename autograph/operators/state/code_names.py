"""Names of globals and attributes that code objects use and assign, cached by code object.

``heap`` and ``outliving`` ask what functions reach.  Bodies are nested in bodies, and each level is
looked at, so the names of all levels are found once.
"""

from __future__ import annotations

import dis
import types
import weakref

from autograph.named_tuples import NamedTuple
from autograph.syntax.instructions import instructions
from autograph.syntax.recursion_limit import deep


class _Names(NamedTuple):
    """Names in a code object and in those inside it."""

    used: dict[str, None]
    assigned: tuple[str, ...]
    attributes: frozenset[str]


def names_in(code: types.CodeType) -> dict[str, None]:
    """The names of globals and attributes in a code object, and in functions inside it."""
    return _names(code).used


def assigned_globals(code: types.CodeType) -> tuple[str, ...]:
    """Return the globals that a code object, or one inside it, assigns or deletes."""
    return _names(code).assigned


def assigned_attributes(code: types.CodeType) -> frozenset[str]:
    """Return the attributes that a code object, or one inside it, assigns or deletes."""
    return _names(code).attributes


_known_names: dict[int, tuple[weakref.ref[types.CodeType], _Names]] = {}
"""Names by the id of the code: bodies nested in bodies are looked at again and again."""


def _names(code: types.CodeType) -> _Names:
    """Return the names in a code object; cached as long as it lives."""
    key, cache = id(code), _known_names
    entry = cache.get(key)
    if entry is None:
        gone = weakref.ref(code, lambda _: cache.pop(key, None))
        entry = cache[key] = gone, deep(lambda: _find_names(code))
    return entry[1]


def _find_names(code: types.CodeType) -> _Names:
    used = dict.fromkeys(code.co_names)
    assigned: set[str] = set()
    attributes: set[str] = set()
    operations = code.co_code[::2]
    if any(number in operations for number in (*_GLOBAL_STORES, *_ATTRIBUTE_STORES)):
        for instruction in instructions(code):
            if instruction.opcode in _GLOBAL_STORES:
                assigned.add(instruction.argval)
            elif instruction.opcode in _ATTRIBUTE_STORES:
                attributes.add(instruction.argval)
    if not _BY_TEXT.isdisjoint(used):
        attributes.update(const for const in code.co_consts if isinstance(const, str))
    for const in code.co_consts:
        if isinstance(const, types.CodeType):
            inner = _names(const)
            used |= inner.used
            assigned.update(inner.assigned)
            attributes |= inner.attributes
    return _Names(used, tuple(sorted(assigned)), frozenset(attributes))


_GLOBAL_STORES = (dis.opmap["STORE_GLOBAL"], dis.opmap["DELETE_GLOBAL"])
_ATTRIBUTE_STORES = (dis.opmap["STORE_ATTR"], dis.opmap["DELETE_ATTR"])
_BY_TEXT = frozenset(("setattr", "delattr"))
"""Functions that assign attributes whose names are texts."""
