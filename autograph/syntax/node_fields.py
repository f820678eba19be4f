"""Fields of syntax trees that hold nodes with parts, by class; for walks of whole functions.

Used by the converters and by the unstaged version.  Contexts and operators have no parts, and are
nearly half of the nodes that ``ast.iter_child_nodes`` gives.  Both kinds of trees are known here:
Python's own and gast's.
"""

from __future__ import annotations

import ast
from collections.abc import Collection
from typing import Any

_WITHOUT_PARTS = frozenset((
    "ctx", "op", "ops", "kind", "type_comment", "id", "attr", "arg", "level", "module",
    "conversion", "simple", "is_async",
))  # fmt: skip
"""Fields of operators, contexts, texts and numbers."""


class NodeFields(dict[type, tuple[str, ...]]):
    """By class of a node: its fields that may hold nodes, without those to be left out."""

    def __init__(self, without: Collection[str] = ()) -> None:
        self._without = _WITHOUT_PARTS.union(without)

    def __missing__(self, kind: Any) -> tuple[str, ...]:
        leaf = kind.__name__ == "Constant"
        found = () if leaf else tuple([f for f in kind._fields if f not in self._without])
        self[kind] = found
        return found


FIELDS = NodeFields()


def child_nodes(node: Any) -> list[Any]:
    """Return the nodes in the fields of a node, without contexts and operators."""
    found: list[Any] = []
    for field in FIELDS[node.__class__]:
        value = getattr(node, field, None)
        if value.__class__ is list:
            found += [part for part in value if isinstance(part, ast.AST)]
        elif isinstance(value, ast.AST):
            found.append(value)
    return found


def kinds_in(tree: Any) -> frozenset[type]:
    """Return the classes of the nodes in a tree, without contexts and operators."""
    found: set[type] = set()
    waiting = [tree]
    while waiting:
        node = waiting.pop()
        found.add(node.__class__)
        waiting += child_nodes(node)
    return frozenset(found)


def fill_locations(tree: ast.AST) -> None:
    """Give nodes without a location that of the node around, as ``ast.fix_missing_locations``."""
    waiting: list[tuple[ast.AST, tuple[int, int, int, int]]] = [(tree, (1, 0, 1, 0))]
    while waiting:
        node, (line, column, end_line, end_column) = waiting.pop()
        if "lineno" in node._attributes:
            place: Any = node
            known = node.__dict__
            line = place.lineno = known.get("lineno", line)
            column = place.col_offset = known.get("col_offset", column)
            if known.get("end_lineno") is None:
                place.end_lineno = end_line
            if known.get("end_col_offset") is None:
                place.end_col_offset = end_column
            end_line, end_column = place.end_lineno, place.end_col_offset
        around = line, column, end_line, end_column
        waiting += [(child, around) for child in child_nodes(node)]
