"""Inline caches of the call sites in unstaged versions: constants of their code.

Looking up the conversion of a callable takes as long as a few calls of a small function.  A call
whose callee can be evaluated twice therefore first compares the callee with the cached one.
"""

from __future__ import annotations

from autograph.syntax.fork_safe_lock import fork_safe_lock

UNKNOWN = object()
"""The key of an empty cache; no callee is this object."""


class InlineCache:
    """Inline cache of one call site: filled once, then never changed, so reads need no lock."""

    __slots__ = ("found", "known")

    def __init__(self) -> None:
        self.known: object = UNKNOWN
        """The first callee, or the type of the first object whose method was called."""
        self.found: object = None
        """What to call instead of it."""

    def fill(self, known: object, found: object) -> None:
        """Cache ``found`` for ``known``, unless the cache is filled already."""
        if self.known is not UNKNOWN:
            return
        with _lock:
            if self.known is UNKNOWN:
                self.found = found
                self.known = known


_lock = fork_safe_lock()
