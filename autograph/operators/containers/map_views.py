"""Views of staged dicts and sets: what loops go through, and ``keys()``, ``values()``, ``items()``.

Their items are read by number; each time it is checked that the dict or set has kept its length.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from autograph.operators.containers.map_ops import (
    FOUND,
    contains,
    keys_of,
    length,
    values_of,
    with_handle,
)
from autograph.operators.control.conditionals import if_stmt
from autograph.operators.control.raises import raise_stmt
from autograph.staging.copies import chosen, note_value
from autograph.staging.staged_list import Prefix, kind_of
from autograph.staging.staged_map import StagedMap, map_contents
from autograph.staging.staged_sequence import StagedSequence


class MapView(StagedSequence):
    """The keys, values or items of a dict, or the items of a set, in Python's order.

    ``unchanged`` raises RuntimeError, at run time, once the map has another length.
    """

    def __init__(self, holder: StagedMap, name: str, combine: Callable[[Any, Any], Any]) -> None:
        keys, backend = keys_of(holder), holder.backend
        if isinstance(holder, set):
            keys, values = with_handle(keys, backend.set_order(keys.handle)), keys
        else:
            values = values_of(holder)
        count, before = backend.list_len(keys.handle), map_contents(holder)

        def unchanged() -> None:
            if map_contents(holder).same(before):
                return
            kind = "Set" if isinstance(holder, set) else "dictionary"

            def changed() -> Any:
                raise raise_stmt(RuntimeError(f"{kind} changed size during iteration"))

            if_stmt(length(holder) == count, lambda: None, changed, (), ())()

        def at(position: Any) -> Any:
            unchanged()
            live = values if isinstance(holder, set) else values_of(holder)
            entry = chosen(combine(_lazily(keys, position), _lazily(live, position)))
            for item in entry if type(entry) is tuple else (entry,):
                note_value(holder, item)
            return entry

        def contained(key: Any) -> Any:
            return contains(holder, key) if name in ("dict", "set", "dict_keys") else NotImplemented

        super().__init__(backend, name, count, at, contained)
        self.holder = holder
        self.unchanged = unchanged


def _lazily(prefix: Prefix, position: Any) -> Callable[[], Any]:
    def read() -> Any:
        return prefix.lift(
            prefix.backend.list_item(prefix.handle, position, prefix.spec, FOUND)
        )

    return read


def view(holder: StagedMap, selection: str | None = None) -> MapView:
    """The keys; of ``dict_values`` or ``dict_items``, the values or pairs of both."""
    name = selection or kind_of(holder).__name__
    if selection == "dict_values":
        return MapView(holder, name, lambda key, value: value())
    if selection == "dict_items":
        return MapView(holder, name, lambda key, value: (key(), value()))
    return MapView(holder, name, lambda key, value: key())


def as_items(value: Any) -> Any:
    """A staged map as the sequence that a loop goes through; anything else as it is."""
    return view(value) if isinstance(value, StagedMap) else value
