"""Staging of lists: items at staged indexes, lists that change their length, sorting.

An optional part of the staging protocol, with defaults; converted code that needs what a backend
leaves out raises an error that says so.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from autograph.diagnostics.user_frame import user_line
from autograph.errors import ConcreteValueError
from autograph.staging.state_spec import Spec


class Capabilities:
    """Base of ``staging.Backend``."""

    name: str

    def setitem(self, value: Any, key: Any, item: Any) -> Any:
        """Return a copy of an immutable value with ``copy[key] = item``; NotImplemented if
        impossible.
        """
        return NotImplemented

    def item(self, sequence: Any, index: Any) -> Any:
        """Return ``sequence[index]`` of Python's or NumPy's sequences; NotImplemented: join the
        items.

        For sequences whose items are available as one value, such as ranges and arrays of numbers.
        """
        return NotImplemented

    # -- lists that change their length ---------------------------------------------------------
    #
    # A backend's list is a value: each method gives a new one.  An entry is a list of values, laid
    # out as the specs of the list's own spec say.  Indexes are Python's; one that is out of range
    # raises IndexError at run time, with the first of the messages, or the second of an empty list.

    def list_spec(self, specs: Sequence[Spec]) -> Spec | None:
        """Describe a list with entries of such values; None when the backend has no lists."""
        return None

    def list_new(self, spec: Spec, entries: Sequence[Sequence[Any]]) -> Any:
        """Return a list of these entries."""
        raise NotImplementedError

    def list_len(self, handle: Any) -> Any:
        """Return the number of entries, as a staged Python int."""
        raise NotImplementedError

    def list_push(self, handle: Any, entry: Sequence[Any]) -> Any:
        """Return the list with one more entry at the end."""
        raise NotImplementedError

    def list_item(
        self, handle: Any, index: Any, spec: Spec, messages: tuple[str, str]
    ) -> list[Any]:
        """Return the values of an entry."""
        raise NotImplementedError

    def list_set(
        self, handle: Any, index: Any, entry: Sequence[Any], messages: tuple[str, str]
    ) -> Any:
        """Return the list with another entry at an index."""
        raise NotImplementedError

    def list_without(self, handle: Any, index: Any, messages: tuple[str, str]) -> Any:
        """Return the list without the entry at an index."""
        raise NotImplementedError

    def list_slice(self, handle: Any, key: slice) -> Any:
        """Return the entries of a slice as a list."""
        raise NotImplementedError

    def list_splice(self, handle: Any, key: slice, replacement: Any) -> Any:
        """Return the list with the entries of a slice without a step replaced by those of another
        list.
        """
        raise NotImplementedError

    # -- lists of different keys: dicts and sets -------------------------------------------------

    def list_find(self, handle: Any, key: Sequence[Any]) -> Any:
        """The place of the entry that is equal to a key; -1 if there is none."""
        raise NotImplementedError

    def list_put(self, handle: Any, index: Any, entry: Sequence[Any]) -> Any:
        """With another entry at an index, or with one more if the index is -1."""
        raise NotImplementedError

    def list_add(self, handle: Any, index: Any, entry: Sequence[Any]) -> Any:
        """With one more entry if the index is -1; else the same."""
        raise NotImplementedError

    def set_combine(self, name: str, left: Any, right: Any) -> Any:
        """What a method of sets such as ``union`` makes of the entries of two lists."""
        raise NotImplementedError

    def set_compare(self, name: str, left: Any, right: Any) -> Any:
        """What ``issubset``, ``isdisjoint`` or ``__eq__`` says of the entries of two lists."""
        raise NotImplementedError

    def set_order(self, handle: Any) -> Any:
        """The entries in the order in which Python goes through a set of them."""
        raise NotImplementedError

    def position(self, index: Any, size: Any, message: str) -> Any:
        """Return an index into a sequence of ``size`` items, counted from 0; one of both is staged.

        Negative indexes count from the end; an index out of range raises IndexError with
        ``message``, at run time.
        """
        raise ConcreteValueError(
            f"a Python sequence cannot be indexed by a staged value of {self.name}",
            where=user_line(),
            help="choose the item with 'if' and 'elif'",
        )

    # -- sorting, where one operation does it ----------------------------------------------------

    def sorted(self, value: Any, reverse: bool) -> Any:
        """Return the items of a value in order, as a value; NotImplemented: compare them."""
        return NotImplemented

    def sorting_order(self, marks: Any, reverse: bool) -> Any:
        """Return the indexes of a staged list's items in sorted order; NotImplemented: compare
        them.
        """
        return NotImplemented
