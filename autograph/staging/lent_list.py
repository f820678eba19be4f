"""Lists that are values of a staged dict: what ``d[k]`` gives, and what is changed through it.

A staged dict holds copies.  A list that it gives out writes itself back when it is changed; from
then on the other lists that the dict gave out, or was given, are stale, as they may be that list.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from autograph.diagnostics.user_frame import user_line
from autograph.errors import EffectError
from autograph.staging.list_aliasing import StaleList
from autograph.staging.staged_list import StagedList, TracedList
from autograph.staging.staged_map import StagedMap, map_contents

_CHANGING = (
    "append", "extend", "insert", "pop", "remove", "clear", "sort", "reverse",
    "__setitem__", "__delitem__", "__iadd__", "__imul__",
)  # fmt: skip


class LentList(StagedList):
    """A list that a staged dict gave out for a key."""

    __slots__ = ()


def lend(value: Any, holder: StagedMap, key: Any) -> Any:
    """Give out a list for a key, if the value is one that the dict just copied."""
    if type(value) is TracedList:
        StagedList.give(value, holder.backend)  # type: ignore[attr-defined]
    if type(value) is not StagedList:
        return None
    note(holder, value)
    value.home = (holder, key, map_contents(holder))
    value.__class__ = LentList
    return value


def note(holder: StagedMap, value: Any) -> None:
    """Remember a list that stands for one in a dict."""
    if isinstance(value, TracedList):
        holder.__dict__.setdefault("_lent", []).append(value)


def recall(holder: Any, but: Any = None) -> None:
    """Say that a list in a dict was changed: others that may be that list are stale."""
    for other in holder.__dict__.pop("_lent", ()):
        if other is not but:
            other.__class__ = StaleList


def _changing(name: str) -> Callable[..., Any]:
    def method(self: Any, *args: Any, **kwargs: Any) -> Any:
        holder, key, before = self.home
        if not map_contents(holder).same(before):
            raise EffectError(
                "a list that was taken out of a dict of staged keys is changed after the dict "
                "changed",
                where=user_line(),
                help="take it out again where it is changed: d[k].append(x)",
            )
        self.__class__ = StagedList
        found = getattr(self, name)(*args, **kwargs)
        recall(holder, self)
        holder[key] = self.copy()
        note(holder, self)
        self.home = (holder, key, map_contents(holder))
        self.__class__ = LentList
        return self if found is self else found

    return method


for _name in _CHANGING:
    setattr(LentList, _name, _changing(_name))
