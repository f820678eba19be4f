"""Attributes of objects of libraries and of modules, as far as the user's code assigns them.

    event.count = 1        # of a threading.Event
    sys.path.append(place)

Used by ``heap``.  What libraries keep in their objects is their own, and is not looked at.
"""

from __future__ import annotations

import types
from collections import deque
from collections.abc import Iterator
from typing import Any

from autograph.operators.state.attributes import attributes, set_member
from autograph.operators.state.closure_cells import UNDEFINED
from autograph.operators.state.code_names import assigned_attributes, names_in
from autograph.operators.state.skip_list import is_skipped

_COLLECTIONS = (list, dict, set, deque)
_CONSTANTS = (bool, int, float, complex, str, bytes, type(None), tuple, frozenset)
_WITHOUT = (type, types.BuiltinFunctionType)
"""Classes of objects without attributes that are looked at here."""


class AssignedAttributes:
    """Holder of those attributes of an object that code within reach assigns."""

    def __init__(self, owner: Any) -> None:
        self.owner = owner
        self.names: list[str] = []
        self._last: dict[str, Any] = {}

    def held(self) -> dict[str, Any]:
        """The attributes that it has now."""
        values = {name: self._read(name) for name in self.names}
        return {name: value for name, value in values.items() if value is not UNDEFINED}

    def _read(self, name: str) -> Any:
        """Return an attribute: the same object as before if it is an equal constant."""
        now, before = _read(self.owner, name), self._last.get(name, UNDEFINED)
        kind = type(now)
        if not (kind is type(before) and kind in _CONSTANTS and repr(now) == repr(before)):
            self._last[name] = now
        return self._last[name]

    def set(self, name: str, value: Any) -> None:
        """Set an attribute, or delete it for UNDEFINED."""
        if not self.computes(name):
            set_member(self.owner, name, value)
        elif value is UNDEFINED:
            delattr(self.owner, name)
        else:
            setattr(self.owner, name, value)

    def computes(self, name: str) -> bool:
        """Whether the class computes an attribute: it need not hold what it is given."""
        return _descriptor(self.owner, name) is not None


def _descriptor(owner: Any, name: str) -> Any:
    """Return the property, or the like, by which a class sets an attribute; None without one."""
    member = next((vars(base)[name] for base in type(owner).__mro__ if name in vars(base)), None)
    return member if hasattr(type(member), "__set__") else None


def _read(owner: Any, name: str) -> Any:
    descriptor = _descriptor(owner, name)
    if descriptor is None:
        namespace = attributes(owner)
        return namespace.get(name, UNDEFINED) if isinstance(namespace, dict) else UNDEFINED
    try:
        return descriptor.__get__(owner, type(owner))
    except AttributeError:
        return UNDEFINED


class LibraryObjects:
    """Objects of libraries, and modules, within reach, and the names that code uses of them."""

    def __init__(self) -> None:
        self._owners: dict[int, tuple[AssignedAttributes, str]] = {}
        self._new_modules: list[tuple[types.ModuleType, str]] = []
        self._modules: list[tuple[types.ModuleType, str]] = []
        self._named: set[str] = set()
        self._new_names: set[str] = set()
        self._assigned: set[str] = set()

    def note(self, value: Any, label: str) -> None:
        """Note an object that is not the user's, unless it is a constant."""
        kind = type(value)
        if kind in _CONSTANTS or id(value) in self._owners or isinstance(value, _WITHOUT):
            return
        self._owners[id(value)] = AssignedAttributes(value), label
        if kind is types.ModuleType:
            self._new_modules.append((value, label))

    def note_names(self, code: types.CodeType) -> None:
        """Note which names a function uses, and which attributes it assigns."""
        self._new_names |= names_in(code).keys() - self._named
        self._assigned |= assigned_attributes(code)

    def lead_to(self, waiting: deque[tuple[str, Any]]) -> bool:
        """Append what names refer to in modules, except functions; return whether there is any."""
        for modules, names in (
            (self._modules, self._new_names), (self._new_modules, self._named | self._new_names)
        ):  # fmt: skip
            for module, label in modules:
                namespace = vars(module)
                for name in names & namespace.keys():
                    value = namespace[name]
                    if not (callable(value) or isinstance(value, types.ModuleType)):
                        waiting.append((f"{label or module.__name__}.{name}", value))
        self._modules += self._new_modules
        self._named |= self._new_names
        self._new_modules, self._new_names = [], set()
        return bool(waiting)

    def with_assigned(self) -> Iterator[tuple[AssignedAttributes, str, set[str]]]:
        """Return the objects with attributes that are assigned: what holds them, the name of the
        object, and those attributes that were not known to be assigned.
        """
        for holder, label in self._owners.values():
            new = self._assigned.difference(holder.names)
            if new:
                holder.names += sorted(new)
                yield holder, label, new


def collections_of_libraries(function: types.FunctionType) -> Iterator[tuple[dict[str, Any], str]]:
    """Return the lists, dicts and sets that a function names of libraries' modules: the globals of
    the module, and the name.
    """
    names = names_in(function.__code__).keys()
    for variable in names & function.__globals__.keys():
        module = function.__globals__[variable]
        if isinstance(module, types.ModuleType) and is_skipped(module.__name__):
            variables = vars(module)
            for name in names & variables.keys():
                if isinstance(variables[name], _COLLECTIONS):
                    yield variables, name
