"""Extensions: operations with the outputs of recorded ones and more, which derivatives need.

A recorded operation is never rewritten: engines have compiled it, users hold it.  Where the
derivative of a loop needs residuals of its iterations, an extension is made that saves them.  It
has the same position in program order, and its outputs begin with the very tensors of the recorded
operation.  A run executes one of both: the extension if one of the added outputs is needed, else
the recorded operation (order.py).  So effects happen once, and residuals cost nothing unless used.
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
    """Return the latest extension of an operation; itself without one, and for a tape's records."""
    if not isinstance(node, Operation) or not node.graph.extensions:
        return node
    extensions = node.graph.extensions.get(node.recorded)
    return extensions[-1] if extensions else node


def newest_operations(graph: Any) -> list[Operation]:
    """Return the operations of a graph, each as its latest extension."""
    return [newest(node) for node in graph.operations] if graph.extensions else graph.operations


def extend(
    node: Operation, added_specs: Sequence[TensorSpec], attrs: dict[str, Any],
    inputs: Sequence[SymbolicTensor] | None = None,
) -> Operation:
    """Extend an operation by outputs of types ``added_specs``; ``attrs`` replace its attributes.

    Each extension extends the latest one, so that one operation gives what all derivatives need.
    ``inputs`` may hold more than those of ``node``, in another order.
    """
    home, first = node.graph, node.recorded
    assert newest(node) is node, f"{node.name!r} was extended meanwhile"
    home.check_recording()
    new = Operation(
        home, node.op_def, node.inputs if inputs is None else tuple(inputs), node.name, attrs,
        node.controls, node.location, node.run_id,
    )  # fmt: skip
    new.index = node.index
    new.device = node.device
    new.origin = node.origin or first
    start = len(node.outputs)
    added = [SymbolicTensor(new, start + i, spec) for i, spec in enumerate(added_specs)]
    new.outputs = (*node.outputs, *added)
    home.extensions.setdefault(first, []).append(new)
    dispatch.notify_extension(new, added)
    return new


def insert_before(
    node: Operation, op_def: OpDef, inputs: Sequence[SymbolicTensor], attrs: Mapping[str, Any],
    spec: TensorSpec,
) -> SymbolicTensor:
    """Insert an operation before another one in a graph that is being recorded."""
    home = graph_of(node)
    home.check_recording()
    name = home.names.unique(op_def.node_name)
    new = Operation(
        home, op_def, tuple(inputs), name, dict(attrs), (), node.location, node.run_id, (spec,)
    )
    home.operations.insert(node.index, new)
    home.names.operations[new.name] = new
    renumber(home)
    return new.outputs[0]


def renumber(graph: Any) -> None:
    """Set the index of each operation, and of its extensions, to its position."""
    for index, node in enumerate(graph.operations):
        node.index = index
    for first, extensions in graph.extensions.items():
        for extension in extensions:
            extension.index = first.index
