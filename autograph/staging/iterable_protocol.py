"""Lazy iterables: iterables with their own staged loop, such as datasets.

A part of the staging protocol.  The number of items is not known before the end;
``operators.iteration.lazy_iterables`` implements Python's builtins on them by the methods below.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from autograph.staging.control_protocol import StagedLoop


class LazyIterable:
    """Base of iterables that give items one by one at run time; an iterator if it has ``__next__``.
    """

    __slots__ = ()

    __backend__ = ""
    """The name of the backend that stages loops over it."""

    def __is_staged__(self) -> bool:
        """Return whether it belongs to the current trace, so that loops over it are staged."""
        raise NotImplementedError

    def __for_loop__(self, loop: StagedLoop) -> Sequence[Any]:
        """Stage a loop over the items and return the values of its final state.

        ``loop.body(values, item)`` is one iteration; ``loop.test`` is called before each further
        item.
        """
        raise NotImplementedError

    def __staged_iter__(self) -> Any:
        """Return an iterator over the items in the current trace; an iterator returns itself."""
        raise NotImplementedError

    def __staged_len__(self) -> Any:
        """Return the number of items as a staged Python int; TypeError at run time if unknown."""
        raise NotImplementedError

    def __has_next__(self) -> Any:
        """Return, for an iterator, whether there is another item, as a staged bool."""
        raise NotImplementedError

    def __rest__(self) -> Any:
        """Return an iterable of an iterator's remaining items; any other iterable returns itself.
        """
        raise NotImplementedError

    def __zip__(self, iterables: Sequence[Any]) -> Any:
        """Return an iterable that goes through several of its kind in parallel."""
        raise NotImplementedError
