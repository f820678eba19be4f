"""Direct calls of machine code: the functions that a call tries before it looks for a trace.

``native_call.py`` writes them.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any

from runtime.functions.call_source import MISS
from runtime.functions.signature import BoundCall
from runtime.types.settings import SETTINGS


class NativeCalls:
    """Direct calls of the traces of a function, by the number of arguments."""

    MOST = 8
    """Number of traces with so many arguments whose direct calls are tried."""

    def __init__(self, forget: Callable[[], object]) -> None:
        self._forget = forget
        """Function to call when a trace becomes machine code: the next call then comes here."""
        self.by_count: dict[int, Callable[..., Any]] = {}
        """The functions to call; they give MISS if none is for the arguments."""
        self._calls: dict[int, dict[Hashable, Callable[..., Any]]] = {}

    def clear(self) -> None:
        """Forget all."""
        self.by_count.clear()
        self._calls.clear()

    def note(self, trace: Any, call: BoundCall, args: tuple[Any, ...]) -> None:
        """Note that a trace ran a call: its direct call is made once it is machine code."""
        if trace.graph.captures or trace.graph.transient:
            return
        executable = trace.executable
        if executable.native is None:
            executable.when_native(self._forget)
            return
        from runtime.functions.native_call import direct_call  # with the native engine, if at all

        native, links = executable.native, getattr(trace.variant, "links", None)
        kinds = tuple(map(type, args))
        state = id(native), SETTINGS.generation, id(links), kinds
        if trace.direct is None or trace.direct[0] != state:
            trace.direct = state, direct_call(trace, call, args, native), (native, links)
        direct, key = trace.direct[1], (id(trace), kinds)
        same_count = self._calls.setdefault(len(args), {})
        if direct is None or same_count.get(key) is direct:
            return
        same_count[key] = direct
        for oldest in list(same_count)[: -self.MOST]:
            del same_count[oldest]
        self.by_count[len(args)] = _first_of(list(same_count.values()))


def _first_of(calls: list[Callable[..., Any]]) -> Callable[..., Any]:
    """Return the function that tries one after the other."""
    if len(calls) == 1:
        return calls[0]

    def call(*args: Any) -> Any:
        for direct in calls:
            result = direct(*args)
            if result is not MISS:
                return result
        return MISS

    return call
