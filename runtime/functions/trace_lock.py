"""One thread at a time traces a function; the others wait and find the trace made.

Functions trace each other, so two threads could wait for one another for ever.  Who would close
such a circle goes on without waiting.
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator

_changed = threading.Condition()
_waiting: dict[int, TraceLock] = {}
"""What each waiting thread waits for."""


class TraceLock:
    """A right that one thread has at a time, and may take again inside."""

    def __init__(self) -> None:
        self._owners: list[int] = []

    @property
    def is_held(self) -> bool:
        """Whether this thread has it now."""
        return threading.get_ident() in self._owners

    @contextlib.contextmanager
    def held(self) -> Iterator[None]:
        """Have it within the block."""
        me = threading.get_ident()
        with _changed:
            while self._owners and me not in self._owners and not self._waits_for(me):
                _waiting[me] = self
                try:
                    _changed.wait()
                finally:
                    del _waiting[me]
            self._owners.append(me)
        try:
            yield
        finally:
            with _changed:
                self._owners.remove(me)
                _changed.notify_all()

    def _waits_for(self, thread: int) -> bool:
        """Whether its owners wait, by way of others perhaps, for something the thread has."""
        seen: set[int] = set()
        todo = list(self._owners)
        while todo:
            owner = todo.pop()
            if owner == thread:
                return True
            if owner not in seen:
                seen.add(owner)
                wanted = _waiting.get(owner)
                todo += wanted._owners if wanted is not None else []
        return False
