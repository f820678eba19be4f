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
_LEAVES = ("Constant", "Global", "Nonlocal")
_NAMED_BY_NODE = ("ExceptHandler", "TypeAlias")
"""Nodes with a ``name`` that is a node, in gast; elsewhere it is a text."""


class NodeFields(dict[type, tuple[str, ...]]):
    """By class of a node: its fields that may hold nodes, without those to be left out."""

    def __init__(self, without: Collection[str] = ()) -> None:
        self._without = _WITHOUT_PARTS.union(without)

    def __missing__(self, kind: Any) -> tuple[str, ...]:
        name, without = kind.__name__, self._without
        if name not in _NAMED_BY_NODE:
            without = without | {"name"}
        leaf = name in _LEAVES
        fields = () if leaf else tuple([f for f in kind._fields if f not in without])
        self[kind] = fields
        return fields


FIELDS = NodeFields()


def child_nodes(node: Any) -> list[Any]:
    """Return the nodes in the fields of a node, without contexts and operators."""
    children: list[Any] = []
    attributes = node.__dict__
    for field in FIELDS[node.__class__]:
        value = attributes.get(field)
        if value.__class__ is list:
            for item in value:
                if isinstance(item, ast.AST):
                    children.append(item)
        elif value is not None and isinstance(value, ast.AST):
            children.append(value)
    return children


def kinds_in(tree: Any) -> frozenset[type]:
    """Return the classes of the nodes below the root of a tree, without contexts and operators."""
    kinds: set[type] = set()
    waiting = child_nodes(tree)
    while waiting:
        node = waiting.pop()
        kinds.add(node.__class__)
        waiting += child_nodes(node)
    return frozenset(kinds)


def fill_locations(tree: ast.AST) -> None:
    """Give nodes without a location that of the node around, as ``ast.fix_missing_locations``."""
    top: dict[str, Any] = {"lineno": 1, "col_offset": 0, "end_lineno": 1, "end_col_offset": 0}
    waiting: list[tuple[Any, dict[str, Any]]] = [(tree, top)]
    while waiting:
        node, around = waiting.pop()
        attributes = node.__dict__
        kind = node.__class__
        if kind._attributes:
            if None in (attributes.get("end_lineno"), attributes.get("end_col_offset")) or not (
                "lineno" in attributes and "col_offset" in attributes
            ):
                _fill(attributes, around)
            around = attributes
        for field in FIELDS[kind]:
            value = attributes.get(field)
            if value.__class__ is list:
                for item in value:
                    if isinstance(item, ast.AST):
                        waiting.append((item, around))
            elif value is not None and isinstance(value, ast.AST):
                waiting.append((value, around))


def _fill(attributes: dict[str, Any], around: dict[str, Any]) -> None:
    for name in ("lineno", "col_offset"):
        attributes.setdefault(name, around[name])
    for name in ("end_lineno", "end_col_offset"):
        if attributes.get(name) is None:
            attributes[name] = around[name]
