"""Layouts of the items of lists of Python's numbers and texts, which tell lists of one type.

For number_arguments.py, which stages such lists, and for carried_containers.py.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

from runtime.graph.python_values import PYTHON_KINDS
from runtime.staging.values.lists import Layout


def hashable(layout: Layout) -> Hashable:
    """A layout as a part of a key."""
    if isinstance(layout, list):
        return list, *map(hashable, layout)
    return tuple(map(hashable, layout)) if isinstance(layout, tuple) else layout


def text_of(layout: Layout) -> str:
    """Format a layout as a type."""
    if isinstance(layout, str):
        return layout
    name, inner = ("list", layout) if isinstance(layout, list) else ("tuple", layout[1:])
    return f"{name}[{', '.join(map(text_of, inner))}]"


def layout_of(value: Any) -> Layout | None:
    """Return the layout of a number, text, tuple or list; None for other values."""
    kind = type(value)
    if kind in PYTHON_KINDS:
        return PYTHON_KINDS[kind]
    if kind is tuple:
        parts = [layout_of(part) for part in value]
        return None if None in parts else (tuple, *parts)
    if kind is not list:
        return None
    kinds = set(map(type, value))
    if len(kinds) == 1 and not kinds.isdisjoint(PYTHON_KINDS):
        return [PYTHON_KINDS[kinds.pop()]]
    found: Layout = []  # of an empty list, whose items could be anything
    for item in value:
        layout = layout_of(item)
        joined = None if layout is None else _joined(found, [layout])
        if joined is None:
            return None
        found = joined
    return found


def _joined(one: Layout, other: Layout) -> Layout | None:
    """Join the layouts of two items; an empty list fits any list."""
    if isinstance(one, str) or isinstance(other, str):
        return one if one == other else None
    if type(one) is not type(other):
        return None
    if not one or not other:
        return one or other
    if len(one) != len(other):
        return None
    parts = [
        mine if mine is tuple and its is tuple else _joined(mine, its)
        for mine, its in zip(one, other, strict=True)
    ]
    return None if None in parts else type(one)(parts)


def is_open(layout: Layout) -> bool:
    """Return whether the layout of the items of some empty list is unknown."""
    if isinstance(layout, str):
        return False
    return not layout or any(is_open(part) for part in layout if part is not tuple)
