"""Settings of a thread that a block changes: what a trace allows, notes or knows meanwhile."""

from __future__ import annotations

import threading
import weakref
from _thread import RLock
from typing import Any, Generic, TypeVar

T = TypeVar("T")


class ThreadSetting(threading.local, Generic[T]):
    """Value of its own in each thread; ``with setting(value):`` changes it for a block.

    A value ends with its block wherever Ctrl-C interrupts the program.  So a block is a lock, whose
    state says whether the program is inside: ``with`` takes and releases it in C code, where no
    signal is handled, while methods in Python can be left between two lines.
    """

    def __init__(self, value: T) -> None:
        self._value = value
        self._blocks: list[weakref.ref[_Block]] = []

    def __call__(self, value: T) -> _Block:
        """Return what ``with`` enters to set the value for a block, in this thread."""
        block = _Block()
        block.value = value
        while self._blocks and self._blocks[-1]() is None:  # what has ended since
            self._blocks.pop()
        self._blocks.append(weakref.ref(block))
        return block

    @property
    def value(self) -> T:
        """The value that the innermost block has set, or else the first one."""
        blocks = self._blocks
        while blocks:
            block = blocks[-1]()
            if block is not None and block.is_entered():
                value: T = block.value
                return value
            blocks.pop()
        return self._value


class _Block(RLock):  # type: ignore[misc]  # final in typeshed alone
    """Block in which a setting has a value; the ``with`` statement alone refers to it."""

    __slots__ = ("value",)

    value: Any

    def is_entered(self) -> bool:
        """Whether the program is inside."""
        return self._is_owned()  # type: ignore[attr-defined]
