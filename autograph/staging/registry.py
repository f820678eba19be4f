"""The registry of staging backends: finds the backend of a value, and the one that traces now."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Iterator, Sequence
from typing import SupportsIndex

from autograph.diagnostics.user_frame import add_folder
from autograph.staging.protocol import Backend
from autograph.staging.staged_list import StagedList

_backends: list[Backend] = []

class _Traces(list[object]):
    """One item for each trace that goes on, and for what keeps staged values alive after one."""

    def __init__(self) -> None:
        super().__init__()
        self.ends: list[Callable[[], object]] = []
        self.held = 0
        """How many items are there for what is alive, and no trace."""

    def hold(self) -> None:
        """Add an item for staged values that are alive though nothing traces."""
        self.held += 1
        self.append(None)

    def let_go(self) -> None:
        """Take that back."""
        self.held -= 1
        self.pop()

    def pop(self, index: SupportsIndex = -1) -> object:
        """Take an item away; do what is to be done when the last trace has ended."""
        item = super().pop(index)
        while len(self) <= self.held and self.ends:
            self.ends.pop()()
        return item


TRACES = _Traces()
"""Empty only when no thread can meet a staged value: a quick question before ``may_stage``.

Backends that announce their traces append to it and pop, and hold it while values are alive; for
any other it is held for good.
"""


def when_traces_end(do: Callable[[], object]) -> None:
    """Call ``do()`` once no thread traces any more."""
    TRACES.ends.append(do)


EAGER: list[object] = []
"""Empty when no backend has values that need more than Python where they are not staged."""

_forced: list[bool] = []


def may_stage() -> bool:
    """Whether code that this thread begins to run now may meet staged values."""
    return _forced[-1] if _forced else any(backend.may_stage() for backend in _backends)


@contextlib.contextmanager
def halves(functional: bool) -> Iterator[None]:
    """For tests: within the block converted functions run their functional halves, or plain ones.

    Functional halves run on Python values, too; plain ones do not understand staged values.
    """
    _forced.append(functional)
    TRACES.append(None)
    try:
        yield
    finally:
        TRACES.pop()
        _forced.pop()


def openers() -> frozenset[str]:
    """The names of all that makes a backend trace, also after it returned."""
    return frozenset().union(*(backend.openers for backend in _backends))


def register(backend: Backend) -> Backend:
    """Make a backend known; the newest of a name replaces an older one.  Returns the backend."""
    for known in [known for known in _backends if known.name == backend.name]:
        unregister(known)
    _backends.append(backend)
    if not backend.announces:
        TRACES.hold()
    if backend.eager_values:
        EAGER.append(None)
    if backend.folder is not None:
        add_folder(backend.folder)
    return backend


_announced: list[Callable[[], object]] = []


def announce(load: Callable[[], object]) -> None:
    """Say how a backend is loaded (which registers it) before anything is converted.

    A library need not import all that staging takes for those who never convert.
    """
    _announced.append(load)
    if "autograph.operators" in sys.modules:
        load_announced()


def load_announced() -> None:
    """Load the backends that were announced."""
    while _announced:
        _announced.pop()()


def unregister(backend: Backend) -> None:
    """Forget a backend."""
    _backends.remove(backend)
    if not backend.announces:
        TRACES.let_go()
    if backend.eager_values:
        EAGER.pop()


def staging_backend(value: object) -> Backend | None:
    """The backend for which ``value`` is staged, or None."""
    for backend in _backends:
        if backend.is_staged(value):
            return backend
    return value.backend if isinstance(value, StagedList) else None


def owning_backend(value: object) -> Backend | None:
    """The backend whose value ``value`` is, staged or concrete, or None."""
    for backend in _backends:
        if backend.owns(value):
            return backend
    return None


def staging_backend_of(values: Sequence[object]) -> Backend | None:
    """The backend of the first staged value among ``values``, or None."""
    for value in values:
        backend = staging_backend(value)
        if backend is not None:
            return backend
    return None


def pulling_backend(values: Sequence[object]) -> Backend | None:
    """The backend that records now, if one of ``values`` gives its items at run time; or None."""
    backend = tracing_backend()
    if backend is None or not any(map(backend.pulls, values)):
        return None
    return backend


def python_type(value: object) -> type | None:
    """The type of what a staged value stands for in Python; None for all other values."""
    backend = staging_backend(value)
    return None if backend is None else backend.python_type(value)


def iterating_backend(iterable: object) -> Backend | None:
    """The backend that wants to stage a ``for`` over ``iterable``, or None."""
    for backend in _backends:
        if backend.iterates(iterable):
            return backend
    return iterable.backend if isinstance(iterable, StagedList) else None


def tracing_backend() -> Backend | None:
    """The backend that records operations now, or None."""
    if TRACES:
        for backend in _backends:
            if backend.is_tracing():
                return backend
    return None
