"""Errors for a list, dict or set that changes while a loop iterates over it.

Used by ``loops``.  Python allows some of these changes of a list; changes of a dict or set it
detects by the length.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from autograph.diagnostics.user_frame import user_line
from autograph.errors import EffectError
from autograph.operators.containers.list_ops import changed_list
from autograph.operators.containers.map_views import MapView
from autograph.operators.control.conditionals import nothing, staged_if
from autograph.operators.state.sentinels import MaybeValue
from autograph.staging.staged_list import StagedList
from autograph.staging.staged_map import StagedMap


def unchanged_items(holder: Any) -> Iterator[Any]:
    """Yield the items of a Python list, dict or set; raise EffectError when it becomes staged."""
    for item in iter(holder):
        yield item
        if isinstance(holder, StagedList):
            raise changed_list()
        if isinstance(holder, StagedMap):
            raise EffectError(
                "a dict or set gets staged keys while a loop iterates over it",
                where=user_line(),
                help="loop over a copy, list(x), or collect the changes in another dict",
            )


def check_each_turn(items: MapView, body: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Return a loop body that checks after each iteration that a dict or set kept its length."""

    def iteration(item: Any) -> Any:
        stop = body(item)
        if stop is None:
            items.unchanged()
        elif isinstance(stop, MaybeValue):
            staged_if(stop.ag__backend, stop.ag__present, nothing, items.unchanged, owners=())
        return stop

    return iteration
