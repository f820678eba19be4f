"""Methods of dicts, sets, tuples and lists of Python's own that are given staged values.

    UNITS.get(name, 1.0)     =>  ag__.call(UNITS.get)(name, 1.0)
    (a, b).index(x)          =>  ag__.call((a, b).index)(x)

Collections that converted code makes while a backend records have methods for staged values of
their own (``map_constructors``, ``list_methods``).  ``calls`` looks here for all others: those that
were made before, and tuples.  A method that only reads works on a staged copy.
"""

from __future__ import annotations

import functools
import operator
import types
from collections.abc import Callable
from typing import Any

from autograph.operators.calls import list_methods
from autograph.operators.calls.set_methods import NAMES, no_frozenset
from autograph.operators.containers import list_ops, map_keys, map_ops
from autograph.operators.containers.base_views import base_view, overrides
from autograph.operators.containers.map_items import item_of_map
from autograph.operators.containers.map_keys import key_backend
from autograph.operators.containers.slices import getitem
from autograph.operators.control.conditionals import if_exp, testing_backend
from autograph.operators.iteration.comparisons import eq, in_, not_eq, staged_inside
from autograph.operators.iteration.iterables import is_staged
from autograph.operators.state.carrying import can_carry
from autograph.operators.state.special_methods import is_users
from autograph.staging.registry import tracing_backend
from autograph.staging.staged_list import TracedList
from autograph.staging.staged_map import StagedMap, TracedMap, TracedSet
from autograph.staging.staged_string import StagedText

Method = Callable[..., Any]


def method(function: types.BuiltinFunctionType) -> Method:
    """Return what to call instead of a method of a collection of Python's own."""
    holder: Any = function.__self__
    if isinstance(holder, TracedMap):
        return function  # with staged arguments it becomes a staged one by itself
    staged = _staged_method(holder, function.__name__)
    if staged is None:
        return function

    def call(*args: Any, **kwargs: Any) -> Any:
        receiver = holder if staged in _OF_HOLDERS else base_view(holder)
        if any(map(_has_staged, (*args, *kwargs.values()))) or _is_searched(receiver):
            return staged(receiver, *args, **kwargs)
        return function(*args, **kwargs)

    return call


def _staged_method(holder: Any, name: str) -> Method | None:
    if isinstance(holder, dict):
        return _OF_DICTS.get(name) or (_changing(name) if name in _CHANGING_DICTS else None)
    if isinstance(holder, set | frozenset):
        if name in NAMES and isinstance(holder, frozenset):
            return no_frozenset
        if name in _READING_SETS:
            return lambda receiver, *args: getattr(TracedSet(receiver), name)(*args)
        return _OF_SETS.get(name) or (_changing(name) if hasattr(set, name) else None)
    if name == "remove" and isinstance(holder, list):
        return _remove
    return _OF_SEQUENCES.get(name)


def _is_searched(holder: Any) -> bool:
    """Whether the items of a sequence must be compared at run time."""
    return isinstance(holder, tuple | list) and staged_inside(holder) is not None


def _has_staged(argument: Any) -> bool:
    """Whether an argument is a staged key, or has staged items."""
    if isinstance(argument, StagedMap | StagedText) or key_backend(argument) is not None:
        return True
    if isinstance(argument, list | tuple):
        return any(map(_has_staged, argument))
    return is_staged(argument) or testing_backend(argument) is not None


# -- reading ---------------------------------------------------------------------------------------


def _get(holder: dict[Any, Any], key: Any, default: Any = None, /) -> Any:
    """``holder.get(key, default)``."""
    copy = map_ops.searched_copy(holder, key)
    if copy is not None:
        return map_ops.value_or(copy, key, lambda: default)
    return if_exp(in_(key, holder), lambda: getitem(holder, key), lambda: default)()


def _contains(holder: Any, key: Any, /) -> Any:
    """``holder.__contains__(key)``."""
    return in_(key, holder)


def _item(holder: Any, key: Any, /) -> Any:
    """``dict.__getitem__(holder, key)``, or that of a list."""
    if isinstance(holder, dict):
        item = item_of_map(holder, key)
        return dict.__getitem__(holder, key) if item is NotImplemented else item
    return getitem(base_view(holder), key)


def special_method(function: types.MethodWrapperType) -> Method | None:
    """As ``method``, for a special method that a tuple has, or ``super()`` of a subclass."""
    holder: Any = function.__self__
    name = function.__name__
    if isinstance(holder, (int, float, complex, str)) and is_users(type(holder)):
        return _of_value(function, name)
    if name == "__getitem__" and isinstance(holder, tuple):
        return functools.partial(_item, holder)
    if not overrides(holder, name) or not isinstance(holder, (dict, list, set, frozenset, tuple)):
        return None
    read = _READING.get(name)
    if read is not None:
        return functools.partial(read, base_view(holder))
    if name in _SETTING:
        return lambda key, *value: _change(holder, name, key, *value)
    return None


def _of_value(function: types.MethodWrapperType, name: str) -> Method | None:
    """A method of the number or text that an object of a subclass is: ``super().__add__(x)``."""
    apply = getattr(operator, name, None)
    if apply is None:
        return None
    value: Any = function.__self__
    plain: Any = next(kind for kind in (int, float, complex, str) if isinstance(value, kind))

    def method(*args: Any) -> Any:
        if not any(map(_has_staged, args)):
            return function(*args)
        base: Any = str.__str__(value) if plain is str else plain.__pos__(value)
        return apply(base, *args)

    return method


def _change(holder: Any, name: str, key: Any, *value: Any) -> None:
    """``super().__setitem__(key, value)`` and ``super().__delitem__(key)``."""
    if key_backend(key) is not None:
        raise map_keys.change_of(holder)
    base = next(kind for kind in (dict, list) if isinstance(holder, kind))
    getattr(base, name)(holder, key, *value)


# -- changing --------------------------------------------------------------------------------------


def _changing(name: str) -> Method:
    """A method that changes a dict or set."""

    def refuse(holder: Any, *args: Any, **kwargs: Any) -> Any:
        raise map_keys.change_of(holder)

    return refuse


# -- sequences -------------------------------------------------------------------------------------


def _count(holder: Any, value: Any, /) -> Any:
    """``holder.count(value)``."""
    return list_methods.count(list(holder), value)


def _index(holder: Any, value: Any, start: Any = 0, stop: Any = None, /) -> Any:
    """``holder.index(value, start, stop)``."""
    message = None if isinstance(holder, list) else "tuple.index(x): x not in tuple"
    return list_methods.index(TracedList(holder), value, start, stop, message)


def _remove(holder: Any, value: Any, /) -> None:
    """``holder.remove(value)``."""
    if not isinstance(holder, TracedList):
        if can_carry(holder):
            raise map_keys.change_of(holder)
        holder.remove(value)
        return
    backend = tracing_backend()
    assert backend is not None
    list_ops.give(holder, backend)
    holder.remove(value)


_CHANGING_DICTS = {"__delitem__", "__setitem__", "pop", "popitem", "setdefault", "update"}
_READING_SETS = {*NAMES, "isdisjoint", "issubset", "issuperset"}
_OF_DICTS: dict[str, Method] = {"__contains__": _contains, "__getitem__": _item, "get": _get}
_OF_HOLDERS = (_item, _remove)
"""What asks the object itself."""
_SETTING = ("__setitem__", "__delitem__")
_READING: dict[str, Method] = {
    "__contains__": _contains, "__eq__": eq, "__len__": len, "__ne__": not_eq,
}  # fmt: skip
_OF_SETS: dict[str, Method] = {"__contains__": _contains}
_OF_SEQUENCES: dict[str, Method] = {
    "__contains__": _contains, "__getitem__": _item, "count": _count, "index": _index,
}  # fmt: skip
