"""``import_graph_def``: operations of a GraphDef, recorded in the current graph under other names.

A GraphDef is written as the text that printer.py writes and parser.py reads, node by node.
"""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from runtime.graph.default_graph import get_default_graph
from runtime.graph.graph import Graph
from runtime.graph.graph_def import GraphDef, NodeDef
from runtime.graph.lexer import Lexer, Type
from runtime.graph.operation import Operation, SymbolicTensor
from runtime.graph.parser import GraphParser, graph_from_text, lines_of
from runtime.graph.printer import GraphPrinter
from runtime.graph.trace import current_graph
from runtime.ops import dispatch
from runtime.ops.array.constants import placeholder_op
from runtime.ops.op import TABLE, OpDef
from runtime.types.errors import InvalidArgumentError, RefusedArgumentError
from runtime.types.shapes import TensorShape, TensorSpec

__all__ = ["GraphDef", "NodeDef", "import_graph_def"]


def import_graph_def(
    graph_def: Any, input_map: dict[str, Any] | None = None,
    return_elements: Any = None, name: str | None = None, op_dict: Any = None,
    producer_op_list: Any = None,
) -> Any:  # fmt: skip
    """Record the operations of a GraphDef in the current graph.

    Args:
        graph_def: what ``Graph.as_graph_def`` gave, or ``GraphDef.FromString``.
        input_map: names of tensors in ``graph_def`` -> tensors of the current graph that the
            operations take in their place.
        return_elements: names of tensors and operations to return.
        name: prefix of the names of the operations, "import" by default.
        op_dict, producer_op_list: not used.

    Returns:
        List of the tensors and operations that ``return_elements`` names, or None.

    Raises:
        TypeError: for what is no GraphDef.
        ValueError: for operations that cannot be recorded, names in ``input_map`` and
            ``return_elements`` that ``graph_def`` does not have, and names that the graph has
            already.  The graph is left as it was.
    """
    if not isinstance(graph_def, GraphDef):
        raise TypeError(f"graph_def must be a GraphDef, got {type(graph_def).__name__}")
    target = current_graph() or get_default_graph()
    names = [node.name for node in graph_def.node]
    mapped = {_element_name(key): value for key, value in (input_map or {}).items()}
    unknown = [key for key, _ in mapped if key not in names]
    if unknown:
        raise ValueError(f"Attempted to map inputs that were not found in graph_def: {unknown}")
    elements = [_element_name(operation_name) for operation_name in return_elements or ()]
    for operation_name, _ in elements:
        if operation_name not in names:
            raise ValueError(f"Requested return_element {operation_name!r} not found in graph_def.")
    printer = GraphPrinter(full=True)
    lines = [line for node in graph_def.node for line in _lines_of_node(printer, node)]
    start = len(target.operations)
    with target.as_default():
        values = {key: target.as_tensor(value) for key, value in mapped.items()}
        prefix = _prefix(target, name)
        importer = _Importer("\n".join(lines), printer.objects, target, prefix, values)
        try:
            importer.guarded(lambda: importer.operations(target, 0))
            if importer.lines:
                misplaced = importer.lines[-1].error("it is indented as nothing before it is")
                raise misplaced
        except InvalidArgumentError as error:
            target.rollback(start)
            raise RefusedArgumentError(f"graph_def: {error.message}") from error
    if return_elements is None:
        return None
    return [
        _element(importer.imported[operation_name], number) for operation_name, number in elements
    ]


def _prefix(target: Graph, name: str | None) -> str:
    """Return the prefix of the names of operations, which no other operation has."""
    if name == "":
        return ""
    while True:
        prefix: str = target.unique_name((name or "import").rstrip("/"))
        if not any(
            operation_name.startswith(f"{prefix}/") for operation_name in target.names.operations
        ):
            return prefix


def _element_name(name: Any) -> tuple[str, int | None]:
    """Split the name of a tensor, or of an operation; ValueError for other names."""
    if not isinstance(name, str):
        raise TypeError(f"names of tensors and operations are strings, got {name!r}")
    operation, colon, number = name.partition(":")
    if not colon:
        return name, None
    if not number.isdecimal():
        raise ValueError(f"{name!r} is no name of a tensor")
    return operation, int(number)


def _element(operation: Operation, number: int | None) -> Any:
    if number is None:
        return operation
    if number >= len(operation.outputs):
        raise ValueError(
            f"Requested return_element '{operation.name}:{number}' not found in graph_def: the "
            f"operation has {len(operation.outputs)} outputs"
        )
    return operation.outputs[number]


class _Importer(GraphParser):
    """Parser that records operations in a graph which has others."""

    infers_types = True

    def __init__(
        self, text: str, objects: dict[str, Any], target: Graph, prefix: str,
        input_map: dict[tuple[str, int | None], SymbolicTensor],
    ) -> None:  # fmt: skip
        super().__init__(lines_of(text), objects)
        self.target = target
        self.prefix = prefix
        self.input_map = input_map
        self.imported: dict[str, Operation] = {}

    def known(self, graph: Graph) -> dict[str, Operation]:
        """Return the operations that lines may name."""
        return self.imported if graph is self.target else super().known(graph)

    def full_name(self, line: Lexer, graph: Graph, name: str) -> str:
        """Return the name of an operation in its graph."""
        if graph is not self.target:
            return name
        full = f"{self.prefix}/{name}" if self.prefix else name
        if full in graph.names.operations:
            raise line.error(f"the graph has an operation {full!r} already")
        return full

    def operand(self, line: Lexer, graph: Graph, operand: tuple[str, int]) -> SymbolicTensor:
        """Return the tensor of a name and an output index, or what is mapped to it."""
        name, number = operand
        if graph is self.target:
            for key in ((name, number), *([(name, None)] if number == 0 else [])):
                if key in self.input_map:
                    return self.input_map[key]
        return super().operand(line, graph, operand)


def _lines_of_node(printer: GraphPrinter, node: Any) -> list[str]:
    """Return the lines of a node, its graphs included."""
    op_def = _definition(node)
    inputs = [SimpleNamespace(name=name) for name in node.input if not name.startswith("^")]
    controls = [SimpleNamespace(name=n[1:]) for n in node.input if n.startswith("^")]
    attrs = {key: value for key, value in node.attr.items() if not key.startswith("_")}
    types = [Lexer(text, 1).type() for text in node.attr.get("_types", ())]
    if op_def is placeholder_op and not types:
        spec = TensorSpec(TensorShape(attrs.get("shape")), attrs["dtype"])
        types = [Type(spec.dtype, False, spec.shape.dims)]
    stand_in = SimpleNamespace(
        name=node.name, op_def=op_def, inputs=inputs, controls=controls, attrs=attrs, outputs=types
    )
    return printer.operation(stand_in, "")


def _definition(node: Any) -> OpDef:
    """Return the definition of a node's op; ValueError if there is none."""
    name = node.attr.get("_op_def")
    definition = TABLE.get(name) if name else None
    if definition is None:
        fitting = [op for op in TABLE.values() if op.type_name == node.op]
        if len(fitting) != 1:
            raise ValueError(
                f"graph_def: the node {node.name!r} is of the op {node.op!r}, which is not known"
            )
        definition = fitting[0]
    return definition


def _text(graph_def: Any) -> str:
    printer = GraphPrinter(full=True)
    lines = [line for node in graph_def.node for line in _lines_of_node(printer, node)]
    return "\n".join(lines) + "\n"


def _read(text: str) -> GraphDef:
    with dispatch.eagerly():
        return graph_from_text(text).as_graph_def()


GraphDef.write_text, GraphDef.read_text = staticmethod(_text), staticmethod(_read)
