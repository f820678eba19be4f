"""OptimizedGraph: the copy of a run's operations, in order of execution, that passes rewrite.

The user's graph, its operations and tensors stay as they are.  The ``origin`` of each new operation
is the recorded one that it stands for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from autograph.syntax.fork_safe_lock import fork_safe_lock
from runtime.graph.func_graph import FuncGraph
from runtime.graph.operation import Operation, SymbolicTensor
from runtime.graph.order import topological_order
from runtime.graph.regions import regions, with_graphs
from runtime.graph.run_request import RunRequest, request_for
from runtime.ops.array.constants import constant_op, placeholder_op
from runtime.ops.op import CALL, HIGHER_ORDER, OpDef, Trait
from runtime.types.shapes import TensorSpec

_new: Any = object.__new__


class OptimizedGraph(FuncGraph):
    """Graph that runs in place of a user's graph: all operations, in the order of the list.

    Its inputs are the feeds, its outputs the fetches, in the same order.
    """

    outputs: Sequence[SymbolicTensor] = ()
    """Tensors that a run returns; passes change them."""

    def __init__(self, name: str, kind: str) -> None:
        super().__init__(name, kind, outer=None)
        self.runs_everything = True
        self.lock = fork_safe_lock()
        self.used_names: set[str] = set()
        self.optimizer: Any = None
        """Optimiser of the graphs that operations of this one hold."""
        self.original: RunRequest | None = None
        """Request that this was made for; it keeps the ids of its tensors unique."""

    @property
    def title(self) -> str:
        """Name of this graph in messages."""
        return f"the optimized {self.kind} {self.name!r}"

    def fresh(self, name: str) -> str:
        """Return a name that no operation of the graph has."""
        candidate, count = name, 0
        while candidate in self.used_names:
            count += 1
            candidate = f"{name}_{count}"
        self.used_names.add(candidate)
        return candidate

    def make(
        self, op_def: OpDef, inputs: tuple[SymbolicTensor, ...], attrs: dict[str, Any],
        like: Operation, name: str, outputs: Iterable[SymbolicTensor] = (),
    ) -> Operation:  # fmt: skip
        """Make an operation that stands for ``like``, with outputs of the types of ``outputs``.

        The caller inserts it into ``operations``.
        """
        node = _new(Operation)
        node.graph = self
        node.op_def = op_def
        node.inputs = inputs
        node.attrs = attrs
        node.controls = ()
        if name in self.used_names:
            name = self.fresh(name)
        self.used_names.add(name)
        node.name = name
        node.index = -1
        node.location = like.location
        node.device = like.device
        node.origin = like.origin or like
        node.run_id = like.run_id
        new_outputs: list[SymbolicTensor] = []
        for like_tensor in outputs:  # without a call for each: most operations have one
            tensor = _new(SymbolicTensor)
            tensor.op = node
            tensor.value_index = len(new_outputs)
            tensor.spec = like_tensor.spec
            tensor.weak = like_tensor.weak
            new_outputs.append(tensor)
        node.outputs = tuple(new_outputs)
        return node

    def constant_like(self, value: Any, like: SymbolicTensor, name: str) -> Operation:
        """Make a constant that replaces a tensor."""
        node = self.make(constant_op, (), {"value": value}, like.op, name, (like,))
        spec = node.outputs[0].spec
        node.outputs[0].spec = TensorSpec(value.shape, spec.dtype, None, value)
        return node

    def input_like(self, tensor: SymbolicTensor, name: str) -> SymbolicTensor:
        """Add an input of the type of a tensor; its operation comes after the other inputs."""
        spec = tensor.spec
        attrs = {"shape": spec.shape, "dtype": spec.dtype}
        node = self.make(placeholder_op, (), attrs, tensor.op, name, (tensor,))
        node.outputs[0].spec = TensorSpec(spec.shape, spec.dtype)
        self.operations.insert(len(self.inputs), node)
        self.inputs = (*self.inputs, node.outputs[0])
        return node.outputs[0]

    def seal(self) -> OptimizedGraph:
        """Number the operations and enter their names; return the graph."""
        for index, node in enumerate(self.operations):
            node.index = index
        operations = self.operations
        for node in operations:
            if node.controls:  # what has gone had no effects, or its place kept the order
                present = [c for c in node.controls if 0 <= c.index < len(operations)
                        and operations[c.index] is c]  # fmt: skip
                node.controls = tuple(present)
        self.names.operations = {node.name: node for node in self.operations}
        return self

    def freeze(self, outputs: Sequence[SymbolicTensor]) -> None:
        """Freeze the graph: no more passes, from now on it runs."""
        super().freeze(outputs)
        self.outputs = tuple(outputs)


class Renames(dict[int, tuple[SymbolicTensor, SymbolicTensor]]):
    """Table of replaced tensors by id, each with its replacement."""

    def put(self, old: SymbolicTensor, new: SymbolicTensor) -> None:
        """Replace ``old`` by ``new``; ``old`` is kept alive so that its id stays unique."""
        self[id(old)] = (old, self.of(new))

    def of(self, tensor: SymbolicTensor) -> SymbolicTensor:
        """Return the replacement of a tensor, or itself."""
        entry = self.get(id(tensor))
        return tensor if entry is None else entry[1]

    def apply(self, node: Operation) -> None:
        """Replace inputs of an operation."""
        for tensor in node.inputs:
            if id(tensor) in self:
                node.inputs = tuple([self.of(t) for t in node.inputs])
                return

    def finish(self, graph: OptimizedGraph) -> bool:
        """Replace outputs of a graph; return whether any tensor is replaced."""
        if self:
            graph.outputs = [self.of(t) for t in graph.outputs]
        return bool(self)


def copy_graph(request: RunRequest, deep: bool = True) -> OptimizedGraph:
    """Copy the operations that a request needs; ``deep``: and the graphs that they hold, if
    passes may change these still.
    """
    source: Any = request.graph
    graph = OptimizedGraph(getattr(source, "name", "graph"), getattr(source, "kind", "graph"))
    graph.original = request
    for tensor in request.feeds:
        graph.input_like(tensor, tensor.op.name)
    nodes, graph.outputs = copy_into(graph, request, graph.inputs, "", deep)
    graph.operations += nodes
    return graph.seal()


def _own_graphs(node: Operation) -> dict[str, Any]:
    """Return the attributes for a copy; graphs that passes may still change are copied."""
    node_regions = regions(node)
    if CALL in node.op_def.traits or not any(
        isinstance(region.graph, OptimizedGraph) for region in node_regions
    ):
        return node.attrs
    copies = [
        copy_graph(request_for(region.graph)) if isinstance(region.graph, OptimizedGraph)
        else region.graph for region in node_regions
    ]  # fmt: skip
    return with_graphs(node, copies)


def copy_into(
    graph: OptimizedGraph, request: RunRequest, arguments: Sequence[SymbolicTensor], scope: str,
    deep: bool = True,
) -> tuple[list[Operation], list[SymbolicTensor]]:
    """Copy the operations of a request with arguments in place of feeds; return the results too.

    The caller inserts the operations into the graph.
    """
    fed = frozenset(map(id, request.feeds))
    roots = [*request.operations, *(t.op for t in request.fetches if id(t) not in fed)]
    new = {id(old): argument for old, argument in zip(request.feeds, arguments, strict=True)}
    copies: dict[int, Operation] = {}
    nodes: list[Operation] = []
    for node in topological_order(request.graph, roots, fed):
        outputs = node.outputs
        if len(outputs) == 1 and id(outputs[0]) in fed:
            continue
        inputs = node.inputs
        if inputs:
            inputs = tuple([new[id(t)] for t in inputs])
        attrs = node.attrs
        if deep and HIGHER_ORDER in node.op_def.traits:
            attrs = _own_graphs(node)
        copy = graph.make(node.op_def, inputs, attrs, node, scope + node.name, outputs)
        if node.controls:
            present = [copies[id(c)] for c in node.controls if id(c) in copies]
            copy.controls = tuple(present)
        copies[id(node)] = copy
        for old, tensor in zip(outputs, copy.outputs):
            if id(old) not in fed:
                new[id(old)] = tensor
        nodes.append(copy)
    return nodes, [new[id(t)] for t in request.fetches]


Replacement = tuple[Sequence[Operation], Sequence[SymbolicTensor]]
"""Operations that replace one, and the replacements of its outputs."""


def replace_each(
    graph: OptimizedGraph, trait: Trait | None, instead: Callable[[Operation], Replacement | None]
) -> bool:
    """Replace the operations of a trait, or all, for which ``instead`` returns a replacement.

    Returns whether there was one.
    """
    renames = Renames()
    operations: list[Operation] = []
    changed = False
    for node in graph.operations:
        if renames:
            renames.apply(node)
        looked_at = trait is None or trait in node.op_def.traits
        replacement = instead(node) if looked_at else None
        if replacement is None:
            operations.append(node)
            continue
        changed = True
        operations += replacement[0]
        for old, new in zip(node.outputs, replacement[1], strict=True):
            renames.put(old, new)
    graph.operations = operations
    renames.finish(graph)
    return changed
