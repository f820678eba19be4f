"""How states with lists are laid out for libraries whose arrays have fixed sizes.

For ``bounded_lists`` and ``functional``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from autograph.staging import Spec


@dataclass(frozen=True)
class ListForm:
    """Description of lists: the specs of the values of an entry."""

    entry: tuple[Spec, ...]

    def __repr__(self) -> str:
        return "a list"


class ListReference:
    """A list: buffers, and the length ``base + offset``, where base is staged or None."""

    __slots__ = ("base", "buffers", "capacity", "is_checked", "is_full_size", "offset", "spec")

    def __init__(
        self, spec: ListForm, buffers: list[Any], base: Any, offset: int, capacity: int,
        is_full_size: bool = False, is_checked: bool = True,
    ) -> None:
        self.spec = spec
        self.buffers = buffers
        self.base = base
        self.offset = offset
        self.capacity = capacity
        self.is_full_size = is_full_size
        """Whether the buffers are those of a loop, which have to do for all turns."""
        self.is_checked = is_checked

    @property
    def length(self) -> Any:
        """The number of entries, a staged Python int or a known one."""
        if self.base is None:
            return self.offset
        return self.base + self.offset if self.offset else self.base

    def like(self, buffers: list[Any], base: Any, offset: int, capacity: int = -1) -> ListReference:
        """Return a list with other contents, made from this one."""
        return ListReference(
            self.spec, buffers, base, offset, self.capacity if capacity < 0 else capacity,
            self.is_full_size, self.is_checked,
        )  # fmt: skip


class Column:
    """The buffer of lists that are entries of a list: buffers with one more axis, and lengths."""

    __slots__ = ("buffers", "capacity", "is_full_size", "length", "spec")

    def __init__(
        self, spec: ListForm, buffers: list[Any], length: Any, capacity: int,
        is_full_size: bool = False,
    ) -> None:
        self.spec = spec
        self.buffers = buffers
        self.length = length
        self.capacity = capacity
        self.is_full_size = is_full_size
        """Whether it is of a loop's state, and has to do for all turns."""


def rooms(handle: ListReference) -> tuple[int, ...]:
    """Return how many items the lists in a list may have, for each value of an entry."""
    return tuple(b.capacity if isinstance(b, Column) else -1 for b in handle.buffers)


@dataclass(frozen=True, eq=False)
class Form:
    """How a value of a state is laid out; ``capacity`` is -1 for what is no list."""

    spec: Spec
    capacity: int = -1
    base: Any = None
    offset: int = 0
    is_known: bool = False
    """Whether the length is ``base + offset``, and no part of the state."""
    is_full_size: bool = False
    is_checked: bool = True
    rooms: tuple[int, ...] = ()
    """As the function says; -1 for values that are no lists."""
