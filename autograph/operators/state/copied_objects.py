"""Copied objects: objects of the user's that a list or dict of staged length holds by value.

    nodes.append(node)       # in a staged loop: the backend holds the attributes of each node
    nodes[i].value = 1       # refused: it would change a copy

Until the last trace ends, the class of such an object refuses its changes.  ``staged_list`` says
which objects are put or chosen, ``object_nodes`` which of them are copies.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable
from typing import Any

from autograph.diagnostics.user_frame import user_line
from autograph.errors import EffectError
from autograph.operators.state.attributes import members, set_member
from autograph.operators.state.guarded_classes import GuardedClasses
from autograph.staging.copies import OBJECTS, chosen, put
from autograph.syntax.thread_setting import ThreadSetting
from autograph.tracing import when_traces_end

_made: dict[int, Any] = {}
"""Objects that were joined from attributes, by identity: weak references where possible."""

_copies: dict[int, tuple[Any, str]] = {}
"""Objects that must not change, and why, until the last trace ends."""

_PUT = "which was put into a list or dict of staged length, and that holds a copy of it"
_CHOSEN = "which a staged value chose from several: it is a copy"


putting = ThreadSetting(False)
"""``with putting(True)``: within the block, objects that are taken apart are put into a list or
dict."""


def note_made(value: Any) -> None:
    """Note an object that was made from joined attributes."""
    key = id(value)
    try:
        _made[key] = weakref.ref(value, lambda _: _made.pop(key, None))
    except TypeError:  # its class has slots, and none for weak references
        if not _copies:
            when_traces_end(_forget)
        _made[key] = lambda: value


def is_made(value: Any) -> bool:
    """Whether an object was made from joined attributes."""
    entry = _made.get(id(value))
    return entry is not None and entry() is value


def note_taken_apart(value: Any) -> None:
    """Note an object whose attributes are handed to a backend."""
    if putting.value:
        _guard(value, _PUT)
        for member in members(value).values():
            put(member)


def _note_chosen(value: Any) -> None:
    """Note an object that was taken out of a list or dict."""
    if not is_made(value) or id(value) in _copies:
        return
    for name, member in members(value).items():
        chosen_member = chosen(member)
        if chosen_member is not member:
            set_member(value, name, chosen_member)
    _guard(value, _CHOSEN)


def _guard(value: Any, why: str) -> None:
    """Let an object refuse changes of its attributes."""
    with _classes.lock:
        if not _copies:
            when_traces_end(_forget)
        _copies[id(value)] = value, why
        _classes.add(type(value))


def _refusing(name: str, change: Callable[..., None]) -> Callable[..., None]:
    def method(self: Any, attribute: str, *value: Any) -> None:
        copy = _copies.get(id(self))
        if copy is not None:
            raise EffectError(
                f"'{attribute}' of an object of type {type(self).__name__} changes, {copy[1]}",
                where=user_line(),
                help="change it before it is put into the list or dict, or put a changed object "
                "in its place: 'items[i] = Class(...)'",
            )
        change(self, attribute, *value)

    return method


_classes = GuardedClasses(("__setattr__", "__delattr__"), _refusing)


def _forget() -> None:
    with _classes.lock:
        _classes.release()
        _copies.clear()
        _made.clear()


OBJECTS.append(_note_chosen)
