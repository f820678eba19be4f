"""Sub-graphs: what is traced for a function, a branch or a loop body.

A sub-graph has inputs and outputs.  A tensor of an enclosing graph that is used in it is captured:
it becomes one more input, and ``captures`` remembers what to pass for it.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable, Sequence
from typing import Any

from runtime.eager.tensor import Tensor
from runtime.graph import raise_tracking
from runtime.graph.collections import OF_VARIABLES
from runtime.graph.graph import Graph
from runtime.graph.operation import Operation, SymbolicTensor, subgraphs
from runtime.ops import dispatch
from runtime.ops.array.constants import placeholder_op
from runtime.ops.resource.variable import VariableStorage
from runtime.types.errors import InternalError
from runtime.types.shapes import TensorSpec


def graphs_inside(graph: Graph) -> list[Graph]:
    """The graphs among the attributes of a graph's operations, and those inside of these."""
    found: dict[int, Graph] = {}
    todo = [graph]
    while todo:
        for node in todo.pop().operations:
            for inner in subgraphs(node):
                if isinstance(inner, Graph) and id(inner) not in found:
                    found[id(inner)] = inner
                    todo.append(inner)
    return list(found.values())


_CURRENT = object()
"""Stands for the current interpreter."""


class FuncGraph(Graph):
    """A graph with inputs and outputs, traced within ``outer``, else the current interpreter.

    inputs     the tensors that stand for arguments, in order; captures come last
    captures   pairs (tensor of ``outer``, the input in here that stands for it)
    outputs    the tensors that a run returns: set once, by whoever traces

    Once its outputs are set it is *frozen*: it takes no more operations, others run it, keep what
    they made of it (side_table.py), and copy it when they need something like it.
    """

    temporary = True
    building_function = True

    def __init__(self, name: str, kind: str = "function", outer: Any = _CURRENT) -> None:
        super().__init__()
        self.name = name
        self.kind = kind
        self.outer = dispatch.current() if outer is _CURRENT else outer
        self._traced_in: Callable[[], Graph | None] | None = None
        self.inputs: Sequence[SymbolicTensor] = ()
        self.captures: Sequence[tuple[SymbolicTensor, SymbolicTensor]] = ()
        self._outputs: tuple[SymbolicTensor, ...] | None = None
        self._captured: dict[int, SymbolicTensor] = {}
        self.awaited: list[Operation] = []
        """Operations of enclosing graphs that control dependencies in here wait for."""
        self.complete = bool(raise_tracking.WATCHING.attempts)
        """Whether every operation runs, for what it may raise, and not just those needed."""

    @property
    def title(self) -> str:
        """What messages call this graph."""
        return f"the {self.kind} {self.name!r}"

    @property
    def outputs(self) -> Sequence[SymbolicTensor]:
        """The tensors that a run returns; none before they are set."""
        return self._outputs or ()

    @property
    def frozen(self) -> bool:
        """Whether its outputs are set: nothing of it changes any more."""
        return self._outputs is not None

    def freeze(self, outputs: Sequence[SymbolicTensor]) -> None:
        """Set the outputs, tensors of this graph; InternalError when they are set already."""
        if self.frozen:
            self.check_recording()
        self._outputs = tuple(outputs)
        self._closed = True

    def check_recording(self) -> None:
        """InternalError when the graph is frozen."""
        if self.frozen:
            raise InternalError(
                f"{self.title} is traced: its outputs are set, and it takes no more operations. "
                "Copy it to change it."
            )
        super().check_recording()

    @property
    def outer_graph(self) -> Graph | None:
        """The graph that this was traced in; None under eager execution."""
        if isinstance(self.outer, Graph):
            return self.outer
        return None if self._traced_in is None else self._traced_in()

    def detach_outer(self) -> None:
        """Forget the graph around, from which nothing is used: it need not live as long as this."""
        if isinstance(self.outer, Graph) and not (self.captures or self.awaited):
            self._traced_in = weakref.ref(self.outer)
            with dispatch.eagerly():
                self.outer = dispatch.current()

    def _stored(self, name: Any) -> list[Any] | None:
        """A collection starts as a copy of the one around; those of variables are the same."""
        found = super()._stored(name)
        if found is not None or not isinstance(self.outer, Graph):
            return found
        around = self.outer._stored(name)
        if around is None or name in OF_VARIABLES:
            return around
        return self._collections.setdefault(name, list(around))

    def add_input(
        self, spec: TensorSpec, weak: bool = False, index: int | None = None
    ) -> SymbolicTensor:
        """One more input of the given type; ``weak`` when it stands for a Python number.

        It is the last one, or the one of number ``index``.
        """
        attrs: dict[str, Any] = {"shape": spec.shape, "dtype": spec.dtype}
        name = spec.name or "input"
        plain = spec
        if spec.name is not None or spec.value is not None or spec.sizes is not None:
            plain = TensorSpec(spec.shape, spec.dtype)
        node = self._record(placeholder_op, (), attrs, (plain,), False, name, waits=False)
        node.outputs[0].weak = weak
        index = len(self.inputs) if index is None else index
        self.inputs = (*self.inputs[:index], node.outputs[0], *self.inputs[index:])
        return node.outputs[0]

    def capture(self, tensor: SymbolicTensor) -> SymbolicTensor:
        """The input that stands for a tensor of an enclosing graph; made on first use."""
        known = self._captured.get(id(tensor))
        if known is not None:
            return known
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
        """The operation to wait for; one of an enclosing graph is waited for out there."""
        node = self.as_operation(item)
        if node is not None and self.encloses(node.graph):
            self.awaited.append(node)
            return None
        return super().control_input(item)

    def release_captures(self, outer: Any) -> None:
        """Make ordinary inputs of the captures; the graph belongs within ``outer`` from now on."""
        self.captures, self._captured = (), {}
        self.outer = outer

    def captured_tensors(self) -> list[SymbolicTensor]:
        """The tensors of ``outer`` to pass for the captures, in the order of the inputs."""
        return [outer for outer, _ in self.captures]

    def eager_tensors(self) -> list[Tensor]:
        """The eager tensors that are used in here, or in graphs inside, as constants."""
        found = {id(tensor): tensor for tensor, _ in self._constants.values()}
        for inner in graphs_inside(self):
            found.update((id(tensor), tensor) for tensor, _ in inner._constants.values())
        return list(found.values())

    @property
    def variables(self) -> tuple[Any, ...]:
        """The variables that are read or written in here, or in graphs inside, in that order."""
        found: dict[int, Any] = {}
        for graph in (self, *graphs_inside(self)):
            for node in graph.operations:
                place = node.attrs.get("place")
                variable = place.variable() if isinstance(place, VariableStorage) else None
                if variable is not None:
                    found.setdefault(id(variable), variable)
        return tuple(found.values())

    @property
    def trainable_variables(self) -> tuple[Any, ...]:
        """Those of its variables that are trainable."""
        return tuple([variable for variable in self.variables if variable.trainable])

    def set_outputs(self, outputs: Sequence[Any]) -> None:
        """Say what a run returns; eager values become constants, outer tensors captures."""
        self.freeze([self.lift(value) for value in outputs])
