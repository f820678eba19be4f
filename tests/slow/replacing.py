"""Replaces all functions of modules by their conversions, in place: what real code then judges."""

from __future__ import annotations

import importlib
import types
from collections.abc import Iterable
from typing import Any

import autograph
from tests.slow.convert_stdlib import functions


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
        if type(value) is types.FunctionType and id(value.__code__) in self.known:
            try:
                return autograph.to_graph(value)
            except autograph.NoSourceError:
                return value
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
                    type.__setattr__(owner, key, new)


def replace(names: Iterable[str]) -> int:
    """Replace the functions of modules; gives how many were converted."""
    memo: dict[int, tuple[Any, Any]] = {}
    for name in names:
        module = importlib.import_module(name)
        _Replacing(module, memo).walk(module)
    changed = (old is not new for old, new in memo.values())
    return sum(changed)
