"""Graphs as data: GraphDef and NodeDef, as ``graph.as_graph_def()`` and ``op.node_def`` give them.

import_graph_def.py records them in other graphs, and gives them the text form of printer.py.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

from runtime.types.errors import InvalidArgumentError
from runtime.types.message import Message
from runtime.types.shapes import dims_text

__all__ = ["GraphDef", "NodeDef"]


class NodeDef(Message):
    """Operation; ``input`` names tensors (``x``, ``split:1``) and controls (``^init``)."""

    _defaults: ClassVar[dict[str, Any]] = {
        "name": "", "op": "", "input": [], "device": "", "attr": {},
    }  # fmt: skip


class GraphDef(Message):
    """Operations of a graph in program order, as ``node``.

    Attributes hold functions, variables and graphs themselves.  As bytes they are text, in which
    variables have names alone, and functions cannot be read again.
    """

    _defaults: ClassVar[dict[str, Any]] = {"node": []}
    write_text: ClassVar[Callable[[GraphDef], str]]
    read_text: ClassVar[Callable[[str], GraphDef]]

    def SerializeToString(self) -> bytes:
        """Return the text of the graph: a line for each operation."""
        return GraphDef.write_text(self).encode()

    @classmethod
    def FromString(cls, data: bytes) -> GraphDef:
        """Read what ``SerializeToString`` gave; InvalidArgumentError, with the line, otherwise."""
        try:
            text = data.decode()
        except UnicodeDecodeError as error:
            raise InvalidArgumentError(
                f"graph_def: these bytes are no text of a graph: {error}"
            ) from None
        return GraphDef.read_text(text)

    def ParseFromString(self, data: bytes) -> int:
        """Become what ``SerializeToString`` gave; return the number of bytes."""
        message: Any = GraphDef.FromString(data)
        self.node = message.node
        return len(data)


def node_def(operation: Any, add_shapes: bool = False) -> NodeDef:
    """Describe an operation."""
    inputs = [t.name.removesuffix(":0") for t in operation.inputs]
    inputs += [f"^{control.name}" for control in operation.controls]
    attributes = dict(operation.attrs)
    attributes["_op_def"] = operation.op_def.name
    attributes["_types"] = [_type(tensor) for tensor in operation.outputs]
    if add_shapes:
        attributes["_output_shapes"] = [t.shape for t in operation.outputs]
    return NodeDef(
        name=operation.name, op=operation.type, input=inputs, device=operation.device,
        attr=attributes,
    )  # fmt: skip


def _type(tensor: Any) -> str:
    """Return the type of a tensor, as graph texts write it."""
    return f"{tensor.dtype.name}{'~' if tensor.weak else ''}{dims_text(tensor.shape.dims)}"


def graph_def(graph: Any, from_version: int | None = None, add_shapes: bool = False) -> GraphDef:
    """Describe the operations of a graph, only those after ``from_version`` if given."""
    operations = graph.operations[from_version or 0 :]
    return GraphDef(node=[node_def(operation, add_shapes) for operation in operations])
