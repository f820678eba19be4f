"""``custom_gradient`` in graphs: traces the function and its derivative together."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import Any

from runtime.autodiff.backprop import Gradients
from runtime.autodiff.captured_sources import sources_of
from runtime.autodiff.custom_gradient_rule import (
    Derivative,
    check_variables,
    checked_pair,
    convert_function,
    fitting,
    gradients_of,
)
from runtime.autodiff.vjp_call import plain_spec
from runtime.autodiff.vjp_graph import BackwardGraph
from runtime.graph import raise_tracking
from runtime.graph.func_graph import FuncGraph
from runtime.graph.operation import SymbolicTensor
from runtime.graph.trace import current_graph, trace
from runtime.ops import dispatch
from runtime.ops.array.constants import convert_to_tensor, identity
from runtime.ops.control_flow.cond_while import call_op
from runtime.ops.control_flow.custom_gradient import custom_op
from runtime.ops.resource.variable import VariableStorage
from runtime.types import nest
from runtime.types.graph_literals import graph_literal

Function = Callable[..., Any]


def in_graph(f: Function, args: tuple[Any, ...]) -> Any:
    """Record an application of a function with a custom gradient; return its result."""
    leaves = nest.flatten([*args])
    home: Any = current_graph() or next(v.graph for v in leaves if isinstance(v, SymbolicTensor))
    with dispatch.as_current(home), raise_tracking.suspended():
        tensors = [home.as_tensor(convert_to_tensor(v)) for v in leaves]
        name = getattr(f, "__name__", "custom")
        like: list[Any] = []

        def body(*values: Any) -> tuple[list[Any], Function]:
            result, grad = checked_pair(
                convert_function(f)(*nest.pack_sequence_as([*args], values)), f
            )
            like.append(result)
            flat = nest.flatten(result) if nest.is_nested(result) else [result]
            return [identity(convert_to_tensor(leaf)) for leaf in flat], grad

        specs = [(plain_spec(t.spec), False) for t in tensors]
        graph, (results, grad) = trace("function", name.strip("<>"), body, specs)
        outputs = [graph.as_tensor(r) for r in results]
        sources = sources_of(graph).values()
        storages = [p for p in sources if isinstance(p, VariableStorage) and p.trainable]
        check_variables(grad, [p.variable() for p in storages])
        custom_derivative = _trace_derivative(graph, outputs, grad, tuple(storages), len(tensors))
        inputs = [*tensors, *graph.captured_tensors()]
        recorded = dispatch.apply(
            custom_op, inputs, {"graph": graph, "derivative": custom_derivative}
        )
    visible = list(recorded[: custom_derivative.results])
    return nest.pack_sequence_as(like[0], visible) if nest.is_nested(like[0]) else visible[0]


def _trace_derivative(
    graph: FuncGraph, outputs: list[SymbolicTensor], grad: Function,
    storages: tuple[VariableStorage, ...],
    count: int,
) -> Derivative:
    """Trace the derivative as a graph; freeze the traced function, which also returns residuals."""
    results = len(outputs)
    backward = BackwardGraph(graph)
    seeds = [backward.add_input(plain_spec(t.spec)) for t in outputs]
    variables = [storage.variable() for storage in storages]
    backward_outputs: list[SymbolicTensor] = []
    keys: list[Hashable] = []
    try:
        with backward.as_default():
            argument_gradients, variable_gradients = gradients_of(
                convert_function(grad), seeds, variables, count
            )
            for key, gradient in [
                *enumerate(argument_gradients),
                *zip(storages, variable_gradients, strict=True),
            ]:
                if gradient is not None:
                    like = graph.inputs[key] if isinstance(key, int) else key
                    backward_outputs.append(backward.as_tensor(fitting(gradient, like)))
                    keys.append(key)
    except Exception as error:
        graph.freeze(outputs)
        return Derivative(storages, results, _Failing(error))
    residuals = backward.finish(backward_outputs, graph.outer)
    input_ids = set(map(id, graph.inputs))
    saved = [t for t in residuals if id(t) not in input_ids]
    graph.freeze([*outputs, *saved])
    return Derivative(storages, results, Backward(graph, backward, tuple(keys), residuals))


def _derivative(
    storages: tuple[VariableStorage, ...], results: int, graph: FuncGraph,
    keys: tuple[Hashable, ...], residuals: tuple[tuple[bool, int], ...],
) -> Derivative:  # fmt: skip
    """Return a derivative that a text describes; ValueError where its parts do not fit."""
    if len(graph.inputs) != results + len(residuals) or len(graph.outputs) != len(keys):
        raise ValueError("the graph of the derivative has other inputs or outputs")
    function = Backward.__new__(Backward)
    function.graph, function.keys = graph, keys
    function.residuals = [(bool(is_input), int(number)) for is_input, number in residuals]
    return Derivative(storages, results, function)


graph_literal(
    "derivative", _derivative, storages=(tuple,), results=(int,), graph=(FuncGraph,),
    keys=(tuple,), residuals=(tuple,),
)(Derivative)  # fmt: skip


class _Failing:
    """Derivative of a function whose ``grad`` failed to trace; raises that error when it is used.
    """

    def __init__(self, error: Exception) -> None:
        self.error = error

    def __call__(self, node: Any, upstream: Sequence[Any]) -> Any:
        raise self.error


class Backward:
    """Graph of a derivative, and the residuals that it takes from an application."""

    def __init__(
        self, graph: FuncGraph, backward: FuncGraph, keys: tuple[Hashable, ...],
        residuals: Sequence[SymbolicTensor],
    ) -> None:
        self.graph = backward
        self.keys = keys
        number = {id(t): i for i, t in enumerate(graph.inputs)}
        position = {id(t): i for i, t in enumerate(graph.outputs)}
        self.residuals = [
            (id(t) in number, number.get(id(t), position.get(id(t), 0))) for t in residuals
        ]

    def __call__(self, node: Any, upstream: Sequence[Any]) -> tuple[list[Any], Gradients]:
        """Compute the gradients of an application's inputs and of variables."""
        values = [(node.inputs if is_input else node.outputs)[i] for is_input, i in self.residuals]
        by_key: Gradients = {}
        if self.keys:
            gradients = dispatch.apply(call_op, [*upstream, *values], {"graph": self.graph})
            by_key = dict(zip(self.keys, gradients, strict=True))
        return [by_key.get(i) for i in range(len(node.inputs))], by_key
