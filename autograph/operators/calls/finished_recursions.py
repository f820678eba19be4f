"""Functions traced by recursion.py that other calls may use, while one trace is made around them.

Without these each of several functions that call themselves and the next one (f calls f and g, g
calls g and h ...) would be traced again in each trace of the function before: exponentially often.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from autograph.errors import EffectError
from autograph.operators.calls.call_arguments import Arguments, alike
from autograph.operators.state.heap import Heap

if TYPE_CHECKING:
    from autograph.operators.calls.recursion import _Recursive


class FinishedRecursions:
    """Traced functions by the identity of the Python function, with what they reached then."""

    def __init__(self) -> None:
        self._made: dict[Any, list[tuple[_Recursive, Heap]]] = {}

    def add(self, recursion: _Recursive) -> None:
        """Keep a trace, unless it calls a function that is still being traced."""
        if recursion.stands_alone:
            heap = Heap((recursion.function, *recursion.arguments.values()), (), recursion.backend)
            self._made.setdefault(recursion.key, []).append((recursion, heap))

    def serving(self, key: Any, arguments: Arguments) -> _Recursive | None:
        """Return a trace for a call like its own but for staged values, also in what it reaches."""
        for recursion, heap in self._made.get(key, ()):
            if not alike(recursion.arguments, arguments, recursion.backend, numbers=False):
                continue
            try:
                changed = heap.changes()
            except EffectError:
                continue
            if not changed and recursion.accepts(arguments):
                return recursion
        return None

    def clear(self) -> None:
        """Forget all traces."""
        self._made.clear()
