"""``Profile``: a recorded run, as tables by operation and by line, and as a trace for Chrome.

The trace is in the "Trace Event Format", which chrome://tracing and https://ui.perfetto.dev show.
"""

from __future__ import annotations

import contextlib
import gzip
import json
import linecache
import os
from collections.abc import Iterator
from typing import Any

from autograph.errors import StagingError
from autograph.named_tuples import NamedTuple
from runtime.engine.profiling import span_recorder as recorders
from runtime.engine.profiling.recording_engine import RecordingInterpreter
from runtime.engine.profiling.span_recorder import OperationSpan, SpanRecorder
from runtime.ops import dispatch
from runtime.types.atomic_files import file_errors, replacing

__all__ = ["Profile", "Share", "trace"]

_OPERATIONS, _LINES = 1, 2


class Share(NamedTuple):
    """Share of an operation type or a line: its own time, all with what is inside, and runs."""

    name: str
    self_seconds: float
    seconds: float
    runs: int


class Profile:
    """Recorded run; ``print(profile)`` shows where the time went.

    ``spans`` are the runs of operations and functions, in the order in which they ended.
    """

    def __init__(self, recorder: SpanRecorder) -> None:
        self._recorder = recorder

    @property
    def spans(self) -> list[OperationSpan]:
        """Runs of operations and functions."""
        return self._recorder.spans

    @property
    def seconds(self) -> float:
        """Duration of the profile."""
        return self._recorder.seconds

    def by_operation(self) -> list[Share]:
        """Return the totals of each type of operation, the most expensive ones first."""
        return self._totals(lambda span: span.type)

    def by_line(self) -> list[Share]:
        """Return the totals of each line of the user's code, the most expensive ones first."""
        return self._totals(lambda span: str(span.location))

    def by_name(self) -> dict[str, float]:
        """Return the seconds of each operation of a graph by its name, for drawings."""
        totals: dict[str, float] = {}
        for span in self.spans:
            if span.kind == "op" and span.name:
                totals[span.name] = totals.get(span.name, 0.0) + span.seconds
        return totals

    def _totals(self, name: Any) -> list[Share]:
        totals: dict[str, list[float]] = {}
        inner: dict[tuple[int, int], float] = {}
        for span in self.spans:
            own_seconds = span.seconds - inner.pop((span.thread, span.depth + 1), 0.0)
            around = span.thread, span.depth
            inner[around] = inner.get(around, 0.0) + span.seconds
            if span.kind == "op":
                total = totals.setdefault(name(span), [0.0, 0.0, 0])
                total[0] += own_seconds
                total[1] += span.seconds
                total[2] += 1
        shares = [Share(key, alone, every, int(n)) for key, (alone, every, n) in totals.items()]
        return sorted(shares, key=lambda total: -total.self_seconds)

    def __str__(self) -> str:
        count = sum(span.kind == "op" for span in self.spans)
        lines = [f"{count} operations in {self.seconds:.3g} s"]
        if self._recorder.dropped:
            lines.append(f"{self._recorder.dropped} more are left out")
        for title, totals in (("operation", self.by_operation()), ("line", self.by_line())):
            lines += ["", f"{'self ms':>10} {'total ms':>10} {'runs':>8}  {title}"]
            lines += [
                f"{1e3 * t.self_seconds:10.3f} {1e3 * t.seconds:10.3f} {t.runs:8}  "
                f"{_with_text(t.name)}"
                for t in totals[:20]
            ]  # fmt: skip
            if len(totals) > 20:
                lines.append(f"{'':30}  ... {len(totals) - 20} more")
        return "\n".join(lines)

    def __repr__(self) -> str:
        return f"<Profile of {len(self.spans)} spans in {self.seconds:.3g} s>"

    def chrome_trace(self) -> dict[str, Any]:
        """Return the spans in Chrome's format: tracks of operations, and of lines, by thread."""
        events: list[dict[str, Any]] = []
        threads = sorted({span.thread for span in self.spans})
        for process, title in ((_OPERATIONS, "operations"), (_LINES, "lines")):
            events.append(_named("process_name", process, 0, title))
            events += [_named("thread_name", process, t, f"thread {t}") for t in threads]
        spans = sorted(self.spans, key=lambda span: (span.thread, span.begin, span.depth))
        events += [self._event(span) for span in spans]
        events += self._line_events(spans)
        about = {"dropped spans": self._recorder.dropped}
        return {"traceEvents": events, "displayTimeUnit": "ms", "otherData": about}

    def _event(self, span: OperationSpan) -> dict[str, Any]:
        told = {"result": span.result}
        if span.name:
            told["operation"] = span.name
        if span.location:
            told["line"] = span.location.described()
        return {
            "name": span.type, "cat": span.kind, "ph": "X", "pid": _OPERATIONS, "tid": span.thread,
            "ts": self._micros(span.begin), "dur": 1e6 * span.seconds, "args": told,
        }  # fmt: skip

    def _micros(self, time: float) -> float:
        return 1e6 * (time - self._recorder.begin)

    def _line_events(self, spans: list[OperationSpan]) -> Iterator[dict[str, Any]]:
        """Yield an event for neighbours of one line and one depth; ``spans`` are in order."""
        latest: dict[int, dict[str, Any]] = {}
        places: dict[int, tuple[Any, int]] = {}
        for span in spans:
            if span.kind != "op" or not span.location:
                continue
            place = (span.location.file, span.location.line), span.thread
            for depth in [d for d in latest if d >= span.depth]:
                if depth > span.depth or places[depth] != place:
                    yield latest.pop(depth)
            begin = self._micros(span.begin)
            event = latest.get(span.depth)
            if event is None:
                name = f"{os.path.basename(span.location.file)}:{span.location.line}"
                latest[span.depth] = {
                    "name": name, "cat": "line", "ph": "X", "pid": _LINES, "tid": span.thread,
                    "ts": begin, "dur": 0.0, "args": {"line": span.location.described()},
                }  # fmt: skip
                places[span.depth] = place
            latest[span.depth]["dur"] = begin + 1e6 * span.seconds - latest[span.depth]["ts"]
        yield from latest.values()

    def write(self, path: Any) -> str:
        """Write the trace to a file (``.gz``: compressed), or to ``trace.json`` in a folder.

        Returns the path.  Raises the OpError that fits the error of the file system.
        """
        path = _file(path)
        text = json.dumps(self.chrome_trace()).encode()
        with file_errors(path), replacing(path) as file:
            file.write(gzip.compress(text) if path.endswith(".gz") else text)
        return path


def _named(kind: str, process: int, thread: int, name: str) -> dict[str, Any]:
    return {"name": kind, "ph": "M", "pid": process, "tid": thread, "args": {"name": name}}


def _with_text(name: str) -> str:
    """Return a location with the text of its line; other names as they are."""
    file, _, line = name.rpartition(":")
    text = linecache.getline(file, int(line)).strip() if file and line.isdigit() else ""
    return f"{name}: {text}" if text else name


def _file(path: Any) -> str:
    """Return the file of a trace; make the folder if need be."""
    name = os.fsdecode(path)
    if not name.endswith((".json", ".json.gz")):
        name = os.path.join(name, "trace.json")
    folder = os.path.dirname(name)
    with file_errors(name):
        os.makedirs(folder or ".", exist_ok=True)
    return name


def _eager_operations(recorder: SpanRecorder) -> contextlib.AbstractContextManager[object]:
    """Record the eager operations of this thread within a block."""
    if not dispatch.current().eager:  # a graph for sessions is being built
        return contextlib.nullcontext()
    return dispatch.as_current(RecordingInterpreter(recorder))


@contextlib.contextmanager
def trace(path: Any = None) -> Iterator[Profile]:
    """Profile a block: which operation, and which line, took how long.

    Meanwhile graphs run operation by operation with the kernels of the reference engine, also those
    that are machine code otherwise, so that what is fused shows apart.  Eager operations of other
    threads are left out.

    Args:
        path: file that gets a trace in Chrome's format, which chrome://tracing and
            https://ui.perfetto.dev show; ``.json.gz`` compresses it; another name is a folder,
            which gets ``trace.json``.  None: no file.
    Returns:
        A context manager that gives the Profile, which is complete after the block.
    Raises:
        StagingError: a graph is being built.
        RuntimeError: a profile is being recorded already.
        OpError: the one that fits the error of the file system.
    """
    if dispatch.current().temporary:
        raise StagingError(
            "a profile begins while a graph is built, and not when it runs",
            help="begin it outside of the function",
        )
    trace_file = None if path is None else _file(path)
    recorder = recorders.begin_recording()
    profile = Profile(recorder)
    try:
        with _eager_operations(recorder):
            yield profile
    finally:
        recorders.end_recording()
        if trace_file is not None:
            profile.write(trace_file)
