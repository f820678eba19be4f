"""Copies: lists, dicts and sets that a backend holds by value, as items of a staged list or dict.

    m.append(row)            ``m`` holds a copy, so ``row`` cannot be changed any more: ``put``
    row = m[i]               ``row`` is a copy; a change of it is a change of the item: ``chosen``
    m[i][j] = v              other copies of the item, which are noted here, are out of date

Where a copy was stored, so that it is not known who refers to the item, its change is an error.
``operators.containers.homes`` changes the items.
"""

from __future__ import annotations

import itertools
import threading
import weakref
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from autograph.diagnostics.user_frame import user_line
from autograph.errors import EffectError
from autograph.staging.access import (
    CHOSEN,
    PUT,
    Home,
    Path,
    TracedContainer,
    access_of,
    mark_stale,
    refuse_changes,
    restricted,
    stored_items,
)
from autograph.staging.run_id import current_run
from autograph.staging.staged_list import StagedList, TracedList, kind_of
from autograph.staging.staged_map import TracedDict, TracedMap
from autograph.syntax.thread_setting import ThreadSetting


class _ItemLists(threading.local):
    """What the current run did with lists that are items."""

    run = 0
    copies: tuple[weakref.ref[Any], ...] = ()
    """The copies that were given out, and the lists that were put."""
    swap: tuple[Any, Any, Any] | None = None
    """List, index that was assigned an item of the list itself, and the index of that item."""
    shared: frozenset[type] = frozenset()
    """Where items are that may be somewhere else, too: in lists, or dicts."""
    changed_in: frozenset[tuple[type, int]] = frozenset()
    """Whether an item of a list or dict was changed, and in which loop."""
    loops: tuple[int, ...] = ()
    """The loops that are being staged."""


_items = _ItemLists()
_numbers = itertools.count()


def _of_this_run() -> _ItemLists:
    run = current_run()
    if run != _items.run or not run:
        _items.run, _items.copies, _items.swap = run, (), None
        _items.shared, _items.changed_in = frozenset(), frozenset()
    return _items


@contextmanager
def staging_loop() -> Iterator[None]:
    """Stage a loop in this block: what comes later in its body happens before an iteration, too."""
    outer, _items.loops = _items.loops, (*_items.loops, next(_numbers))
    try:
        yield
    finally:
        _items.loops = outer


# -- what is put, and what is given out ------------------------------------------------------------


OBJECTS: list[Callable[[Any], None]] = []
"""Let objects of the user's that are given out refuse changes; filled by ``copied_objects``."""


def put(value: Any, outer: type = list) -> None:
    """Record that a value was put into a staged list or dict: lists in it cannot change any more.

    Raises EffectError for a list or dict for which this cannot be recorded.
    """
    if isinstance(value, TracedMap):
        _put_container(value, outer)
        for _, item in stored_items(value):
            put(item, dict)
        return
    if isinstance(value, TracedList):
        if kind_of(value) is list:
            _put_container(value, outer)
        items = list.__iter__(value)
    elif isinstance(value, tuple):
        items = iter(value)
    elif isinstance(value, list | dict | set):
        kind_name = kind_of(value).__name__
        raise EffectError(
            f"a {kind_name} is put into a list of staged length, which would hold a copy of it",
            where=user_line(),
            help="put a copy, list(x), or a tuple" if kind_name == "list" else "put a tuple",
        )
    else:
        return
    for item in items:
        put(item)


def _put_container(value: TracedContainer, outer: type) -> None:
    access = access_of(value)
    if access is None or not (access.is_stale or access.refusal or access.home):
        refuse_changes(value, PUT[outer])
        note_copy(value)
    elif access.home is not None and access.home.is_left:
        access.home, access.refusal = None, PUT[outer]
    elif writing_back.value:
        pass  # ``check_shared`` knows what is new
    elif access.home is not None or not access.is_stale and access.refusal is not PUT[outer]:
        note_sharing(list, dict)  # what is in one list is put anew when that is laid out anew
    for source in () if access is None else access.sources:
        if isinstance(source, TracedList):
            put(source, outer)


writing_back = ThreadSetting(False)
"""``with writing_back(True)``: a copy of an item is put where the item is, in this block."""


def check_shared(values: Iterable[Any]) -> None:
    """Note which of the values that the program puts somewhere are somewhere else already."""
    if writing_back.value:
        return
    for value in values:
        access = access_of(value)
        home = None if access is None else access.home
        if home is not None and home.is_left:
            continue
        if home is not None or access is not None and access.refusal is not None:
            note_sharing(list, dict)
        if isinstance(value, list | tuple):
            check_shared(list.__iter__(value) if isinstance(value, list) else value)


def note_removed(value: Any) -> Any:
    """Return a copy of an item that was removed: nothing else stands for the item now."""
    access = access_of(value)
    if access is not None and access.home is not None:
        access.home.is_left = True
    return value


def outer_kind(holder: Any) -> type:
    """Return list or dict, for a holder of items."""
    return dict if isinstance(holder, dict) else list


def chosen(value: Any) -> Any:
    """Return a value joined of several items, in which lists and dicts cannot be changed.

    Those in a list or dict can be changed as far as this one can.
    """
    kind = kind_of(value)
    if isinstance(value, StagedList) and kind is tuple:
        return value
    if kind is list or kind is dict or isinstance(value, TracedMap):
        copy = value
        if not isinstance(value, StagedList | TracedMap):
            copy = TracedList(value) if kind is list else TracedDict(value)
        for key, item in [*stored_items(copy)]:
            inner = chosen(item)
            if inner is not item:
                (list if kind is list else dict).__setitem__(copy, key, inner)
            if isinstance(inner, TracedContainer) and kind_of(inner) is not tuple:
                restricted(inner).home = PartHome(copy, key)
        refuse_changes(copy, CHOSEN)
        return copy
    if kind is tuple:
        return tuple(map(chosen, value))
    if isinstance(value, tuple) and hasattr(kind, "_make"):
        return kind._make(map(chosen, value))
    for note in OBJECTS:
        note(value)
    return value


class PartHome(Home):
    """The home of a part of a copy, which the copy stores."""

    def __init__(self, holder: Any, key: Any) -> None:
        self.holder = holder
        self.key = key

    def before_read(self) -> None:
        """Raise EffectError if the copy is out of date."""
        access = access_of(self.holder)
        if access is not None:
            access.before_read(self.holder)

    def change(
        self, copy: Any, path: Path, name: str, args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> Any:
        """Change the part where the whole copy can be changed."""
        access = access_of(self.holder)
        if access is None or access.home is None:
            raise (CHOSEN if access is None else access.refusal or CHOSEN).error(copy)
        if dict(stored_items(self.holder)).get(self.key) is not copy:
            kind, outer = kind_of(copy).__name__, kind_of(self.holder).__name__
            raise EffectError(
                f"a {kind} that was taken out of a {outer} is changed after the {outer} changed",
                where=user_line(),
                help="take it out again where it is changed: m[i][j].append(x)",
            )
        path = (self.key, *path)
        return access.home.change(self.holder, path, name, args, kwargs)


# -- copies of the items of lists ------------------------------------------------------------------


def note_copy(copy: Any) -> None:
    """Remember a list that is a copy of an item: given out, or put."""
    run = _of_this_run()
    alive = [reference for reference in run.copies if reference() is not None]
    run.copies = (*alive, weakref.ref(copy))


def note_change_in_loop(outer: type = list) -> None:
    """Note that the loops being staged change an item of a list or dict, perhaps of several."""
    run = _of_this_run()
    run.changed_in |= {(outer, loop) for loop in run.loops}


def note_sharing(*outers: type) -> None:
    """Note that an item, of lists if nothing is said, was stored under another name or elsewhere.
    """
    run = _of_this_run()
    run.shared |= frozenset(outers or (list,))
    for outer, loop in run.changed_in:
        if outer in run.shared and loop in run.loops:
            raise _shared(outer)  # the next iteration changes it again


def is_swap(holder: Any, key: Any, value: Any) -> bool:
    """Note that a copy is assigned in a list; return whether it is an item of the list itself.

    ``m[i], m[j] = m[j], m[i]`` shares nothing when it is complete.
    """
    home: Home | None = getattr(access_of(value), "home", None)
    run = _of_this_run()
    before, run.swap = run.swap, None
    if home is None or home.holder is not holder:
        run.swap = before
        return False
    if before is not None and before[0] is holder:
        if _same(before[1], home.key) and _same(before[2], key):
            return True
    if before is not None:
        note_sharing(outer_kind(before[0]))
    run.swap = holder, key, home.key
    return True


def _same(first: Any, second: Any) -> bool:
    return first is second or (type(first) is int and type(second) is int and first == second)


def _check_change(outer: type) -> None:
    note_change_in_loop(outer)
    run = _of_this_run()
    if outer in run.shared or run.swap is not None and outer is outer_kind(run.swap[0]):
        raise _shared(outer)


def note_change(but: Any = None) -> None:
    """Note that an item of a list is changed in place: all copies but one are out of date."""
    _check_change(list)
    _outdate_copies(but)


def _outdate_copies(but: Any) -> None:
    for reference in _of_this_run().copies:
        copy = reference()
        if copy is not None and copy is not but:
            mark_stale(copy)


def note_item_change(before: Any, after: Any) -> None:
    """Note that a list holds something else because one of its items was changed in place."""
    for reference in _of_this_run().copies:
        home: Home | None = getattr(access_of(reference()), "home", None)
        if home is not None and home.is_in_place(before):
            home.contents = (*home.contents, after)


def _shared(outer: type) -> EffectError:
    if outer is dict:
        return EffectError(
            "what a dict of staged keys holds is changed, but other names, lists or dicts may "
            "refer to it",
            where=user_line(),
            help="store copies, list(row), or assign a new one: d[k] = row",
        )
    return EffectError(
        "a list in a list of staged length is changed, but other names or lists may refer to it",
        where=user_line(),
        help="store copies of the inner lists, list(row), or assign a new one: m[i] = row",
    )


# -- copies of the values of dicts -----------------------------------------------------------------


def note_value(holder: TracedMap, copy: Any) -> None:
    """Remember a list, dict or set that is a copy of a value of a dict."""
    if isinstance(copy, TracedContainer):
        holder.__dict__.setdefault("_copies", []).append(copy)


def share_copies(holder: TracedMap, copied: TracedMap) -> None:
    """Let two dicts know of the same copies of their values."""
    copied.__dict__["_copies"] = holder.__dict__.setdefault("_copies", [])


def outdate_values(holder: TracedMap, but: Any = None) -> None:
    """Say that a value of a dict is changed: all copies but one are out of date."""
    _check_change(dict)
    if access_of(holder) is not None:  # it may be an item itself: what was put in it is out of date
        _outdate_copies(but)
    for copy in holder.__dict__.pop("_copies", ()):
        if copy is not but:
            mark_stale(copy)


def forget_value(holder: TracedMap, value: Any) -> None:
    """Forget a copy that no variable refers to."""
    copies = holder.__dict__.get("_copies", [])
    copies[:] = [copy for copy in copies if copy is not value]
