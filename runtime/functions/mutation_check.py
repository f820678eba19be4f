"""What a traced function did to the lists, dicts and objects among its arguments: nothing, or else.

concrete.py asks after each trace.  The function was given copies, and its trace runs without
Python: the caller, who sees such changes in plain Python, would not see them.
"""
from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from runtime.composite.tensor_array import TensorArray
from runtime.types import nest
from runtime.types.composite import Composite

Named = Iterable[tuple[str, Any, Any]]


def check_unchanged(function: str, given: Named, left: Named) -> None:
    """ValueError for the first collection in ``left`` that does not hold what ``given`` holds.

    Both are the named arguments of a trace: as they were before it, and as it left them.
    """
    for (name, _, before), (_, _, after) in zip(given, left, strict=False):
        changed = _changed(name, before, after)
        if changed is None:
            continue
        place, value = changed
        raise ValueError(
            f"{function}() should not modify its Python input arguments, but it changes {place!r}: "
            f"a call works on a copy, so the caller would not see the change. Let {function}() "
            f"change {_copy(place, value)} instead, and return that."
        )


def _changed(name: str, before: Any, after: Any) -> tuple[str, Any] | None:
    """The first collection that was changed, with how to write it."""
    if before is after or not nest.is_nested(before) or isinstance(before, TensorArray):
        return None
    was, now = nest.entries(before), nest.entries(after)
    if [key for key, _ in was] != [key for key, _ in now] or _others(before) != _others(after):
        return name, before
    for (_, item), (_, other) in zip(was, now, strict=True):
        # collections are copied one by one, so that only what is in them can be compared
        copied = type(item) is type(other) and (nest.is_nested(item) or isinstance(item, Composite))
        if item is not other and not copied:
            return name, before
    by_key = isinstance(before, Mapping | list) or type(before) is tuple
    for (key, item), (_, other) in zip(was, now, strict=True):
        found = _changed(f"{name}[{key!r}]" if by_key else f"{name}.{key}", item, other)
        if found is not None:
            return found
    return None


def _others(value: Any) -> dict[str, int]:
    """What is no part of the nest, by identity."""
    return {name: id(item) for name, item in nest.other_attributes(value).items()}


def _copy(place: str, value: Any) -> str:
    """How to make a copy of a collection."""
    if type(value) in (list, dict):
        return f"`{type(value).__name__}({place})`"
    return f"`copy.copy({place})`"
