"""Layers and variables that a layer holds: in attributes, and in lists, tuples and dicts there.

They are looked for when they are asked for, in the order in which the attributes were set first.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from runtime.keras.random import SeedGenerator
from runtime.state.module import Module
from runtime.state.variable import Variable


class Opaque:
    """Base of what a layer keeps for itself: nothing is looked for in it."""

    __slots__ = ()


def held(owner: Any) -> Iterator[Any]:
    """Yield the variables, modules and generators that an object holds, but none inside of these.
    """
    seen: set[int] = set()
    for value in vars(owner).values():
        yield from _in(value, seen)


def _in(value: Any, seen: set[int]) -> Iterator[Any]:
    if isinstance(value, Variable | Module | SeedGenerator):
        if id(value) not in seen:
            seen.add(id(value))
            yield value
        return
    if isinstance(value, list | tuple):
        items: Any = value
    elif isinstance(value, dict):
        items = value.values()
    else:
        return
    if id(value) in seen:  # a list that contains itself
        return
    seen.add(id(value))
    for item in items:
        yield from _in(item, seen)


def is_metric(value: Any) -> bool:
    """Return whether an object is a metric: its variables are no weights."""
    return hasattr(type(value), "update_state") and hasattr(type(value), "result")
