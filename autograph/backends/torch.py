"""Backend for PyTorch: ``torch.export.export(model)`` of a model with converted ``forward``.

Branches and bodies are recorded as FX graphs (``torch_recordings``), which ``cond`` and
``while_loop`` of PyTorch take as they are.  What prints and raises calls Python when it runs.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from typing import Any

import torch
from torch import fx
from torch._subclasses.fake_tensor import FakeTensor
from torch._subclasses.functional_tensor import FunctionalTensor

from autograph.backends import scalars
from autograph.backends.nested_lists import NestedLists
from autograph.backends.scalars import StagedScalar
from autograph.backends.torch_recordings import (
    CURRENT,
    HIGHER_ORDER,
    Closed,
    TorchRecording,
    apply,
    inlined,
    node_of,
    union,
)
from autograph.backends.torch_values import TorchValues
from autograph.errors import ConcreteValueError
from autograph.staging import register


class TorchBackend(NestedLists, TorchValues):
    """Backend that stages Python on PyTorch."""

    name = "torch"
    folder = __file__
    staged_types = ("FakeTensor", "FunctionalTensor", StagedScalar.__name__)
    symbolic_types = (FakeTensor, FunctionalTensor, StagedScalar)
    value_types = (torch.Tensor,)

    def is_tracing(self) -> bool:
        """Whether tensors have no data now."""
        return bool(CURRENT) or bool(torch._C._len_torch_dispatch_stack()) or (
            torch.compiler.is_exporting()
        )

    def iterates(self, value: Any) -> bool:
        """Whether ``for`` over a tensor is staged: only where its rows are many."""
        return isinstance(value, (FakeTensor, FunctionalTensor)) and value.dim() > 0

    def recorded_as(self, value: Any) -> tuple[Any, Sequence[Any]]:
        """The node of a graph, of ours or of the export's, and the nodes that it uses."""
        node = node_of(value) if isinstance(value, (torch.Tensor, fx.Node)) else None
        if node is None:
            return value, ()
        return node, node.args if node.op == "call_function" else ()

    # -- recordings -------------------------------------------------------------------------------

    def open(self) -> Any:
        """A new graph."""
        return TorchRecording(CURRENT[-1] if CURRENT else None)

    def recording(self, recording: Any) -> AbstractContextManager[Any]:
        """Record in the graph."""
        return recording.active()

    def is_inside(self, recording: Any, outer: Any) -> bool:
        """Whether a graph is inside another one, or is the current one."""
        if recording is None:
            return bool(CURRENT) and CURRENT[-1] is outer
        return recording.outer is outer

    def add_input(self, recording: Any, spec: Any) -> Any:
        """One more input of the graph."""
        return self.made(spec, recording.add_input(spec.dtype, spec.shape))

    def is_from(self, value: Any, recordings: Sequence[Any]) -> bool:
        """Whether a value belongs to one of the graphs."""
        return any(id(self.tensor(value)) in one.nodes for one in recordings)

    def close(self, recording: Any, inputs: Sequence[Any], outputs: Sequence[Any]) -> Any:
        """The graph as a function."""
        with recording.active():
            tensors = list(map(self.tensor, outputs))
        closed = Closed(recording, list(map(self.tensor, inputs)), tensors)
        closed.specs = [self.spec_of(value) for value in outputs]  # type: ignore[attr-defined]
        return closed

    def inline(self, function: Any, values: Sequence[Any]) -> list[Any]:
        """What the graph does, here."""
        results = inlined(function, list(map(self.tensor, values)))
        return list(map(self.made, function.specs, results))

    def record_cond(
        self, test: Any, then: Any, otherwise: Any, values: Sequence[Any]
    ) -> list[Any]:
        """``torch.cond`` of two graphs."""
        captured = union(then, otherwise)
        results = apply(
            HIGHER_ORDER.cond, [self.tensor(test)],
            [then.build(captured), otherwise.build(captured)],
            [*map(self.tensor, values), *captured], types=then.types,
        )  # fmt: skip
        return list(map(self.made, then.specs, results))

    def record_while(
        self, test: Any, body: Any, start: Sequence[Any], where: tuple[str, int] | None
    ) -> list[Any]:
        """``while_loop`` of two graphs."""
        captured = union(test, body)
        carried = list(map(self.tensor, start))
        if not carried:
            raise ConcreteValueError(
                "a staged loop that changes nothing does not end", where=where
            )
        condition, turn = test.build(captured), body.build(captured)
        condition.graph.output_node().args = (condition.graph.output_node().args[0][0],)
        condition.recompile()
        results = apply(
            HIGHER_ORDER.while_loop, [], [condition, turn], carried, captured, types=body.types
        )
        return list(map(self.made, body.specs, results))

    def record_scan(
        self, body: Any, start: Sequence[Any], sources: Sequence[Any], length: int, numbered: bool
    ) -> list[Any]:
        """A loop that counts."""
        specs = [self.spec_of(value) for value in start]
        count = self.spec_of(0)
        turn, test = self.open(), self.open()
        state = [self.add_input(turn, spec) for spec in [*specs, count]]
        with self.recording(turn):
            items = [self.take(source, state[-1], self.item_spec(self.spec_of(source)))
                     for source in sources]  # fmt: skip
            number = [state[-1]] if numbered else []
            after = [*self.inline(body, [*state[:-1], *number, *items]), state[-1] + 1]
        again = [self.add_input(test, spec) for spec in [*specs, count]]
        with self.recording(test):
            going_on = again[-1] < length
        begun = [*start, self.scalar(0)]
        return self.record_while(
            self.close(test, again, [going_on]), self.close(turn, state, after), begun, None
        )[:-1]

def graph_of(function: Callable[..., Sequence[Any]], *examples: Any) -> fx.GraphModule:
    """Record a function of tensors, which returns tensors, as one graph.

    Tensors from outside stay in the graph as they are.
    """
    recording = TorchRecording(None)
    inputs = [recording.add_input(tensor.dtype, tuple(tensor.shape)) for tensor in examples]
    with recording.active():
        outputs = list(map(BACKEND.tensor, function(*inputs)))
    closed = Closed(recording, inputs, outputs)
    captured = closed.captured()
    graph = closed.build(captured)
    places = [node for node in graph.graph.nodes if node.op == "placeholder"][len(inputs) :]
    for number, (node, tensor) in enumerate(zip(places, captured, strict=True)):
        setattr(graph, f"constant_{number}", tensor)
        with graph.graph.inserting_before(node):
            node.replace_all_uses_with(graph.graph.get_attr(f"constant_{number}"))
        graph.graph.erase_node(node)
    graph.recompile()
    return graph


BACKEND = TorchBackend()
TorchBackend.builtins = {**scalars.builtins_of(BACKEND), len: BACKEND.length}
register(BACKEND)
