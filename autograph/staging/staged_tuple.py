"""Staged tuples: tuples whose length depends on staged values, as ``(0,) * n`` and ``tuple(l)``.

A staged tuple holds its items as a staged list does, and backends treat it as one; ``kind_of`` says
that the user's program has a tuple.  Nothing changes it.  ``operators.containers.list_ops``
makes them.
"""

from __future__ import annotations

from typing import Any, NoReturn

from autograph.staging.staged_list import Contents, StagedList, TracedList, contents_of, hold


class StagedTuple(StagedList):
    """Tuple whose length depends on staged values."""

    __slots__ = ()
    _kind: type = tuple

    def __repr__(self) -> str:
        return "<tuple of staged length>"

    def __add__(self, other: Any) -> Any:
        if not isinstance(other, tuple | StagedTuple):
            raise _not_a_tuple(other)
        return as_tuple(as_list(self) + as_list(other))

    def __radd__(self, other: Any) -> Any:
        if not isinstance(other, tuple):
            return NotImplemented
        return as_tuple(as_list(other) + as_list(self))

    def __mul__(self, count: Any) -> Any:
        items = as_list(self) * count
        return items if items is NotImplemented else as_tuple(items)

    __iadd__, __imul__, __rmul__ = __add__, __mul__, __mul__

    def __getitem__(self, key: Any) -> Any:
        if type(key) is slice:
            return as_tuple(as_list(self)[key])
        return StagedList.item_of(self, key)  # type: ignore[attr-defined]

    def __setitem__(self, key: Any, value: Any) -> NoReturn:
        raise TypeError("'tuple' object does not support item assignment")

    def __delitem__(self, key: Any) -> NoReturn:
        raise TypeError("'tuple' object doesn't support item deletion")

    def __copy__(self) -> StagedTuple:
        return self


def _absent(name: str) -> Any:
    def get(self: Any) -> NoReturn:
        raise AttributeError(f"'tuple' object has no attribute {name!r}")

    return property(get)


for _name in (
    "append", "clear", "copy", "extend", "insert", "pop", "remove", "reverse", "sort",
):  # fmt: skip
    setattr(StagedTuple, _name, _absent(_name))


def _not_a_tuple(operand: Any) -> TypeError:
    kind = getattr(type(operand), "_kind", type(operand)).__name__
    return TypeError(f'can only concatenate tuple (not "{kind}") to tuple')


def as_list(items: Any) -> Any:
    """Return a list that can become staged, with the items of a tuple or list."""
    copied = TracedList()
    prefix = items.prefix if isinstance(items, StagedList) else None
    hold(copied, Contents(prefix, tuple(list.__iter__(items) if prefix else items)))
    return copied


def as_tuple(items: Any) -> Any:
    """Return a tuple with the items of a list, staged if the list is."""
    if not isinstance(items, StagedList):
        return tuple(items)
    return items if isinstance(items, StagedTuple) else with_contents(contents_of(items))


def with_contents(contents: Contents) -> Any:
    """Return a tuple of these contents."""
    if contents.prefix is None:
        return contents.items
    staged = StagedTuple()
    list.extend(staged, contents.items)
    staged.prefix = contents.prefix
    return staged
