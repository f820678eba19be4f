"""GraphDef messages of graphs, for TensorBoard's page "Graphs".

The numbers of fields are those of TensorFlow's graph.proto, node_def.proto, attr_value.proto and
function.proto.  What an operation holds - branches, loop bodies - becomes a function of the
library.  Attributes that are not numbers, texts, dtypes or shapes are shown as text.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from runtime.graph.graph import Graph
from runtime.summaries import messages
from runtime.summaries.messages import DATA_TYPES
from runtime.types.dtypes import DType
from runtime.types.shapes import TensorShape
from runtime.types.wire_format import nested, single, text, whole_number

_LARGEST = 1000
"""Elements of constants that are written; larger ones are shown by shape alone."""


def graph_def(graph: Any) -> bytes:
    """Encode a graph; TypeError for what is none."""
    source_graph = getattr(graph, "graph", graph)
    if not isinstance(source_graph, Graph):
        raise TypeError(f"graph_data must be a Graph, got {graph!r}")
    library = _FunctionLibrary()
    nodes = b"".join(nested(1, node) for node in _nodes(source_graph, library))
    return nodes + nested(4, whole_number(1, 1982)) + nested(2, library.encoded(source_graph))


class _FunctionLibrary:
    """Functions of a graph by name; two graphs of one name get different ones."""

    def __init__(self) -> None:
        self._names: dict[int, str] = {}
        self._graphs: list[Graph] = []

    def name(self, graph: Graph) -> str:
        """Return the name of a graph, which is entered."""
        if id(graph) not in self._names:
            self._names[id(graph)] = f"{getattr(graph, 'name', 'graph')}_{len(self._names)}"
            self._graphs.append(graph)
        return self._names[id(graph)]

    def encoded(self, outermost: Graph) -> bytes:
        """Encode all functions; graphs that are found meanwhile are added."""
        functions = []
        for graph in self._graphs:
            functions.append(nested(1, self._function(graph)))
        return b"".join(functions)

    def _function(self, graph: Any) -> bytes:
        inputs = b"".join(
            nested(2, text(1, _word(t.op.name)) + whole_number(3, _type(t.dtype)))
            for t in graph.inputs
        )
        outputs = b"".join(
            nested(3, text(1, f"output_{k}") + whole_number(3, _type(t.dtype)))
            for k, t in enumerate(graph.outputs)
        )
        signature = text(1, self._names[id(graph)]) + inputs + outputs
        input_ids = {id(t.op) for t in graph.inputs}
        nodes = b"".join(nested(3, node) for node in _nodes(graph, self, input_ids))
        returned = b"".join(
            nested(4, text(1, f"output_{k}") + text(2, _source(t, input_ids)))
            for k, t in enumerate(graph.outputs)
        )
        return nested(1, signature) + nodes + returned


def _nodes(
    graph: Any, library: _FunctionLibrary, inputs: set[int] | None = None
) -> Iterable[bytes]:
    """Encode the operations of a graph; in a function, without its ``inputs``."""
    for operation in graph.operations:
        if inputs is not None and id(operation) in inputs:
            continue
        sources = [_source(tensor, inputs) for tensor in operation.inputs]
        sources += [f"^{control.name}" for control in operation.controls]
        attributes = {name: _attribute(v) for name, v in _attributes(operation, library).items()}
        yield (
            text(1, operation.name)
            + text(2, operation.type)
            + b"".join(text(3, source) for source in sources)
            + text(4, operation.device or "")
            + b"".join(nested(5, text(1, k) + nested(2, v)) for k, v in attributes.items())
        )


def _source(tensor: Any, inputs: set[int] | None) -> str:
    """Return the name of a tensor as nodes of a graph, or of a function, write it."""
    name: str = tensor.op.name
    if inputs is None:
        return name if tensor.value_index == 0 else f"{name}:{tensor.value_index}"
    return _word(name) if id(tensor.op) in inputs else f"{name}:output:{tensor.value_index}"


def _word(name: str) -> str:
    """Return a name of an argument: letters, digits and underscores."""
    return "".join(c if c.isalnum() else "_" for c in name)


def _type(dtype: DType) -> int:
    return DATA_TYPES.get(dtype.name, DATA_TYPES["variant"])


def _attributes(operation: Any, library: _FunctionLibrary) -> dict[str, Any]:
    """Return the attributes of an operation, with graphs as names in the library."""
    attributes = dict(operation.attrs)
    for key, value in attributes.items():
        if isinstance(value, Graph):
            attributes[key] = _FunctionName(library.name(value))
        elif isinstance(value, list | tuple) and any(isinstance(v, Graph) for v in value):
            graphs = [v for v in value if isinstance(v, Graph)]
            attributes[key] = [_FunctionName(library.name(body)) for body in graphs]
    attributes["_output_shapes"] = [tensor.shape for tensor in operation.outputs]
    if operation.outputs:
        attributes["T"] = operation.outputs[0].dtype
    return attributes


class _FunctionName(str):
    """Name of a function of the library."""


def _attribute(value: Any) -> bytes:
    """Encode an attribute as an AttrValue message."""
    simple = _simple(value)
    if simple is not None:
        return simple
    if isinstance(value, list | tuple):
        items = [_simple(item, in_list=True) for item in value]
        if all(item is not None for item in items):
            return nested(1, b"".join(item for item in items if item is not None))
    return nested(2, str(value)[:_LARGEST].encode("utf-8", "replace"))


def _simple(value: Any, in_list: bool = False) -> bytes | None:
    """Encode one number, text, dtype, shape, array or function; None for others.

    The fields of an AttrValue have the numbers of those of its lists, but for functions.
    """
    if isinstance(value, _FunctionName):
        return nested(9 if in_list else 10, text(1, value))
    if isinstance(value, bool | np.bool_):
        return whole_number(5, bool(value))
    if isinstance(value, int | np.integer) and -(2**63) <= value < 2**63:
        return whole_number(3, int(value))
    if isinstance(value, float | np.floating):
        return single(4, float(value))
    if isinstance(value, str):
        return nested(2, value.encode("utf-8", "replace"))
    if isinstance(value, bytes):
        return nested(2, value)
    if isinstance(value, DType):
        return whole_number(6, _type(value))
    if isinstance(value, TensorShape):
        return nested(7, messages.shape(None if value.rank is None else list(value)))
    if isinstance(value, np.ndarray) and value.size <= _LARGEST and not in_list:
        return nested(8, messages.tensor(value)) if value.dtype.name in DATA_TYPES else None
    return None
