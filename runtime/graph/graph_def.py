"""Graphs as data: GraphDef and NodeDef, as ``graph.as_graph_def()`` and ``op.node_def`` give them.

For looking at graphs with TensorFlow 1's words.  The text form, which parses back, is printer.py's.
"""

from __future__ import annotations

from typing import Any, ClassVar

from runtime.types.message import Message

__all__ = ["GraphDef", "NodeDef"]


class NodeDef(Message):
    """Operation; ``input`` names tensors (``x``, ``split:1``) and controls (``^init``)."""

    _defaults: ClassVar[dict[str, Any]] = {
        "name": "", "op": "", "input": [], "device": "", "attr": {},
    }  # fmt: skip


class GraphDef(Message):
    """Operations of a graph in program order, as ``node``."""

    _defaults: ClassVar[dict[str, Any]] = {"node": []}


def node_def(operation: Any, add_shapes: bool = False) -> NodeDef:
    """Describe an operation."""
    inputs = [t.name.removesuffix(":0") for t in operation.inputs]
    inputs += [f"^{control.name}" for control in operation.controls]
    attributes = dict(operation.attrs)
    if add_shapes:
        attributes["_output_shapes"] = [t.shape for t in operation.outputs]
    return NodeDef(
        name=operation.name, op=operation.type, input=inputs, device=operation.device,
        attr=attributes,
    )  # fmt: skip


def graph_def(graph: Any, from_version: int | None = None, add_shapes: bool = False) -> GraphDef:
    """Describe the operations of a graph, only those after ``from_version`` if given."""
    operations = graph.operations[from_version or 0 :]
    return GraphDef(node=[node_def(operation, add_shapes) for operation in operations])
