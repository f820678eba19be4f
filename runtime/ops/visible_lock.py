"""Lock of state that changes in steps, which machine code sees held without calling Python.

Kernels hold it while they change a variable or draw random numbers.  Machine code changes the same
state while no other thread runs, and leaves it to the kernel where the lock is held.
"""

from __future__ import annotations

from typing import Any

from autograph.syntax.fork_safe_lock import fork_safe_lock


class VisibleLock:
    """Reentrant lock; ``held`` is set while a thread holds it, and not set otherwise."""

    __slots__ = ("_depth", "_lock", "held")

    def __init__(self) -> None:
        self._lock = fork_safe_lock()
        self._depth = 0

    def __enter__(self) -> None:
        inner = self._lock._is_owned()  # type: ignore[attr-defined]
        self._lock.acquire()
        self._depth = self._depth + 1 if inner else 1  # a fork may have left it as it was
        self.held = True

    def __exit__(self, *_: Any) -> None:
        self._depth -= 1
        if not self._depth:
            del self.held
        self._lock.release()
