"""Spreads: ``*value`` in displays, of a value that Python cannot count."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from autograph.operators.containers import list_ops
from autograph.operators.containers.sequences import known_items
from autograph.operators.control.streams import StagedStream
from autograph.operators.iteration.iterables import gather, is_unlisted
from autograph.operators.iteration.loops import open_iterable
from autograph.staging.registry import iterating_backend
from autograph.staging.staged_list import StagedList
from autograph.staging.staged_tuple import as_tuple


class Spread:
    """Stand-in of ``*value`` in a display, for the items of a value that Python cannot count."""

    def __init__(self, value: Any) -> None:
        self.value = value


def spread(value: Any) -> Any:
    """Return what to unpack in a display instead of ``*value``."""
    value = open_iterable(value)
    staged = isinstance(value, StagedList) or is_unlisted(value)
    return (Spread(value),) if staged or _is_unsized(value) else value


def _is_unsized(value: Any) -> bool:
    backend = iterating_backend(value)
    return backend is not None and known_items(value, backend) is None


def tuple_of(items: tuple[Any, ...]) -> Any:
    """Return the tuple of a display with ``*`` in it."""
    return as_tuple(list_of(items)) if any(type(item) is Spread for item in items) else items


def list_of(items: Iterable[Any]) -> Any:
    """Return the list of a display with ``*`` in it."""
    display: Any = list_ops.list_([])
    for item in items:
        if type(item) is Spread:
            value = item.value
            display.extend(value if isinstance(value, StagedList) else gather(value))
        else:
            display.append(item)
    return display


def is_unsized(iterable: Any) -> bool:
    """Whether the number of items is known only at run time."""
    return isinstance(iterable, StagedList | StagedStream) or _is_unsized(iterable)


