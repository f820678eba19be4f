"""``custom_gradient``: functions that bring their own derivative; and what is made with it.

Eagerly the function runs on the spot, and the tapes are told of one application whose derivative is
the function's own.  In a graph the function and its derivative are both traced at once: one
operation holds the two graphs, so the derivative has derivatives itself, and copies of the graph
need nothing of Python.
"""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable, Hashable, Sequence
from typing import Any

from runtime.autodiff.backprop import TapeRecord
from runtime.autodiff.captured_sources import hidden_sources
from runtime.autodiff.custom_gradient_graph import in_graph
from runtime.autodiff.custom_gradient_rule import (
    Derivative,
    check_variables,
    checked_pair,
    convert_function,
    gradients_of,
)
from runtime.autodiff.seeds import UnconnectedGradients
from runtime.autodiff.tape import GradientTape
from runtime.eager.tensor import Tensor
from runtime.graph.operation import SymbolicTensor
from runtime.graph.trace import current_graph
from runtime.ops import dispatch
from runtime.ops.array.constants import convert_to_tensor, identity
from runtime.ops.control_flow.custom_gradient import custom_op
from runtime.ops.op import HIGHER_ORDER, OpDef
from runtime.ops.resource.variable import VariableStorage
from runtime.state.variable import Variable
from runtime.types import nest
from runtime.types.function_pickles import reduced
from runtime.types.value import Value

__all__ = ["custom_gradient", "grad_pass_through", "recompute_grad"]

Function = Callable[..., Any]


def custom_gradient(f: Function | None = None) -> Any:
    """Decorate a function that returns its result together with a gradient function.

    ::

        @tf.custom_gradient
        def log1pexp(x):
            e = tf.exp(x)
            def grad(upstream):
                return upstream * (1 - 1 / (1 + e))
            return tf.math.log(1 + e), grad

    ``grad`` takes the gradient of each result, with its shape and dtype, and returns the gradient
    of each argument, or None.  If the function reads variables, ``grad`` also takes ``variables=``
    and returns a pair: the gradients of the arguments, and the list of those of the variables.

    Args:
        f: function that returns a pair of its result and ``grad``; None returns a decorator.

    Returns:
        Function of the same arguments that returns the result.

    Raises:
        TypeError: ``f`` is not callable, or in a call, ``grad`` does not take ``variables=`` though
            variables are read.
        ValueError: in a call, for a wrong number of gradients.
    """
    if f is None:
        return custom_gradient
    if not callable(f):
        raise TypeError(f"custom_gradient takes a function, got {f!r}")
    return _Decorated(f, custom_gradient, functools.partial(_apply, f))


class _Decorated:
    """A decorated function; as a method, its object is none of the arguments."""

    def __init__(self, f: Function, decorator: Function, call: Function) -> None:
        functools.update_wrapper(self, f)
        self._f = f
        self._decorator = decorator
        self._call = call

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self._call(*args, **kwargs)

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        bind = getattr(self._f, "__get__", None)
        return self if instance is None or bind is None else self._decorator(bind(instance, owner))

    def __reduce__(self) -> str | tuple[Any, ...]:
        """Pickled by reference, as functions are; by ``cloudpickle`` also with what it decorates.
        """
        return reduced(self, sys._getframe(1), self._decorator, self._f)

    def __repr__(self) -> str:
        return f"<{self._decorator.__name__} of {self._f!r}>"


def _apply(f: Function, /, *args: Any, **kwargs: Any) -> Any:
    """A call of a function under custom_gradient."""
    symbolic = any(isinstance(v, SymbolicTensor) for v in nest.flatten([*args]))
    if current_graph() is None and not symbolic:
        return _eagerly(f, args, kwargs)
    if kwargs:
        raise ValueError(
            "The custom_gradient decorator currently supports keywords arguments only when "
            "eager execution is enabled."
        )
    return in_graph(f, args)


def recompute_grad(f: Function) -> Function:
    """Return ``f`` with a derivative that recomputes ``f`` instead of saving residuals.

    This trades computation for memory (Chen, Xu, Zhang and Guestrin, "Training Deep Nets with
    Sublinear Memory Cost", 2016, arXiv:1604.06174).

    Args:
        f: function that returns a nest of tensors.

    Returns:
        Function of the same arguments and results.
    """

    @custom_gradient
    def recomputing(*args: Any, **kwargs: Any) -> Any:
        readers = [w for w in dispatch.listeners() if isinstance(w, _VariableReads)]
        with dispatch.only_listeners(readers):
            result = convert_function(f)(*args, **kwargs)

        def grad(*upstream: Any, variables: Any = None) -> Any:
            with GradientTape(watch_accessed_variables=False) as tape:
                own_args, own_kwargs = nest.map_structure(_copy_of, (list(args), kwargs))
                inputs = nest.flatten([*own_args, *own_kwargs.values()])
                tape.watch([t for t in inputs if _is_differentiable(t)])
                tape.watch(list(variables or ()))
                again = convert_function(f)(*own_args, **own_kwargs)
            leaves = nest.flatten(again) if nest.is_nested(again) else [again]
            sources = [*inputs, *(variables or ())]
            differentiable_sources = [
                v for v in sources if isinstance(v, Value | Variable) and _is_differentiable(v)
            ]
            remaining = iter(
                tape.gradient(
                    leaves, differentiable_sources, list(upstream), UnconnectedGradients.ZERO
                )
            )
            gradients = [
                next(remaining) if any(s is v for v in differentiable_sources) else None
                for s in sources
            ]
            if variables is None:
                return gradients
            return gradients[: len(inputs)], gradients[len(inputs) :]

        return result, grad

    return _Decorated(f, recompute_grad, recomputing)


def grad_pass_through(f: Function) -> Function:
    """Return ``f`` with the derivative of the identity: the straight-through estimator.

    Bengio, Leonard and Courville, "Estimating or Propagating Gradients Through Stochastic Neurons
    for Conditional Computation", 2013, arXiv:1308.3432.

    Args:
        f: function of tensors, whose results have the shapes of the arguments.

    Returns:
        Function of the same arguments and results.
    """

    @custom_gradient
    def passing(*args: Any, **kwargs: Any) -> Any:
        def grad(*upstream: Any, variables: Any = None) -> Any:
            gradients = list(upstream) if len(upstream) == len(args) else [*upstream] * len(args)
            return (gradients, [None] * len(variables)) if variables is not None else gradients

        return convert_function(f)(*args, **kwargs), grad

    return _Decorated(f, grad_pass_through, passing)


def _copy_of(value: Any) -> Any:
    return identity(value) if isinstance(value, Value) else value


def _is_differentiable(tensor: Any) -> bool:
    dtype = getattr(tensor, "dtype", None)
    return dtype is not None and (dtype.is_floating or dtype.is_complex)


# -- eagerly --------------------------------------------------------------------------------------


class _VariableReads:
    """A watcher that only wants to know which trainable variables are read."""

    def __init__(self) -> None:
        self.storages: dict[VariableStorage, None] = {}

    def record(self, op: OpDef, inputs: Sequence[Any], attrs: dict[str, Any], outputs: Any) -> None:
        """Note the variable that an op reads, or those that its graphs read."""
        storage = attrs.get("storage")
        if storage is not None:
            self._note(storage)
        elif HIGHER_ORDER in op.traits:
            for source in hidden_sources(TapeRecord(op, (), attrs, ())).values():
                if isinstance(source, VariableStorage):
                    self._note(source)

    def _note(self, storage: VariableStorage) -> None:
        if storage.trainable and storage.differentiable:
            self.storages[storage] = None

    def extended(self, node: Any, outputs: Sequence[Any]) -> None:
        """Nothing to note."""

    def derivative_needs(
        self, op: OpDef, inputs: Sequence[Any], attrs: dict[str, Any]
    ) -> tuple[int, set[Hashable]]:
        """It differentiates nothing."""
        return 0, set()

    def prepare(
        self, op: OpDef, inputs: Sequence[Any], attrs: dict[str, Any], listeners: Sequence[Any]
    ) -> dict[str, Any] | None:
        """Whoever differentiates prepares."""
        return None


def _eagerly(f: Function, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    reads = _VariableReads()
    with dispatch.listening(reads):
        result, grad = checked_pair(f(*args, **kwargs), f)
    leaves = nest.flatten(result) if nest.is_nested(result) else [result]
    outputs = tuple([identity(convert_to_tensor(leaf)) for leaf in leaves])
    inputs = nest.flatten([*args, *kwargs.values()])
    passed_ids = {id(v._storage) for v in inputs if isinstance(v, Variable)}
    storages = tuple([p for p in reads.storages if id(p) not in passed_ids])
    variables = [storage.variable() for storage in storages]
    check_variables(grad, variables)

    def derivative(upstream: Sequence[Any]) -> tuple[list[Any], list[Any]]:
        return gradients_of(grad, upstream, variables, len(inputs))

    tensors = [v if isinstance(v, Tensor) else None for v in inputs]
    custom_derivative = Derivative(storages, len(outputs), derivative, input_storages=tuple(
        v._storage if isinstance(v, Variable) else None for v in inputs
    ))  # fmt: skip
    attrs = {"graph": None, "derivative": custom_derivative}
    dispatch.notify(custom_op, tensors, attrs, outputs)
    return nest.pack_sequence_as(result, outputs) if nest.is_nested(result) else outputs[0]


