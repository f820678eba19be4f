"""``collections.deque`` in plain Python, over a list."""

from __future__ import annotations

import collections
from collections.abc import Iterable, Iterator
from typing import Any

from autograph.library.lists import index, remove


class deque:  # the name of Python's class, which messages show
    """``collections.deque``: its items are in a list, which may become a staged one."""

    def __init__(self, iterable: Iterable[Any] = (), maxlen: int | None = None) -> None:
        if maxlen is not None and maxlen < 0:
            raise ValueError("maxlen must be non-negative")
        self.items: list[Any] = []
        self.maxlen = maxlen
        self.extend(iterable)

    def append(self, item: Any, /) -> None:
        """Add an item at the right end."""
        self.items.append(item)
        if self.maxlen is not None and len(self.items) > self.maxlen:
            self.items.pop(0)

    def appendleft(self, item: Any, /) -> None:
        """Add an item at the left end."""
        self.items.insert(0, item)
        if self.maxlen is not None and len(self.items) > self.maxlen:
            self.items.pop()

    def extend(self, iterable: Iterable[Any], /) -> None:
        """Add items at the right end."""
        if self.maxlen is None:
            self.items.extend(list(iterable))
        else:
            for item in list(iterable):
                self.append(item)

    def extendleft(self, iterable: Iterable[Any], /) -> None:
        """Add items at the left end, one after the other."""
        for item in list(iterable):
            self.appendleft(item)

    def pop(self) -> Any:
        """Remove and return the last item."""
        if not self.items:
            raise IndexError("pop from an empty deque")
        return self.items.pop()

    def popleft(self) -> Any:
        """Remove and return the first item."""
        if not self.items:
            raise IndexError("pop from an empty deque")
        return self.items.pop(0)

    def rotate(self, n: Any = 1, /) -> None:
        """Move the last ``n`` items in front of the others."""
        if self.items:
            first = -n % len(self.items)
            moved = self.items[first:] + self.items[:first]
            self.items.clear()
            self.items.extend(moved)

    def clear(self) -> None:
        """Remove all items."""
        self.items.clear()

    def copy(self) -> deque:
        """Return another deque with the same items."""
        return deque(self.items, self.maxlen)

    def count(self, item: Any, /) -> Any:
        """Return how often an item occurs."""
        return self.items.count(item)

    def index(self, item: Any, /) -> Any:
        """Return the index of the first item that is equal to a value."""
        return index(self.items, item, f"{item!r} is not in deque")

    def insert(self, index: Any, item: Any, /) -> None:
        """Insert an item before an index."""
        if self.maxlen is not None and len(self.items) >= self.maxlen:
            raise IndexError("deque already at its maximum size")
        self.items.insert(index, item)

    def remove(self, item: Any, /) -> None:
        """Remove the first item that is equal to a value."""
        remove(self.items, item, f"{item!r} is not in deque")

    def reverse(self) -> None:
        """Reverse the items."""
        self.items.reverse()

    def __repr__(self) -> str:
        if self.maxlen is None:
            return f"deque({self.items})"
        return f"deque({self.items}, maxlen={self.maxlen})"

    def __len__(self) -> int:
        return len(self.items)

    def __iter__(self) -> Iterator[Any]:
        return iter(self.items)

    def __reversed__(self) -> Iterator[Any]:
        return reversed(self.items)

    def __contains__(self, item: Any) -> bool:
        return item in self.items

    def __getitem__(self, index: Any) -> Any:
        if not -len(self.items) <= index < len(self.items):
            raise IndexError("deque index out of range")
        return self.items[index]

    def __setitem__(self, index: Any, item: Any) -> None:
        if not -len(self.items) <= index < len(self.items):
            raise IndexError("deque index out of range")
        self.items[index] = item

    def __delitem__(self, index: Any) -> None:
        if not -len(self.items) <= index < len(self.items):
            raise IndexError("deque index out of range")
        del self.items[index]

    def __eq__(self, other: Any) -> bool:
        return isinstance(other, _DEQUES) and self.items == [*other]

    __hash__ = None  # type: ignore[assignment]

    def __lt__(self, other: Any) -> bool:
        return self.items < [*other] if isinstance(other, _DEQUES) else NotImplemented

    def __le__(self, other: Any) -> bool:
        return self.items <= [*other] if isinstance(other, _DEQUES) else NotImplemented

    def __gt__(self, other: Any) -> bool:
        return self.items > [*other] if isinstance(other, _DEQUES) else NotImplemented

    def __ge__(self, other: Any) -> bool:
        return self.items >= [*other] if isinstance(other, _DEQUES) else NotImplemented

    def __iadd__(self, other: Any) -> deque:
        self.extend(other)
        return self

    def __add__(self, other: Any) -> deque:
        if not isinstance(other, _DEQUES):
            kind = type(other).__name__
            raise TypeError(f'can only concatenate deque (not "{kind}") to deque')
        return deque([*self.items, *other], self.maxlen)

    def __radd__(self, other: Any) -> Any:
        if type(other) is collections.deque:
            return deque([*other, *self.items], other.maxlen)
        if not isinstance(other, collections.deque):
            return NotImplemented
        copy = other.copy()  # of the program's own class
        copy.extend(self.items)
        return copy

    def __mul__(self, count: int) -> deque:
        return deque(self.items * count, self.maxlen)

    __rmul__ = __mul__

    def __imul__(self, count: int) -> deque:
        items = self.items * count
        self.clear()
        self.extend(items)
        return self


_DEQUES = deque, collections.deque


def is_traced_deque(value: Any) -> bool:
    """Whether a value stands for a deque while a backend records."""
    return isinstance(value, deque)


def traced_deque(items: list[Any], maxlen: int | None) -> Any:
    """What stands for a deque of these items while a backend records."""
    stand_in = deque((), maxlen)
    stand_in.items = items
    return stand_in
