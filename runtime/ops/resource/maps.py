"""Op definitions of lists that are searched by key: what staged dicts and sets become.

A dict is two lists of equal length, of its keys and of its values, in the order of insertion; a set
is the list of its items.  The entries of a list remember where each key stands once a key is
looked up; appending keeps that.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import Any

import numpy as np

from runtime.ops.op import TAKES_WEAK, Missing, define
from runtime.ops.resource.lists import LIST, ListValue
from runtime.ops.rules.lowering import Control
from runtime.types.dtypes import Array, bool_, int64
from runtime.types.shapes import SCALAR_SHAPE, TensorSpec

__all__: list[str] = []

_NO_SAMPLES = Missing("lists are no arrays")
_NO_GRADIENT = Missing("the derivative of a dict whose keys are staged is not written")


class _Indexed(list[Any]):
    """Entries of a list, and where the first one of each key stands."""

    __slots__ = ("known", "places")

    def __init__(self, entries: Sequence[Any]) -> None:
        super().__init__(entries)
        self.places: dict[Hashable, int] = {}
        self.known = 0

    def position(self, key: Hashable) -> int | None:
        """The place of a key, once the entries that were appended since are noted."""
        if self.known < (count := len(self)):
            for position in range(self.known, count):
                self.places.setdefault(hashable(self[position]), position)
            self.known = count
        return self.places.get(key)


def hashable(entry: Sequence[Any]) -> Hashable:
    """Python's key for the values of an entry; two entries are one key if these are equal."""
    if len(entry) == 1:
        (value,) = entry
        return _plain(value)
    return tuple([_plain(value) for value in entry])


def _plain(value: Any) -> Any:
    item = value.item() if isinstance(value, np.ndarray | np.generic) else value
    return item.decode() if isinstance(item, bytes) else item


def _find(handle: ListValue, *key: Array) -> Any:
    count = len(handle)
    if not count:
        return np.int64(-1)
    entries = handle._entries
    if type(entries) is not _Indexed:
        entries = handle._entries = _Indexed(entries[:count])
    position = entries.position(hashable(key))
    return np.int64(-1 if position is None or position >= count else position)


list_find = define(
    "list_find",
    inputs="handle *key",
    same_dtype_inputs=None,
    kernel=_find,
    infer=lambda handle, *key: TensorSpec(SCALAR_SHAPE, int64),
    grad=None,
    node_name="TensorMapHasKey",
    raises=(),
    traits=(TAKES_WEAK,),
    lower=Control("list.find"),
    samples=_NO_SAMPLES,
    doc="Find the place of a key in a list of different keys; -1 if it is not there.",
)


def _put(handle: ListValue, index: Array, *values: Any) -> Any:
    position = int(index)
    if position < 0:
        return handle.pushed(values)
    entries = list(handle)
    entries[position] = values
    return ListValue(entries)


list_put = define(
    "list_put",
    inputs="handle index *values",
    same_dtype_inputs=None,
    kernel=_put,
    infer=lambda *_: LIST,
    grad=_NO_GRADIENT,
    node_name="TensorMapInsert",
    raises=(),
    traits=(TAKES_WEAK,),
    lower=Control("list.put"),
    samples=_NO_SAMPLES,
    doc="Replace the entry at an index, or append one if the index is -1.",
)

list_add = define(
    "list_add",
    inputs="handle index *values",
    same_dtype_inputs=None,
    kernel=lambda handle, index, *values: handle.pushed(values) if index < 0 else handle,
    infer=lambda *_: LIST,
    grad=_NO_GRADIENT,
    raises=(),
    traits=(TAKES_WEAK,),
    lower=Control("list.add"),
    samples=_NO_SAMPLES,
    doc="Append an entry if the index is -1, which says that it is not there.",
)


def _as_set(handle: ListValue) -> dict[Hashable, Any]:
    """The entries by their keys."""
    return {hashable(entry): entry for entry in handle}


def _in_turn(keys: dict[Hashable, Any]) -> set[Hashable]:
    """A set to which the keys were added one by one, which decides about the order of its items."""
    return set(iter(keys))  # of a dict as a whole, Python would make a table of another size


def _combined(first: ListValue, second: ListValue, *, method: str) -> Any:
    """The entries of Python's own result, in the order in which Python goes through it."""
    mine, its = _as_set(first), _as_set(second)
    combined: set[Hashable] = getattr(_in_turn(mine), method)(_in_turn(its))
    entries = {id(key): entry for keys in (mine, its) for key, entry in keys.items()}
    return ListValue([entries[id(key)] for key in combined])  # 0.0 and -0.0 are one key


set_combine = define(
    "set_combine",
    inputs="left right",
    same_dtype_inputs=None,
    kernel=_combined,
    infer=lambda left, right, *, method: LIST,
    grad=_NO_GRADIENT,
    lower=Control("list.combine"),
    samples=_NO_SAMPLES,
    doc="Apply a method of sets, such as ``union``, to two lists of different keys.",
)

set_compare = define(
    "set_compare",
    inputs="left right",
    same_dtype_inputs=None,
    kernel=lambda left, right, *, method: np.bool_(
        _COMPARISONS[method](_as_set(left).keys(), _as_set(right).keys())
    ),
    infer=lambda left, right, *, method: TensorSpec(SCALAR_SHAPE, bool_),
    grad=None,
    lower=Control("list.compare"),
    samples=_NO_SAMPLES,
    doc="Compare two lists of different keys as sets.",
)

_COMPARISONS: dict[str, Callable[[Any, Any], bool]] = {
    "issubset": lambda one, other: one <= other,
    "isdisjoint": lambda one, other: one.isdisjoint(other),
    "__eq__": lambda one, other: one == other,
}

set_order = define(
    "set_order",
    inputs="handle",
    same_dtype_inputs=None,
    kernel=lambda handle: (
        ListValue([keys[key] for key in _in_turn(keys)]) if (keys := _as_set(handle)) else handle
    ),
    infer=lambda handle: LIST,
    grad=_NO_GRADIENT,
    lower=Control("list.order"),
    samples=_NO_SAMPLES,
    doc="Sort a list of different keys as Python goes through a set of them.",
)
