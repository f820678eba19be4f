"""Lock of a function's traces: one thread traces a function, and others wait for the result.

Functions trace each other, so two threads could wait for each other for ever.  A thread that would
close such a circle enters without waiting.
"""

from __future__ import annotations

import contextlib
import os
import threading
import weakref
from collections.abc import Iterator

_changed = threading.Condition()
_waiting: dict[int, TraceLock] = {}
"""Id of a waiting thread -> the lock that it waits for."""


class TraceLock:
    """Reentrant lock that avoids deadlock by letting a second thread in."""

    def __init__(self) -> None:
        self._owners: list[int] = []
        _locks.add(self)

    @property
    def is_held(self) -> bool:
        """Whether the current thread holds the lock."""
        return threading.get_ident() in self._owners

    @contextlib.contextmanager
    def acquire(self) -> Iterator[None]:
        """Hold the lock within the block."""
        self.enter()
        try:
            yield
        finally:
            self.leave()

    def enter(self) -> None:
        """Take the lock."""
        me = threading.get_ident()
        with _changed:
            while self._owners and me not in self._owners and not self._waits_for(me):
                _waiting[me] = self
                try:
                    _changed.wait()
                finally:
                    del _waiting[me]
            self._owners.append(me)

    def leave(self) -> None:
        """Give the lock back."""
        with _changed:
            self._owners.remove(threading.get_ident())
            if _waiting:
                _changed.notify_all()

    def _waits_for(self, thread: int) -> bool:
        """Whether an owner waits, perhaps through other threads, for a lock of ``thread``."""
        seen: set[int] = set()
        todo = list(self._owners)
        while todo:
            owner = todo.pop()
            if owner == thread:
                return True
            if owner not in seen:
                seen.add(owner)
                awaited = _waiting.get(owner)
                todo += awaited._owners if awaited is not None else []
        return False


_locks: weakref.WeakSet[TraceLock] = weakref.WeakSet()


def _forget_threads() -> None:
    """Release the locks of all threads but this one in a forked process, where only it runs."""
    global _changed
    _changed = threading.Condition()
    _waiting.clear()
    me = threading.get_ident()
    for lock in _locks:
        lock._owners = [owner for owner in lock._owners if owner == me]


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget_threads)
