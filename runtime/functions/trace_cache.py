"""The traces that a function keeps: found by key and shapes, bounded in number.

What was not called since it was last looked at goes first, and what was made for an object goes
with the object.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Hashable, Iterator
from typing import Any

from runtime.functions.concrete_function import ConcreteFunction
from runtime.functions.signature import BoundCall, Shapes

MAX_TRACES = 512
"""So many traces a function keeps at most."""


class Traces:
    """Concrete functions by key, and then by shapes."""

    def __init__(self) -> None:
        self._groups: dict[Hashable, dict[Shapes, ConcreteFunction]] = {}
        self._order: dict[tuple[Hashable, Shapes], int] = {}
        """The traces from old to new, with their runs when they were last looked at."""
        self._watches: dict[Hashable, list[Any]] = {}
        self._gone: deque[Hashable] = deque()
        """Keys with an object that is gone: noted by the garbage collector, at any moment."""
        self._lock = threading.Lock()
        self.dropped_runs = 0
        """How often traces ran that are not kept any longer."""

    def __iter__(self) -> Iterator[ConcreteFunction]:
        return iter([t for group in list(self._groups.values()) for t in list(group.values())])

    def __len__(self) -> int:
        return len(self._order)

    @property
    def runs(self) -> int:
        """How often traces ran."""
        return self.dropped_runs + sum([trace.calls.total() for trace in self])

    def shapes(self, key: Hashable) -> list[Shapes]:
        """The shapes of the traces of a key."""
        return list(self._groups.get(key, ()))

    def find(self, call: BoundCall) -> ConcreteFunction | None:
        """The trace for a call: that of its shapes, else the narrowest that accepts them.

        Where the call names its tensors (by TensorSpecs), one whose inputs have these names.
        """
        group = self._groups.get(call.key)
        if not group:
            return None
        found = group.get(call.shapes)
        if found is not None and found.has_names(call.names):
            return found
        wide = [
            trace for trace in list(group.values())
            if trace.is_relaxed and trace.accepts(call.shapes) and trace.has_names(call.names)
        ]  # fmt: skip
        return min(wide, key=lambda t: t.unknown, default=None)

    def add(self, call: BoundCall, shapes: Shapes, trace: ConcreteFunction) -> None:
        """Keep a trace; another one may go for it."""
        with self._lock:
            self._purge()
            while len(self._order) >= MAX_TRACES:
                self._drop(*self._oldest())
            group = self._groups.setdefault(call.key, {})
            if shapes in group:  # its inputs have other names
                self.dropped_runs += group[shapes].runs
            group[shapes] = trace
            self._order[call.key, shapes] = 1  # the call that it is made for
            if call.objects and call.key not in self._watches:
                key = call.key
                watches = [o.when_gone(lambda: self._on_key_dead(key)) for o in call.objects]
                self._watches[key] = watches

    def _on_key_dead(self, key: Hashable) -> None:
        """An object of a key is gone.  This may be called while the lock is held."""
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
        """The first in order that was not called since it was last looked at."""
        for place, seen in list(self._order.items()):
            runs = self._groups[place[0]][place[1]].runs
            if runs <= seen:
                return place
            del self._order[place]
            self._order[place] = runs
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
        for shapes in self.shapes(key):
            self._drop(key, shapes)

    def clear(self) -> None:
        """Drop all."""
        with self._lock:
            for key in list(self._groups):
                self._forget(key)
