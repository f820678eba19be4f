"""Lists, dicts and sets in a staged dict: what ``d[k]`` gives, and what is changed through it.

A staged dict holds copies.  One that it gives out writes itself back when it is changed; from
then on the others that the dict gave out, or was given, are stale, as they may be that one.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from autograph.diagnostics.user_frame import user_line
from autograph.errors import EffectError
from autograph.staging.list_aliasing import StaleList
from autograph.staging.staged_list import StagedList, TracedList, kind_of
from autograph.staging.staged_map import (
    CHANGING,
    KINDS,
    StagedMap,
    TracedMap,
    map_contents,
    stale_map,
)

_CHANGING = (
    "append", "extend", "insert", "pop", "remove", "clear", "sort", "reverse",
    "__setitem__", "__delitem__", "__iadd__", "__imul__",
)  # fmt: skip


class LentList(StagedList):
    """A list that a staged dict gave out for a key."""

    __slots__ = ()
    _of = StagedList


def lend(value: Any, holder: StagedMap, key: Any) -> Any:
    """Give out a list, dict or set for a key, if the value is one that the dict just copied."""
    kind: Any = type(value)
    if kind is TracedList:
        StagedList.give(value, holder.backend)  # type: ignore[attr-defined]
    elif kind in _LENT_MAPS and kind is kind._fixed:
        StagedMap.give(value, holder.backend)  # type: ignore[attr-defined]
    if type(value) is not StagedList and type(value) not in _LENT_MAPS:
        return None
    note(holder, value)
    value.home = (holder, key, map_contents(holder))
    value.__class__ = _LENT_MAPS.get(type(value), LentList)
    return value


def note(holder: StagedMap, value: Any) -> None:
    """Remember a list, dict or set that stands for one in a dict."""
    if isinstance(value, TracedList | TracedMap):
        holder.__dict__.setdefault("_lent", []).append(value)


def recall(holder: Any, but: Any = None) -> None:
    """Say that one in a dict was changed: others that may be that one are stale."""
    for other in holder.__dict__.pop("_lent", ()):
        if other is not but:
            other.__class__ = stale_map(type(other)) if isinstance(other, TracedMap) else StaleList


def forget(holder: Any, value: Any) -> None:
    """Forget one that stands for one in a dict, and that no variable refers to."""
    noted = holder.__dict__.get("_lent", [])
    noted[:] = [other for other in noted if other is not value]


def _changing(name: str) -> Callable[..., Any]:
    def method(self: Any, *args: Any, **kwargs: Any) -> Any:
        holder, key, before = self.home
        if not map_contents(holder).same(before):
            what = kind_of(self).__name__
            raise EffectError(
                f"a {what} that was taken out of a dict of staged keys is changed after the dict "
                "changed",
                where=user_line(),
                help="take it out again where it is changed: d[k].append(x)",
            )
        lent = type(self)
        self.__class__ = lent._of
        found = getattr(self, name)(*args, **kwargs)
        recall(holder, self)
        holder[key] = self.copy()
        note(holder, self)
        self.home = (holder, key, map_contents(holder))
        self.__class__ = lent
        return self if found is self else found

    return method


for _name in _CHANGING:
    setattr(LentList, _name, _changing(_name))


_LENT_MAPS: dict[type, type[Any]] = {}
"""The class of a dict or set that a staged dict gave out, by its own class."""


def add_methods() -> None:
    """Make the classes of lent dicts and sets, once the staged ones have their methods."""
    for kind in KINDS.values():
        staged: Any = kind._staged
        methods: dict[str, Any] = {
            name: _changing(name) for name in CHANGING if hasattr(staged, name)
        }
        made = type(staged)(f"Lent{staged.__name__}", (staged,), {**methods, "_of": staged})
        _LENT_MAPS[kind] = _LENT_MAPS[staged] = made
