"""Direct calls of machine code: the functions that a call tries before it looks for a trace.

``native_call.py`` writes them for ``runtime.jit``, ``native_tensor_call.py`` for ``function``.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any

from runtime.functions.signature import BoundCall
from runtime.functions.state_guard import MISS
from runtime.types.settings import SETTINGS


class NativeCalls:
    """Direct calls of the traces of a function, by the number of arguments."""

    MOST = 8
    """Number of traces with so many arguments whose direct calls are tried."""

    def __init__(self, stages_numbers: bool, forget: Callable[[], object]) -> None:
        self._stages_numbers = stages_numbers
        self._forget = forget
        """Function to call when a trace becomes machine code: the next call then comes here."""
        self.by_count: dict[int, Callable[..., Any]] = {}
        """The functions to call; they give MISS if none is for the arguments."""
        self._calls: dict[int, dict[Hashable, Callable[..., Any]]] = {}

    def _write(self, *args: Any) -> Callable[..., Any] | None:
        """Write the direct call of a trace; what writes it is imported with the native engine."""
        if self._stages_numbers:
            from runtime.functions.native_call import direct_call

            return direct_call(*args)
        from runtime.functions.native_tensor_call import direct_tensor_call

        return direct_tensor_call(*args)

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
        native, links = executable.native, getattr(trace.variant, "links", None)
        kinds = tuple(map(type, args))
        state = id(native), SETTINGS.generation, id(links), kinds
        known = trace.direct
        if known is None or known[0] != state:
            known = trace.direct = state, self._write(trace, call, args, native), (native, links)
        several, key = self._calls.setdefault(len(args), {}), (id(trace), kinds)
        if known[1] is None or several.get(key) is known[1]:
            return
        several[key] = known[1]
        for other in list(several)[: -self.MOST]:
            del several[other]
        self.by_count[len(args)] = _first_of(list(several.values()))


def _first_of(calls: list[Callable[..., Any]]) -> Callable[..., Any]:
    """Return the function that tries one after the other."""
    if len(calls) == 1:
        return calls[0]

    def call(*args: Any) -> Any:
        for one in calls:
            found = one(*args)
            if found is not MISS:
                return found
        return MISS

    return call
