"""Cache of a function's traces, by cache key and shapes, of limited size.

A trace that was not called since the last eviction is evicted first; a trace whose key contains an
object dies with the object.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Hashable, Iterator
from typing import Any

from autograph.syntax.fork_safe_lock import fork_safe_lock
from runtime.functions.array_arguments import patterns_of
from runtime.functions.concrete_function import ConcreteFunction
from runtime.functions.signature import BoundCall, Shapes

MAX_TRACES = 512
"""Maximum number of traces in the cache of a function."""


class Traces:
    """Cache of concrete functions by cache key, and then by shapes."""

    def __init__(self) -> None:
        self._groups: dict[Hashable, dict[Shapes, ConcreteFunction]] = {}
        self._order: dict[tuple[Hashable, Shapes], int] = {}
        """Traces in the order of eviction -> their runs when eviction last considered them."""
        self._watches: dict[Hashable, list[Any]] = {}
        self._gone: deque[Hashable] = deque()
        """Keys of collected objects, which the garbage collector adds at any moment."""
        self._lock = fork_safe_lock()
        self.dropped_runs = 0
        """Number of runs of traces that were evicted."""

    def __iter__(self) -> Iterator[ConcreteFunction]:
        return iter([t for group in list(self._groups.values()) for t in list(group.values())])

    def __len__(self) -> int:
        return len(self._order)

    @property
    def runs(self) -> int:
        """Number of runs of all traces, evicted ones included."""
        return self.dropped_runs + sum([trace.calls.total() for trace in self])

    def shapes(self, call: BoundCall) -> list[Shapes]:
        """Return the shapes of the traces of calls that differ by shapes alone."""
        keys = dict.fromkeys(self._keys(call))
        return [shapes for key in keys for shapes in self._groups.get(key, ())]

    def find(self, call: BoundCall) -> ConcreteFunction | None:
        """Return the trace for the shapes of a call, else the narrowest that accepts them, or None.

        If TensorSpecs of the call have names, the inputs of the trace must have these names.
        """
        for key in self._keys(call):
            trace = self._find(key, call)
            if trace is not None:
                return trace
        return None

    def _keys(self, call: BoundCall) -> list[Hashable]:
        """Return the keys under which a trace for a call may be kept."""
        return [(call.key, pattern) for pattern in patterns_of(call)] or [call.key]

    def _find(self, key: Hashable, call: BoundCall) -> ConcreteFunction | None:
        group = self._groups.get(key)
        if not group:
            return None
        exact = group.get(call.shapes)
        if exact is not None and exact.has_names(call.names):
            return exact
        fitting = [
            trace for trace in list(group.values())
            if trace.is_relaxed and trace.accepts(call.shapes) and trace.has_names(call.names)
        ]  # fmt: skip
        return min(fitting, key=lambda t: t.unknown, default=None)

    def add(self, call: BoundCall, shapes: Shapes, trace: ConcreteFunction) -> None:
        """Add a trace; evict others if the cache is full."""
        key = call.key
        if trace.arrays.pattern is not None:
            key = key, trace.arrays.pattern
        with self._lock:
            self._purge()
            while len(self._order) >= MAX_TRACES:
                self._drop(*self._oldest())
            group = self._groups.setdefault(key, {})
            if shapes in group:  # its inputs have other names
                self.dropped_runs += group[shapes].runs
            group[shapes] = trace
            self._order[key, shapes] = 1  # the call that made it
            if call.objects and key not in self._watches:
                watches = [o.on_collected(lambda: self._on_key_dead(key)) for o in call.objects]
                self._watches[key] = watches

    def _on_key_dead(self, key: Hashable) -> None:
        """Drop the traces of a key whose object was collected, now or when the lock is free."""
        self._gone.append(key)
        if self._lock.acquire(blocking=False):
            try:
                self._purge()
            finally:
                self._lock.release()

    def _purge(self) -> None:
        while self._gone:
            self._forget(self._gone.popleft())

    def _oldest(self) -> tuple[Hashable, Shapes]:
        """Return the first trace in order that was not called since eviction considered it."""
        for entry, seen in list(self._order.items()):
            runs = self._groups[entry[0]][entry[1]].runs
            if runs <= seen:
                return entry
            del self._order[entry]
            self._order[entry] = runs
        return next(iter(self._order))

    def _drop(self, key: Hashable, shapes: Shapes) -> None:
        self._order.pop((key, shapes), None)
        group = self._groups.get(key, {})
        trace = group.pop(shapes, None)
        if trace is not None:
            self.dropped_runs += trace.runs
        if not group:
            self._groups.pop(key, None)
            self._watches.pop(key, None)

    def _forget(self, key: Hashable) -> None:
        for shapes in list(self._groups.get(key, ())):
            self._drop(key, shapes)

    def clear(self) -> None:
        """Drop all traces."""
        with self._lock:
            for key in list(self._groups):
                self._forget(key)
