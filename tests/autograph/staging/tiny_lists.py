"""The tiny backend's lists that change their length."""

from __future__ import annotations

import operator
from typing import Any

from autograph.staging import StagedList, as_staged_list, kind_of
from tests.autograph.staging.tiny import Tiny


def _in(found: Any, index: int, messages: Any) -> int:
    if not -len(found) <= index < len(found):
        raise IndexError(messages[0 if found else 1])
    return index % len(found)


class TinyWithLists(Tiny):
    """The tiny backend with lists that change their length."""

    def copied(self, value: Any) -> Any:
        """Lists as they are now, too."""
        return as_staged_list(value) if isinstance(value, StagedList) else super().copied(value)

    def concrete(self, value: Any, slots: dict[int, Any]) -> Any:
        """Lists as Python's, too."""
        if not isinstance(value, StagedList):
            return super().concrete(value, slots)
        prefix = as_staged_list(value).prefix
        lifted = [prefix.lift(entry) for entry in self.concrete(prefix.handle, slots)]
        return kind_of(value)([self.concrete(item, slots) for item in lifted])

    # lists: their spec is a tuple of the kinds of an entry's values

    def list_spec(self, specs: Any) -> Any:
        return tuple(specs)

    def list_new(self, spec: Any, entries: Any) -> Any:
        return self.record(lambda *found: [list(entry) for entry in found], "list", *entries)

    def list_len(self, handle: Any) -> Any:
        return self.record(len, "int", handle)

    def list_push(self, handle: Any, entry: Any) -> Any:
        return self.record(lambda found, values: [*found, values], "list", handle, list(entry))

    def list_item(self, handle: Any, index: Any, spec: Any, messages: Any) -> Any:
        self.announce((IndexError,))
        entry = self.record(lambda found, i: found[_in(found, i, messages)], "list", handle, index)
        return [
            self.record(operator.itemgetter(number), kind, entry)
            for number, kind in enumerate(spec)
        ]

    def list_set(self, handle: Any, index: Any, entry: Any, messages: Any) -> Any:
        self.announce((IndexError,))
        def changed(found: Any, i: int, values: Any) -> Any:
            copy = list(found)
            copy[_in(found, i, messages)] = values
            return copy

        return self.record(changed, "list", handle, index, list(entry))

    def list_without(self, handle: Any, index: Any, messages: Any) -> Any:
        self.announce((IndexError,))
        def shorter(found: Any, i: int) -> Any:
            return [*found[: _in(found, i, messages)], *found[_in(found, i, messages) + 1 :]]

        return self.record(shorter, "list", handle, index)

    def list_slice(self, handle: Any, key: slice) -> Any:
        ends = (key.start, key.stop, key.step)
        return self.record(lambda found, *ends: found[slice(*ends)], "list", handle, *ends)

    def list_splice(self, handle: Any, key: slice, other: Any) -> Any:
        def replaced(found: Any, other: Any, start: Any, stop: Any) -> Any:
            copy = list(found)
            copy[start:stop] = other
            return copy

        return self.record(replaced, "list", handle, other, key.start, key.stop)

    # lists of different keys

    def list_find(self, handle: Any, key: Any) -> Any:
        def place(found: Any, key: Any) -> int:
            return found.index(key) if key in found else -1

        return self.record(place, "int", handle, list(key))

    def list_put(self, handle: Any, index: Any, entry: Any) -> Any:
        def changed(found: Any, i: int, values: Any) -> Any:
            return [*found, values] if i < 0 else [*found[:i], values, *found[i + 1 :]]

        return self.record(changed, "list", handle, index, list(entry))

    def list_add(self, handle: Any, index: Any, entry: Any) -> Any:
        def changed(found: Any, i: int, values: Any) -> Any:
            return [*found, values] if i < 0 else found

        return self.record(changed, "list", handle, index, list(entry))

    def set_combine(self, name: str, left: Any, right: Any) -> Any:
        def combined(left: Any, right: Any) -> Any:
            found = getattr({one for (one,) in left}, name)({one for (one,) in right})
            return [[one] for one in found]

        return self.record(combined, "list", left, right)

    def set_compare(self, name: str, left: Any, right: Any) -> Any:
        def compared(left: Any, right: Any) -> Any:
            return getattr({one for (one,) in left}, name)({one for (one,) in right})

        return self.record(compared, "bool", left, right)

    def set_order(self, handle: Any) -> Any:
        return self.record(lambda found: [[one] for one in {o for (o,) in found}], "list", handle)


BACKEND = TinyWithLists()
