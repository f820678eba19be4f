"""Methods of staged dicts, of ``defaultdict`` and of ``Counter``.

    d.get(k, 0)          =>  ag__.call(d.get)(k, 0)

Installed by ``map_constructors``; written with the operations of ``map_ops``.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable
from typing import Any, NoReturn

from autograph.conversion.convert_hook import converted, from_library
from autograph.library import counters, dicts
from autograph.operators.containers import map_ops
from autograph.operators.containers.base_views import base_view
from autograph.operators.containers.map_keys import change_of
from autograph.operators.containers.map_ops import key_error
from autograph.operators.containers.map_views import view
from autograph.operators.control.conditionals import if_stmt
from autograph.operators.control.raises import raise_stmt
from autograph.operators.iteration.comparisons import equal_counters
from autograph.operators.iteration.iterables import sum_
from autograph.operators.iteration.loops import for_stmt
from autograph.operators.iteration.sorting import in_order
from autograph.operators.joins.dict_nodes import DictNode
from autograph.operators.joins.list_nodes import FixedList, GrowingList, holds
from autograph.operators.joins.map_nodes import MapNode
from autograph.operators.state.special_methods import OF_DICTS
from autograph.staging.access import TracedContainer
from autograph.staging.aliases import link_sources
from autograph.staging.copies import forget_value, note_removed, note_sharing, share_copies
from autograph.staging.registry import tracing_backend
from autograph.staging.staged_list import kind_of
from autograph.staging.staged_map import (
    KINDS,
    StagedMap,
    TracedDict,
    hold_map,
    map_contents,
    snapshot,
)
from autograph.staging.staged_union import StagedReference

_NONE: Any = object()
"""Default of an argument that may be left out."""

_ALONE = 2
"""References to an object that only one local variable holds: that, and the argument that asks."""

_equal = from_library(dicts.equal)


def dict_item(holder: Any, key: Any, own: bool = False) -> Any:
    """``holder[key]``."""
    return map_ops.value_or(holder, key, _missing(holder, key), own, lent=True)


def _missing(holder: Any, key: Any) -> Callable[[], Any]:
    """Return the function that a dict calls where a key is missing."""
    if isinstance(holder, Counter):
        return lambda: 0
    factory = getattr(holder, "default_factory", None)
    if factory is None:
        return key_error(key)

    def made() -> Any:
        value = converted(factory)()
        is_new = sys.getrefcount(value) <= _ALONE
        map_ops.set_at(holder, key, value)
        if is_new:  # nothing refers to it: what is returned in its place is another copy
            forget_value(holder, value)
        return value

    return made


def get(holder: Any, key: Any, default: Any = None, /) -> Any:
    """``holder.get(key, default)``."""
    return _linked(map_ops.value_or(holder, key, lambda: default), default)


def _linked(value: Any, default: Any) -> Any:
    """A value of a dict that may be the default instead, and changes with it."""
    possible = default.ag__alternatives if isinstance(default, StagedReference) else (default,)
    if isinstance(value, TracedContainer) and isinstance(possible[0], TracedContainer):
        link_sources(value, possible)
    return value


def setdefault(holder: Any, key: Any, default: Any = None, /) -> Any:
    """``holder.setdefault(key, default)``."""

    def put() -> Any:
        map_ops.set_at(holder, key, default)
        return default

    return map_ops.value_or(holder, key, put, lent=True)


def pop(holder: Any, key: Any, default: Any = _NONE, /) -> Any:
    """``holder.pop(key, default)``."""
    before = snapshot(holder)  # what is taken out can still be changed, and is a copy of its item
    share_copies(holder, before)
    missing = key_error(key) if default is _NONE else lambda: default
    value = map_ops.value_or(before, key, missing, lent=default is _NONE)
    map_ops.drop(holder, key, None)
    return _linked(note_removed(value), default)


def popitem(holder: Any) -> Any:
    """``holder.popitem()``."""
    count = map_ops.length(holder)

    def empty() -> Any:
        raise raise_stmt(KeyError("popitem(): dictionary is empty"))

    def last() -> Any:
        item = view(holder, "dict_items").at(count - 1)
        map_ops.remove_at(holder, count - 1)
        return item

    return if_stmt(count > 0, last, empty, (), (holder,))()


def delitem(holder: Any, key: Any) -> None:
    """``del holder[key]``."""
    map_ops.drop(holder, key, None if isinstance(holder, Counter) else key_error(key))


def clear(holder: Any) -> None:
    """``holder.clear()``."""
    hold_map(holder, map_contents(KINDS[kind_of(holder)]()))


def copy(holder: Any) -> Any:
    """``holder.copy()``."""
    values = map_ops.values_of(holder).item
    if values is not None and holds(values, (FixedList, GrowingList, MapNode, DictNode)):
        note_sharing(dict)
    return snapshot(holder)


def update(holder: Any, /, *args: Any, **kwargs: Any) -> None:
    """``holder.update(items)``."""
    for source in (*args, kwargs):
        if isinstance(source, StagedMap) and not isinstance(source, set):
            source = view(source, "dict_items")
        elif isinstance(source, StagedReference):
            source = source.items()
        elif hasattr(source, "keys"):
            source = [(key, source[key]) for key in list(source.keys())]
        for_stmt(source, lambda pair: map_ops.set_at(holder, *pair), (), (holder,))


def dict_with(*display: Any) -> dict[Any, Any]:
    """A display after one more part: a key and its value, or a dict that is unpacked into it.

    The display so far comes first, if there is one.
    """
    *before, entry = display
    items: Any = before[0] if before else {} if tracing_backend() is None else TracedDict()
    if len(entry) == 2:
        map_ops.set_at(items, *entry)
    elif isinstance(entry[0], StagedMap | StagedReference):
        update(items, entry[0])
    else:
        for key, value in {**entry[0]}.items():  # Python says what is no mapping
            map_ops.set_at(items, key, value)
    return items


def _merge(left: Any, right: Any) -> Any:
    if not isinstance(left, dict) or not isinstance(right, dict):
        return NotImplemented
    merged = left.copy() if isinstance(left, KINDS[dict]) else TracedDict(left)
    update(merged, right)
    return merged


def _merge_in(holder: Any, update_items: Any) -> Any:
    update(holder, update_items)
    return holder


def equal_dicts(left: Any, right: Any) -> Any:
    """``left == right`` of dicts, at least one of them staged."""
    if left is right:
        return True
    if not (isinstance(left, dict) and isinstance(right, dict)):
        return False
    if isinstance(left, Counter) and isinstance(right, Counter):
        return equal_counters(left, right)
    pair = (left, right) if isinstance(left, StagedMap) else (right, left)
    return _equal(*pair)


# -- counters --------------------------------------------------------------------------------------


def counting(change: Callable[[Any, Any], None]) -> Callable[..., None]:
    """Return ``update`` or ``subtract`` of a ``Counter``."""

    def method(holder: Any, /, iterable: Any = None, **kwargs: Any) -> None:
        """``holder.update(iterable)`` or ``holder.subtract(iterable)``."""
        if iterable is not None:
            change(holder, iterable)
        if kwargs:
            change(holder, kwargs)

    return method


def most_common(holder: Any, n: Any = None) -> Any:
    """``holder.most_common(n)``."""
    ordered = in_order(view(holder, "dict_items"), key=lambda pair: pair[1], reverse=True)
    return ordered if n is None else ordered[:n]


def total(holder: Any) -> Any:
    """``holder.total()``."""
    return sum_(view(holder, "dict_values"))


DICT: dict[str, Any] = {
    "__delitem__": delitem, "__getitem__": dict_item, "__ior__": _merge_in, "__or__": _merge,
    "__ror__": lambda right, left: _merge(left, right), "__setitem__": map_ops.set_at,
    "clear": clear, "copy": copy, "get": get, "pop": pop, "popitem": popitem,
    "items": lambda holder: view(holder, "dict_items"),
    "keys": lambda holder: view(holder, "dict_keys"), "own_item": dict_item,
    "setdefault": setdefault, "update": update,
    "values": lambda holder: view(holder, "dict_values"),
}  # fmt: skip
COUNTER: dict[str, Any] = {
    "most_common": most_common, "subtract": counting(from_library(counters.take)), "total": total,
    "update": counting(from_library(counters.update)),
}  # fmt: skip
"""Methods of staged counters; ``DICT`` holds those of all staged dicts."""


def _refuse_change(holder: Any, operand: Any) -> NoReturn:
    raise change_of(holder)


OF_DICTS["__ior__"] = _refuse_change
OF_DICTS["__or__"] = lambda left, right: base_view(left) | right
