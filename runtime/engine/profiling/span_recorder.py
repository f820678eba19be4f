"""``SpanRecorder``: spans of the operations that run while a profile is recorded.

While there is one, graphs run operation by operation on the reference engine, and eager operations
of the thread that began it are timed.
"""

from __future__ import annotations

import threading
import time
from typing import Any

from autograph.named_tuples import NamedTuple
from autograph.syntax.fork_safe_lock import fork_safe_lock
from runtime.types.settings import SETTINGS
from runtime.types.source_location import UNKNOWN_LOCATION, Location

MOST_SPANS = 1_000_000
"""Spans that a profile holds at most."""


class OperationSpan(NamedTuple):
    """Run of an operation or a function, or the preparation of a graph.

    kind     'op', 'function', or 'compile': what comes before the first run of a graph
    type     type of the operation (``MatMul``), or name of the function
    name     name of the operation in its graph; empty for eager ones
    begin    time on the clock of ``time.perf_counter``, in seconds
    seconds  duration, with the operations inside
    depth    number of spans around it
    thread   number of its thread
    result   types of the results
    """

    kind: str
    type: str
    name: str
    location: Location
    begin: float
    seconds: float
    depth: int
    thread: int
    result: str


class _OfThread(threading.local):
    """Depth and number of the current thread."""

    recorder: Any = None
    depth = 0
    number = 0


class SpanRecorder:
    """SpanRecorder of spans, of all threads.

    ``dropped`` counts those that came when there were ``MOST_SPANS``.
    """

    def __init__(self) -> None:
        self.spans: list[OperationSpan] = []
        self.dropped = 0
        self.open = True
        self.begin = time.perf_counter()
        self.seconds = 0.0
        self._lock = fork_safe_lock()
        self._threads = 0
        self._thread = _OfThread()

    def enter(self) -> tuple[float, int]:
        """Begin a span: return the time and the depth."""
        thread = self._thread
        if not thread.number:
            with self._lock:
                self._threads += 1
                thread.number = self._threads
        thread.depth += 1
        return time.perf_counter(), thread.depth - 1

    def leave(
        self, entered: tuple[float, int], kind: str, type: str, name: str, location: Location,
        results: Any,
    ) -> None:  # fmt: skip
        """End a span; ``results`` are arrays or None."""
        begin, depth = entered
        seconds = time.perf_counter() - begin
        self._thread.depth = depth
        if not self.open:
            return
        if len(self.spans) >= MOST_SPANS:
            self.dropped += 1
            return
        self.spans.append(OperationSpan(
            kind, type, name, location or UNKNOWN_LOCATION, begin, seconds, depth,
            self._thread.number, _types(results),
        ))  # fmt: skip

    def close(self) -> None:
        """Record nothing more."""
        if self.open:
            self.open = False
            self.seconds = time.perf_counter() - self.begin


def _types(results: Any) -> str:
    """Return the types of arrays: ``float32[2,3]``."""
    types = []
    for value in results if isinstance(results, tuple | list) else (results,):
        dtype = getattr(value, "dtype", None)
        shape = ",".join(map(str, getattr(value, "shape", ())))
        types.append(type(value).__name__ if dtype is None else f"{dtype}[{shape}]")
    return ", ".join(types)


class _Current:
    """The recorder of the process, if there is one."""

    recorder: SpanRecorder | None = None


_CURRENT = _Current()
_LOCK = fork_safe_lock()


def current_recorder() -> SpanRecorder | None:
    """Return the recorder, or None where nothing is recorded."""
    return _CURRENT.recorder


def begin_recording() -> SpanRecorder:
    """Begin to record; RuntimeError if something is recorded already."""
    with _LOCK:
        if _CURRENT.recorder is not None:
            raise RuntimeError("a profile is being recorded already; end it first")
        recorder = _CURRENT.recorder = SpanRecorder()
    SETTINGS.change("profiling", True)  # executables of now are for this profile only
    return recorder


def end_recording() -> SpanRecorder:
    """Stop to record; RuntimeError if nothing is recorded."""
    with _LOCK:
        recorder = _CURRENT.recorder
        if recorder is None:
            raise RuntimeError("no profile is being recorded")
        _CURRENT.recorder = None
    SETTINGS.change("profiling", False)
    recorder.close()
    return recorder
