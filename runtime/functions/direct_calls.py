"""Direct calls of machine code: the functions that a call tries before it looks for a trace.

``native_call.py`` writes them.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from typing import TYPE_CHECKING, Any

from runtime.functions.fast_keys import MISS
from runtime.types.settings import SETTINGS

if TYPE_CHECKING:
    from runtime.functions.signature import BoundCall

Form = int | tuple[Any, ...]
"""What calls have in common: the number of arguments; with keywords that number, and the names."""


def form_of(args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Form:
    """Return the form of a call."""
    return (len(args), *kwargs) if kwargs else len(args)


class NativeCalls:
    """Direct calls of the traces of a function, by the form of calls."""

    MOST = 8
    """Number of traces with calls of one form whose direct calls are tried."""

    def __init__(self, forget: Callable[[], object]) -> None:
        self._forget = forget
        """Function to call when a trace becomes machine code: the next call then comes here."""
        self.by_form: dict[Form, Callable[..., Any]] = {}
        """The functions of the arguments, those by keyword last; they give MISS for others."""
        self._calls: dict[Form, dict[Hashable, Callable[..., Any]]] = {}

    def clear(self) -> None:
        """Forget all."""
        self.by_form.clear()
        self._calls.clear()

    def note(
        self, trace: Any, call: BoundCall, args: tuple[Any, ...], kwargs: Mapping[str, Any]
    ) -> None:
        """Note that a trace ran a call: its direct call is made once it is machine code."""
        if trace.graph.captures or trace.graph.transient:
            return
        executable = trace.executable
        if executable.native is None:
            executable.when_native(self._forget)
            return
        from runtime.functions.native_call import direct_call  # with the native engine, if at all

        native, links = executable.native, getattr(trace.variant, "links", None)
        form, kinds = form_of(args, kwargs), tuple(map(type, (*args, *kwargs.values())))
        state = id(native), SETTINGS.generation, id(links), form, kinds
        if trace.direct is None or trace.direct[0] != state:
            trace.direct = state, direct_call(trace, call, args, kwargs, native), (native, links)
        direct, key = trace.direct[1], (id(trace), kinds)
        same_form = self._calls.setdefault(form, {})
        if direct is None or same_form.get(key) is direct:
            return
        same_form[key] = direct
        for oldest in list(same_form)[: -self.MOST]:
            del same_form[oldest]
        self.by_form[form] = _first_of(list(same_form.values()))


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
