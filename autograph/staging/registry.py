"""Registry of staging backends: finds the backend of a value, and the one that is tracing now."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence

from autograph.diagnostics.user_frame import add_folder
from autograph.staging.iterable_protocol import LazyIterable
from autograph.staging.libraries import DUE, load_due, when_due
from autograph.staging.protocol import Backend
from autograph.staging.staged_list import StagedList
from autograph.staging.staged_map import StagedMap
from autograph.staging.staged_union import StagedReference
from autograph.staging.state_spec import StagedValue
from autograph.tracing import TRACES, TraceCount

_backends: list[Backend] = []

when_due(TRACES.hold)  # until the backend is loaded, which says itself when calls have to ask


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
