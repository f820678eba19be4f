"""Staged lists: lists whose length may change on staged paths.

While a backend is tracing, converted code makes ``TracedList``s.  They are lists until a staged
path changes how many items one has: then the same object is a ``StagedList``, of which the backend
holds the items, and every name for the object sees that.  ``kind_of`` gives the type that the
user's program would see.

``operators.containers.list_ops`` installs the methods of a staged list; backends know the class
because they return, print and convert such lists.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from autograph.diagnostics.user_frame import user_line
from autograph.errors import ConcreteValueError
from autograph.staging.access import Access, TracedContainer, settle_class
from autograph.staging.protocol import Backend
from autograph.staging.staged_collection import Seen as Seen
from autograph.staging.staged_collection import StagedCollection
from autograph.staging.staged_collection import kind_of as kind_of
from autograph.staging.state_spec import Spec
from autograph.syntax.data_classes import dataclass


@dataclass(frozen=True, eq=False)
class Prefix:
    """Items of a list that a backend holds: ``item`` is the node with the layout of each.

    ``examples`` are the values that made the node what it is.
    """

    handle: Any
    item: Any
    spec: Spec
    examples: tuple[Any, ...]
    backend: Backend

    def lift(self, values: Iterable[Any]) -> Any:
        """Rebuild one item from the values that the backend holds for it."""
        return None if self.item is None else self.item.lift(iter(values), self.backend)


class Contents:
    """Contents of a list: the items that a backend holds, and then Python's own items.

    ``outer`` is dict for the values of a dict.
    """

    __slots__ = ("items", "outer", "prefix")

    def __init__(self, prefix: Prefix | None, items: tuple[Any, ...]) -> None:
        self.prefix = prefix
        self.items = items
        self.outer: type = list

    def same(self, other: object) -> bool:
        """Return whether another list holds the very same objects."""
        return (
            type(other) is Contents
            and self.prefix is other.prefix
            and len(self.items) == len(other.items)
            and all(mine is its for mine, its in zip(self.items, other.items, strict=True))
        )


class TracedList(list[Any], TracedContainer, metaclass=Seen):
    """List made in converted code while a backend records."""

    __slots__ = ("__weakref__", "access", "prefix")
    _kind: type = list
    access: Access | None
    prefix: Prefix | None

    def __new__(cls, *items: Any) -> Any:
        items_list = super().__new__(cls)
        items_list.access = items_list.prefix = None
        return items_list

    def _is_in_backend(self) -> bool:
        return self.prefix is not None

    def __getitem__(self, key: Any) -> Any:
        item = list.__getitem__(self, key)
        return TracedList(item) if type(key) is slice else item

    def __add__(self, other: Any) -> Any:
        if isinstance(other, StagedList):
            return concatenated(self, other)
        if not isinstance(other, list):
            return NotImplemented  # as a plain list, whose method is called last
        return TracedList(list.__add__(self, other))

    def __radd__(self, other: Any) -> Any:
        return TracedList(other) + self if isinstance(other, list) else NotImplemented

    def __mul__(self, count: Any) -> Any:
        if type(count) is not int:
            repeated = StagedList.times(self, count)  # type: ignore[attr-defined]
            if repeated is not NotImplemented or not hasattr(type(count), "__index__"):
                return repeated
            if hasattr(type(count), "__rmul__") and not isinstance(count, int):
                return NotImplemented  # as a plain list, whose method is called last
        return TracedList(list.__mul__(self, count))

    __rmul__ = __mul__

    def __imul__(self, count: Any) -> Any:
        return StagedList.repeat(self, count)  # type: ignore[attr-defined]

    def copy(self) -> Any:
        """Return another list with the same items."""
        return TracedList(self)

    def extend(self, items: Any) -> None:
        """Append all items."""
        items = StagedList.listed(items)  # type: ignore[attr-defined]
        if isinstance(items, StagedList):
            hold(self, contents_of(concatenated(self, items)))
        else:
            list.extend(self, items)

    def __iadd__(self, items: Any) -> Any:
        self.extend(items)
        return self

    def pop(self, index: Any = -1, /) -> Any:
        """Remove and return an item."""
        if becomes_staged(self, index):
            return self.pop(index)
        return list.pop(self, index)

    def insert(self, index: Any, item: Any, /) -> None:
        """Insert an item before an index."""
        if becomes_staged(self, index):
            self.insert(index, item)
        else:
            list.insert(self, index, item)

    def __delitem__(self, key: Any) -> None:
        if becomes_staged(self, key):
            del self[key]
        else:
            list.__delitem__(self, key)

    def __reduce_ex__(self, protocol: Any) -> Any:
        return list, (list(self),)


class StagedList(StagedCollection, TracedList):
    """List whose length depends on staged values.

    Its own storage holds what was appended since; ``prefix`` holds the items before that.
    """

    __slots__ = ()
    _is_staged = True
    prefix: Prefix

    @property
    def backend(self) -> Backend:
        """Return the backend that holds the items."""
        return self.prefix.backend

    def __repr__(self) -> str:
        return "<list of staged length>"

    __reversed__ = StagedCollection._raise_unknown

    def _unknown(self, need: str) -> Exception:
        return ConcreteValueError(
            f"a list changes its length on a staged path: {need} is known only at run time",
            where=user_line(),
            help="in a converted function use 'for', len(), indexes and its methods; outside of "
            "it, return the list or stack its items",
        )


TracedList._classes = TracedList, StagedList


def length(holder: StagedList) -> Any:
    """``len(holder)``."""
    recent = list.__len__(holder)
    before = holder.backend.list_len(holder.prefix.handle)
    return before + recent if recent else before


def contents_of(holder: Any) -> Contents:
    """Return what a list holds now."""
    prefix = holder.prefix if isinstance(holder, StagedList) else None
    return Contents(prefix, tuple(list.__iter__(holder)))


def hold(holder: TracedList, contents: Contents) -> None:
    """Set the contents of a list."""
    list.clear(holder)
    list.extend(holder, contents.items)
    holder.prefix = contents.prefix
    settle_class(holder)


def becomes_staged(holder: TracedList, key: Any) -> bool:
    """Make a list staged if an index or slice is; implemented by ``list_ops``."""
    return StagedList.by_index(holder, key)  # type: ignore[attr-defined]


def concatenated(left: TracedList, right: StagedList) -> Any:
    """``left + right``; ``operators.containers.list_ops`` implements it."""
    return StagedList.joined(left, right)  # type: ignore[attr-defined]
