"""Extensions: operations that give what recorded ones give, and more; what derivatives need.

A recorded operation is never rewritten: others run it, users hold it.  Where the derivative of a
loop needs what its turns computed, a second operation is made that saves it.  It has the same
place in the program order, and its outputs begin with the very tensors of the first one.  A run
takes one of both: the extension where somebody needs what only that gives, else the operation as
it was recorded (order.py).  So effects happen once, and nobody pays for what is not asked for.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from runtime.graph.graph import graph_of
from runtime.graph.operation import Operation, SymbolicTensor
from runtime.ops import dispatch
from runtime.ops.op import OpDef
from runtime.types.shapes import TensorSpec


def newest(node: Any) -> Any:
    """Latest extension of an operation; itself where there is none, and for a tape's records."""
    if not isinstance(node, Operation) or not node.graph.extensions:
        return node
    made = node.graph.extensions.get(node.recorded)
    return made[-1] if made else node


def newest_operations(graph: Any) -> list[Operation]:
    """Operations of a graph, in the latest extensions."""
    return [newest(node) for node in graph.operations] if graph.extensions else graph.operations


def extend(
    node: Operation, more: Sequence[TensorSpec], attrs: dict[str, Any],
    inputs: Sequence[SymbolicTensor] | None = None,
) -> Operation:
    """Extension of an operation with other attributes, and outputs of the types ``more`` as well.

    It extends the newest extension, so that one operation gives what all derivatives need.
    ``inputs`` may hold more than those of ``node``, in another order.
    """
    home, first = node.graph, node.recorded
    assert newest(node) is node, f"{node.name!r} was extended meanwhile"
    home.check_recording()
    new = Operation(
        home, node.op_def, node.inputs if inputs is None else tuple(inputs), node.name, attrs,
        node.controls,
    )  # fmt: skip
    new.index, new.location, new.program = node.index, node.location, node.program
    new.device = node.device
    new.origin = node.origin or first
    start = len(node.outputs)
    added = [SymbolicTensor(new, start + i, spec) for i, spec in enumerate(more)]
    new.outputs = (*node.outputs, *added)
    home.extensions.setdefault(first, []).append(new)
    dispatch.watch_extended(new, added)
    return new


def insert_before(
    node: Operation, op_def: OpDef, inputs: Sequence[SymbolicTensor], attrs: Mapping[str, Any],
    spec: TensorSpec,
) -> SymbolicTensor:
    """Output of a new operation ahead of another, in the graph that is being built."""
    home = graph_of(node)
    home.check_recording()
    name = home.names.unique(op_def.node_name)
    new = Operation(home, op_def, tuple(inputs), name, dict(attrs), (), (spec,))
    new.location, new.program = node.location, node.program
    home.operations.insert(node.index, new)
    home.names.operations[new.name] = new
    renumber(home)
    return new.outputs[0]


def renumber(graph: Any) -> None:
    """Number the operations by their places; extensions have those of what they extend."""
    for index, node in enumerate(graph.operations):
        node.index = index
    for first, made in graph.extensions.items():
        for extension in made:
            extension.index = first.index
