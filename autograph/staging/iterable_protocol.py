"""Lazy iterables: iterables with their own staged loop, such as datasets.

A part of the staging protocol.  The number of items is not known before the end;
``operators.lazy_iterables`` implements Python's builtins on them by the methods below.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from autograph.staging.control_protocol import StagedLoop


class LazyIterable:
    """Base of what gives its items one by one at run time; an iterator if it has ``__next__``."""

    __slots__ = ()

    __backend__ = ""
    """The name of the backend that stages loops over it."""

    def __is_staged__(self) -> bool:
        """Whether it belongs to what is being traced, so that loops over it are staged."""
        raise NotImplementedError

    def __for_loop__(self, loop: StagedLoop) -> Sequence[Any]:
        """Stage a loop over the items and return the values of its final state.

        ``loop.body(values, item)`` is one turn; ``loop.test`` is asked before another item is.
        """
        raise NotImplementedError

    def __staged_iter__(self) -> Any:
        """An iterator over the items in the current trace; an iterator itself."""
        raise NotImplementedError

    def __staged_len__(self) -> Any:
        """How many items there are, as a staged Python int; TypeError at run time if unknown."""
        raise NotImplementedError

    def __has_next__(self) -> Any:
        """Of an iterator: whether there is another item, as a staged bool."""
        raise NotImplementedError

    def __rest__(self) -> Any:
        """An iterable of what an iterator has left; any other iterable itself."""
        raise NotImplementedError

    def __zip__(self, iterables: Sequence[Any]) -> Any:
        """An iterable that goes through several of its kind at once."""
        raise NotImplementedError
