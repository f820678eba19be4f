"""Settings of a thread that a block changes: what a trace allows, notes or knows meanwhile."""

from __future__ import annotations

import threading
from typing import Generic, TypeVar

T = TypeVar("T")


class ThreadSetting(threading.local, Generic[T]):
    """Value of its own in each thread; ``with setting(value):`` changes it for a block.

    A value ends with its block wherever Ctrl-C interrupts the program.  So each block has a lock,
    which says whether the program is inside: ``with`` takes and releases that in C code, where no
    signal is handled, while methods in Python can be left between two lines.
    """

    def __init__(self, value: T) -> None:
        self._value = value
        self._blocks: list[tuple[threading.Lock, T]] = []

    def __call__(self, value: T) -> threading.Lock:
        """Return what ``with`` enters to set the value for a block, in this thread."""
        inside = threading.Lock()
        self._blocks.append((inside, value))
        return inside

    @property
    def value(self) -> T:
        """The value that the innermost block has set, or else the first one."""
        blocks = self._blocks
        while blocks:
            inside, value = blocks[-1]
            if inside.locked():
                return value
            blocks.pop()
        return self._value
