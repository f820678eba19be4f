"""A concrete function: one trace of a Python function, for arguments of certain types.

function.py makes and keeps them; ``get_concrete_function`` hands them out.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

from autograph.errors import NeverReturnsError
from runtime.eager.tensor import Tensor, call_kernel, wrap
from runtime.engine.executable import executable_of
from runtime.engine.protocol import Executable
from runtime.functions.cache_key import (
    flatten_arguments,
    is_tensor_argument,
)
from runtime.functions.function_graph import FunctionGraph
from runtime.functions.mutation_check import check_unchanged
from runtime.functions.output_packing import runner
from runtime.functions.signature import BoundCall, FunctionSignature, Shapes, replace_bound_tensors
from runtime.functions.trace_arguments import (
    Mismatch,
    inputs_of,
    matched,
    resolve,
    weaken,
    with_names,
)
from runtime.functions.type_format import format_type, typed_signature
from runtime.graph import optional_nest, raise_tracking
from runtime.graph.graph import Graph
from runtime.graph.operation import Operation, SymbolicTensor
from runtime.graph.trace import call_graph
from runtime.ops import dispatch
from runtime.ops.array.constants import convert_to_tensor, strengthen
from runtime.ops.dispatch import ACTIVE
from runtime.state.lifted_initializer import known_arguments
from runtime.state.variable import Variable
from runtime.types import nest, promotion
from runtime.types.call_count import CallCount
from runtime.types.composite import CompositeSpec
from runtime.types.errors import UnfitArgumentError
from runtime.types.promotion import is_weak
from runtime.types.shapes import TensorShape, TensorSpec
from runtime.types.treedef import StructureError, subscripts
from runtime.types.value import Value


class ConcreteFunction:
    """One trace: a graph for arguments of certain types.

    graph                the graph
    structured_outputs   what the Python function returned, with the graph's tensors in it
    """

    def __init__(
        self, name: str, call: BoundCall, parameters: FunctionSignature, python: Any
    ) -> None:
        self._name = name
        self._parameters = parameters
        self._objects = call.objects
        with raise_tracking.suspended():
            self.graph = FunctionGraph(name)
        self._arg_names = parameters.names_of(call)
        symbolic = [
            self.graph.add_input(TensorSpec(shape, t.dtype, _node_name(n)), is_weak(t))
            for t, shape, n in zip(call.tensors, call.shapes, self._arg_names, strict=True)
        ]
        self._names = [t.op.name for t in symbolic]
        self._exact = [(t.dtype._dtype, t.shape.dims) for t in symbolic]
        """What plain tensors have that need no further look."""
        self.unknown = sum(
            100 if t.shape.dims is None else t.shape.dims.count(None) for t in symbolic
        )
        """How many sizes of the arguments are unknown; many for an unknown rank."""
        with raise_tracking.suspended(), self.graph.as_default():
            args, kwargs = replace_bound_tensors(call, symbolic)
            self._note_arguments(call)
        self._arguments = self._remembered(call, symbolic)
        self.calls = CallCount()
        with raise_tracking.suspended(), self.graph.as_default():
            try:
                with known_arguments(self.graph, symbolic, call.tensors):
                    result = python(*args, **kwargs)
            except NeverReturnsError:
                result = None  # a run raises
            given, left = replace_bound_tensors(call, symbolic), (args, kwargs)
            check_unchanged(name, parameters.named(*given), parameters.named(*left))
            self._set_outputs(result)
        self.graph.detach_outer()

    def _note_arguments(self, call: BoundCall) -> None:
        """Note what a kind of trace needs to know of its arguments before the function runs."""

    def run_call(self, call: BoundCall) -> Any:
        """The result of a call of the function."""
        return self.run(inputs_of(call))

    def _remembered(
        self, call: BoundCall, symbolic: list[SymbolicTensor]
    ) -> list[tuple[str, Any, Any]]:
        """Name, kind and value of each argument: specs for tensors, objects not kept alive."""
        names = call.names or (None,) * len(symbolic)
        specs = [self._spec_of(t, n) for t, n in zip(symbolic, names, strict=True)]
        args, kwargs = replace_bound_tensors(call, specs)
        return [(n, kind, weaken(v)) for n, kind, v in self._parameters.named(args, kwargs)]

    def _spec_of(self, tensor: SymbolicTensor, name: str | None) -> TensorSpec:
        """The spec of an argument."""
        return TensorSpec(tensor.shape, tensor.dtype, name)

    def _set_outputs(self, result: Any) -> None:
        self.structured_outputs = optional_nest.map_inside(self._output, result)
        self.graph.structured_outputs = self.structured_outputs
        leaves = optional_nest.flatten(self.structured_outputs)
        self.graph.freeze([leaf for leaf in leaves if leaf is not None])
        self._plain = isinstance(self.structured_outputs, Value)

    def _output(self, leaf: Any) -> Any:
        """A returned value as a tensor of the graph; None and operations give None."""
        if leaf is None or isinstance(leaf, Operation):
            return None
        try:
            return self.graph.as_tensor(convert_to_tensor(leaf))
        except (TypeError, ValueError) as error:
            if isinstance(leaf, Value | Variable):
                raise
            raise TypeError(
                f"{self._name}() must return tensors, numbers, None or nests of those, but "
                f"returned {leaf!r} of type {type(leaf).__name__}: {error}"
            ) from None

    # -- what it is ------------------------------------------------------------------------------

    @property
    def name(self) -> str:
        """The name of the Python function."""
        return self._name

    @property
    def runs(self) -> int:
        """How often it was called so far."""
        return self.calls.total()

    @property
    def inputs(self) -> list[SymbolicTensor]:
        """The graph's inputs: the arguments, then what is captured."""
        return list(self.graph.inputs)

    @property
    def outputs(self) -> list[SymbolicTensor]:
        """The graph's outputs, flat."""
        return list(self.graph.outputs)

    @property
    def captured_inputs(self) -> list[Any]:
        """The tensors from outside that it uses: of an enclosing graph, then eager ones."""
        return [*self.graph.captured_tensors(), *self.graph.eager_tensors()]

    @property
    def optimized_graph(self) -> Graph:
        """The graph that runs: what the optimiser passes make of ``graph``."""
        return self.graph.optimized()

    @property
    def executable(self) -> Executable:
        """What runs the graph: its ``engine``, and in ``refusals`` why none that is faster."""
        return executable_of(self.graph)

    @property
    def variables(self) -> tuple[Variable, ...]:
        """The variables that it reads or writes, in the order of their first use."""
        return self.graph.variables

    @property
    def trainable_variables(self) -> tuple[Variable, ...]:
        """Those of its variables that are trainable."""
        return self.graph.trainable_variables

    @property
    def output_shapes(self) -> Any:
        """The shapes of the results, laid out as these."""
        return self._of_outputs(lambda t: TensorShape(t.shape))

    @property
    def output_dtypes(self) -> Any:
        """The dtypes of the results, laid out as these."""
        return self._of_outputs(lambda t: t.dtype)

    def _of_outputs(self, ask: Callable[[Any], Any]) -> Any:
        return optional_nest.map_inside(
            lambda leaf: None if leaf is None else ask(leaf), self.structured_outputs
        )

    @property
    def structured_input_signature(self) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """The arguments, with specs in place of tensors."""
        args: list[Any] = []
        kwargs: dict[str, Any] = {}
        for name, kind, held in self._arguments:
            value = with_names(resolve(held), name)
            if kind.name == "KEYWORD_ONLY":
                kwargs[name] = value
            else:
                args.append(value)
        return tuple(args), kwargs

    @property
    def function_type(self) -> Any:
        """The signature: an ``inspect.Signature`` whose annotations are types."""
        return typed_signature(self._arguments, self.structured_outputs)

    def pretty_printed_signature(self, verbose: bool = True) -> str:
        """The signature as a text: a line for each parameter, or one line in all."""
        if not verbose:
            return str(self.function_type)
        lines = ["Input Parameters:"]
        lines += [f"  {n} ({kind.name}): {format_type(v)}" for n, kind, v in self._arguments]
        if len(lines) == 1:
            lines.append("  None")
        lines += ["Output Type:", f"  {format_type(self.structured_outputs)}", "Captures:"]
        captured = [f"  {format_type(t)}" for t in self.captured_inputs]
        captured += [f"  {format_type(v)}" for v in self.variables]
        return "\n".join(lines + (captured or ["  None"]))

    @property
    def is_relaxed(self) -> bool:
        """Whether it takes tensors of other shapes than those it was made for."""
        return self.unknown > 0

    def has_names(self, names: Sequence[str | None]) -> bool:
        """Whether its inputs have the names that are given; None stands for any."""
        return all(
            name in (None, own) for name, own in zip(names, self._arg_names, strict=False)
        )

    def accepts(self, shapes: Shapes) -> bool:
        """Whether tensors of these shapes may be passed."""
        return all(
            shape.is_subtype_of(t.shape) for shape, t in zip(shapes, self.graph.inputs)
        )

    # -- calls ------------------------------------------------------------------------------------

    def __call__(self, /, *args: Any, **kwargs: Any) -> Any:
        """Run the graph: for arguments as of the Python function, or for its tensors alone.

        Python values that were arguments of the trace may be left out, or must be the same.
        TypeError for arguments that do not fit the parameters, UnfitArgumentError for a tensor of
        another dtype or shape than the trace takes.
        """
        if len(args) == len(self._exact) and not (kwargs or ACTIVE or self.graph.captures):
            arrays = [value._array for value in args if type(value) is Tensor]
            if [(array.dtype, array.shape) for array in arrays] == self._exact:
                return self.compute(arrays)
        try:
            given = self._bound(args, kwargs)
        except Mismatch as misfit:
            given = self._flat(args, kwargs, misfit)
        tensors = [
            self._coerce(value, wanted) for value, wanted in zip(given, self.graph.inputs)
        ]
        return self.run(tensors)

    def _bound(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> list[Any]:
        """The tensors among arguments that are given as to the Python function."""
        known = [name for name, _, _ in self._arguments]
        if len(args) > len(known):
            raise Mismatch(f"got {len(args)} arguments")
        given = dict(zip(known, args))
        for name, value in kwargs.items():
            if name in given or name not in known:
                what = "multiple values for" if name in given else "an unexpected"
                raise Mismatch(f"got {what} argument {name!r}")
            given[name] = value
        tensors: list[Any] = []
        for name, _, held in self._arguments:
            traced = resolve(held)
            if name in given:
                self._match(name, given[name], traced, tensors)
            elif any(isinstance(t, TensorSpec | CompositeSpec) for t in nest.flatten(traced)):
                raise Mismatch(f"got no value for {name!r}")
        return tensors

    def _match(self, name: str, value: Any, traced: Any, tensors: list[Any]) -> None:
        """Take the tensors out of an argument that is laid out as the traced one."""
        wanted, structure = flatten_arguments(traced)
        try:
            given = structure.flatten_up_to(value)
        except StructureError as error:
            place = name + subscripts(error.path)
            raise Mismatch(f"got {format_type(error.value)} for {place!r}") from None
        for path, spec, part in zip(structure.paths(), wanted, given, strict=True):
            tensors += matched(name + subscripts(path), part, spec)

    def _flat(
        self, args: tuple[Any, ...], kwargs: dict[str, Any], misfit: Mismatch
    ) -> list[Any]:
        """The tensors, given one by one, or by the names of the graph's inputs."""
        count = len(self._names)
        missing = self._names[len(args) :]
        if all(map(is_tensor_argument, args)) and kwargs.keys() == set(missing):
            if len(args) <= count:
                return [*args, *(kwargs[name] for name in missing)]
        raise TypeError(
            f"{self._name}() takes {count} tensors ({', '.join(self._names)}), or the arguments it "
            f"was traced for, {self.pretty_printed_signature(verbose=False)}; it {misfit}"
        )

    def _coerce(self, value: Any, wanted: SymbolicTensor) -> Any:
        try:
            tensor = convert_to_tensor(value, wanted.dtype)
        except ValueError as error:
            raise UnfitArgumentError(f"{self._name}(): {wanted.op.name!r}: {error}") from None
        if not tensor.shape.is_compatible_with(wanted.shape):
            raise UnfitArgumentError(
                f"{self._name}(): the argument {wanted.op.name!r} has shape {tensor.shape}, but "
                f"this trace takes {wanted.shape}"
            )
        return tensor

    def run(self, tensors: Sequence[Any]) -> Any:
        """The result for tensors that fit the graph's inputs, as the Python function gives it."""
        if not (ACTIVE or self.graph.captures) and all(type(t) is Tensor for t in tensors):
            return self.compute([t._array for t in tensors])
        self.calls.add()
        return self._packed(call_graph(self.graph, tensors))

    def compute(self, arrays: Sequence[Any]) -> Any:
        """As ``run``, for arrays, where eager execution alone goes on and nothing is captured.

        What is called again gets a faster way, which stands in place of this one then.
        """
        self.calls.add()
        if self.runs == 2:
            faster = runner(self.graph, self.structured_outputs, self.calls.add)
            if faster is not None:
                vars(self)["compute"] = faster
        result = call_kernel(dispatch.run_graph, self.graph, arrays)
        return self._packed([wrap(array) for array in result])

    def _packed(self, outputs: Sequence[Any]) -> Any:
        """The graph's outputs, laid out as what the Python function returned."""
        if self._plain:
            return outputs[0]
        values = iter(outputs)
        leaves = [
            None if leaf is None else next(values)
            for leaf in optional_nest.flatten(self.structured_outputs)
        ]
        return optional_nest.pack_sequence_as(self.structured_outputs, leaves, _item)

    def __repr__(self) -> str:
        signature = self.pretty_printed_signature(verbose=False)
        return f"<ConcreteFunction {self._name}{signature} at {hex(id(self))}>"

    def __str__(self) -> str:
        return f"ConcreteFunction {self.pretty_printed_signature()}"


def _item(value: Any, spec: Any) -> Any:
    """An item of a returned list, as a tensor."""
    dtype = promotion.DEFAULT_DTYPE[spec.dtype] if spec.weak else None
    if isinstance(value, Tensor):
        return value if dtype is None else strengthen(value, dtype=dtype)
    return wrap(value if dtype is None else promotion.strengthen(value, dtype))


def _node_name(name: str) -> str:
    return re.sub(r"[^A-Za-z0-9_.]", "_", name).lstrip("_") or "input"
