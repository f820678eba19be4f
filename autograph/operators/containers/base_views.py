"""Copies of collections of a program's own classes as their bases have them, without its methods.

    super().__getitem__(key)     the item of the base, whatever the class's ``__getitem__`` says

Methods of Python's collections, written in C, do not ask the methods of a subclass; neither must
what stands for them where an argument is staged.
"""

from __future__ import annotations

import types
from collections import OrderedDict
from collections.abc import Callable
from typing import Any

from autograph.operators.state.special_methods import is_users
from autograph.staging.staged_list import TracedList
from autograph.staging.staged_map import TracedDict, TracedSet


def base_view(holder: Any) -> Any:
    """Return a collection of Python's own class with the items that its base holds.

    Other collections are returned as they are.
    """
    if not is_users(type(holder)):
        return holder
    for base, copy in _COPIES.items():
        if isinstance(holder, base):
            return copy(holder)
    return holder


def overrides(holder: Any, name: str) -> bool:
    """Whether the class of a collection has a method of its own, in Python."""
    method = getattr(type(holder), name, None)
    return type(method) is types.FunctionType and is_users(type(holder))


def _of_dict(holder: Any) -> Any:
    base: Any = OrderedDict if isinstance(holder, OrderedDict) else dict
    return TracedDict((key, dict.__getitem__(holder, key)) for key in base.__iter__(holder))


_COPIES: dict[type, Callable[[Any], Any]] = {
    dict: _of_dict,
    list: lambda holder: TracedList(list.__iter__(holder)),
    tuple: lambda holder: tuple(tuple.__iter__(holder)),
    set: lambda holder: TracedSet(set.__iter__(holder)),
    frozenset: lambda holder: TracedSet(frozenset.__iter__(holder)),
}
