"""FuncGraph: graph with inputs and outputs, traced for a function, a branch or a loop body.

A tensor of an enclosing graph that is used in it is captured: it becomes one more input, and
``captures`` holds the tensor to pass for that input.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from runtime.eager.tensor import Tensor
from runtime.graph import raise_tracking
from runtime.graph.collections import OF_VARIABLES
from runtime.graph.graph import Graph
from runtime.graph.nesting import nesting
from runtime.graph.operation import Operation, SymbolicTensor, subgraphs
from runtime.ops import dispatch
from runtime.ops.array.constants import placeholder_op
from runtime.ops.op import HIGHER_ORDER
from runtime.ops.resource.variable import VariableStorage
from runtime.types.errors import InternalError
from runtime.types.shapes import TensorSpec


def graphs_inside(graph: Graph) -> list[Graph]:
    """Return the graphs that the operations of a graph hold, and those inside of these."""
    graphs: dict[int, Graph] = {}
    todo = [graph]
    while todo:
        for node in todo.pop().operations:
            for inner in subgraphs(node):
                if isinstance(inner, Graph) and id(inner) not in graphs:
                    graphs[id(inner)] = inner
                    todo.append(inner)
    return list(graphs.values())


_CURRENT = object()
"""Stands for the current interpreter."""


class FuncGraph(Graph):
    """Graph with inputs and outputs, traced within ``outer``, else the current interpreter.

    inputs     the tensors that stand for arguments, in order; captures come last
    captures   pairs (tensor of ``outer``, the input of this graph that stands for it)
    outputs    the tensors that a run returns: set once, at the end of the trace

    A graph whose outputs are set is *frozen*: no more operations are recorded, engines run it and
    keep side tables about it (side_table.py); passes and derivatives change copies.
    """

    temporary = True
    building_function = True
    nesting = 0
    """Number of levels of graphs that it holds, itself included; 0 before it is frozen."""
    result_names: Sequence[str] = ()
    """What the user's program calls the outputs, in drawings; those of a loop are its inputs, too.
    """
    transient = False
    """Whether it records an exception of the outside world: other runs may not raise it."""

    def __init__(self, name: str, kind: str = "function", outer: Any = _CURRENT) -> None:
        super().__init__()
        self.name = name
        self.kind = kind
        self.outer = dispatch.current() if outer is _CURRENT else outer
        self.level: int = getattr(self.outer, "level", 0) + 1
        """Number of graphs that are being traced, itself included."""
        self._traced_in: Callable[[], Graph | None] | None = None
        self.inputs: Sequence[SymbolicTensor] = ()
        self.captures: Sequence[tuple[SymbolicTensor, SymbolicTensor]] = ()
        self._outputs: tuple[SymbolicTensor, ...] | None = None
        self._captured: dict[int, SymbolicTensor] = {}
        self._answers: dict[str, bool] = {}
        self.outer_controls: list[Operation] = []
        """Control inputs of its operations that belong to enclosing graphs."""
        self.joins_numbers: bool = getattr(self.outer, "joins_numbers", False)
        """Whether a Python number stays what it is where it joins one of another type."""
        self._inherited: dict[Any, int] = {}
        """Number of items of each collection that the graph around had already."""
        self.runs_everything = bool(raise_tracking.TRACKING.try_bodies)
        """Whether all operations run, for their exceptions, and not just the needed ones."""

    @property
    def title(self) -> str:
        """Name of this graph in messages."""
        return f"the {self.kind} {self.name!r}"

    @property
    def outputs(self) -> Sequence[SymbolicTensor]:
        """Tensors that a run returns; empty before they are set."""
        return self._outputs or ()

    @property
    def frozen(self) -> bool:
        """Whether its outputs are set, so that it no longer changes."""
        return self._outputs is not None

    def freeze(self, outputs: Sequence[SymbolicTensor]) -> None:
        """Set the outputs, tensors of this graph; InternalError when they are set already."""
        if self.frozen:
            self.check_recording()
        if self._collections and self.kind != "function" and isinstance(self.outer, Graph):
            self._extend_collections(self.outer)
        self._outputs = tuple(outputs)
        self._closed = True
        self.nesting = nesting(self)

    def answer(self, question: str, find: Callable[[FuncGraph], bool]) -> bool:
        """Return ``find(self)``, cached by ``question`` once the graph is frozen.

        Nested graphs are asked at every level, which would take quadratic time.  The innermost are
        asked first: Python's C code, too, has a limit of recursion.
        """
        if not self.frozen:
            return find(self)
        if question not in self._answers:
            for graph in reversed([*self._unanswered(question)]):
                graph._answers[question] = find(graph)
        return self._answers[question]

    def _unanswered(self, question: str) -> Iterator[FuncGraph]:
        """Yield this graph, and the graphs that it holds which a question has not been put to."""
        todo: list[FuncGraph] = [self]
        seen = {id(self)}
        for graph in todo:
            yield graph
            for node in graph.operations:
                for inner in subgraphs(node) if HIGHER_ORDER in node.op_def.traits else ():
                    if not isinstance(inner, FuncGraph) or id(inner) in seen:
                        continue
                    if inner.frozen and question not in inner._answers:
                        seen.add(id(inner))
                        todo.append(inner)

    def check_recording(self) -> None:
        """Raise InternalError when the graph is frozen."""
        if self.frozen:
            raise InternalError(
                f"{self.title} is frozen: its outputs are set, and no more operations can be "
                "recorded in it. Copy it to change it."
            )
        super().check_recording()

    @property
    def outer_graph(self) -> Graph | None:
        """Graph that this one was traced in; None under eager execution."""
        if isinstance(self.outer, Graph):
            return self.outer
        return None if self._traced_in is None else self._traced_in()

    def detach_outer(self) -> None:
        """Release the graph around if nothing of it is used, so that it may be collected."""
        if isinstance(self.outer, Graph) and not (self.captures or self.outer_controls):
            self._traced_in = weakref.ref(self.outer)
            with dispatch.eagerly():
                self.outer = dispatch.current()

    def _stored(self, name: Any) -> list[Any] | None:
        """Return a collection: a copy of the outer graph's, or that itself for variables."""
        collection = super()._stored(name)
        if collection is not None or not isinstance(self.outer, Graph):
            return collection
        around = self.outer._stored(name)
        if around is None or name in OF_VARIABLES:
            return around
        self._inherited.setdefault(name, len(around))
        return self._collections.setdefault(name, list(around))

    def _extend_collections(self, outer: Graph) -> None:
        """Add to the collections of the graph around what this branch or loop body added.

        Not before it is frozen: a body that is traced again would add everything twice.
        """
        for name, items in self._collections.items():
            added = items[self._inherited.get(name, 0) :]
            if added:
                outer.get_collection_ref(name).extend(added)

    def add_input(
        self, spec: TensorSpec, weak: bool = False, index: int | None = None,
        name: str | None = None,
    ) -> SymbolicTensor:  # fmt: skip
        """Add an input of the given type, at ``index`` or at the end.

        ``weak`` says that it stands for a Python number; its name is ``name`` or that of the spec.
        """
        attrs: dict[str, Any] = {"shape": spec.shape, "dtype": spec.dtype}
        name = name or spec.name or "input"
        plain = spec
        if spec.name is not None or spec.value is not None or spec.sizes is not None:
            plain = TensorSpec(spec.shape, spec.dtype)
        node = self._record(placeholder_op, (), attrs, (plain,), weak, name, False)
        (tensor,) = node.outputs
        index = len(self.inputs) if index is None else index
        self.inputs = (*self.inputs[:index], tensor, *self.inputs[index:])
        return tensor

    def capture(self, tensor: SymbolicTensor) -> SymbolicTensor:
        """Return the input that stands for a tensor of an enclosing graph; made on first use."""
        captured = self._captured.get(id(tensor))
        if captured is not None:
            return captured
        if not self.encloses(tensor.graph):
            return super().capture(tensor)
        direct = tensor if tensor.graph is self.outer else self.outer.capture(tensor)
        inner = self._captured.get(id(direct))
        if inner is None:
            inner = self.add_input(direct.spec, direct.weak)
            self.captures = (*self.captures, (direct, inner))
            self._captured[id(direct)] = inner
        self._captured[id(tensor)] = inner
        return inner

    def control_input(self, item: Any) -> Operation | None:
        """Return the operation to wait for; those of enclosing graphs go to ``outer_controls``."""
        node = self.as_operation(item)
        if node is not None and self.encloses(node.graph):
            self.outer_controls.append(node)
            return None
        return super().control_input(item)

    def release_captures(self, outer: Any) -> None:
        """Turn captures into ordinary inputs; ``outer`` encloses the graph from now on."""
        self.captures, self._captured = (), {}
        self.outer = outer

    def captured_tensors(self) -> list[SymbolicTensor]:
        """Return the tensors of ``outer`` to pass for the captures, in the order of the inputs."""
        return [outer for outer, _ in self.captures]

    def eager_tensors(self) -> list[Tensor]:
        """Return the eager tensors that this graph, or a graph inside of it, uses as constants."""
        tensors = {id(tensor): tensor for tensor, _ in self._constants.values()}
        for inner in graphs_inside(self):
            tensors.update((id(tensor), tensor) for tensor, _ in inner._constants.values())
        return list(tensors.values())

    @property
    def variables(self) -> tuple[Any, ...]:
        """Variables that this graph or a graph inside of it reads or writes, in order of use."""
        by_identity: dict[int, Any] = {}
        for graph in (self, *graphs_inside(self)):
            for node in graph.operations:
                storage = node.attrs.get("storage")
                variable = storage.variable() if isinstance(storage, VariableStorage) else None
                if variable is not None:
                    by_identity.setdefault(id(variable), variable)
        return tuple(by_identity.values())

    @property
    def trainable_variables(self) -> tuple[Any, ...]:
        """Trainable ones among its variables."""
        return tuple([variable for variable in self.variables if variable.trainable])

    def set_outputs(self, outputs: Sequence[Any]) -> None:
        """Freeze the graph with these outputs; eager values become constants, others captures."""
        self.freeze([self.as_tensor(value) for value in outputs])
