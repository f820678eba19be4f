"""Staged dicts and sets: their values in a graph, and their conversion back to Python's own.

For optional_nest.py, which takes results apart, and for printing.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Any

from autograph import staging
from autograph.staging import Contents, MapContents, Prefix, StagedMap, kind_of
from runtime.eager.tensor import Tensor
from runtime.ops.python.call_python import python_value
from runtime.staging.values.lists import MAPS, LeafFunction, has_entries, python_item, python_list
from runtime.types import nest


def handles(value: StagedMap) -> list[Any]:
    """The lists of a dict's keys and values, or of a set's items."""
    return [prefix.handle for prefix in staging.settled_map(value)]


def with_handles(template: StagedMap, values: Sequence[Any]) -> Any:
    """Return a map like the template with other lists."""
    new_map: Any = staging.MAP_KINDS[kind_of(template)]()
    if isinstance(template, defaultdict):
        new_map.default_factory = template.default_factory
    lists = [
        Contents(Prefix(handle, prefix.item, prefix.spec, prefix.examples, prefix.backend), ())
        for prefix, handle in zip(staging.settled_map(template), values, strict=True)
    ]
    contents = MapContents(lists[0], (*lists, Contents(None, ()))[1], template.backend)
    staging.hold_map(new_map, contents)
    return new_map


def packed(template: StagedMap, values: Sequence[Any], leaf: LeafFunction) -> Any:
    """Return the map for lists: a staged one, or Python's if their entries are known."""
    if all(map(has_entries, values)):
        return python_map(template, values, leaf)
    return with_handles(template, values)


def _of_keys(leaf: LeafFunction) -> LeafFunction:
    """Return what makes keys: Python's numbers and texts, where eager code has them in a dict."""
    return lambda value, spec: _plain(value) if spec.weak else _hashable(leaf(value, spec))


def _hashable(key: Any) -> Any:
    """Return a key as eager code has it in a dict: a text is not the bytes that a run holds."""
    return _plain(key) if isinstance(key, Tensor | bytes) else key


def _plain(value: Any) -> Any:
    return python_value(value._array if isinstance(value, Tensor) else value)


def python_map(template: StagedMap, values: Sequence[Any], leaf: LeafFunction) -> Any:
    """Python's dict or set of what the entries stand for."""
    prefixes = staging.settled_map(template)
    keys, *values_of_keys = [
        python_list(prefix, value, make)
        for prefix, value, make in zip(prefixes, values, (_of_keys(leaf), leaf), strict=False)
    ]
    return _of_entries(template, keys, *values_of_keys)


def _of_entries(template: StagedMap, keys: Sequence[Any], values: Sequence[Any] = ()) -> Any:
    """Python's dict or set of these entries, of the class that the template stands for."""
    kind: Any = kind_of(template)
    if kind is set:
        return set(keys)
    new_map = kind()
    if kind is defaultdict:
        new_map.default_factory = template.default_factory  # type: ignore[attr-defined]
    dict.update(new_map, zip(keys, values, strict=True))  # a counter would count
    return new_map


def _inner_map(template: StagedMap, leaf: LeafFunction) -> Any:
    """Python's dict or set for one that a run has taken out of a list or another dict."""
    contents = staging.map_contents(template)
    if contents.keys.prefix is None:  # its keys are known, but it is held for its changes
        values = [python_item(item, leaf) for item in contents.values.items]
        keys = [nest.map_structure(_hashable, key) for key in contents.keys.items]
        return _of_entries(template, keys, values)
    return python_map(template, handles(template), leaf)


MAPS.append(_inner_map)
