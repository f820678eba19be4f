"""Gradient rule of applications of functions with custom gradients."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from typing import Any

import autograph
from autograph.errors import ConversionError, NotAFunctionError
from autograph.named_tuples import NamedTuple
from runtime.autodiff.backprop import Gradient, Gradients, VjpRequest, as_gradient, rule
from runtime.autodiff.seeds import total
from runtime.autodiff.vjp_call import call_gradients, seed_or_zeros
from runtime.graph.trace import current_graph
from runtime.ops.array.constants import convert_to_tensor
from runtime.ops.control_flow.custom_gradient import custom_op
from runtime.ops.resource.variable import VariableStorage
from runtime.types import nest

Function = Callable[..., Any]


class Derivative(NamedTuple):
    """Derivative of one application, as a Python function (eager) or a graph.

    storages        storages of the variables, besides the inputs, that it computes gradients of
    results         number of outputs whose gradients it takes
    input_storages  for each input the storage of a variable that was passed for it, eagerly
    """

    storages: tuple[VariableStorage, ...]
    results: int
    function: Any
    input_storages: tuple[VariableStorage | None, ...] = ()

    def __str__(self) -> str:
        return "its own"

    @property
    def graph(self) -> Any:
        """Graph of the derivative; None where it is a Python function."""
        return getattr(self.function, "graph", None)

    @property
    def keys(self) -> Any:
        """Inputs, by number, and storages, whose gradients the graph gives."""
        return self.function.keys

    @property
    def residuals(self) -> tuple[Any, ...]:
        """Inputs and outputs of an application that the graph takes, as ``Backward`` has them."""
        return tuple(self.function.residuals)


def convert_function(f: Function) -> Function:
    """Convert a function in a graph if it can be converted."""
    ours = (getattr(f, "__module__", None) or "").partition(".")[0] == "runtime"
    if ours or current_graph() is None:
        return f
    try:
        converted: Function = autograph.to_graph(f)
    except (ConversionError, NotAFunctionError):
        return f
    return converted


def checked_pair(result: Any, f: Function) -> tuple[Any, Function]:
    """Check that a decorated function returned a pair (result, function); else TypeError."""
    if not isinstance(result, tuple) or len(result) != 2 or not callable(result[1]):
        raise TypeError(
            f"{getattr(f, '__name__', f)}: a function under custom_gradient must return its result "
            f"and a function that computes the gradient, got {result!r}"
        )
    return result


def gradients_of(
    grad: Function, upstream: Sequence[Any], variables: Sequence[Any], count: int
) -> tuple[list[Any], list[Any]]:
    """Call the user's gradient function; return the gradients of arguments and of variables."""
    argument_gradients: Any
    if variables:
        pair = grad(*upstream, variables=list(variables))
        if not isinstance(pair, tuple | list) or len(pair) != 2:
            raise ValueError(
                "the gradient function of a custom_gradient with variables must return the "
                "gradients of the arguments and the list of those of the variables"
            )
        argument_gradients, variable_gradients = pair[0], list(pair[1] or [None] * len(variables))
        if len(variable_gradients) != len(variables):
            raise ValueError(
                "Must return gradient for each variable from @custom_gradient grad_fn: "
                f"{len(variables)}, got {len(variable_gradients)}."
            )
    else:
        argument_gradients, variable_gradients = grad(*upstream), []
    is_nest = nest.is_nested(argument_gradients)
    flat = nest.flatten(argument_gradients) if is_nest else [argument_gradients]
    if len(flat) != count:
        raise ValueError(
            f"custom_gradient function expected to return {count} gradients, but returned "
            f"{len(flat)} instead."
        )
    return flat, variable_gradients


def check_variables(grad: Function, variables: Sequence[Any]) -> None:
    """Raise TypeError if a function reads variables and its ``grad`` takes no ``variables=``."""
    if not variables:
        return
    try:
        parameters = inspect.signature(grad).parameters
    except (TypeError, ValueError):
        return  # a builtin, which tells when it is called
    takes_any = any(p.kind is p.VAR_KEYWORD for p in parameters.values())
    if "variables" not in parameters and not takes_any:
        names = ", ".join(v.name for v in variables)
        raise TypeError(
            "If using @custom_gradient with a function that uses variables, then grad_fn must "
            f"accept a 'variables' keyword argument. It uses {names}."
        )


@rule(custom_op)
def custom_gradients(request: VjpRequest) -> tuple[Sequence[Gradient | None], Gradients]:
    """Compute gradients by the function's own derivative, and usual ones through its residuals."""
    node = request.node
    custom_derivative: Derivative = node.attrs["derivative"]
    visible = request.gradients[: custom_derivative.results]
    inputs: list[Any] = [None] * len(node.inputs)
    hidden_gradients: Gradients = {}
    if any(g is not None for g in visible):
        upstream = [seed_or_zeros(request, i) for i in range(custom_derivative.results)]
        if node.attrs["graph"] is None:
            inputs, hidden_gradients = _call_eagerly(request, custom_derivative, upstream)
        else:
            argument_gradients, by_source = custom_derivative.function(node, upstream)
            inputs = [
                g if want else None
                for g, want in zip(argument_gradients, request.wants, strict=True)
            ]
            hidden_gradients = {key: g for key, g in by_source.items() if key in request.hidden}
    hidden = request.gradients[custom_derivative.results :]
    if any(g is not None for g in hidden):
        residual_request = request._replace(
            gradients=[*[None] * custom_derivative.results, *hidden]
        )
        residual_gradients, by_source = call_gradients(residual_request)
        inputs = [
            total([g for g in pair if g is not None]) for pair in zip(inputs, residual_gradients)
        ]
        for key, gradient in by_source.items():
            hidden_gradients[key] = total(
                [g for g in (hidden_gradients.get(key), gradient) if g is not None]
            )
    return inputs, hidden_gradients


def _call_eagerly(
    request: VjpRequest, custom_derivative: Derivative, upstream: Sequence[Gradient]
) -> tuple[list[Gradient | None], Gradients]:
    """Call the user's gradient function eagerly."""
    argument_gradients, variable_gradients = custom_derivative.function(upstream)
    inputs: list[Any] = []
    by_storage: Gradients = dict(zip(custom_derivative.storages, variable_gradients, strict=True))
    for tensor, storage, gradient, want in zip(
        request.node.inputs,
        custom_derivative.input_storages,
        argument_gradients,
        request.wants,
        strict=True,
    ):
        if storage is not None:
            summands = [g for g in (by_storage.get(storage), gradient) if g is not None]
            by_storage[storage] = total(summands)
        inputs.append(fitting(gradient, tensor) if want else None)
    return inputs, {
        key: g for key, g in by_storage.items() if g is not None and key in request.hidden
    }


def fitting(gradient: Any, tensor: Any) -> Any:
    """Convert a gradient that a user's function returned to the dtype of the input."""
    if gradient is None:
        return None
    return as_gradient(convert_to_tensor(gradient, dtype_hint=tensor.dtype), tensor)
