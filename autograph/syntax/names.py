"""Fresh names for generated code: names that occur nowhere in the user's function.

Used by the converters; needs the tree only.
"""

from __future__ import annotations

import gast


class FreshNames:
    """Hands out names that occur nowhere in a function."""

    def __init__(self, function: gast.AST) -> None:
        self._taken = names_in(function)

    def reserve(self, name: str) -> None:
        """Never hand out ``name``."""
        self._taken.add(name)

    def fresh(self, base: str) -> str:
        """``base``, or ``base_1``, ``base_2`` ... when it is taken; taken from now on."""
        return self.fresh_together(base)[0]

    def fresh_together(self, *bases: str) -> list[str]:
        """Names that belong together: all with the same number, or all without."""
        names, count = list(bases), 0
        while not self._taken.isdisjoint(names):
            count += 1
            names = [f"{base}_{count}" for base in bases]
        self._taken.update(names)
        return names


def names_in(tree: gast.AST) -> set[str]:
    """Every identifier that occurs in a tree, whatever its role."""
    found: set[str] = set()
    stack: list[object] = [tree]
    while stack:
        node = stack.pop()
        if isinstance(node, list):
            stack.extend(node)
        elif isinstance(node, str):
            found.add(node)
        elif isinstance(node, gast.AST) and not isinstance(node, gast.Constant):
            stack.extend(getattr(node, field, None) for field in node._fields)
    return found
