"""Changes of a list that a staged index chose from several: ``m[i % 2].append(x)``.

    for item at each position:  if position == i % 2:  item.append(x)

What ``m[i % 2]`` gives is a copy, which remembers the lists that it may be and the position.  A
change is staged for each of the lists; from then on the copy is not read any more.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from autograph.diagnostics.user_frame import user_line
from autograph.errors import EffectError
from autograph.operators.control.conditionals import staged_if
from autograph.operators.control.path_tracing import open_paths
from autograph.operators.joins.join_errors import ITEM
from autograph.staging.item_lists import note_change_in_loop
from autograph.staging.list_aliasing import WrittenList, WrittenStagedList
from autograph.staging.protocol import Backend
from autograph.staging.staged_list import (
    ChosenList,
    ChosenStagedList,
    StagedList,
    TracedList,
    becomes_staged,
    kind_of,
)


def remember(copy: Any, backend: Backend, items: Sequence[Any], position: Any) -> None:
    """Note that a list is a copy of the one at a staged position of several lists."""
    kind = type(copy)
    if (kind is ChosenList or kind is ChosenStagedList) and all(kind_of(i) is list for i in items):
        copy.home = tuple(items), position, backend, open_paths()


def change(copy: Any, name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """``m[i].append(x)``, or another method, on the list that a copy was made of."""
    items, position, backend, before = copy.home
    for path in open_paths():
        if not (path in before or all(map(path.knows, items))):
            raise EffectError(
                "a list that a staged index chose from several is changed on another staged path "
                "than the one that chose it",
                where=user_line(),
                help="take it out where it is changed: m[i].append(x)",
            )
    note_change_in_loop()
    copy.__class__ = WrittenStagedList if isinstance(copy, StagedList) else WrittenList

    def changed(first: int, end: int) -> Any:
        if end - first == 1:
            item = items[first]
            if name in ("__setitem__", "__delitem__") and isinstance(item, TracedList):
                becomes_staged(item, args[0])
            result = getattr(item, name)(*args, **kwargs)
            return None if result is item else result
        middle = (first + end) // 2
        return staged_if(
            backend,
            position < middle,
            lambda: changed(first, middle),
            lambda: changed(middle, end),
            owners=((items,),),
            result=ITEM,
        )

    result = changed(0, len(items))
    return copy if name in ("__iadd__", "__imul__") else result


StagedList.change_chosen = staticmethod(change)  # type: ignore[attr-defined]
