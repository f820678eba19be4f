"""Second runs: whether plain Python may run a call after machine code that raised an error."""

from __future__ import annotations

from runtime.engine.purity import repeatable
from runtime.functions.array_arguments import has_effects
from runtime.functions.concrete_function import ConcreteFunction


def may_run_again(trace: ConcreteFunction) -> bool:
    """Return whether a call of a trace has left nothing behind that a second run would repeat."""
    if trace.carries_state:
        return False
    return not has_effects(trace.graph) or all(map(repeatable, trace.graph.operations))
