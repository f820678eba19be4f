"""Plain collections in place of those that stand for them while a backend records.

    self.items = set()       # while tracing a TracedSet, afterwards a set

``outliving`` calls this for what a trace leaves in objects, backends for what each call writes.
"""

from __future__ import annotations

import collections
from collections.abc import Iterable
from typing import Any

from autograph.library.collections import deque
from autograph.operators.state.heap import Remembered
from autograph.operators.state.holders import set_slot
from autograph.staging.staged_collection import StagedCollection
from autograph.staging.staged_list import TracedList
from autograph.staging.staged_map import TracedCounter, TracedDefaultDict, TracedMap, TracedSet

Made = dict[int, tuple[Any, Any]]
"""What each value became, by identity; it keeps the values alive."""


def plain(value: Any, copies: Made) -> Any:
    """Return a value in which all stand-ins are plain collections; lists and dicts keep identity.

    What is staged stays as it is.
    """
    finished = copies.get(id(value))
    if finished is not None:
        return finished[1]
    if isinstance(value, StagedCollection):
        return value
    if isinstance(value, TracedSet):
        return _note(value, set(value), copies)
    if isinstance(value, TracedMap):
        copy = _note(value, _empty_map(value), copies)
        holder: Any = value  # a map that is no set is a dict
        for key, item in dict.items(holder):
            copy[key] = plain(item, copies)
        return copy
    if isinstance(value, deque):
        if isinstance(value.items, StagedCollection):
            return value
        items = _note(value, collections.deque(maxlen=value.maxlen), copies)
        items.extend([plain(item, copies) for item in value.items])
        return items
    if isinstance(value, TracedList):
        rest = _note(value, [], copies)
        rest.extend([plain(item, copies) for item in list.__iter__(value)])
        return rest
    return _with_plain_items(value, copies)


def put_plain_values(changed: Iterable[tuple[Remembered, dict[Any, Any]]]) -> None:
    """Put plain collections into the objects that changed, in place of those that stood for them.
    """
    copies: Made = {}
    for remembered, now in changed:
        holder = remembered.holder
        if isinstance(holder, set | tuple | TracedList | TracedMap):
            continue
        for key, value in remembered.differences(now):
            copy = plain(value, copies)
            if copy is not value:
                set_slot(holder, key, copy)


def has_maps(value: Any, depth: int = 0) -> bool:
    """Whether a nest holds a dict or set that stands for a plain one."""
    if isinstance(value, TracedMap):
        return True
    if (
        depth > _DEEPEST
        or isinstance(value, StagedCollection)
        or not isinstance(value, list | tuple | dict)
    ):
        return False
    items = dict.values(value) if isinstance(value, dict) else value
    return any(has_maps(item, depth + 1) for item in items)


_DEEPEST = 20


def _with_plain_items(value: Any, copies: Made) -> Any:
    """Return a plain collection after its items became plain."""
    kind = type(value)
    if kind is tuple:
        items = [plain(item, copies) for item in value]
        same = all(one is original for one, original in zip(items, value, strict=True))
        return value if same else tuple(items)
    if kind is list or kind is dict:
        _note(value, value, copies)
        for key, item in enumerate(value) if kind is list else list(value.items()):
            copy = plain(item, copies)
            if copy is not item:
                value[key] = copy
    return value


def _note(value: Any, copy: Any, copies: Made) -> Any:
    copies[id(value)] = value, copy
    return copy


def _empty_map(value: Any) -> Any:
    if isinstance(value, TracedDefaultDict):
        return collections.defaultdict(value.default_factory)
    return collections.Counter() if isinstance(value, TracedCounter) else {}
