"""What exports to other runtimes begin with: the trace of a function or model, without state."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from runtime.functions.concrete_function import ConcreteFunction
from runtime.functions.decorator import function
from runtime.functions.function import Function
from runtime.types.errors import UnimplementedError


def trace_of(
    fn: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any]
) -> tuple[ConcreteFunction, dict[str, Any]]:
    """Return the trace of a function or model for arguments, and names of its sizes, if any.

    ValueError where no arguments are given, and the function has several traces.
    """
    if isinstance(fn, ConcreteFunction):
        return fn, {}
    of_model = getattr(fn, "_trace_with_sizes", None)
    if of_model is not None and not (args or kwargs):
        trace, sizes = of_model()
        return trace, sizes
    staged: Any = fn
    if not hasattr(fn, "get_concrete_function"):
        method = getattr(fn, "__call__", None)  # noqa: B004 - of a module, a function itself
        staged = method if hasattr(method, "get_concrete_function") else function(fn)
    if args or kwargs or getattr(staged, "input_signature", None) is not None:
        return staged.get_concrete_function(*args, **kwargs), {}
    traces = staged._all() if isinstance(staged, Function) else []
    if len(traces) > 1:
        raise ValueError(
            f"export: {staged.name} has {len(traces)} traces: give the arguments, or TensorSpecs"
        )
    return traces[0] if traces else staged.get_concrete_function(), {}


def check_exportable(trace: ConcreteFunction, title: str, format: str) -> None:
    """Raise UnimplementedError for calls that change Python objects: a format has none."""
    if trace.carries_state:
        raise UnimplementedError(
            f"{title} cannot be written as {format}: its calls read or write attributes, items or "
            "variables of Python. Make them arguments and results"
        )
    if trace.changes_arguments or trace.arrays.written:
        raise UnimplementedError(
            f"{title} cannot be written as {format}: its calls change an argument. Change a copy, "
            "and return it"
        )
    if len(trace.inputs) != len(trace.graph.inputs):
        raise UnimplementedError(
            f"{title} cannot be written as {format}: an argument is no tensor, but made of "
            "several. Make these the arguments"
        )
    if not trace.graph.outputs:
        raise UnimplementedError(f"{title} cannot be written as {format}: it returns nothing")
    if trace.graph.captures:
        raise UnimplementedError(
            f"{title} cannot be written as {format}: it uses a tensor of the graph that it was "
            "traced in. Make it an argument"
        )
