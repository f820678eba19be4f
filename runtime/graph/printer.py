"""Printer of graphs: one line per operation, which people read and parser.py parses.

Below graphs: it asks operations and tensors for their names, types and attributes.  parser.py says
how the lines look.
"""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from runtime.graph.nesting import deeply
from runtime.ops.array.constants import constant_op, placeholder_op
from runtime.types.dtypes import DType, as_dtype
from runtime.types.graph_literals import BY_CLASS, GraphLiteral
from runtime.types.shapes import dims_text


def type_text(tensor: Any) -> str:
    """Format a type: ``float32[?, 2]``; ``~`` marks a weak tensor, ``*`` an unknown rank."""
    return f"{tensor.dtype.name}{'~' if tensor.weak else ''}{dims_text(tensor.shape.dims)}"


def _operand(tensor: Any) -> str:
    return str(tensor.name.removesuffix(":0"))


def subgraphs_of(value: Any) -> list[Any]:
    """Return the graphs that an attribute is or holds."""
    items = value if isinstance(value, tuple | list) else (value,)
    return [item for item in items if hasattr(item, "operations")]


def _number(item: Any) -> str:
    """Format an element of an array with all its digits."""
    return repr(item) if isinstance(item, bytes) else str(item)


SHOWN = 8
"""Arrays of more elements are shortened, unless everything is asked for."""


def _newest(graph: Any, operation: Any) -> Any:
    """Return an operation with all outputs, those added for derivatives included."""
    return graph.extensions.get(operation, [operation])[-1]


class GraphPrinter:
    """Printer of graphs.  ``objects`` collects functions, variables, streams and other objects.

    They are written as ``@name``; the parser takes them again.
    """

    def __init__(self, full: bool = False) -> None:
        self.full = full
        self.objects: dict[str, Any] = {}
        self._names: dict[int, str] = {}

    def graph(self, graph: Any) -> str:
        """Write a graph: one line per operation, in program order."""
        lines = [f"{graph_header(graph)}:"] if hasattr(graph, "inputs") else []
        return "\n".join(lines + self._body(graph, "  " if lines else "")) + "\n"

    def _body(self, graph: Any, indent: str) -> list[str]:
        input_operations = {id(t.op) for t in getattr(graph, "inputs", ())}
        lines = [
            line
            for operation in graph.operations
            if id(operation) not in input_operations
            for line in self.operation(_newest(graph, operation), indent)
        ]
        outputs = getattr(graph, "outputs", None)
        if outputs is not None:
            lines.append(f"{indent}return {', '.join(map(_operand, outputs))}".rstrip())
        return lines

    def nested_attributes(self, operation: Any) -> dict[str, Any]:
        """Return the attributes whose graphs are written below an operation."""
        return {k: v for k, v in operation.attrs.items() if subgraphs_of(v)}

    def line(self, operation: Any) -> str:
        """Write an operation without the graphs that it holds."""
        nested = self.nested_attributes(operation)
        shown = [_operand(t) for t in operation.inputs]
        if operation.op_def is not placeholder_op:  # its attributes are its type
            shown += [
                f"{k}={self._attribute(operation, v)}"
                for k, v in operation.attrs.items()
                if k not in nested
            ]
        result = f"{operation.name} = {operation.op_def.name}({', '.join(shown)})"
        if operation.outputs:
            result += f" : {', '.join(map(type_text, operation.outputs))}"
        if operation.controls:
            result += f" after {', '.join(o.name for o in operation.controls)}"
        return result

    def operation(self, operation: Any, indent: str) -> list[str]:
        """Write an operation, and its graphs below it."""
        lines = [indent + self.line(operation)]
        nested = self.nested_attributes(operation)
        for key, value in nested.items():
            several = isinstance(value, tuple | list)
            for index, graph in enumerate(subgraphs_of(value)):
                label = f"{key}[{index}]" if several else key
                lines.append(f"{indent}  {label}: {graph_header(graph)}")
                lines += self._body(graph, indent + "    ")
        return lines

    def _attribute(self, operation: Any, value: Any) -> str:
        if operation.op_def is constant_op and isinstance(value, np.ndarray | np.generic):
            return self.constant_of(operation, np.asarray(value))
        return self.value(value)

    def constant_of(self, operation: Any, array: Any) -> str:
        """Write the value of a constant, whose type is written behind the operation."""
        return self.constant(array)

    def value(self, value: Any) -> str:
        """Write an attribute as a Python literal; types as of results, arrays as nested lists."""
        kind = type(value)
        if value is None or kind in (bool, int, float, complex, str, bytes):
            return repr(value)
        if isinstance(value, np.ndarray | np.generic):
            array = np.asarray(value)
            return f"array({as_dtype(array.dtype).name}, {self.constant(array)})"
        if kind is DType:
            return str(value.name)
        if kind is tuple or kind is list:
            inside = ", ".join(map(self.value, value))
            if kind is list:
                return f"[{inside}]"
            return f"({inside},)" if len(value) == 1 else f"({inside})"
        if kind is slice:
            bounds = ", ".join(map(self.value, (value.start, value.stop, value.step)))
            return f"slice({bounds})"
        if value is Ellipsis:
            return "..."
        written = getattr(value, "graph_text", None)
        if written is not None:
            return str(written())
        literal = BY_CLASS.get(kind)
        return self.object(value) if literal is None else self._literal(literal, value)

    def _literal(self, literal: GraphLiteral, value: Any) -> str:
        fields = [f"{name}={self.value(getattr(value, name))}" for name in literal.fields]
        return f"{literal.name}({', '.join(fields)})"

    def constant(self, array: Any) -> str:
        """Write an array as nested lists; a long one is shortened."""
        if array.size > SHOWN and not self.full:
            text = np.array2string(array, separator=", ", threshold=SHOWN, edgeitems=2)
            return " ".join(text.split())
        return self._nested(array)

    def _nested(self, array: Any) -> str:
        if not array.ndim:
            return _number(array[()])
        if array.ndim == 1:
            return f"[{', '.join(map(_number, array))}]"
        if not array.size:  # nested lists do not tell
            return f"empty({', '.join(map(str, array.shape))})"
        return f"[{', '.join(map(self._nested, array))}]"

    def object(self, value: Any) -> str:
        """Write an attribute of another class as a reference ``@name``."""
        label = self._names.get(id(value))
        if label is None:
            own_name = getattr(value, "name", None) or getattr(value, "__name__", None)
            base = own_name if isinstance(own_name, str) else type(value).__name__.lower()
            base = re.sub(r"[^A-Za-z0-9_.:/-]", "_", base)
            label, count = base, 0
            while label in self.objects:
                count += 1
                label = f"{base}_{count}"
            self.objects[label] = value
            self._names[id(value)] = label
        return f"@{label}"


def graph_header(graph: Any) -> str:
    """Format a sub-graph's name and inputs: ``body(x: float32[], i: int64~[])``."""
    arguments = ", ".join(f"{_operand(t)}: {type_text(t)}" for t in getattr(graph, "inputs", ()))
    return f"{getattr(graph, 'name', 'graph')}({arguments})"


def graph_text(graph: Any) -> str:
    """Format a graph for people: one line per operation, in program order.

    ``add = add(x, Const) : float32[?, 2]`` is the operation's name, its op with inputs and
    attributes,
    and the types of its outputs.  Sub-graphs are indented below their operation.
    """
    return deeply(graph, lambda: GraphPrinter().graph(graph))
