"""Calls that make dicts and sets, and the methods of those that converted code makes.

    set(items)           =>  ag__.call(set)(items)

The methods are installed in the classes of ``staging.staged_map``; those of Python's own dicts and
sets look whether a key is staged, and make the dict or set a staged one.
"""

from __future__ import annotations

import copy
import functools
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping
from typing import Any

from autograph.operators.calls.counter_methods import ARITHMETIC, elements
from autograph.operators.calls.dict_methods import (
    COUNTER,
    DICT,
    equal_dicts,
    update,
)
from autograph.operators.calls.set_methods import (
    NAMES,
    SET,
    VIEWS,
    changing_operator,
    compare_sets,
    method_of,
    no_frozenset,
    set_,
    updating,
)
from autograph.operators.containers import map_keys, map_ops
from autograph.operators.containers.map_keys import key_backend
from autograph.operators.containers.map_views import view
from autograph.operators.containers.slices import getitem
from autograph.operators.control.conditionals import if_exp
from autograph.operators.iteration.comparisons import in_, is_set_view
from autograph.operators.iteration.iterables import is_staged
from autograph.operators.iteration.loops import for_stmt
from autograph.staging.registry import tracing_backend
from autograph.staging.staged_list import StagedList
from autograph.staging.staged_map import (
    StagedCounter,
    StagedDefaultDict,
    StagedDict,
    StagedMap,
    StagedSet,
    TracedCounter,
    TracedDefaultDict,
    TracedDict,
    TracedSet,
    snapshot,
)
from autograph.staging.staged_string import StagedText
from autograph.staging.staged_union import StagedReference
from autograph.staging.wrapped_set import WrappedSet


def dict_call(*args: Any, **kwargs: Any) -> Any:
    """``dict(items, name=value)``."""
    if tracing_backend() is None or len(args) > 1:
        return dict(*args, **kwargs)
    args = tuple([copy.copy(arg) if isinstance(arg, StagedReference) else arg for arg in args])
    if not any(map(_has_staged_keys, args)):
        return TracedDict(*args, **kwargs)
    copied = TracedDict()
    update(copied, *args, **kwargs)
    return copied


def _has_staged_keys(items: Any) -> bool:
    if isinstance(items, StagedMap) or is_staged(items):
        return True
    pairs = isinstance(items, list | tuple)
    return pairs and any(isinstance(p, list | tuple) and any(map(key_backend, p)) for p in items)


def defaultdict_(*args: Any, **kwargs: Any) -> Any:
    """``defaultdict(factory, items)``."""
    if tracing_backend() is None:
        return defaultdict(*args, **kwargs)
    if not any(map(_has_staged_keys, args[1:])):
        return TracedDefaultDict(*args, **kwargs)
    copied = TracedDefaultDict(args[0])
    update(copied, *args[1:], **kwargs)
    return copied


def counter(*args: Any, **kwargs: Any) -> Any:
    """``Counter(iterable)``."""
    if tracing_backend() is None or len(args) > 1:
        return Counter(*args, **kwargs)
    counts = TracedCounter()
    COUNTER["update"](counts, *args, **kwargs)
    return counts


def fromkeys(*args: Any) -> Any:
    """``dict.fromkeys(keys, value)``."""
    if tracing_backend() is None or not 0 < len(args) < 3:
        return dict.fromkeys(*args)
    keys, value = (*args, None)[:2]
    keys = keys.staged() if isinstance(keys, StagedText) else keys
    items_of_keys = TracedDict()
    for_stmt(keys, lambda key: map_ops.set_at(items_of_keys, key, value), (), (items_of_keys,))
    return items_of_keys


def frozenset_(*args: Any) -> Any:
    """``frozenset(items)``."""
    for items in args if tracing_backend() is not None else ():
        plain_items = [item for item in items if type(item) is not StagedText] if (
            isinstance(items, list | tuple) and not isinstance(items, StagedList)
        ) else []  # a text says itself what is wrong
        staged = is_staged(items) and not isinstance(items, StagedText)
        if staged or isinstance(items, StagedMap) or any(map(key_backend, plain_items)):
            no_frozenset()
    return frozenset(*args)


STAND_INS: Mapping[Any, Callable[..., Any]] = {
    set: set_, frozenset: frozenset_, dict: dict_call, dict.fromkeys: fromkeys,
    defaultdict: defaultdict_, Counter: counter,
}  # fmt: skip
"""What converted code calls instead of the classes."""


def equal(left: Any, right: Any) -> Any:
    """``left == right`` where at least one is a staged dict or set."""
    left, right = [
        set_(value) if isinstance(value, VIEWS) or is_set_view(value) else value
        for value in (left, right)
    ]
    if isinstance(left, set | frozenset) and isinstance(right, set | frozenset):
        return left is right or compare_sets("__eq__", left, right)
    return equal_dicts(left, right)


# -- installing them -------------------------------------------------------------------------------


_OF_ITEMS = ("update", "isdisjoint", "issubset", "issuperset")
"""The methods that take an iterable of keys."""


def _looking(name: str, of_kind: Any) -> Callable[..., Any]:
    """A method of Python's own maps; with a staged argument the map becomes a staged one."""
    plain = getattr(of_kind, name)
    of_items = name in _OF_ITEMS
    reason = _reason_of_items if of_items else _reason_of_key

    @functools.wraps(plain)
    def method(self: Any, *args: Any, **kwargs: Any) -> Any:
        backend = next(filter(None, map(reason, args if of_items else args[:1])), None)
        if backend is None:
            return plain(self, *args, **kwargs)
        map_ops.give(self, backend)
        return getattr(self, name)(*args, **kwargs)

    return method


def _reason_of_key(key: Any) -> Any:
    """The backend for whose sake a map has to become a staged one."""
    return key_backend(key) if map_keys.is_key(key) else None


def _reason_of_items(argument: Any) -> Any:
    """As ``_reason_of_key``, for an iterable of keys, or of pairs."""
    if isinstance(argument, StagedMap):
        return argument.backend
    if is_staged(argument) or isinstance(argument, StagedText):
        return tracing_backend()
    if isinstance(argument, list | tuple | dict):
        return next(filter(None, map(key_backend, argument)), None)
    return None


def _get(holder: Any, key: Any, default: Any = None, /) -> Any:
    """``get`` of a dict of Python's own."""
    if key_backend(key) is None:
        return dict.get(holder, key, default)
    return if_exp(in_(key, holder), lambda: getitem(holder, key), lambda: default)()


_KEYED = ("setdefault", "pop", "__delitem__")
_LOOKING: dict[Any, tuple[Any, tuple[str, ...]]] = {
    TracedDict: (dict, (*_KEYED, "update")),
    TracedDefaultDict: (defaultdict, (*_KEYED, "update")),
    TracedCounter: (Counter, _KEYED),
    TracedSet: (WrappedSet, ("add", "discard", "remove", *_OF_ITEMS)),
}


def _install() -> None:
    for traced, (of_kind, names) in _LOOKING.items():
        for name in names:
            setattr(traced, name, _looking(name, of_kind))
        traced.copy = snapshot
        if of_kind is not WrappedSet:
            traced.get = _get
    for name in NAMES:
        setattr(TracedSet, name, method_of(name))
        setattr(TracedSet, f"{name}_update", updating(name))
    for sign, name in zip(("or", "and", "sub", "xor"), NAMES, strict=True):
        setattr(TracedSet, f"__i{sign}__", changing_operator(name))
    for name in ("update", "subtract"):
        setattr(TracedCounter, name, COUNTER[name])
    for name, method in ARITHMETIC.items():
        setattr(TracedCounter, name, method)
    for staged in (StagedDict, StagedDefaultDict, StagedCounter):
        for name, method in DICT.items():
            setattr(staged, name, method)
    for name, method in {**COUNTER, **ARITHMETIC, "elements": elements}.items():
        setattr(StagedCounter, name, method)
    for name, method in SET.items():
        setattr(StagedSet, name, method)
    hooks: Any = StagedMap
    hooks.contains, hooks.equal = map_ops.contains, staticmethod(equal)
    hooks.length, hooks.view = map_ops.length, view
    hooks.by_key = staticmethod(map_ops.becomes_staged)
    hooks.give = staticmethod(map_ops.give)


_install()
