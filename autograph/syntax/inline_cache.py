"""What a call in a plain half remembers of the last look-up: constants of its code.

Looking a callable up takes as long as a few calls of a small function.  So each call whose callee
is an expression that can be read twice compares first with what it met before.
"""

from __future__ import annotations

import threading

UNKNOWN = object()
"""What no callee is."""


class Site:
    """The memory of one call: filled once, then never changed, so that any thread may read it."""

    __slots__ = ("found", "known")

    def __init__(self) -> None:
        self.known: object = UNKNOWN
        """The callee, or the type of the object whose method is called, that was met first."""
        self.found: object = None
        """What to call in its place."""

    def fill(self, known: object, found: object) -> None:
        """Remember ``found`` for ``known``, unless something is remembered already."""
        if self.known is not UNKNOWN:
            return
        with _lock:
            if self.known is UNKNOWN:
                self.found = found
                self.known = known


_lock = threading.Lock()
