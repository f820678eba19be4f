"""The user's functions on elements: traced as graphs, with their control flow staged.

A function given to ``map`` and the like is converted and traced once, for the types of the
dataset's components; the executor runs the graph for each row, in whichever thread asks.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Sequence
from typing import Any

from runtime.data.elements import Layout, as_element, components, spec_of, with_components
from runtime.graph import raise_tracking
from runtime.graph.func_graph import FuncGraph
from runtime.graph.trace import trace
from runtime.ops.array.constants import convert_to_tensor
from runtime.staging.conversion import converted_for_rows
from runtime.staging.values.outliving import call_without_writes
from runtime.state.lifted_initializer import created_variables
from runtime.types.dtypes import bool_, int64
from runtime.types.errors import MismatchedTypesError
from runtime.types.shapes import TensorSpec


class Traced:
    """A function of the user as a graph, and the layout of what it returns."""

    def __init__(self, graph: FuncGraph, result: Any) -> None:
        self.graph = graph
        with graph.as_default():
            graph.set_outputs(components(result))
            self.result = with_components(result, graph.outputs)  # Python numbers have settled
            self.layout = Layout(spec_of(self.result))

    @property
    def captures(self) -> list[Any]:
        """The tensors around the function that it uses."""
        return self.graph.captured_tensors()

    def require_bool(self) -> None:
        """ValueError unless the result is a scalar bool."""
        spec = self.layout.spec
        fits = isinstance(spec, TensorSpec) and spec.dtype is bool_
        if not fits or not spec.shape.is_compatible_with(()):
            raise ValueError(
                "Invalid `predicate`. `predicate` must return a `tf.bool` scalar tensor, but its "
                f"return type is {spec}."
            )


def convert_function(function: Any, caller: str) -> Callable[..., Any]:
    """The function with its control flow staged; ValueError for what is not callable."""
    if not callable(function):
        raise ValueError(
            f"{caller}: Argument `func` must be a callable. Received func={function!r} (of type "
            f"{type(function)})"
        )
    return converted_for_rows(function, caller)


def trace_function(
    function: Any, layouts: Sequence[Layout], caller: str, spread: bool = True
) -> Traced:
    """The graph of a function of elements laid out so.

    ``spread``: a tuple's components are arguments of their own.  TypeError for a result that is
    no element, ValueError for a function that makes variables.
    """
    name = getattr(function, "__name__", type(function).__name__).strip("<>") or "function"
    call = convert_function(function, caller)
    inputs = [(spec, False) for layout in layouts for spec in layout.rows]

    def body(*tensors: Any) -> Any:
        values = list(tensors)
        arguments: list[Any] = []
        for layout in layouts:
            row = [values.pop(0) for _ in layout.rows]
            arguments += layout.arguments(row) if spread else [layout.packed(row)]
        _check_arguments(function, arguments, layouts, caller)
        result = call_without_writes(call, arguments, caller)
        result = tuple(result) if isinstance(result, list) else result
        if result is None:
            raise MismatchedTypesError(
                f"Unsupported return value from function passed to {caller}: None. Return a "
                "tensor, or several in a tuple or dict."
            )
        try:
            return as_element(result, f"Unsupported return value from function passed to {caller}")
        except ValueError as error:
            if type(error) is ValueError:  # what cannot become a tensor
                raise TypeError(str(error)) from None
            raise

    with raise_tracking.suspended():
        graph, result = trace("function", name, body, inputs)
        variables = created_variables(graph)
        if variables:
            raise ValueError(
                f"{caller}: the function makes the variable {variables[0]!r}. It is traced once "
                "and run for each element: make variables outside of it."
            )
    return Traced(graph, result)


def _check_arguments(
    function: Any, arguments: Sequence[Any], layouts: Sequence[Layout], caller: str
) -> None:
    """TypeError when the function does not take as many arguments."""
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):
        return  # builtins do not say
    try:
        signature.bind(*arguments)
    except TypeError as error:
        specs = ", ".join(str(layout.spec) for layout in layouts)
        raise TypeError(
            f"{caller}: the function {getattr(function, '__name__', function)}{signature} is "
            f"called with {len(arguments)} arguments, the components of {specs}: {error}"
        ) from None


def giving_int64(function: Any, caller: str) -> Callable[..., Any]:
    """The function with its result as a scalar int64 tensor; ValueError for another dtype."""
    call = convert_function(function, caller)

    @functools.wraps(function, assigned=("__name__",), updated=())
    def number(*args: Any) -> Any:
        result = convert_to_tensor(call(*args), int64)
        if not result.shape.is_compatible_with(()):
            raise ValueError(f"{caller}: a key or window size must be a scalar, got {result!r}")
        return result

    return number
