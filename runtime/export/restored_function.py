"""Functions of saved models: their traces come from a file, and no others can be made."""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from typing import Any, NoReturn

from runtime.functions.concrete_function import ConcreteFunction
from runtime.functions.function import Function
from runtime.functions.function_graph import FunctionGraph
from runtime.functions.options import FunctionOptions
from runtime.functions.results import GraphOutput
from runtime.functions.shown_trace import pickled_graphs
from runtime.functions.signature import BoundCall
from runtime.functions.trace_arguments import Mismatch
from runtime.functions.type_format import format_type
from runtime.ops.array.constants import convert_to_tensor
from runtime.ops.array.shape import ensure_shape
from runtime.types.call_count import CallCount
from runtime.types.errors import UnfitArgumentError


class RestoredTrace(ConcreteFunction):
    """Concrete function whose graph was read from a file."""

    def __init__(
        self, name: str, call: BoundCall, graph: FunctionGraph, result: Any, labels: Sequence[str]
    ) -> None:
        self._name = name
        self._arg_names = list(labels)
        self.calls = CallCount()
        self.graph = graph
        self._describe_inputs(call, list(graph.inputs))
        self.arrays.pattern = None
        self.structured_outputs = result
        self.output = GraphOutput(result)


class NoFittingTraceError(UnfitArgumentError):
    """Absence of a trace for the arguments of a call."""


class _NoState:
    """The state that a restored function carries from call to call: none.

    That of a Python function (``CarriedState``) needs the libraries that convert it.
    """

    any = False

    def with_state(self, call: BoundCall) -> BoundCall:
        """Return the call as it is."""
        return call

    def clear(self) -> None:
        """Do nothing: there is nothing to forget."""


class RestoredFunction(Function):
    """Function of a saved model: a call runs the trace that fits the arguments.

    Where none fits as the arguments are, Python numbers and lists are converted to the dtypes of
    the tensors that it was traced for.  UnfitArgumentError, with a list of all traces, where none
    fits then.
    """

    def __init__(
        self, name: str, signature: inspect.Signature, input_signature: Any = None
    ) -> None:
        def restored(*args: Any, **kwargs: Any) -> NoReturn:
            raise TypeError(f"{name} comes from a saved model, which holds no Python code")

        restored.__name__ = restored.__qualname__ = name
        restored.__signature__ = signature  # type: ignore[attr-defined]
        super().__init__(restored, FunctionOptions(input_signature, autograph=False))

    def _no_state(self) -> Any:
        return _NoState()

    def add(self, trace: RestoredTrace, call: BoundCall) -> None:
        """Add a trace for such calls, unless there is one."""
        if self._traces.find(call) is None or not call.tensors:
            self._traces.add(call, call.shapes, trace)

    def bound(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> BoundCall:
        """Bind arguments to the signature."""
        return self._call(args, kwargs)

    def _call(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> BoundCall:
        return super()._call(args, kwargs)._replace(arrays=())

    def __call__(self, /, *args: Any, **kwargs: Any) -> Any:
        """Run the trace that fits the arguments."""
        try:
            return super().__call__(*args, **kwargs)
        except _NoTrace as missing:
            call = missing.call
        return self._converted_run(call)

    def _run_eagerly(self) -> Any:
        return lambda *args, **kwargs: self._graphs(args, kwargs)

    def _graphs(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Run the trace for a call: there is no Python function to run eagerly."""
        call = self._call(args, kwargs)
        trace = self._find(call)
        return trace.run_call(call) if trace is not None else self._converted_run(call)

    def _converted_run(self, call: BoundCall) -> Any:
        trace, tensors = self._converted_call(call)
        return trace.run(tensors)

    def _trace(self, call: BoundCall, note: str, seen: int) -> Any:
        if note:  # get_concrete_function
            raise self._no_trace(call)
        raise _NoTrace(call)

    def _converted_call(self, call: BoundCall) -> tuple[ConcreteFunction, list[Any]]:
        """Return the trace that takes the arguments once they are tensors, and those."""
        candidates: list[tuple[int, int, ConcreteFunction, list[Any]]] = []
        for number, trace in enumerate(self._all()):
            try:
                arguments = trace._arguments.bind(call.args, call.kwargs)
            except Mismatch:
                continue
            tensors = _fitting(arguments, trace.graph.inputs)
            if tensors is not None:
                candidates.append((_surprises(arguments, tensors), number, trace, tensors))
        if not candidates:
            raise self._no_trace(call)
        _, _, trace, tensors = min(candidates, key=lambda entry: entry[:2])
        return trace, tensors

    def _no_trace(self, call: BoundCall) -> NoFittingTraceError:
        pairs = zip(call.labels, call.values, strict=True)
        argument_types = ", ".join([f"{name}: {format_type(value)}" for (name, _), value in pairs])
        signatures = [f"  {trace.pretty_printed_signature(False)}" for trace in self._all()]
        if not signatures:
            return NoFittingTraceError(
                f"{self._name}() was saved without a trace: call it once before it is saved, or "
                "give it an input_signature"
            )
        return NoFittingTraceError(
            f"{self._name}() comes from a saved model, and was not traced for ({argument_types}). "
            "It takes:"
            + "".join([f"\n{text}" for text in signatures])
        )

    def __reduce__(self) -> Any:
        """Pickle the traces."""
        return pickled_graphs(self)


class _NoTrace(Exception):
    """Signal that no trace fits a call as it is."""

    def __init__(self, call: BoundCall) -> None:
        super().__init__()
        self.call = call


def _fitting(arguments: Sequence[Any], inputs: Sequence[Any]) -> list[Any] | None:
    """Return arguments as tensors that fit inputs, or None."""
    tensors = []
    for value, param in zip(arguments, inputs, strict=False):
        try:
            tensor = convert_to_tensor(value, param.dtype)
        except (TypeError, ValueError, OverflowError):
            return None
        if not tensor.shape.is_compatible_with(param.shape):
            return None
        if not tensor.shape.is_subtype_of(param.shape):  # sizes that a run has to check
            tensor = ensure_shape(tensor, param.shape)
        tensors.append(tensor)
    return tensors


def _surprises(arguments: Sequence[Any], tensors: Sequence[Any]) -> int:
    """Count the arguments whose own dtype is another one."""
    return sum([
        convert_to_tensor(value).dtype is not tensor.dtype
        for value, tensor in zip(arguments, tensors, strict=True)
    ])  # fmt: skip
