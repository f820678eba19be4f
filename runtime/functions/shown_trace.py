"""What a trace shows of itself: its types, a drawing of its graph, the code it is compiled to."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from runtime.engine import inspection
from runtime.engine.executable import executable_of
from runtime.engine.protocol import Executable
from runtime.functions.cache_key import named_leaves
from runtime.functions.trace_arguments import TracedArguments
from runtime.functions.type_format import format_type, typed_signature
from runtime.graph.drawable import Drawable
from runtime.graph.graph import Graph
from runtime.graph.operation import SymbolicTensor
from runtime.staging.values import optional_nest
from runtime.state.variable import Variable
from runtime.types.annexes import added_names
from runtime.types.call_count import CallCount
from runtime.types.shapes import TensorShape

if TYPE_CHECKING:
    from autograph.drawing.diagram import Diagram
    from runtime.functions.function_graph import FunctionGraph


def pickled_graphs(value: Any) -> Any:
    """Return how a trace, or what consists of traces, is pickled: the room of exports says it."""
    pickled: Any = added_names(__name__).get("pickled", object.__reduce__)
    return pickled(value)


class ShownTrace(Drawable):
    """Trace of a function, as far as it shows itself."""

    graph: FunctionGraph
    structured_outputs: Any
    _name: str
    _arguments: TracedArguments
    calls: CallCount
    unknown: int

    @property
    def name(self) -> str:
        """The name of the Python function."""
        return self._name

    __name__ = name

    def __reduce__(self) -> Any:
        """Pickle the graph as text."""
        return pickled_graphs(self)

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
    def is_relaxed(self) -> bool:
        """Whether some size of an argument is unknown, so that tensors of several shapes fit."""
        return self.unknown > 0

    @property
    def optimized_graph(self) -> Graph:
        """Graph that runs: ``graph`` after the optimiser's passes."""
        return self.graph.optimized()

    @property
    def executable(self) -> Executable:
        """Executable of the graph; its ``refusals`` say why no faster engine runs it."""
        return executable_of(self.graph)

    @property
    def captured_inputs(self) -> list[Any]:
        """Tensors from outside that the trace reads: those of an outer graph, then eager ones."""
        return [*self.graph.captured_tensors(), *self.graph.eager_tensors()]

    @property
    def variables(self) -> tuple[Variable, ...]:
        """Variables that the trace reads or writes, in the order of their first use."""
        return self.graph.variables

    @property
    def trainable_variables(self) -> tuple[Variable, ...]:
        """Trainable variables that the trace reads or writes."""
        return self.graph.trainable_variables

    @property
    def output_shapes(self) -> Any:
        """Shapes of the results, in the structure of the results."""
        return self._of_outputs(lambda t: TensorShape(t.shape))

    @property
    def output_dtypes(self) -> Any:
        """Dtypes of the results, in the structure of the results."""
        return self._of_outputs(lambda t: t.dtype)

    def _of_outputs(self, ask: Callable[[Any], Any]) -> Any:
        return optional_nest.map_inside(
            lambda leaf: None if leaf is None else ask(leaf), self.structured_outputs
        )

    @property
    def structured_input_signature(self) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """Positional and keyword arguments, with specs in place of tensors."""
        return self._arguments.structured_signature()

    @property
    def function_type(self) -> Any:
        """Signature, as an ``inspect.Signature`` whose annotations are types."""
        return typed_signature(self._arguments.entries, self.structured_outputs)

    def pretty_printed_signature(self, verbose: bool = True) -> str:
        """Return the signature as text: a line for each parameter, or one line in all."""
        if not verbose:
            return str(self.function_type)
        lines = ["Input Parameters:"]
        entries = self._arguments.entries
        lines += [f"  {name} ({kind.name}): {format_type(value)}" for name, kind, value in entries]
        if len(lines) == 1:
            lines.append("  None")
        lines += ["Output Type:", f"  {format_type(self.structured_outputs)}", "Captures:"]
        captured = [f"  {format_type(t)}" for t in self.captured_inputs]
        captured += [f"  {format_type(v)}" for v in self.variables]
        return "\n".join(lines + (captured or ["  None"]))

    def __diagram__(self, seconds: Mapping[str, float] | None = None) -> Diagram:
        from runtime.graph.diagrams import diagram_of  # costs an import

        return diagram_of(self.graph, self._name, result_labels(self), seconds)

    def __repr__(self) -> str:
        signature = self.pretty_printed_signature(verbose=False)
        return f"<ConcreteFunction {self._name}{signature} at {hex(id(self))}>"

    def __str__(self) -> str:
        return f"ConcreteFunction {self.pretty_printed_signature()}"

    def kernel_ir(self) -> str:
        """The native engine's own code: UnimplementedError if there is no machine code for it."""
        return inspection.kernel_ir(self.graph)

    def llvm_ir(self) -> str:
        """The code that LLVM compiles; UnimplementedError as for ``kernel_ir``."""
        return inspection.llvm_ir(self.graph)

    def assembly(self) -> str:
        """The assembly for this machine; UnimplementedError also without llvmlite."""
        return inspection.assembly(self.graph)


def result_labels(trace: ShownTrace) -> Sequence[str]:
    """Return the names of the graph's outputs: ``result[0]``, ``result['loss']``.

    What the function writes besides, attributes and items, is ``output 2``.
    """
    outputs = trace.graph.outputs
    names: dict[int, str] = {}
    for label, leaf in named_leaves("result", trace.structured_outputs):
        if isinstance(leaf, SymbolicTensor):
            names.setdefault(id(leaf), label)
    return [names.get(id(tensor), f"output {k}") for k, tensor in enumerate(outputs)]
