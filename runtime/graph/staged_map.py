"""Staged dicts and sets: their values in a graph, and their conversion back to Python's own.

For optional_nest.py, which takes results apart, and for printing.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Any

from autograph import staging
from autograph.staging import Contents, MapContents, Prefix, StagedMap, kind_of
from runtime.graph.staged_list import MAPS, LeafFunction, python_list
from runtime.ops.resource.lists import ListValue
from runtime.types import nest
from runtime.types.value import Value


def handles(value: StagedMap) -> list[Any]:
    """The lists of a dict's keys and values, or of a set's items."""
    return [prefix.handle for prefix in staging.settled_map(value)]


def with_handles(template: StagedMap, values: Sequence[Any]) -> Any:
    """Return a map like the template with other lists."""
    made: Any = staging.MAP_KINDS[kind_of(template)]()
    if isinstance(template, defaultdict):
        made.default_factory = template.default_factory
    parts = [
        Contents(Prefix(handle, prefix.item, prefix.spec, prefix.examples, prefix.backend), ())
        for prefix, handle in zip(staging.settled_map(template), values, strict=True)
    ]
    contents = MapContents(parts[0], (*parts, Contents(None, ()))[1], template.backend)
    staging.hold_map(made, contents)
    return made


def packed(template: StagedMap, values: Sequence[Any], leaf: LeafFunction) -> Any:
    """Return the map for lists: a staged one, or Python's if their entries are known."""
    known = all(
        isinstance(value, ListValue) or isinstance(getattr(value, "_array", None), ListValue)
        for value in values
    )
    return python_map(template, values, leaf) if known else with_handles(template, values)


def _hashable(key: Any) -> Any:
    """Return a key, or the number that a tensor holds, as eager code has it in a dict."""
    if not isinstance(key, Value):
        return key
    held: Any = key.numpy()  # type: ignore[attr-defined]
    return held.item() if hasattr(held, "item") else held


def python_map(template: StagedMap, values: Sequence[Any], leaf: LeafFunction) -> Any:
    """Python's dict or set of what the entries stand for."""
    prefixes = staging.settled_map(template)
    keys, *held = [
        python_list(prefix, value, leaf) for prefix, value in zip(prefixes, values, strict=True)
    ]
    keys = [nest.map_structure(_hashable, key) for key in keys]
    kind: Any = kind_of(template)
    made = kind()
    if kind is set:
        made.update(keys)
        return made
    if kind is defaultdict:
        made.default_factory = template.default_factory  # type: ignore[attr-defined]
    for key, item in zip(keys, held[0], strict=True):
        made[key] = item
    return made


MAPS.append(lambda held, leaf: python_map(held, handles(held), leaf))
