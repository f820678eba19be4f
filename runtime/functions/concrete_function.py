"""Concrete functions: traces of a Python function, each for arguments of certain types.

function.py makes and caches them; users get them by ``get_concrete_function``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from autograph.diagnostics.internal_faults import internal_errors
from autograph.errors import AutoGraphError, NeverReturnsError
from runtime.eager.tensor import Tensor, call_kernel, wrap
from runtime.engine.executable import executable_of
from runtime.engine.protocol import Executable
from runtime.functions.array_arguments import ArrayArguments, call_in_place, lose_changes
from runtime.functions.cache_key import is_tensor_argument
from runtime.functions.call_source import packer
from runtime.functions.carried_slots import CarriedSlots
from runtime.functions.function_graph import FunctionGraph, holds_raise, input_name
from runtime.functions.graph_output import GraphOutput, as_tensor
from runtime.functions.mutation_check import LeafContents, check_unchanged, refusal
from runtime.functions.number_arguments import EAGER, as_operand
from runtime.functions.output_packing import as_output, runner
from runtime.functions.shown_trace import ShownTrace
from runtime.functions.signature import BoundCall, Shapes
from runtime.functions.state_trace import StateTrace
from runtime.functions.trace_arguments import Mismatch, TracedArguments, inputs_of
from runtime.graph import raise_tracking
from runtime.graph.graph import Graph
from runtime.graph.operation import SymbolicTensor
from runtime.graph.trace import call_graph, current_graph
from runtime.ops import dispatch
from runtime.ops.array.constants import convert_to_tensor, strengthen
from runtime.ops.dispatch import ACTIVE
from runtime.staging.numpy_arrays.symbolic_array import IN_PLACE, SymbolicArray
from runtime.state.lifted_initializer import known_arguments
from runtime.types import promotion
from runtime.types.call_count import CallCount
from runtime.types.errors import UnfitArgumentError
from runtime.types.node_types import NODE_TYPES
from runtime.types.shapes import TensorSpec


class ConcreteFunction(ShownTrace):
    """Trace of a Python function: a graph for arguments of certain types.

    graph                FuncGraph with the operations that the Python function recorded
    structured_outputs   nest that the Python function returned, with tensors of the graph in it
    """

    variant: Any = None
    """The objects that calls depend on, and their slots (carrying_function.py)."""

    carried: CarriedSlots | None = None
    """The attributes, items and variables of Python's that calls read and write."""

    unrolled_loops: Sequence[str] = ()
    """The long loops that could not be staged, and why (loops_by_call.py)."""

    guard: Any = None
    """What fast calls use, once there is any (fast_dispatch.py)."""

    direct: Any = None
    """Direct call of machine code, once there is any (direct_calls.py)."""

    returns_numbers = False
    """Whether Python numbers go out as such."""

    returns_arguments = False
    """Whether the result holds objects that are arguments of the call."""

    written: Sequence[int] = ()
    """The numbers of the lists, dicts and sets among the arguments that calls change."""

    raises_after_changes = False  # of an argument, on some path: what joins has no part of them

    def __init__(self, name: str, call: BoundCall, python: StateTrace) -> None:
        carries_state = bool(python.slots)
        self._name = name
        self._objects = call.objects
        self._arg_names = call.tensor_names()
        self.calls = CallCount()
        with raise_tracking.suspended(), internal_errors(name):
            self.graph = FunctionGraph(name)
            self.graph.joins_numbers = self.returns_numbers
            symbolic = [
                self.graph.add_input(
                    TensorSpec(shape, t.dtype), promotion.is_weak(t), name=input_name(n, "input")
                )
                for t, shape, n in zip(call.tensors, call.shapes, self._arg_names, strict=True)
            ]
            self._describe_inputs(call, symbolic)
            with self.graph.as_default(), self.arrays.watch:
                result = self._call_python(call, symbolic, python)
                contents = (self.arrays.refuse if carries_state else self.arrays.finish)(self.graph)
                outputs = self._set_result(result)
                state = [t for value in python.written for t in value.tensors]
                self.graph.structured_outputs = self.structured_outputs
                self.graph.freeze([*outputs, *contents, *state])
        if carries_state:
            self.carried = CarriedSlots(name, python)
        self.graph.detach_outer()

    def _describe_inputs(self, call: BoundCall, symbolic: list[SymbolicTensor]) -> None:
        """Set what calls need to know of the inputs of the graph."""
        self._names = [t.op.name for t in symbolic]
        self._exact = [(t.dtype._dtype, t.shape.dims) for t in symbolic]
        """NumPy dtype and shape of the arrays that may be passed without conversion."""
        self.unknown = _count_unknown(symbolic)
        """Number of unknown sizes among the arguments' shapes; 100 for an unknown rank."""
        self._arguments = TracedArguments(call, self._specs_of(call, symbolic))
        self.arrays = ArrayArguments(self._name, call, symbolic, self._arg_names)

    def _call_python(
        self, call: BoundCall, symbolic: list[SymbolicTensor], python: Callable[..., Any]
    ) -> Any:
        """Call the Python function with symbolic tensors in place of the call's tensors."""
        tensors = self.arrays.values
        values = call.replace_tensors(tensors)
        self._note_arguments(call)
        names = [name for name, _ in call.labels]
        contents = LeafContents(names, call.values)
        count = len(call.args)
        kwargs = dict(zip(call.kwargs, values[count:], strict=True))
        try:
            with known_arguments(self.graph, symbolic, call.tensors):
                result = python(*values[:count], **kwargs)
        except NeverReturnsError:
            if not holds_raise(self.graph):
                raise
            result = None  # a run raises
        except AutoGraphError:
            raise
        except Exception as error:  # the program's own
            if self.arrays.may_have_changed:
                lose_changes(error)
            raise
        if any(NODE_TYPES[type(value)] is not None for value in values):
            check_unchanged(self._name, names, call.replace_tensors(tensors), values, python)
        if (changed := contents.changed()) is not None:
            raise refusal(self._name, *changed, python)
        return result

    def _note_arguments(self, call: BoundCall) -> None:
        """Note what a kind of trace needs to know of its arguments before the function runs."""

    @property
    def carries_state(self) -> bool:
        """Whether calls read and write attributes, items or variables of Python's."""
        return self.carried is not None

    @property
    def changes_arguments(self) -> bool:
        """Whether calls may change arguments, if only before they raise."""
        return bool(self.written) or self.arrays.changes or self.raises_after_changes

    @property
    def links(self) -> Sequence[Any]:
        """The references that calls depend on."""
        return () if self.variant is None else self.variant.links

    def ends_trace_around(self) -> bool:
        """Whether a call is recorded whose every run raises: what follows it is never reached."""
        return self.graph.never_returns and current_graph() is not None

    def run_call(self, call: BoundCall, plain: Callable[[], Any] | None = None) -> Any:
        """The result of a call of the function; ``plain`` makes the call without staging."""
        tensors = inputs_of(call)
        if self.carried is not None or not self.arrays.changes:
            return self.run(tensors, call.state)
        return call_in_place(self, call.arrays, lambda: self._run_writing(tensors), plain)

    def _run_writing(self, tensors: Sequence[Any]) -> tuple[Any, Sequence[Any]]:
        """The result, and what the arrays hold that are changed."""
        outputs = self._outputs_for(tensors)
        return self.packed(outputs), self._array_contents(outputs)

    def _array_contents(self, outputs: Sequence[Any]) -> Sequence[Any]:
        """What the arrays hold that a run has changed."""
        return outputs[len(outputs) - len(self.arrays.written) :]

    def _outputs_for(self, tensors: Sequence[Any], state: Sequence[Any] = ()) -> Sequence[Any]:
        """What a run gives, besides the state that it carries; tensors where a graph or a tape
        records it, else arrays.
        """
        self.calls.add()
        if self.carried is None:
            return self._executed(tensors)
        state = state or self.carried.read(self.links)
        return self.carried.run(state, lambda inputs: self._executed([*tensors, *inputs]))

    def _executed(self, tensors: Sequence[Any]) -> Sequence[Any]:
        is_eager = all(type(tensor) in EAGER for tensor in tensors)
        if ACTIVE or self.graph.captures or not is_eager:
            return call_graph(self.graph, [*map(as_operand, tensors)])
        arrays = [tensor._array for tensor in tensors]
        outputs: Sequence[Any] = call_kernel(dispatch.run_graph, self.graph, arrays)
        return outputs

    def _specs_of(self, call: BoundCall, symbolic: list[SymbolicTensor]) -> list[TensorSpec]:
        """Return the specs of the tensors among the arguments, with the names that a call gives."""
        if not call.names:
            return [t.spec for t in symbolic]
        pairs = zip(symbolic, call.names, strict=True)
        return [TensorSpec(t.spec.shape, t.spec.dtype, name) for t, name in pairs]

    def _set_result(self, result: Any) -> Sequence[SymbolicTensor]:
        """Note what the Python function returned; the tensors that the graph gives for that."""
        self.output = GraphOutput(result, self._encode)
        self.structured_outputs = self.output.structure
        return self.output.tensors

    def _encode(self, leaf: Any) -> Any:
        """A returned value as a tensor of the graph; None and operations give None."""
        if type(leaf) is SymbolicArray:
            leaf = self.arrays.returned(leaf)
        return as_output(leaf, self.graph, self._name)

    # -- what it is ------------------------------------------------------------------------------

    @property
    def name(self) -> str:
        """The name of the Python function."""
        return self._name

    @property
    def runs(self) -> int:
        """Number of calls so far."""
        return self.calls.total()

    @property
    def inputs(self) -> list[SymbolicTensor]:
        """Inputs of the graph: those of the arguments, then those of the captures."""
        return list(self.graph.inputs)

    @property
    def outputs(self) -> list[SymbolicTensor]:
        """Outputs of the graph, as a flat list."""
        return list(self.graph.outputs)

    @property
    def optimized_graph(self) -> Graph:
        """Graph that runs: ``graph`` after the optimiser's passes."""
        return self.graph.optimized()

    @property
    def executable(self) -> Executable:
        """Executable of the graph; its ``refusals`` say why no faster engine runs it."""
        return executable_of(self.graph)

    @property
    def is_relaxed(self) -> bool:
        """Whether some size of an argument is unknown, so that tensors of several shapes fit."""
        return self.unknown > 0

    def has_names(self, names: Sequence[str | None]) -> bool:
        """Whether the inputs have the given names; None stands for any name."""
        pairs = zip(names, self._arg_names, strict=False)
        return all(name in (None, input_name) for name, input_name in pairs)

    def accepts(self, shapes: Shapes) -> bool:
        """Whether tensors of these shapes fit the inputs."""
        pairs = zip(shapes, self.graph.inputs)
        return all(shape.is_subtype_of(tensor.shape) for shape, tensor in pairs)

    # -- calls ------------------------------------------------------------------------------------

    def __call__(self, /, *args: Any, **kwargs: Any) -> Any:
        """Run the graph for the arguments of the Python function, or for its tensors alone.

        Python values that were arguments of the trace may be left out, or must be equal to those.
        The result has the structure that the Python function returned.

        Raises TypeError for arguments that do not fit the parameters, UnfitArgumentError (an
        InvalidArgumentError) for a tensor whose dtype or shape does not fit the trace.
        """
        written = self.arrays.written
        if len(args) == len(self._exact) and not (
            kwargs or written or ACTIVE or self.graph.captures
        ):
            arrays = [value._array for value in args if type(value) is Tensor]
            if [(array.dtype, array.shape) for array in arrays] == self._exact:
                return self.compute(arrays)
        try:
            values = self._arguments.bind(args, kwargs)
        except Mismatch as mismatch:
            values = self._flat(args, kwargs, mismatch)
        tensors = [*map(self._coerce, values, self.graph.inputs)]
        if written:
            return call_in_place(self, values, lambda: self._run_writing(tensors))
        return self.run(tensors)

    def _flat(self, args: tuple[Any, ...], kwargs: dict[str, Any], mismatch: Mismatch) -> list[Any]:
        """The tensors, given one by one, or by the names of the graph's inputs."""
        count = len(self._names)
        missing = self._names[len(args) :]
        if all(map(is_tensor_argument, args)) and kwargs.keys() == set(missing):
            if len(args) <= count:
                return [*args, *(kwargs[name] for name in missing)]
        raise TypeError(
            f"{self._name}() takes {count} tensors ({', '.join(self._names)}), or the arguments it "
            f"was traced for, {self.pretty_printed_signature(verbose=False)}; it {mismatch}"
        )

    def _coerce(self, value: Any, placeholder: SymbolicTensor) -> Any:
        try:
            tensor = convert_to_tensor(value, placeholder.dtype)
        except ValueError as error:
            raise UnfitArgumentError(f"{self._name}(): {placeholder.op.name!r}: {error}") from None
        if not tensor.shape.is_compatible_with(placeholder.shape):
            raise UnfitArgumentError(
                f"{self._name}(): the argument {placeholder.op.name!r} has shape {tensor.shape}, "
                f"but this trace takes {placeholder.shape}"
            )
        return tensor

    def run(self, tensors: Sequence[Any], state: Sequence[Any] = ()) -> Any:
        """Run or record the graph for tensors that fit its inputs; return the structured result."""
        if ACTIVE and self.arrays.pattern is not None:
            IN_PLACE.note()  # a trace around this call depends on what is an array, too
        return self.packed(self._outputs_for(tensors, state))

    def result_packer(self) -> Callable[[Sequence[Any]], Any]:
        """Return the function that makes the result of the arrays that a run gives."""
        return packer(self.structured_outputs) or self.packed

    def compute(self, arrays: Sequence[Any]) -> Any:
        """Run the graph for arrays, under eager execution and without captures.

        The second call compiles how results are packed, and replaces this method of the instance.
        """
        if self.carried is not None:
            return self.run([*map(wrap, arrays)])
        self.calls.add()
        if self.runs == 2:
            vars(self)["compute"] = runner(self.graph, self.result_packer(), self.calls.add)
        return self.packed(call_kernel(dispatch.run_graph, self.graph, arrays))

    def packed(self, outputs: Sequence[Any]) -> Any:
        """Pack the outputs of the graph into the structure that the Python function returned."""
        return self.output.decoded(iter(outputs), lambda value, _: as_tensor(value), _item)

    def __repr__(self) -> str:
        signature = self.pretty_printed_signature(verbose=False)
        return f"<ConcreteFunction {self._name}{signature} at {hex(id(self))}>"

    def __str__(self) -> str:
        return f"ConcreteFunction {self.pretty_printed_signature()}"


def _item(value: Any, spec: Any) -> Any:
    """Convert an item of a returned list to a tensor."""
    dtype = promotion.DEFAULT_DTYPE[spec.dtype] if spec.weak else None
    if isinstance(value, Tensor):
        return value if dtype is None else strengthen(value, dtype=dtype)
    return wrap(value if dtype is None else promotion.strengthen(value, dtype))


def _count_unknown(tensors: Sequence[SymbolicTensor]) -> int:
    dims = [tensor.shape.dims for tensor in tensors]
    return sum([100 if sizes is None else sizes.count(None) for sizes in dims])
