"""Layouts of the items of lists of Python's numbers and texts, which tell lists of one type.

For number_arguments.py, which stages such lists, and for carried_containers.py.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator
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
        layouts = [layout_of(entry) for entry in value]
        return None if None in layouts else (tuple, *layouts)
    if kind is not list:
        return None
    kinds = set(map(type, value))
    if len(kinds) == 1 and not kinds.isdisjoint(PYTHON_KINDS):
        return [PYTHON_KINDS[kinds.pop()]]
    item_layout: Layout = []  # of an empty list, whose items could be anything
    for item in value:
        layout = layout_of(item)
        joint = None if layout is None else _join(item_layout, [layout])
        if joint is None:
            return None
        item_layout = joint
    return item_layout


def _join(layout: Layout, other_layout: Layout) -> Layout | None:
    """Join the layouts of two items; an empty list fits any list."""
    if isinstance(layout, str) or isinstance(other_layout, str):
        return layout if layout == other_layout else None
    if type(layout) is not type(other_layout):
        return None
    if not layout or not other_layout:
        return layout or other_layout
    if len(layout) != len(other_layout):
        return None
    layouts = [
        inner if inner is tuple and other_inner is tuple else _join(inner, other_inner)
        for inner, other_inner in zip(layout, other_layout, strict=True)
    ]
    return None if None in layouts else type(layout)(layouts)


def is_open(layout: Layout) -> bool:
    """Return whether the layout of the items of some empty list is unknown."""
    if isinstance(layout, str):
        return False
    return not layout or any(is_open(inner) for inner in layout if inner is not tuple)


def depth_of(layout: Layout) -> int:
    """Return how deep lists are nested."""
    return 1 + depth_of(layout[0]) if isinstance(layout, list) else 0


def are_distinct(containers: Iterable[tuple[Any, int]]) -> bool:
    """Return whether no list is twice in collections; with each goes how deep its lists nest."""
    ids = [id for container in containers for id in _ids_of_lists(*container)]
    return len(set(ids)) == len(ids)


def _ids_of_lists(value: Any, depth: int) -> Iterator[int]:
    yield id(value)
    if depth == 2:
        yield from map(id, value)
    elif depth > 2:
        for item in value:
            if type(item) is list:
                yield from _ids_of_lists(item, depth - 1)
