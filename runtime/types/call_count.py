"""Call counts: counters that threads share, cheap to increment."""

from __future__ import annotations

import itertools
from collections.abc import Callable

from autograph.syntax.fork_safe_lock import fork_safe_lock


class CallCount:
    """Counter of calls.  ``add`` is one call of C, and so atomic.

    A locked integer would cost a call of a small function a tenth of its time.  ``itertools.count``
    can only be read by incrementing it; ``total`` does that, and subtracts its own increments.
    """

    __slots__ = ("_lock", "_reads", "add")

    def __init__(self) -> None:
        self.add: Callable[[], object] = itertools.count().__next__
        self._reads = 0
        self._lock = fork_safe_lock()

    def total(self) -> int:
        """Return how often ``add`` was called so far."""
        with self._lock:
            count: int = self.add() - self._reads  # type: ignore[operator]
            self._reads += 1
            return count
