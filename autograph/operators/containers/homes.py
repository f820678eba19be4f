"""Homes: where the copies come from that items of lists and dicts are given out as.

    row = m[i]               ``m`` is a staged list or dict, which holds its items by value, or has
    row.append(x)            several lists, of which a staged index chooses one

To change a copy is to change the item that it is a copy of; other copies of it are out of date.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from autograph.diagnostics.user_frame import user_line
from autograph.errors import EffectError
from autograph.operators.control.conditionals import staged_if
from autograph.operators.control.path_tracing import open_paths
from autograph.operators.joins.join_errors import ITEM
from autograph.staging.access import (
    CHOSEN,
    Home,
    Path,
    access_of,
    at,
    freely,
    mark_stale,
    restricted,
)
from autograph.staging.copies import (
    check_shared,
    note_change,
    note_change_in_loop,
    note_item_change,
    note_value,
    outdate_values,
    writing_back,
)
from autograph.staging.protocol import Backend
from autograph.staging.run_id import current_run
from autograph.staging.staged_list import StagedList, TracedList, becomes_staged, kind_of
from autograph.staging.staged_map import StagedMap, TracedMap, contents_held, snapshot


class ItemHome(Home):
    """The home of the copy of an item of a staged list or dict."""

    def __init__(self, holder: Any, key: Any) -> None:
        self.holder = holder
        self.key = key
        self.contents = (contents_held(holder),)
        self._run = current_run()

    def change(
        self, copy: Any, path: Path, name: str, args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> Any:
        """Change the copy, and put a copy of that in its place."""
        in_list, kind_name = isinstance(self.holder, list), kind_of(copy).__name__
        before = contents_held(self.holder)
        if self._run != current_run() or not self.is_in_place(before):
            outer = "list of staged length" if in_list else "dict of staged keys"
            raise EffectError(
                f"a {kind_name} that was taken out of a {outer} is changed after the "
                f"{outer.partition(' ')[0]} changed, or in another loop",
                where=user_line(),
                help="take it out again where it is changed: m[i][j] = v, m[i].append(x)",
            )
        is_stale = restricted(copy).is_stale
        item = self._item() if is_stale else copy  # it stays so: it may be read on other paths
        changed_item = at(item, path)
        check_shared(_stored(name, args))
        with freely(changed_item):
            result = _called(changed_item, name, args, kwargs)
        if in_list:
            note_change(but=copy)
        else:
            outdate_values(self.holder, but=copy)
        with writing_back(True):
            self.holder[self.key] = snapshot(item)
        if in_list:
            note_item_change(before, contents_held(self.holder))
        else:
            note_value(self.holder, copy)
            self.contents = (*self.contents, contents_held(self.holder))
        return at(copy, path) if result is changed_item else result

    def _item(self) -> Any:
        if isinstance(self.holder, StagedList):
            return StagedList.item_of(self.holder, self.key, own=True)  # type: ignore[attr-defined]
        return self.holder.own_item(self.key, True)


class ChosenHome(Home):
    """The home of a copy of the one list or dict at a staged position of several.

    A change is staged for each of them; from then on the copy is not read any more.
    """

    stays_known = True

    def __init__(self, items: tuple[Any, ...], position: Any, backend: Backend) -> None:
        self.holder = items
        self._position = position
        self._backend = backend
        self._paths = open_paths()

    def change(
        self, copy: Any, path: Path, name: str, args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> Any:
        """Call the method of each of the lists, where it is the one."""
        for heap in open_paths():
            if not (heap in self._paths or all(map(heap.knows, self.holder))):
                raise EffectError(
                    "a list that a staged index chose from several is changed on another staged "
                    "path than the one that chose it",
                    where=user_line(),
                    help="take it out where it is changed: m[i].append(x)",
                )
        note_change_in_loop()
        mark_stale(copy)

        def changed(first: int, end: int) -> Any:
            if end - first == 1:
                item = at(self.holder[first], path)
                result = _called(item, name, args, kwargs)
                return None if result is item else result
            middle = (first + end) // 2
            return staged_if(
                self._backend,
                self._position < middle,
                lambda: changed(first, middle),
                lambda: changed(middle, end),
                owners=((self.holder,),),
                result=ITEM,
            )

        result = changed(0, len(self.holder))
        return at(copy, path) if name in ("__iadd__", "__imul__") else result


def _stored(name: str, args: tuple[Any, ...]) -> Iterable[Any]:
    """Return what a method puts into a list, dict or set; of a list of it, its items."""
    if name in ("extend", "__iadd__", "update") or args and type(args[0]) is slice:
        return [i for arg in args if isinstance(arg, list) for i in list.__iter__(arg)]
    return args


def _called(item: Any, name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    if name in ("__setitem__", "__delitem__"):
        if isinstance(item, TracedList):
            becomes_staged(item, args[0])
        elif isinstance(item, TracedMap):
            StagedMap.by_key(item, args[0])  # type: ignore[attr-defined]
    return getattr(item, name)(*args, **kwargs)


def note_home(copy: Any, backend: Backend, items: Sequence[Any], position: Any) -> None:
    """Note that a list or dict is a copy of the one at a staged position of several."""
    access = access_of(copy)
    if access is not None and access.refusal is CHOSEN and access.home is None:
        if all(kind_of(item) is kind_of(copy) for item in items):
            access.home = ChosenHome(tuple(items), position, backend)


def lend(value: Any, holder: Any, key: Any) -> None:
    """Give out the copy of an item of a staged list or dict, of which a change changes the item."""
    restricted(value).home = ItemHome(holder, key)
