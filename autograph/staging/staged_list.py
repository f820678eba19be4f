"""Staged lists: lists whose length may change on staged paths.

While a backend is tracing, converted code makes ``TracedList``s.  They are lists until a staged
path changes how many items one has: then the same object is a ``StagedList``, of which the backend
holds the items, and every name for the object sees that.  ``kind_of`` gives the type that the
user's program would see.

``operators.containers.list_ops`` installs the methods of a staged list; backends know the class
because they return, print and convert such lists.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, NoReturn

from autograph.diagnostics.user_frame import user_line
from autograph.errors import ConcreteValueError, EffectError
from autograph.staging.item_lists import note_reference, note_sharing
from autograph.staging.protocol import Backend
from autograph.staging.staged_collection import Seen as Seen
from autograph.staging.staged_collection import StagedCollection
from autograph.staging.staged_collection import kind_of as kind_of
from autograph.staging.state_spec import Spec


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
    """Contents of a list: the items that a backend holds, and then Python's own items."""

    __slots__ = ("items", "prefix")

    def __init__(self, prefix: Prefix | None, items: tuple[Any, ...]) -> None:
        self.prefix = prefix
        self.items = items

    def same(self, other: object) -> bool:
        """Return whether another list holds the very same objects."""
        return (
            type(other) is Contents
            and self.prefix is other.prefix
            and len(self.items) == len(other.items)
            and all(mine is its for mine, its in zip(self.items, other.items, strict=True))
        )


class TracedList(list[Any], metaclass=Seen):
    """List made in converted code while a backend records."""

    __slots__ = ("__weakref__", "changed_at", "home", "others", "prefix", "sources")
    _kind: type = list
    changed_at: tuple[str, int] | None
    """The line that made it stale."""
    is_stale = False
    """Whether another list was changed that may be the same one; see ``list_aliasing``."""
    home: tuple[Any, ...]
    """The dict or list and key that it was taken out of; see ``lent_list``, ``item_lists``."""
    others: list[Any]
    """Lists that it, or what it may be, was joined into; see ``list_aliasing``."""
    prefix: Prefix | None
    sources: list[Any]
    """The lists that it may be."""

    def __getitem__(self, key: Any) -> Any:
        found = list.__getitem__(self, key)
        return TracedList(found) if type(key) is slice else found

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
            found = StagedList.times(self, count)  # type: ignore[attr-defined]
            if found is not NotImplemented or not hasattr(type(count), "__index__"):
                return found
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

    def _unknown(self, what: str) -> Exception:
        return ConcreteValueError(
            f"a list changes its length on a staged path: {what} is known only at run time",
            where=user_line(),
            help="in a converted function use 'for', len(), indexes and its methods; outside of "
            "it, return the list or stack its items",
        )


JOINED: list[type[TracedList]] = []
"""The classes of lists that may be the same as others; filled by ``list_aliasing``."""


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
    if not holder.is_stale:
        joined = getattr(holder, "others", ()) or getattr(holder, "sources", ())
        fixed, staged = JOINED if joined else (TracedList, StagedList)
        holder.__class__ = fixed if contents.prefix is None else staged


def becomes_staged(holder: TracedList, key: Any) -> bool:
    """Make a list staged if an index or slice is; implemented by ``list_ops``."""
    return StagedList.by_index(holder, key)  # type: ignore[attr-defined]


def concatenated(left: TracedList, right: StagedList) -> Any:
    """``left + right``; ``operators.containers.list_ops`` implements it."""
    return StagedList.joined(left, right)  # type: ignore[attr-defined]


def refuse_change(self: Any, *args: Any, **kwargs: Any) -> NoReturn:
    """Refuse a change of a copy: ``_why`` says what it is."""
    what = kind_of(self).__name__
    other = "put it in its place: 'a[i] = x'" if what == "set" else (
        "use an index on the left: 'a[i][j] = v'"
    )
    raise EffectError(
        self._why.format(what=what), where=user_line(), help=f"change a copy, {what}(x), or {other}"
    )


_CHOSEN = "a {what} that a staged value chose from several is changed: which one is not known"
_PUT = (
    "a {what} is changed although it was put into a list or dict of staged length: that holds "
    "a copy"
)


class ChosenList(list[Any], metaclass=Seen):
    """One of several lists: their items joined.  Changing it would have to change one of them."""

    _kind = list
    home: tuple[Any, ...]
    others: list[Any]
    sources: list[Any]
    _why = _CHOSEN

    def __getitem__(self, key: Any) -> Any:
        found = list.__getitem__(self, key)
        return TracedList(found) if type(key) is slice else found

    def __add__(self, other: Any) -> Any:
        return TracedList(self) + other

    def __radd__(self, other: Any) -> Any:
        return TracedList(other) + self if isinstance(other, list) else NotImplemented

    def __mul__(self, count: Any) -> Any:
        return TracedList(self) * count

    __rmul__ = __mul__

    def copy(self) -> Any:
        """Return another list with the same items."""
        return TracedList(self)


class ChosenStagedList(StagedList):
    """One of several lists, which differ in length."""

    __slots__ = ()
    _why = _CHOSEN


class PutList(TracedList):
    """A list that is an item of a staged list, by value."""

    __slots__ = ()
    _why = _PUT


class PutStagedList(ChosenStagedList):
    """A staged list that is an item of a staged list, by value."""

    __slots__ = ()
    _why = _PUT


CHANGING = (
    "append", "extend", "insert", "pop", "remove", "clear", "sort", "reverse",
    "__setitem__", "__delitem__", "__iadd__", "__imul__",
)  # fmt: skip


def changing_home(name: str) -> Any:
    """The method of a copy that changes the list that it was made of."""

    def method(self: Any, *args: Any, **kwargs: Any) -> Any:
        home = getattr(self, "home", None)
        if type(home) is not tuple:
            return refuse_change(self)
        changes: Any = StagedList
        change = changes.change_item if len(home) == 2 else changes.change_chosen
        return change(self, name, args, kwargs)

    return method


for _name in CHANGING:
    for _kind in (ChosenList, ChosenStagedList, PutList):
        setattr(_kind, _name, changing_home(_name))


class ChosenDict(dict[Any, Any], metaclass=Seen):
    """One of several dicts: their items joined.  Changing it would have to change one of them."""

    _kind = dict
    _why = _CHOSEN
    update = setdefault = pop = popitem = clear = refuse_change
    __setitem__ = __delitem__ = __ior__ = refuse_change


MAPS: list[Callable[[Any, str], bool]] = []
"""Let a dict or set made in converted code refuse changes; filled by ``staged_map``."""

OBJECTS: list[Callable[[Any], None]] = []
"""The same for objects of the user's; filled by ``operators.state.copied_objects``."""


def put(value: Any) -> None:
    """Record that a value was put into a staged list: lists in it cannot change any more.

    Raises EffectError for a list or dict for which this cannot be recorded.
    """
    kind = type(value)
    if isinstance(value, (TracedList, ChosenList)):
        if kind is ChosenList or kind is ChosenStagedList:
            note_sharing()
        if any(kind is free for free in (TracedList, StagedList, *JOINED)):
            value.__class__ = PutStagedList if isinstance(value, StagedList) else PutList
            note_reference(value)
        for source in getattr(value, "sources", ()):
            if isinstance(source, TracedList | ChosenList):
                put(source)
        items = list.__iter__(value)
    elif isinstance(value, tuple):
        items = iter(value)
    elif isinstance(value, (list, dict, set)):
        if any(refuses(value, _PUT) for refuses in MAPS):
            return
        what = kind_of(value).__name__
        raise EffectError(
            f"a {what} is put into a list of staged length, which would hold a copy of it",
            where=user_line(),
            help="put a copy, list(x), or a tuple" if what == "list" else "put a tuple",
        )
    else:
        return
    for item in items:
        put(item)


def chosen(value: Any) -> Any:
    """Return a value joined of several items, in which lists and dicts cannot be changed."""
    kind = kind_of(value)
    if isinstance(value, StagedList):
        if kind is list:
            value.__class__ = ChosenStagedList
        return value
    if kind is list:
        return ChosenList(map(chosen, value))
    if any(refuses(value, _CHOSEN) for refuses in MAPS):
        return value
    if kind is dict:
        return ChosenDict({key: chosen(item) for key, item in value.items()})
    if kind is tuple:
        return tuple(map(chosen, value))
    if isinstance(value, tuple) and hasattr(kind, "_make"):
        return kind._make(map(chosen, value))
    for note in OBJECTS:
        note(value)
    return value
