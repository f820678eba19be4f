"""The registry of staging backends: finds the backend of a value, and the one that traces now."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Iterator, Sequence

from autograph.diagnostics.user_frame import add_folder
from autograph.staging.iterable_protocol import LazyIterable
from autograph.staging.protocol import Backend
from autograph.staging.staged_list import StagedList
from autograph.staging.state_spec import StagedValue

_backends: list[Backend] = []

class TraceCount(list[None]):
    """Counter of the traces that go on, and of what keeps staged values alive after one.

    A list, because each converted function asks first whether there is any: the truth of a list
    costs no call.
    """

    def __init__(self) -> None:
        super().__init__()
        self.ends: list[Callable[[], object]] = []
        """What to do when the last trace has ended."""
        self.held = 0
        """How many are counted for what is alive, and no trace."""

    def enter(self) -> None:
        """Count one more."""
        self.append(None)

    def leave(self) -> None:
        """Count one less; do what is to be done when the last trace has ended."""
        self.pop()
        while len(self) <= self.held and self.ends:
            self.ends.pop()()

    def hold(self) -> None:
        """Count staged values that are alive though nothing traces."""
        self.held += 1
        self.enter()

    def let_go(self) -> None:
        """Take that back."""
        self.held -= 1
        self.leave()


TRACES = TraceCount()
"""Zero only when no thread can meet a staged value: a quick question before ``may_stage``.

Backends that announce their traces enter and leave it, and hold it while values are alive; for
any other it is held for good.
"""


def when_traces_end(do: Callable[[], object]) -> None:
    """Call ``do()`` once no thread traces any more."""
    TRACES.ends.append(do)


EAGER = TraceCount()
"""Counts backends with values that need more than Python where they are not staged."""

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
    TRACES.enter()
    try:
        yield
    finally:
        TRACES.leave()
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
        EAGER.enter()
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
        EAGER.leave()


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


def is_lazy(value: object) -> bool:
    """Whether it gives its items one by one at run time, such as a dataset does in a trace."""
    return isinstance(value, LazyIterable) and value.__is_staged__()


def lazy_backend(values: Sequence[object]) -> Backend | None:
    """The backend that records now, if one of ``values`` gives its items at run time; or None."""
    backend = tracing_backend()
    return backend if backend is not None and any(map(is_lazy, values)) else None


def python_type(value: object) -> type | None:
    """The type of what a staged value stands for in Python; None for all other values."""
    backend = staging_backend(value)
    return None if backend is None else backend.python_type(value)


def iterating_backend(iterable: object) -> Backend | None:
    """The backend that wants to stage a ``for`` over ``iterable``, or None."""
    if isinstance(iterable, (StagedList, StagedValue)):
        return iterable.backend
    if isinstance(iterable, LazyIterable):
        staged = iterable.__is_staged__()
        names = (b for b in _backends if staged and b.name == iterable.__backend__)
        return next(names, None)
    for backend in _backends:
        if backend.owns(iterable) and backend.iterates(iterable):
            return backend
    return None


def tracing_backend() -> Backend | None:
    """The backend that records operations now, or None."""
    if TRACES:
        for backend in _backends:
            if backend.is_tracing():
                return backend
    return None
