"""New objects: those of the user's that converted code makes while a backend records."""

from __future__ import annotations

import contextlib
import weakref
from typing import Any

_created: dict[int, weakref.ref[Any]] = {}


def note_new(instance: Any) -> None:
    """Remember an object that is made while a backend records."""
    key = id(instance)
    with contextlib.suppress(TypeError):  # its class has slots, and none for the mark
        _created[key] = weakref.ref(instance, lambda _: _created.pop(key, None))


def was_made_while_tracing(value: Any) -> bool:
    """Whether converted code made an object by calling its class while a backend recorded."""
    entry = _created.get(id(value))
    return entry is not None and entry() is value
