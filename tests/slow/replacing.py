"""Replaces all functions of modules by their conversions, in place: what real code then judges."""

from __future__ import annotations

import contextlib
import importlib
import inspect
import operator
import types
from collections.abc import Iterable
from typing import Any

import autograph


def functions(module: types.ModuleType) -> list[types.FunctionType]:
    """All functions and methods defined in a module."""
    found: dict[int, types.FunctionType] = {}
    waiting: list[object] = list(vars(module).values())
    seen: set[int] = set()
    while waiting:
        value = waiting.pop()
        if isinstance(value, (staticmethod, classmethod)):
            value = value.__func__
        if isinstance(value, property):
            waiting += [value.fget, value.fset, value.fdel]
        elif isinstance(value, types.FunctionType):
            if value.__module__ == module.__name__:
                found[id(value.__code__)] = value
        elif inspect.isclass(value) and value.__module__ == module.__name__:
            if id(value) not in seen:
                seen.add(id(value))
                waiting += list(vars(value).values())
    return list(found.values())


class _Replacing:
    """The walk over one module."""

    def __init__(self, module: types.ModuleType, memo: dict[int, tuple[Any, Any]]) -> None:
        self.module = module
        self.memo = memo
        self.known = {id(function.__code__) for function in functions(module)}
        self.seen: set[type] = set()

    def conversion(self, value: Any) -> Any:
        """One function that stands in two places stays one function."""
        if id(value) not in self.memo:
            self.memo[id(value)] = value, value  # a table may hold itself
            self.memo[id(value)] = value, self.converted(value)
        return self.memo[id(value)][1]

    def converted(self, value: Any) -> Any:
        """The conversion of a function or of what holds some; else the value."""
        if isinstance(value, (staticmethod, classmethod)):
            inner = self.conversion(value.__func__)
            return value if inner is value.__func__ else type(value)(inner)
        if type(value) is property:
            parts = [p and self.conversion(p) for p in (value.fget, value.fset, value.fdel)]
            same = parts == [value.fget, value.fset, value.fdel]
            return value if same else property(*parts, value.__doc__)
        if type(value) in (list, tuple, dict):
            return self.inside(value)
        if type(value) is types.FunctionType and id(value.__code__) in self.known:
            try:
                return autograph.to_graph(value)
            except autograph.NoSourceError:
                return value
        return value

    def inside(self, value: Any) -> Any:
        """A table of functions: in place, unless it is a tuple."""
        if type(value) is tuple:
            found = tuple(map(self.conversion, value))
            return value if all(map(operator.is_, found, value)) else found
        for key, item in list(value.items() if type(value) is dict else enumerate(value)):
            new = self.conversion(item)
            if new is not item:
                value[key] = new
        return value

    def walk(self, owner: Any) -> None:
        """Replace what a module or class holds."""
        for key, value in list(vars(owner).items()):
            if isinstance(value, type):
                if value.__module__ == self.module.__name__ and value not in self.seen:
                    self.seen.add(value)
                    self.walk(value)
                continue
            new = self.conversion(value)
            if new is not value:
                try:
                    setattr(owner, key, new)
                except (AttributeError, TypeError):
                    with contextlib.suppress(TypeError):  # a property called __name__
                        type.__setattr__(owner, key, new)


def replace(names: Iterable[str]) -> int:
    """Replace the functions of modules; gives how many were converted."""
    memo: dict[int, tuple[Any, Any]] = {}
    for name in names:
        module = importlib.import_module(name)
        _Replacing(module, memo).walk(module)
    changed = (old is not new for old, new in memo.values())
    return sum(changed)
