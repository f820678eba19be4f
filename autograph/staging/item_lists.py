"""Lists that are items of staged lists: whether something else may refer to the same list.

A backend holds the items of a staged list by value.  An item that is a list is given out as a copy,
which is never changed.  When the item itself is changed, ``m[i][j] = v``, the copies become stale;
where a copy was stored, so that it is not known who refers to it, the change is an error.
``staged_list`` and ``operators.containers.list_ops`` report what they do.
"""

from __future__ import annotations

import itertools
import threading
import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from autograph.diagnostics.user_frame import user_line
from autograph.errors import EffectError
from autograph.staging.run_id import current_run


class _ItemLists(threading.local):
    """What the current run did with lists that are items."""

    run = 0
    copies: tuple[tuple[weakref.ref[Any], Any], ...] = ()
    """The copies that were given out, and what the list has to hold for each item to be in place.
    """
    swap: tuple[Any, Any, Any] | None = None
    """List, index that was assigned an item of the list itself, and the index of that item."""
    shared = False
    """Whether copies were stored."""
    changed_in: frozenset[int] = frozenset()
    """The loops in which an item was changed."""
    loops: tuple[int, ...] = ()
    """The loops that are being staged."""


_items = _ItemLists()
_numbers = itertools.count()


def _of_this_run() -> _ItemLists:
    run = current_run()
    if run != _items.run or not run:
        _items.run, _items.copies, _items.swap = run, (), None
        _items.shared, _items.changed_in = False, frozenset()
    return _items


@contextmanager
def staging_loop() -> Iterator[None]:
    """Stage a loop in this block: what comes later in its body happens before an iteration, too."""
    outer, _items.loops = _items.loops, (*_items.loops, next(_numbers))
    try:
        yield
    finally:
        _items.loops = outer


def note_copy(copy: Any, holder: Any, key: Any, contents: Any) -> None:
    """Remember a copy of an item that is given out, and what the list held then."""
    copy.home = (holder, key)
    note_reference(copy, contents)


def note_reference(copy: Any, contents: Any = None) -> None:
    """Remember a list that stands for an item: from now on a copy of it."""
    known = _of_this_run()
    alive = [one for one in known.copies if one[0]() is not None]
    known.copies = (*alive, (weakref.ref(copy), contents))


def contents_at(copy: Any) -> Any:
    """Return what a list has to hold for the item of a copy to be where it was; None if unknown."""
    found = [contents for ref, contents in _of_this_run().copies if ref() is copy]
    return found[-1] if found else None


def note_item_change(before: Any, after: Any) -> None:
    """Note that a list holds something else because one of its items was changed in place."""
    known = _of_this_run()
    known.copies = tuple([
        (ref, after if contents is not None and contents.same(before) else contents)
        for ref, contents in known.copies
    ])  # fmt: skip


def note_change_in_loop() -> None:
    """Note that the loops being staged change a list that may be an item of several."""
    known = _of_this_run()
    known.changed_in |= frozenset(known.loops)


def note_sharing() -> None:
    """Note that an item was stored under another name, or in another list."""
    known = _of_this_run()
    known.shared = True
    if not known.changed_in.isdisjoint(known.loops):
        raise _shared()  # the next iteration changes it again


def is_swap(holder: Any, key: Any, value: Any) -> bool:
    """Note that a copy is assigned in a list; return whether it is an item of the list itself.

    ``m[i], m[j] = m[j], m[i]`` shares nothing when it is complete.
    """
    home = getattr(value, "home", None) if isinstance(value, list) else None
    known = _of_this_run()
    before, known.swap = known.swap, None
    if type(home) is not tuple or home[0] is not holder or len(home) != 2:
        known.swap = before
        return False
    if before is not None and before[0] is holder:
        if _same(before[1], home[1]) and _same(before[2], key):
            return True
    if before is not None:
        note_sharing()
    known.swap = holder, key, home[1]
    return True


def _same(one: Any, other: Any) -> bool:
    return one is other or (type(one) is int and type(other) is int and one == other)


def note_change(stale: Callable[[Any], None]) -> None:
    """Note that an item is changed in place; ``stale`` marks a copy as out of date."""
    known = _of_this_run()
    known.changed_in |= frozenset(known.loops)
    if known.shared or known.swap is not None:
        raise _shared()
    for ref, _ in known.copies:
        copy = ref()
        if copy is not None:
            stale(copy)


def _shared() -> EffectError:
    return EffectError(
        "a list in a list of staged length is changed, but other names or lists may refer to it",
        where=user_line(),
        help="store copies of the inner lists, list(row), or assign a new one: m[i] = row",
    )
