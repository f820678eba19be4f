"""Concrete functions: traces of a Python function, each for arguments of certain types.

function.py makes and caches them; users get them by ``get_concrete_function``.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from autograph.diagnostics.internal_faults import internal_errors
from autograph.errors import AutoGraphError
from runtime.eager.tensor import call_kernel
from runtime.functions.array_arguments import (
    ArrayArguments,
    call_in_place,
    has_swapped_bytes,
    lose_changes,
)
from runtime.functions.cache_key import is_tensor_argument
from runtime.functions.carried_state import CarriedSlots
from runtime.functions.container_arguments import ContainerArguments
from runtime.functions.function_graph import FunctionGraph, input_name
from runtime.functions.list_layouts import are_distinct
from runtime.functions.mutation_check import LeafContents, first_change, refusal
from runtime.functions.number_arguments import EAGER, as_operand, containers, refill
from runtime.functions.results import GraphOutput, PythonResults, TensorResults
from runtime.functions.shown_trace import ShownTrace
from runtime.functions.signature import BoundCall, FunctionSignature, Shapes
from runtime.functions.state_trace import StateTrace
from runtime.functions.trace_arguments import Mismatch, TracedArguments, as_input, inputs_of
from runtime.functions.type_format import NumberSpec
from runtime.graph import raise_tracking
from runtime.graph.operation import SymbolicTensor
from runtime.graph.trace import call_graph, current_graph
from runtime.ops import dispatch
from runtime.ops.dispatch import ACTIVE
from runtime.staging.numpy_arrays.symbolic_array import IN_PLACE
from runtime.state.lifted_initializer import known_arguments
from runtime.types import promotion
from runtime.types.call_count import CallCount
from runtime.types.errors import MissingGradientError
from runtime.types.node_types import NODE_TYPES
from runtime.types.python_source import MISS
from runtime.types.settings import SETTINGS
from runtime.types.shapes import TensorSpec


class ConcreteFunction(ShownTrace):
    """Trace of a Python function: a graph for arguments of certain types.

    graph                FuncGraph with the operations that the Python function recorded
    output               what the function returned, encoded
    structured_outputs   nest that the Python function returned, with tensors of the graph in it
    """

    variant: Any = None
    """The objects that calls depend on, and their slots (carrying_function.py)."""

    carried: CarriedSlots | None = None
    """The attributes, items and variables of Python's that calls read and write."""

    unrolled_loops: Sequence[str] = ()
    """The long loops that could not be staged, and why."""

    direct: Any = None
    """Latest direct call, with the state that it was written for (direct_calls.py)."""

    parameters: FunctionSignature | None = None
    """Those of a function of ``runtime.jit``, where Python numbers go in and out as such."""

    changed = GraphOutput([])
    """What the lists, dicts and sets among the arguments hold that calls change."""

    raises_after_changes = False  # of an argument, on some path: what joins has no part of them

    def __init__(
        self, name: str, call: BoundCall, python: StateTrace,
        parameters: FunctionSignature | None = None,
    ) -> None:  # fmt: skip
        """Trace a function; ``parameters`` are those of a function of ``runtime.jit``."""
        self.parameters = parameters
        self._key = call.own_key
        carries_state = bool(python.slots)
        self._name = name
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
                contents = self.arrays.finish(self.graph, carries_state)
                result, container_contents = self.containers.finish(result)
                self.output = GraphOutput(result, self.results.encode)
                if container_contents:
                    self.changed = GraphOutput(container_contents, self.results.encode)
                self.structured_outputs = self.output.structure
                state = [t for value in python.written for t in value.tensors]
                self.graph.structured_outputs = self.structured_outputs
                outputs = [*self.output.tensors, *self.changed.tensors]
                self.graph.freeze([*outputs, *contents, *state])
        if carries_state:
            self.carried = CarriedSlots(name, python)
        self.graph.detach_outer()

    def _describe_inputs(self, call: BoundCall, symbolic: list[SymbolicTensor]) -> None:
        """Set what calls need to know of the inputs of the graph."""
        self._names = [t.op.name for t in symbolic]
        self._by_settings: dict[int, Callable[..., Any]] = {}
        self.unknown = _count_unknown(symbolic)
        """Number of unknown sizes among the arguments' shapes; 100 for an unknown rank."""
        self._arguments = TracedArguments(call, self._specs_of(call, symbolic))
        self.arrays = ArrayArguments(self._name, call, symbolic, self._arg_names)
        self.containers = ContainerArguments()
        self.results: Any = (PythonResults if self.returns_numbers else TensorResults)(
            self._name, self.graph, self.arrays
        )

    def _call_python(
        self, call: BoundCall, symbolic: list[SymbolicTensor], python: Callable[..., Any]
    ) -> Any:
        """Call the Python function with symbolic tensors in place of the call's tensors."""
        for container in containers(call.leaves):
            container.proxy = None  # an earlier trace of the call may have changed it
        tensors = self.arrays.values
        values = call.replace_tensors(tensors)
        names = [name for name, _ in call.labels]
        contents = LeafContents(names, call.values)
        try:
            arguments = known_arguments(self.graph, symbolic, call.tensors)
            with arguments, contextlib.ExitStack() as watch:
                if self.returns_numbers:
                    watch.enter_context(self.containers.watch(call))
                    watch.enter_context(raise_tracking.observed(partial(self._note_raise, call)))
                result = call.apply(python, values)
        except AutoGraphError:
            raise
        except Exception as error:  # the program's own
            reaches_others = self.returns_numbers and not isinstance(error, MissingGradientError)
            if reaches_others or self.arrays.may_have_changed:
                lose_changes(error)
            raise
        has_copies = any(NODE_TYPES[type(value)] is not None for value in values)
        before = call.replace_tensors(tensors) if has_copies else values
        change = first_change(zip(names, before, values, strict=True)) or contents.first_change()
        if change := change or self.containers.first_change(call):
            raise refusal(self._name, *change, python)
        return result

    def _note_raise(self, call: BoundCall, error: BaseException) -> None:
        """Note whether arguments may have changed where the program raises an exception."""
        self.raises_after_changes |= (
            self.arrays.may_have_changed
            or any(NODE_TYPES[type(value)] is not None for value in call.values)  # it has copies
            or self.containers.may_have_changed
        )

    @property
    def returns_numbers(self) -> bool:
        """Whether Python numbers go out as such."""
        return self.parameters is not None

    @property
    def carries_state(self) -> bool:
        """Whether calls read and write attributes, items or variables of Python's."""
        return self.carried is not None

    @property
    def state_size(self) -> int:
        """How many of the outputs of a run are written to slots."""
        return 0 if self.carried is None else self.carried.size

    @property
    def changes_arguments(self) -> bool:
        """Whether calls may change arguments, if only before they raise."""
        changes = self.arrays.changes or self.raises_after_changes
        return changes or bool(self.containers.written)

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
        written = self.containers.written
        lists = [(c.value, c.depth) for c in containers(call.leaves)] if written else ()
        is_distinct = are_distinct(lists)
        is_swapped = bool(self.results.array_outputs) and any(map(has_swapped_bytes, call.arrays))
        if plain is not None and (is_swapped or not is_distinct):
            return plain()
        if not is_distinct:
            raise self.containers.shared_error(self._name)
        run = partial(self.run, tensors, call.state, call.arrays, call.leaves)
        if self.changes_arguments or self._never_returns(call):
            result = call_in_place(self, call.arrays, run, plain)
        else:
            result = run()
        returned = () if self.carried is None else self.carried.returned
        return returned[0].read() if returned else result

    def _never_returns(self, call: BoundCall) -> bool:
        """Whether each run raises, perhaps after changes of arguments."""
        raises = self.returns_numbers and self.graph.never_returns
        return raises and bool(call.arrays or [*containers(call.leaves)])

    def _finish(
        self, outputs: Sequence[Any], leaves: Sequence[Any], arrays: Sequence[Any]
    ) -> Any:
        """The result of a call of such arguments; what it changes is written to them."""
        feed, decoder, callers = iter(outputs), self.results.decoder(leaves), list[Any]()
        if self.containers.written or self.results.returns_arguments:
            callers = [container.value for container in containers(leaves)]
        result = self.output.decode(feed, *decoder)
        changed = self.changed.decode(feed, *decoder) if self.containers.written else ()
        for number, contents in zip(self.containers.written, changed, strict=True):
            refill(callers[number], self.results.for_caller(contents, arrays, callers))
        if arrays:
            self.arrays.write_back(arrays, [*feed])
        return self.results.for_caller(result, arrays, callers)

    def run(
        self, tensors: Sequence[Any], state: Sequence[Any] = (), arrays: Sequence[Any] = (),
        leaves: Sequence[Any] = (),
    ) -> Any:  # fmt: skip
        """Run or record the graph for tensors that fit its inputs; return the structured result.

        ``state`` is what the carried slots hold; ``arrays`` are those of the caller that it
        changes, ``leaves`` all arguments of the call.
        """
        return self._finish(self._outputs_for(tensors, state), leaves, arrays)

    def _outputs_for(self, tensors: Sequence[Any], state: Sequence[Any] = ()) -> Sequence[Any]:
        """What a run gives, besides the state that it carries; tensors where a graph or a tape
        records it, else arrays.
        """
        self.calls.add()
        if ACTIVE and self.arrays.pattern is not None:
            IN_PLACE.note()  # a trace around depends on what is an array, too
        if self.carried is None:
            return self._execute(tensors)
        state = state or self.carried.read(self.links)
        return self.carried.run(state, lambda inputs: self._execute([*tensors, *inputs]))

    def _execute(self, tensors: Sequence[Any]) -> Sequence[Any]:
        is_eager = all(type(tensor) in EAGER for tensor in tensors)
        if ACTIVE or self.graph.captures or not is_eager:
            return call_graph(self.graph, [*map(as_operand, tensors)])
        arrays = [tensor._array for tensor in tensors]
        outputs: Sequence[Any] = call_kernel(dispatch.run_graph, self.graph, arrays)
        return outputs

    def _specs_of(self, call: BoundCall, symbolic: list[SymbolicTensor]) -> list[TensorSpec]:
        """Return the specs of the tensors among the arguments, with the names that a call gives."""
        names = call.names or [tensor.spec.name for tensor in symbolic]
        return [
            (NumberSpec if tensor.weak and self.returns_numbers else TensorSpec)(
                tensor.spec.shape, tensor.spec.dtype, name
            )
            for tensor, name in zip(symbolic, names, strict=True)
        ]

    # -- calls ------------------------------------------------------------------------------------

    def has_names(self, names: Sequence[str | None]) -> bool:
        """Whether the inputs have the given names; None stands for any name."""
        pairs = zip(names, self._arg_names, strict=False)
        return all(name in (None, input_name) for name, input_name in pairs)

    def accepts(self, shapes: Shapes) -> bool:
        """Whether tensors of these shapes fit the inputs."""
        pairs = zip(shapes, self.graph.inputs)
        return all(shape.is_subtype_of(tensor.shape) for shape, tensor in pairs)

    def __call__(self, /, *args: Any, **kwargs: Any) -> Any:
        """Run the graph for the arguments of the Python function, or for its tensors alone.

        Python values that were arguments of the trace may be left out, or must be equal to those.
        The result has the structure that the Python function returned.

        Raises TypeError for arguments that do not fit the parameters, UnfitArgumentError (an
        InvalidArgumentError) for a tensor whose dtype or shape does not fit the trace.
        """
        if self.parameters is not None:
            return self._call_with_numbers(args, kwargs, self.parameters)
        written = self.arrays.written
        if len(args) == len(self._names) and not (kwargs or ACTIVE):
            result = self._direct_of_tensors()(*args)
            if result is not MISS:
                return result
        try:
            values = self._arguments.bind(args, kwargs)
        except Mismatch as mismatch:
            values = self._flat(args, kwargs, mismatch)
        tensors = [as_input(self._name, *pair) for pair in zip(values, self.graph.inputs)]
        if written:
            return call_in_place(self, values, lambda: self.run(tensors, arrays=values))
        return self.run(tensors)

    def _call_with_numbers(
        self, args: tuple[Any, ...], kwargs: dict[str, Any], parameters: FunctionSignature
    ) -> Any:
        call = parameters.call(args, kwargs)
        if call.own_key != self._key or not self.accepts(call.shapes):
            raise TypeError(
                f"{self._name}() was traced for {self.pretty_printed_signature(verbose=False)}, "
                "and these arguments are of other types"
            )
        return self.run_call(call)

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

    def _direct_of_tensors(self) -> Callable[..., Any]:
        """The function of the graph's inputs that runs the graph as it is compiled now."""
        direct = self._by_settings.get(SETTINGS.generation)
        if direct is None:
            from runtime.functions.direct_call import call_of_tensors  # costs an import

            direct = self._by_settings[SETTINGS.generation] = call_of_tensors(self)
        return direct

    def pack(self, outputs: Sequence[Any]) -> Any:
        """Pack the outputs of the graph into the structure that the Python function returned."""
        return self._finish(outputs, (), ())


def _count_unknown(tensors: Sequence[SymbolicTensor]) -> int:
    dims = [tensor.shape.dims for tensor in tensors]
    return sum([100 if sizes is None else sizes.count(None) for sizes in dims])
