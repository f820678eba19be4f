"""Raises Python's recursion limit while conversion walks a deep tree.

A chain of ``elif`` is as deep as it has branches, and each visitor takes several calls per level;
conversion must accept every function that Python accepts.  Only walks in Python come here: C code,
such as the compiler, keeps the limit that protects its stack.
"""

from __future__ import annotations

import contextlib
import sys
import types
import weakref
from collections.abc import Callable
from typing import TypeVar

from autograph.syntax.fork_safe_lock import fork_safe_lock

T = TypeVar("T")
LIMIT = 10_007
"""A number that nobody else sets: that the limit is ours can be seen."""

_lock = fork_safe_lock()
_before = 0


class _Walker:
    """Walk under way.  It ends with its frame, also when an interrupt keeps it from the set."""


_walkers: weakref.WeakSet[_Walker] = weakref.WeakSet()


def is_deep() -> bool:
    """Return whether the limit is high already."""
    return sys.getrecursionlimit() >= LIMIT


def stack_is_deep() -> bool:
    """Whether the stack of this thread has used up half of Python's limit."""
    frame: types.FrameType | None = sys._getframe()
    limit = _before if is_deep() else sys.getrecursionlimit()
    for _ in range(limit // 2):
        if frame is None:
            return False
        frame = frame.f_back
    return True


def deep(walk: Callable[[], T]) -> T:
    """Return the result of ``walk()``, which may recurse deeply."""
    global _before
    walker = _Walker()
    try:
        with _lock:
            _walkers.add(walker)
            limit = sys.getrecursionlimit()
            if limit < LIMIT:
                _before = limit
                sys.setrecursionlimit(LIMIT)
        return walk()
    finally:
        with _lock:
            _walkers.discard(walker)
            if not _walkers and sys.getrecursionlimit() == LIMIT:
                # refused where the stack is as deep as the limit: the next walk resets it
                with contextlib.suppress(RecursionError):
                    sys.setrecursionlimit(_before)
