"""Registry of staging backends: finds the backend of a value, and the one that is tracing now."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Iterator, Sequence

from autograph.diagnostics.user_frame import add_folder
from autograph.staging.iterable_protocol import LazyIterable
from autograph.staging.libraries import DUE, load_due, when_due
from autograph.staging.protocol import Backend
from autograph.staging.staged_list import StagedList
from autograph.staging.staged_map import StagedMap
from autograph.staging.staged_union import StagedReference
from autograph.staging.state_spec import StagedValue

_backends: list[Backend] = []

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


when_due(TRACES.hold)  # until the backend is loaded, which says itself when calls have to ask


def when_traces_end(do: Callable[[], object]) -> None:
    """Call ``do()`` when the last active trace of any thread has ended."""
    TRACES.ends.append(do)


EAGER = TraceCount()
"""Counter of the registered backends that have ``eager_values``."""

_forced: list[bool] = []


def may_stage() -> bool:
    """Whether a function that this thread calls now may meet staged values."""
    if DUE:
        load_due(TRACES.let_go)
    return _forced[-1] if _forced else any(backend.may_stage() for backend in _backends)


@contextlib.contextmanager
def force_version(staged: bool) -> Iterator[None]:
    """Force every converted function to run its staged, or its unstaged, version in this block.

    For tests.  Staged versions run on Python values, too; unstaged ones fail on staged values.
    """
    _forced.append(staged)
    TRACES.enter()
    try:
        yield
    finally:
        TRACES.leave()
        _forced.pop()


def openers() -> frozenset[str]:
    """Return the ``openers`` of all backends: functions and classes that begin a trace."""
    return frozenset().union(*(backend.openers for backend in _backends))


def register(backend: Backend) -> Backend:
    """Register a backend and return it.  It replaces a registered backend of the same name."""
    for registered in [registered for registered in _backends if registered.name == backend.name]:
        unregister(registered)
    # Counted before it is listed: after an interrupt in between a count is too high, which makes
    # calls slower; a count that is too low would let ``unregister`` fail, and calls miss values.
    if not backend.announces:
        TRACES.hold()
    if backend.eager_values:
        EAGER.enter()
    _backends.append(backend)
    if backend.folder is not None:
        add_folder(backend.folder)
    return backend


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


def unregister(backend: Backend) -> None:
    """Remove a backend from the registry."""
    _backends.remove(backend)
    if not backend.announces:
        TRACES.let_go()
    if backend.eager_values:
        EAGER.leave()


def staging_backend(value: object) -> Backend | None:
    """Return the backend whose staged value ``value`` is, or None."""
    if DUE:
        load_due(TRACES.let_go)
    for backend in _backends:
        if backend.is_staged(value):
            return backend
    return value.backend if isinstance(value, (StagedList, StagedMap)) else None


def owning_backend(value: object) -> Backend | None:
    """Return the backend whose value ``value`` is, staged or concrete, or None."""
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


def is_lazy(value: object) -> bool:
    """Whether ``value`` produces its items at run time, such as a dataset in a trace."""
    return isinstance(value, LazyIterable) and value.__is_staged__()


def lazy_backend(values: Sequence[object]) -> Backend | None:
    """The tracing backend if one of ``values`` is a lazy iterable; else None."""
    backend = tracing_backend()
    return backend if backend is not None and any(map(is_lazy, values)) else None


def python_type(value: object) -> type | None:
    """The Python type that a staged value stands for; None for other values."""
    backend = staging_backend(value)
    return None if backend is None else backend.python_type(value)


def iterating_backend(iterable: object) -> Backend | None:
    """The backend that stages a ``for`` loop over ``iterable``, or None."""
    if isinstance(iterable, (StagedList, StagedMap, StagedValue)):
        return iterable.backend
    if isinstance(iterable, StagedReference):
        return iterable.ag__backend
    if isinstance(iterable, LazyIterable):
        staged = iterable.__is_staged__()
        names = (b for b in _backends if staged and b.name == iterable.__backend__)
        return next(names, None)
    for backend in _backends:
        if backend.owns(iterable) and backend.iterates(iterable):
            return backend
    return None


def tracing_backend() -> Backend | None:
    """The backend that is tracing in this thread, or None."""
    if TRACES:
        for backend in _backends:
            if backend.is_tracing():
                return backend
    return None
