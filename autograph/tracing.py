"""What a library that traces says before it needs a backend: where that is, and what traces.

A part of the ground, below the staging protocol: a library counts its traces from its first graph
on, and converted code asks for the count before anything else.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any


class TraceCount(list[None]):
    """Counter of the active traces, and of objects that keep staged values alive after a trace.

    It is a list because every converted function first tests whether the count is zero, and the
    truth of a list costs no call.
    """

    def __init__(self) -> None:
        super().__init__()
        self.ends: list[Callable[[], object]] = []
        """Callbacks to run when the last trace has ended."""
        self.held = 0
        """The part of the count that stands for live objects, not for traces."""

    def enter(self) -> None:
        """Count one more trace."""
        self.append(None)

    def leave(self) -> None:
        """Count one trace less; after the last one, run the callbacks in ``ends``."""
        self.pop()
        while len(self) <= self.held and self.ends:
            self.ends.pop()()

    def hold(self) -> None:
        """Count an object that keeps staged values alive outside of traces."""
        self.enter()
        self.held += 1  # after an interrupt in between the callbacks wait: too early were worse

    def let_go(self) -> None:
        """Undo ``hold``."""
        self.held -= 1
        self.leave()


TRACES = TraceCount()
"""Zero only when no thread can meet a staged value: a cheap test before ``may_stage()``.

Backends with ``announces`` enter and leave it with each trace, and hold it while staged values are
alive; for any other backend it is held as long as the backend is registered.
"""


def when_traces_end(do: Callable[[], object]) -> None:
    """Call ``do()`` when the last active trace of any thread has ended."""
    TRACES.ends.append(do)


class CallsPython:
    """Base of a library's callables that run a Python function of the user's while they trace."""

    __slots__ = ()
    python_function: Any
    """The function, bound to its object if it is a method."""


_announced: list[Callable[[], object]] = []


def announce(load: Callable[[], object]) -> None:
    """Register a function that loads (and so registers) a backend before the first conversion.

    A library need not import its backend for programs that convert nothing.
    """
    _announced.append(load)
    if "autograph.operators.namespaces" in sys.modules:
        load_announced()


def load_announced() -> None:
    """Load the announced backends."""
    while _announced:
        load = _announced[-1]
        load()  # an interrupt may end it: the next call loads again
        if load in _announced:  # another thread may have loaded it meanwhile
            _announced.remove(load)
