"""Locks that do not hang forked processes, and cached properties without a lock.

In the lowest room, for all modules of both packages.  A forked process runs only the thread that
forked: what another thread held would stay locked for ever.
"""

from __future__ import annotations

import importlib
import os
import sys
import threading
import weakref
from collections.abc import Callable
from typing import Any, Generic, TypeVar

T = TypeVar("T")

_locks: weakref.WeakSet[Any] = weakref.WeakSet()


def fork_safe_lock() -> threading.RLock:
    """Return a reentrant lock that is free in forked processes unless the forking thread holds it.

    What it guards must be complete at every moment: write to a copy, and publish it at the end.
    """
    lock = threading.RLock()
    _locks.add(lock)
    return lock


class computed_once(Generic[T]):
    """Property whose value is computed when it is first read, and cached in the object.

    ``functools.cached_property`` does the same within a lock for all objects (until Python 3.12).
    """

    def __init__(self, compute: Callable[[Any], T]) -> None:
        self.compute = compute
        self.__doc__ = compute.__doc__

    def __get__(self, owner: Any, kind: type) -> T:
        value = owner.__dict__[self.compute.__name__] = self.compute(owner)
        return value


def _release_other_threads() -> None:
    """Free the locks of threads that do not run in a forked process."""
    for lock in list(_locks):
        if lock.acquire(blocking=False):
            lock.release()
        else:
            lock._at_fork_reinit()  # as CPython's own modules do


def _forget_imports() -> None:
    """Forget imports that other threads had begun: in a forked process nobody ends them.

    Python does not free the locks of their modules, so that the next import would wait for ever.
    """
    imports: Any = importlib._bootstrap
    me = threading.get_ident()
    for name, reference in list(imports._module_locks.items()):
        lock = reference()
        if lock is not None and lock.owner not in (None, me):
            imports._module_locks.pop(name, None)
            sys.modules.pop(name, None)


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_release_other_threads)
    os.register_at_fork(after_in_child=_forget_imports)
