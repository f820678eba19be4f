"""Choice of what writes the direct call of a trace, if anything does."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from runtime.functions.direct_call import DirectCall
from runtime.functions.number_arguments import holds_tensors
from runtime.functions.signature import BoundCall

MOST_LEAVES = 300
"""Arguments of more parts go the general way: Python compiles 4,000 lines a second."""


def direct_call(
    trace: Any, call: BoundCall, args: Sequence[Any], kwargs: Mapping[str, Any]
) -> Callable[..., Any] | None:
    """Return the function of the arguments that runs a trace, or None.

    ``call`` is a call of the trace by the arguments ``args`` and ``kwargs``; the function takes
    them all by position.
    """
    variant, leaves = trace.variant, call.leaves
    if trace.graph.never_returns or (variant is not None and variant.arguments):
        return None
    if trace.carries_state and (trace.changes_arguments or trace.carried.returned):
        return None
    if trace.arrays.changes and not trace.returns_numbers or len(leaves) > MOST_LEAVES:
        return None
    if trace.returns_numbers and any(map(holds_tensors, leaves)):
        return None  # tensors go out
    values, keywords = [*args, *kwargs.values()], list(kwargs)
    if trace.executable.native is not None:
        from runtime.functions.native_call import NativeCall  # with the native engine, if at all

        if (function := NativeCall(trace, call).function(values, keywords)) is not None:
            return function
    if trace.changes_arguments or trace.results.returns_arguments:
        return None
    return DirectCall(trace, call).function(values, keywords)
