"""Direct calls: the functions that a call tries before it looks for a trace.

``direct_call.py`` writes them.  Nothing here needs a trace: functions that were never traced share
it.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from typing import TYPE_CHECKING, Any

from runtime.types.python_source import MISS
from runtime.types.settings import SETTINGS

if TYPE_CHECKING:
    from runtime.functions.signature import BoundCall

Form = int | tuple[Any, ...]
"""What calls have in common: the number of arguments; with keywords that number, and the names."""


def form_of(args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Form:
    """Return the form of a call."""
    return (len(args), *kwargs) if kwargs else len(args)


class DirectCalls:
    """Direct calls of the traces of a function, by the form of calls."""

    MOST = 64
    """Number of traces with calls of one form whose direct calls are tried: a vain try takes
    0.1 us, the general way 50 us.
    """

    def __init__(self) -> None:
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
        """Note that a trace runs a call again: its direct call is made, and made again once the
        trace is machine code.
        """
        if trace.graph.captures or trace.graph.transient:
            return
        if trace.executable.native is None:
            trace.executable.when_native(self.clear)
            if trace.runs < 1:  # writing takes 0.5 ms, as 15 calls of the general way
                return
        native, links = trace.executable.native, trace.links
        form, kinds = form_of(args, kwargs), tuple(map(type, (*args, *kwargs.values())))
        state = id(native), id(links), SETTINGS.generation, form, kinds
        if trace.direct is None or trace.direct[0] != state:
            from runtime.functions.direct_call import direct_call

            trace.direct = state, direct_call(trace, call, args, kwargs), (native, links)
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
