"""Aliasing of lists: a joined list that is one of several lists, known at run time.

Where a variable is different lists on different paths, staging makes a list of joined items.  The
joined list and its sources can all be read until one of them is changed; from then on the others
are stale, and using one is an error.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, NoReturn

from autograph.diagnostics.user_frame import user_line
from autograph.errors import EffectError
from autograph.staging.staged_list import (
    JOINED,
    ChosenList,
    ChosenStagedList,
    StagedList,
    TracedList,
    kind_of,
)
from autograph.syntax.thread_setting import ThreadSetting

given_containers: ThreadSetting[list[Any]] = ThreadSetting([])
"""What stands for the lists, dicts and sets among the arguments of the call that is traced: other
calls of the trace may pass one object as two of them."""


def may_be_same(one: Any, other: Any) -> bool:
    """Whether two lists, dicts or sets stand for arguments, which may be one object."""
    given = [*map(id, given_containers.value)]
    return id(one) in given and id(other) in given and kind_of(one) is kind_of(other)


_CHANGING = (
    "append", "extend", "insert", "pop", "remove", "clear", "sort", "reverse",
    "__setitem__", "__delitem__", "__iadd__", "__imul__",
)  # fmt: skip
_READING = (
    "copy", "count", "index", "__len__", "__iter__", "__getitem__", "__contains__", "__reversed__",
    "__add__", "__radd__", "__mul__", "__rmul__", "__eq__", "__ne__", "__lt__", "__le__",
    "__gt__", "__ge__", "__reduce_ex__",
)  # fmt: skip


class JoinedList(TracedList):
    """A list that may be the same as others."""

    __slots__ = ()


class JoinedStagedList(StagedList):
    """A staged list that may be the same as others."""

    __slots__ = ()


JOINED += (JoinedList, JoinedStagedList)


class StaleList(TracedList):
    """List that would have changed with another one if they were the same."""

    __slots__ = ()
    is_stale = True


class StaleItem(ChosenList):
    """Copy of an item of a staged list that was changed since."""


class WrittenList(ChosenList):
    """Copy of a list that may have changed since: it can be changed, and not read."""


class WrittenStagedList(ChosenStagedList):
    """The same of lists that differ in length."""

    __slots__ = ()


def stale(
    kind: str = "list", where: tuple[str, int] | None = None, is_object: bool = False
) -> EffectError:
    """Return the error for the use of a stale list, dict or object, here or at ``where``."""
    return EffectError(
        f"this {kind} may be the same object as another {kind} that was changed on a staged path",
        where=where or user_line(),
        help=COPY_OBJECT if is_object else (
            f"change a copy, {kind}(x), or give the variable a {kind} of its own on every path"
        ),
    )


COPY_OBJECT = (
    "change a copy, copy.copy(x), or give the variable an object of its own on every path"
)


_FREE = (TracedList, StagedList, JoinedList, JoinedStagedList)


def _changing(name: str) -> Callable[..., Any]:
    def method(self: Any, *args: Any, **kwargs: Any) -> Any:
        self.__class__ = StagedList if isinstance(self, StagedList) else TracedList
        for other in possibly_same(self):
            if isinstance(other, ChosenList | ChosenStagedList):
                _out_of_date(other)
                continue
            if not isinstance(other, TracedList):
                raise EffectError(
                    "a list is changed that comes from outside of the function on some staged path",
                    where=user_line(),
                    help="change a copy, list(x)",
                )
            other.__class__ = StaleList
            other.changed_at = user_line()
        return getattr(self, name)(*args, **kwargs)

    return method


def _out_of_date(copy: Any) -> None:
    """Mark the copy of a list that has changed: who knows which list it is can change it further.
    """
    is_staged = isinstance(copy, StagedList)
    if len(getattr(copy, "home", ())) == 4:
        copy.__class__ = WrittenStagedList if is_staged else WrittenList
    else:
        copy.__class__ = StaleList if is_staged else StaleItem
    copy.changed_at = user_line()


def possibly_same(holder: Any) -> list[Any]:
    """Return the other lists that a list may be: its sources, and the lists it was joined into."""
    found, seen = [holder], {id(holder)}
    for name in ("sources", "others"):
        for one in found:
            for other in getattr(one, name, ()):
                if id(other) not in seen:
                    seen.add(id(other))
                    found.append(other)
    return found[1:]


def sources_of(holder: Any, is_known: Callable[[Any], bool]) -> list[Any]:
    """Return the known lists among those that a list was joined of: itself, if it is known."""
    if is_known(holder):
        return [holder]
    found, waiting, seen = [], [*getattr(holder, "sources", ())], {id(holder)}
    for one in waiting:
        if id(one) in seen:
            continue
        seen.add(id(one))
        if is_known(one):
            found.append(one)
        else:
            waiting += getattr(one, "sources", ())
    return found


def _refused(self: Any, *args: Any, **kwargs: Any) -> NoReturn:
    raise stale()


def _not_read(self: Any, *args: Any, **kwargs: Any) -> NoReturn:
    raise EffectError(
        "a list that a staged index chose from several is read after one of them changed",
        where=user_line(),
        help="take it out again before it is read: row = m[i]",
    )


for _name in _CHANGING:
    setattr(JoinedList, _name, _changing(_name))
    setattr(JoinedStagedList, _name, _changing(_name))
for _name in (*_CHANGING, *_READING):
    setattr(StaleList, _name, _refused)
    setattr(StaleItem, _name, _refused)
for _name in _READING:
    setattr(WrittenList, _name, _not_read)
    setattr(WrittenStagedList, _name, _not_read)


def check_usable(holder: TracedList) -> None:
    """Raise EffectError for a list that would have changed with another one, with that line."""
    if isinstance(holder, StaleList):
        raise stale(where=getattr(holder, "changed_at", None))
    if isinstance(holder, WrittenList | WrittenStagedList):
        _not_read(holder)


def changed_line(value: Any) -> tuple[str, int] | None:
    """Return the line that made a list in a nest stale, if one is."""
    if isinstance(value, StaleList | StaleItem):
        return getattr(value, "changed_at", None)
    if isinstance(value, list):
        parts = list.__iter__(value)
    elif isinstance(value, dict):
        parts = iter(dict.values(value))
    else:
        parts = iter(value if isinstance(value, tuple) else ())
    return next(filter(None, map(changed_line, parts)), None)


def link_sources(joined: Any, sources: Iterable[Any]) -> None:
    """Record that a list that was joined just now may be one of these."""
    joined.sources = list(sources)
    if not joined.sources:
        return
    _mark(joined)
    source: Any
    for source in joined.sources:
        if isinstance(source, TracedList | ChosenList):
            source.others = [*getattr(source, "others", ()), joined]
            _mark(source)


def link_chosen(found: Any, items: Iterable[Any]) -> None:
    """Record that what was chosen from several items is a copy of one of them."""
    if any(found is item for item in items):
        return
    if isinstance(found, ChosenList | TracedList):
        found.sources = list(items)
        for item in items:
            if isinstance(item, TracedList):
                item.others = [*getattr(item, "others", ()), found]
                _mark(item)
    elif type(found) is tuple:
        for number, part in enumerate(found):
            link_chosen(part, [item[number] for item in items])


def link_aliases(one: Any, other: Any) -> None:
    """Record that two parts of an outcome, one list on some path, may be the same."""
    if one is not other and isinstance(one, TracedList) and isinstance(other, TracedList):
        for mine, its in ((one, other), (other, one)):
            mine.others = [*getattr(mine, "others", ()), its]
            _mark(mine)


def _mark(holder: Any) -> None:
    if not any(type(holder) is kind for kind in _FREE):
        return  # one that refuses to be changed anyway
    holder.__class__ = JoinedStagedList if isinstance(holder, StagedList) else JoinedList
