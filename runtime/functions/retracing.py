"""Records of a function's traces with their reasons, and the warning about frequent retracing.

``Function.explain()`` shows the records.  A record holds texts and keys, and keeps no argument of
the call alive.
"""

from __future__ import annotations

import warnings
import weakref
from collections import Counter, deque
from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import Any

from autograph.named_tuples import NamedTuple
from runtime.engine.protocol import Executable
from runtime.functions.cache_key import KeyBuilder, is_tensor_argument, key_of, named_leaves
from runtime.functions.signature import BoundCall
from runtime.functions.type_format import format_type, spec_of
from runtime.types.composite import is_argument, type_spec_of
from runtime.types.errors import RetracingWarning
from runtime.types.source_location import user_location

MAX_RECORDS = 100
"""Number of trace records that a function keeps: the first one, and the latest."""

SEARCH_DEPTH = 25
"""Number of recent records among which the most similar one is searched."""

RETRACE_WARNING_COUNT = 5
"""Number of traces within twice as many calls that causes a ``RetracingWarning``."""

WARNINGS = 2
"""Number of warnings that one function issues at most."""


class ArgumentLeaf(NamedTuple):
    """Leaf of the arguments: its label, its kind, its cache key and the text of its type."""

    label: str
    kind: str
    key: Hashable
    text: str


class Change(NamedTuple):
    """Difference of one argument between an earlier trace and this one."""

    argument: str
    kind: str
    """``dtype``, ``shape``, ``value``, ``object`` or ``structure``."""
    old: str
    new: str

    def __str__(self) -> str:
        return f"{_WHAT[self.kind].format(self.argument)}: it was {self.old} and is {self.new}"


_WHAT = {
    "dtype": "the dtype of {!r} differs",
    "shape": "the shape of {!r} differs",
    "value": "the Python value of {!r} differs",
    "object": "{!r} is another object",
    "structure": "{!r} is of another kind",
}
_HELP = {
    "dtype": "pass tensors of one dtype: runtime.cast, or an input_signature",
    "shape": "let sizes be unknown: reduce_retracing=True, or None in an input_signature",
    "value": "pass it as a tensor, runtime.constant({0}), when it is a number",
    "object": "pass the same object every time",
    "structure": "pass values of one type and structure",
}


class TraceRecord:
    """Record of one trace: number, reason, signature, cost and runs.

    ``changes`` lists the differences to the most similar earlier trace, number ``compared``.
    """

    def __init__(
        self, number: int, reason: str, signature: str, leaves: tuple[ArgumentLeaf, ...],
        changes: tuple[Change, ...], compared: int | None,
    ) -> None:  # fmt: skip
        self.number = number
        self.reason = reason
        self.signature = signature
        self.changes = changes
        self.compared = compared
        self.seconds = 0.0
        self.operations = 0
        place = user_location()
        self.location = (place.file, place.line) if place.file else None
        self.leaves = leaves
        self._runs: Callable[[], int] = lambda: 0
        self._trace: Callable[[], Any] = lambda: None

    def attach(self, trace: Any, seconds: float) -> None:
        """Enter the trace and the time that it took."""
        self.seconds = seconds
        self.operations = len(trace.graph.operations)
        self._trace = weakref.ref(trace)
        self._runs = trace.calls.total

    @property
    def runs(self) -> int:
        """Number of calls of the trace so far."""
        return self._runs()

    @property
    def trace(self) -> Any:
        """The ConcreteFunction, or None after it was dropped."""
        return self._trace()

    def lines(self) -> list[str]:
        """Return the lines of text that ``explain()`` shows for the record."""
        return [f"trace {self.number}: {self.signature}", *self.details()]

    def details(self) -> list[str]:
        """Return the lines below the first one, indented."""
        gone = "" if self.trace is not None else ", gone by now"
        lines = [f"  why: {self.reason}"]
        lines += [f"    {change}" for change in self.changes]
        lines += [f"    help: {text}" for text in _advice(self.changes)]
        cost = f"traced in {self.seconds * 1000:.1f} ms, {self.operations} operations"
        lines.append(f"  runs: {self.runs}; {cost}{gone}")
        if self.trace is not None:
            lines += [f"  unrolled: {text}" for text in self.trace.unrolled_loops]
            lines += _engine(self.trace.executable)
        if self.location is not None:
            lines.append(f"  by the call at {self.location[0]}:{self.location[1]}")
        return lines


def _engine(run: Executable) -> list[str]:
    """Return lines about the engine that runs a trace, and why faster engines do not."""
    progress = f": {run.progress}" if run.progress else ""
    lines = [f"  engine: {run.engine}{progress}"]
    if run.native is not None:
        from runtime.engine.llvm.slow_operations import slow_operations  # costs an import

        lines += [f"    slow: {text}" for text in slow_operations(run.native.module)]
    return lines + [f"    not {refusal.engine}: {refusal.reason}" for refusal in run.refusals]


class Explanation(str):
    """The text of ``Function.explain()``; ``traces`` are its records; notebooks draw the graphs."""

    traces: tuple[TraceRecord, ...]

    __repr__ = str.__str__

    def _repr_html_(self) -> str:
        from runtime.functions.explanation_page import explanation_html  # costs an import

        return explanation_html(self.partition("\n")[0], self.traces)


class History:
    """Records of the traces of one function."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.count = 0
        self._first: TraceRecord | None = None
        self._latest: deque[TraceRecord] = deque(maxlen=MAX_RECORDS - 1)
        self._called: deque[int] = deque(maxlen=RETRACE_WARNING_COUNT)
        self._warned = 0

    @property
    def records(self) -> list[TraceRecord]:
        """Stored records, in the order of the traces."""
        return [*([self._first] if self._first else ()), *self._latest]

    def begin(self, call: BoundCall, note: str = "", state: Sequence[str] = ()) -> TraceRecord:
        """Return the record of a trace to be made; ``note`` names the reason if it is no call.

        ``state`` names what is read besides the arguments and changed, or changed its type.
        """
        leaves = tuple(_leaves(call))
        reason, changes, compared = self._why(leaves)
        if state and not changes and compared is not None:
            reason = f"trace {compared} has these arguments, but the state differs by now: "
            reason += ", ".join(map(repr, state))
        if note:
            reason = f"{note}; {reason}"
        shown = ", ".join(f"{leaf.label}: {leaf.text}" for leaf in leaves)
        signature = f"{self.name}({shown})"
        return TraceRecord(self.count + 1, reason, signature, leaves, changes, compared)

    def _why(self, leaves: tuple[ArgumentLeaf, ...]) -> tuple[str, tuple[Change, ...], int | None]:
        best: tuple[Change, ...] | None = None
        compared = 0
        for record in reversed(self.records[:1] + self.records[1:][-SEARCH_DEPTH:]):
            changes = _changes(record.leaves, leaves)
            if best is None or len(changes) < len(best):
                best, compared = changes, record.number
        if best is None:
            return "it is the first trace", (), None
        if best:
            return f"no trace fits; trace {compared} comes nearest", best, compared
        reason = f"trace {compared} fits, but was dropped, or uses tensors of another graph"
        return reason, (), compared

    def add(self, record: TraceRecord) -> None:
        """Store a record after its trace was made."""
        self.count += 1
        if self._first is None:
            self._first = record
        else:
            self._latest.append(record)

    def note_call(self, number: int) -> None:
        """Note that call number ``number`` made a trace; warn when most calls make one."""
        if self._warned >= WARNINGS:
            return
        self._called.append(number)
        span = number - self._called[0] + 1
        if len(self._called) == RETRACE_WARNING_COUNT and span <= 2 * RETRACE_WARNING_COUNT:
            self._warned += 1
            self._called.clear()
            _warn(
                f"{self.name} was traced {RETRACE_WARNING_COUNT} times in its last {span} calls, "
                f"and tracing costs far more than running. {self._cause()} {self.name}.explain() "
                "lists all traces."
            )

    def _cause(self) -> str:
        recent = self.records[-RETRACE_WARNING_COUNT:]
        counted = Counter((c.argument, c.kind) for r in recent for c in r.changes)
        if not counted:
            return "Its traces were dropped in between."
        (argument, kind), _ = counted.most_common(1)[0]
        changes = [c for record in recent for c in record.changes]
        texts = [c.new for c in changes if (c.argument, c.kind) == (argument, kind)]
        shown = ", ".join(dict.fromkeys(texts))
        help = _HELP[kind].format(argument)
        return f"Cause: {_WHAT[kind].format(argument)} from call to call ({shown}). Help: {help}."

    def explain(self, calls: int, cached: int) -> Explanation:
        """Return the text of all records, given the numbers of calls and of cached traces."""
        if not self.count:
            text = f"{self.name} has not been traced yet"
        else:
            times = "once" if self.count == 1 else f"{self.count} times"
            text = f"{self.name}: {calls} calls, traced {times}, {cached} traces kept"
        lines = [text]
        records = self.records
        for record in records:
            lines += record.lines()
            if record is self._first and len(records) < self.count:
                lines.append(f"... {self.count - len(records)} traces whose records are not kept")
        explanation = Explanation("\n".join(lines))
        explanation.traces = tuple(records)
        return explanation


def _leaves(call: BoundCall) -> Iterable[ArgumentLeaf]:
    for (name, _), value in zip(call.labels, call.values, strict=True):
        for label, leaf in named_leaves(name, value):
            if is_tensor_argument(leaf):
                spec = spec_of(leaf)
                yield ArgumentLeaf(label, "tensor", (spec.dtype, spec.shape), repr(spec))
                continue
            if is_argument(leaf):
                type_ = type_spec_of(leaf)
                dtype = getattr(type_, "dtype", None)
                yield ArgumentLeaf(label, "tensor", (dtype, type_), repr(type_))
                continue
            builder = KeyBuilder()
            key = key_of(leaf, builder)
            kind = "object" if builder.objects else "value"
            yield ArgumentLeaf(label, kind, key, format_type(leaf))


def _changes(old: tuple[ArgumentLeaf, ...], new: tuple[ArgumentLeaf, ...]) -> tuple[Change, ...]:
    before = {leaf.label: leaf for leaf in old}
    after = {leaf.label: leaf for leaf in new}
    changes: list[Change] = []
    for label in dict.fromkeys((*before, *after)):
        was, now = before.get(label), after.get(label)
        if was is None or now is None:
            texts = [leaf.text if leaf is not None else "missing" for leaf in (was, now)]
            changes.append(Change(label, "structure", *texts))
        elif was.key != now.key:
            changes.append(Change(label, _kind(was, now), was.text, now.text))
    return tuple(changes)


def _kind(was: ArgumentLeaf, now: ArgumentLeaf) -> str:
    if was.kind != now.kind:
        return "structure"
    if was.kind == "tensor":
        same_dtype = was.key[0] == now.key[0]  # type: ignore[index]
        return "shape" if same_dtype else "dtype"
    return was.kind


def _advice(changes: Iterable[Change]) -> list[str]:
    return list(dict.fromkeys(_HELP[c.kind].format(c.argument) for c in changes))


def _warn(message: str) -> None:
    """Issue a RetracingWarning at the user's line."""
    place = user_location()
    warnings.warn_explicit(message, RetracingWarning, place.file or "<unknown>", place.line or 1)


# -- functions made again and again ---------------------------------------------------------------

_functions_of_code: weakref.WeakKeyDictionary[Any, list[Any]] = weakref.WeakKeyDictionary()
"""Code object -> latest function, number of functions in a row that died after one trace, warnings.
"""


def note_first_trace(function: Any, code: Any, name: str) -> None:
    """Count the first trace of a function; warn if functions are made and dropped repeatedly."""
    record = _functions_of_code.get(code)
    if record is None:
        _functions_of_code[code] = [weakref.ref(function), 1, 0]
        return
    latest, gone, warned = record
    gone = gone + 1 if latest() is None else 1
    if gone >= RETRACE_WARNING_COUNT and warned < WARNINGS:
        warned, gone = warned + 1, 1
        _warn(
            f"{RETRACE_WARNING_COUNT} runtime.functions were made of {name} ({code.co_filename}:"
            f"{code.co_firstlineno}) one after the other, and each was traced again. Cause: "
            "runtime.function(...) is called in a loop, or in a function that is called again. "
            "Help: make it once, outside, and call that."
        )
    record[:] = [weakref.ref(function), gone, warned]
