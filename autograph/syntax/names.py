"""Fresh names for generated code: names that occur nowhere in the user's function.

Used by the converters; needs the tree only.
"""

from __future__ import annotations

from collections.abc import Set
from typing import Any

import gast


class FreshNames:
    """Source of fresh names that occur nowhere in a function."""

    def __init__(self, function: gast.AST) -> None:
        self._taken = names_in(function)
        self.added: set[str] = set()
        """The fresh names that were given out."""
        self._counts: dict[tuple[str, ...], int] = {}

    def reserve(self, name: str) -> None:
        """Exclude ``name`` from the fresh names."""
        self._taken.add(name)

    def has_any(self, names: Set[str]) -> bool:
        """Whether any of ``names`` is taken."""
        return not self._taken.isdisjoint(names)

    def fresh(self, base: str) -> str:
        """Return ``base``, or ``base_1``, ``base_2`` ... when it is taken; the name is taken then.
        """
        return self.fresh_together(base)[0]

    def fresh_together(self, *bases: str) -> list[str]:
        """Return names that belong together: all with the same number, or all without."""
        count = self._counts.get(bases, 0)  # smaller numbers were taken before
        names = [f"{base}_{count}" for base in bases] if count else list(bases)
        while not self._taken.isdisjoint(names):
            count += 1
            names = [f"{base}_{count}" for base in bases]
        self._counts[bases] = count
        self._taken.update(names)
        self.added.update(names)
        return names


def names_in(tree: gast.AST) -> set[str]:
    """Return every identifier that occurs in a tree, whatever its role."""
    names: set[str] = set()
    stack: list[gast.AST] = [tree]
    while stack:
        node = stack.pop()
        attributes = node.__dict__
        for field in _FIELDS[node.__class__]:
            value = attributes.get(field)
            kind = value.__class__
            if kind is str:
                names.add(value)
            elif kind is list:
                for item in value:
                    if item.__class__ is str:
                        names.add(item)
                    elif isinstance(item, gast.AST):
                        stack.append(item)
            elif value is not None and isinstance(value, gast.AST):
                stack.append(value)
    return names


class _NamedFields(dict[type, tuple[str, ...]]):
    """By class of a node: its fields that may hold identifiers, or nodes that do."""

    def __missing__(self, kind: Any) -> tuple[str, ...]:
        leaf = kind.__name__ == "Constant"
        fields = () if leaf else tuple([f for f in kind._fields if f not in _NAMELESS])
        self[kind] = fields
        return fields


_FIELDS = _NamedFields()
_NAMELESS = frozenset(("ctx", "op", "ops"))
