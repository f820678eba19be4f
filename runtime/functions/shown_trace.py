"""What a trace shows of itself: a drawing of its graph, and the code that it is compiled to."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from runtime.engine import inspection
from runtime.functions.cache_key import named_leaves
from runtime.graph.drawable import Drawable
from runtime.graph.operation import SymbolicTensor

if TYPE_CHECKING:
    from autograph.drawing.diagram import Diagram
    from runtime.functions.function_graph import FunctionGraph


class ShownTrace(Drawable):
    """Trace of a function, as far as it shows itself."""

    graph: FunctionGraph
    structured_outputs: Any
    _name: str

    def __diagram__(self) -> Diagram:
        from runtime.graph.diagrams import diagram_of  # costs an import

        return diagram_of(self.graph, self._name, result_labels(self))

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
