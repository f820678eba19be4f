"""Fresh names for generated code: names that occur nowhere in the user's function.

Used by the converters; needs the tree only.
"""

from __future__ import annotations

from typing import Any

import gast


class FreshNames:
    """Source of fresh names that occur nowhere in a function."""

    def __init__(self, function: gast.AST) -> None:
        self._taken = names_in(function)

    def reserve(self, name: str) -> None:
        """Exclude ``name`` from the fresh names."""
        self._taken.add(name)

    def fresh(self, base: str) -> str:
        """Return ``base``, or ``base_1``, ``base_2`` ... when it is taken; the name is taken then.
        """
        return self.fresh_together(base)[0]

    def fresh_together(self, *bases: str) -> list[str]:
        """Return names that belong together: all with the same number, or all without."""
        names, count = list(bases), 0
        while not self._taken.isdisjoint(names):
            count += 1
            names = [f"{base}_{count}" for base in bases]
        self._taken.update(names)
        return names


def names_in(tree: gast.AST) -> set[str]:
    """Return every identifier that occurs in a tree, whatever its role."""
    found: set[str] = set()
    stack: list[gast.AST] = [tree]
    while stack:
        node = stack.pop()
        for field in () if isinstance(node, gast.Constant) else node._fields:
            value: Any = getattr(node, field, None)
            kind = value.__class__
            if kind is str:
                found.add(value)
            elif kind is list:
                found.update(part for part in value if part.__class__ is str)
                stack += [part for part in value if isinstance(part, gast.AST)]
            elif value is not None and field not in _NAMELESS and isinstance(value, gast.AST):
                stack.append(value)
    return found


_NAMELESS = frozenset(("ctx", "op"))
