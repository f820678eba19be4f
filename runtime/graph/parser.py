"""Reads graphs from text: what printer.py writes becomes a graph again.

    body(x: float32[?], i: int64~[]):                  a sub-graph: its name and inputs
      Const = constant(value=2.0) : float32[]          name = op(inputs, attributes) : types
      mul = multiply(x, Const) : float32[?]            after names: control inputs
      w = while(i, mul) : int64~[], float32[?]
        test_graph: test(i: int64~[], x: float32[?])   the graphs of an operation, below it
          ...
      return mul, w:1                                  ``w:1`` is the second output

``~`` marks what stands for a Python number; ``?`` is an unknown size, ``*`` an unknown rank; ``$0``
in a key stands for an input; ``@name`` for an object that the reader is given, ``&name`` for a
graph that precedes in a library of graphs.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np

from runtime.graph import (
    raise_tracking,
    text_templates,  # noqa: F401 - what texts write as calls is registered there
)
from runtime.graph.func_graph import FuncGraph
from runtime.graph.graph import Graph
from runtime.graph.lexer import Elided, GraphReference, Lexer, LiteralCall, ObjectReference, Type
from runtime.graph.operation import Operation, SymbolicTensor
from runtime.graph.regions import regions
from runtime.ops import dispatch
from runtime.ops.array.constants import constant_op, placeholder_op
from runtime.ops.control_flow import assertion_failures  # noqa: F401 - as above
from runtime.ops.op import TABLE, OpDef
from runtime.ops.resource import tensor_array  # noqa: F401 - as above
from runtime.ops.resource.variable import VariableStorage
from runtime.types.errors import OpError
from runtime.types.shapes import TensorSpec
from runtime.types.source_location import UNKNOWN_LOCATION, Location

__all__: list[str] = []

T = TypeVar("T")
G = TypeVar("G", bound=FuncGraph)


def graph_from_text(text: str, objects: dict[str, Any] | None = None) -> Graph:
    """Parse a graph; a text that begins with a line of inputs gives a FuncGraph.

    ``objects`` are the values for ``@name`` (see ``GraphPrinter.objects``).  A variable without one
    becomes a new variable of the graph.  InvalidArgumentError, with the number of the line, for a
    malformed text.
    """
    reader = GraphParser(lines_of(text), dict(objects or {}))
    return reader.guarded(reader.whole)


def graphs_from_text(
    text: str, objects: dict[str, Any], make: Callable[[str], G], file: str = ""
) -> dict[str, G]:
    """Parse a library of graphs, each of which begins with a line of inputs, by their names.

    ``make`` makes the graph of a name.  ``&name`` in a text stands for a graph that precedes it.
    Errors of operations name the line of the ``file``.  InvalidArgumentError, with the number of
    the line, for a malformed text.
    """
    reader: Any = GraphParser(lines_of(text), dict(objects), make, file)
    graphs: dict[str, G] = reader.guarded(reader.library)
    return graphs


def lines_of(text: str) -> list[Lexer]:
    """Return the lines of a text that hold something."""
    lines = enumerate(text.split("\n"), 1)
    return [Lexer(line, number) for number, line in lines if line.strip()]


_NONSENSE = (
    ArithmeticError, AssertionError, AttributeError, LookupError, MemoryError, RecursionError,
    SyntaxError, TypeError, ValueError,
)  # fmt: skip


class GraphParser:
    """Parser of one text, line by line."""

    infers_types = False
    """Whether the types of results may be left out."""

    def __init__(
        self, lines: list[Lexer], objects: dict[str, Any],
        make: Callable[[str], FuncGraph] = FuncGraph, file: str = "",
    ) -> None:  # fmt: skip
        self.lines = lines[::-1]
        """The lines to read, the next one last."""
        self.objects = objects
        self.make = make
        self.file = file
        self.graphs: dict[str, FuncGraph] = {}
        """The graphs of a library, by name."""
        self.last = lines[0] if lines else Lexer("", 1)
        """The line that is read."""

    def guarded(self, read: Callable[[], T]) -> T:
        """Return ``read()``; InvalidArgumentError for whatever it raises."""
        try:
            with raise_tracking.suspended():
                return read()
        except _NONSENSE as error:  # rules of ops trust attributes, and a text may hold anything
            reason = str(error) or type(error).__name__
            raise self.last.error(f"this makes no sense: {reason}") from error

    def library(self) -> dict[str, FuncGraph]:
        """Parse all graphs."""
        while self.lines:
            line = self.lines[-1]
            if line.indent or not line.is_header():
                raise line.error("expected a graph here, as in 'name(x: float32[]):'")
            header = line.header()
            if header[0] in self.graphs:
                raise line.error(f"there are two graphs {header[0]!r}")
            self.graphs[header[0]] = self.subgraph(line, None, header, end=":")
        return self.graphs

    def whole(self) -> Graph:
        """Parse the graph of all lines."""
        if self.lines and self.lines[-1].is_header():
            graph: Graph = self.subgraph(self.lines[-1], None, self.lines[-1].header(), end=":")
        else:
            graph = Graph()
            self.operations(graph, 0)
        if self.lines:
            raise self.lines[-1].error("it is indented as nothing before it is")
        return graph

    def subgraph(self, line: Lexer, outer: Graph | None, header: Any, end: str = "") -> FuncGraph:
        """Parse the sub-graph that starts at a line."""
        self.lines.pop()
        line.expect_end(end)
        name, inputs = header
        graph = self.make(name) if outer is None else FuncGraph(name, "branch", outer)
        if outer is None:
            with dispatch.eagerly():
                graph.outer = dispatch.current()
        for label, kind in inputs:
            if label in graph.names.operations:
                raise line.error(f"there are two inputs {label!r}")
            graph.add_input(TensorSpec(kind.dims, kind.dtype, f"{label}/"), kind.weak)
        indent = self.lines[-1].indent if self.lines else 0
        if indent <= line.indent:
            raise line.error("the graph has no lines; it ends with a line 'return ...'")
        self.operations(graph, indent)
        if not self.lines or self.lines[-1].indent != indent or not self.lines[-1].word("return"):
            raise (self.lines[-1] if self.lines else line).error(
                f"the graph {name!r} ends with a line 'return ...', indented as its operations"
            )
        result_line = self.lines.pop()
        operands = [] if result_line.at_end() else result_line.operands()
        graph.freeze([self.operand(result_line, graph, operand) for operand in operands])
        result_line.expect_end()
        return graph

    def operations(self, graph: Graph, indent: int) -> None:
        """Parse the operations at an indentation."""
        while self.lines and self.lines[-1].indent == indent:
            line = self.lines[-1]
            if isinstance(graph, FuncGraph) and line.starts("return"):
                return
            self.lines.pop()
            self.operation(line, graph)

    def operation(self, line: Lexer, graph: Graph) -> None:
        """Parse an operation and its graphs."""
        self.last = line
        name, row_name, operands, attrs = line.operation()
        operations = self.known(graph)
        if name in operations:
            raise line.error(f"there are two operations {name!r}")
        op_def = TABLE.get(row_name)
        if op_def is None:
            close = difflib.get_close_matches(row_name, TABLE, 2)
            raise line.error(
                f"there is no op {row_name!r}"
                + (f"; did you mean {' or '.join(map(repr, close))}?" if close else "")
            )
        kinds = line.types()
        after = line.after()
        line.expect_end()
        inputs = [self.operand(line, graph, operand) for operand in operands]
        attrs = {key: self.resolved(line, op_def, v, kinds, inputs) for key, v in attrs.items()}
        attrs |= self.nested(line, graph)
        if op_def is placeholder_op and len(kinds) == 1:
            attrs = {"shape": kinds[0].shape, "dtype": kinds[0].dtype}
        specs = self.checked(line, op_def, inputs, attrs, kinds)
        full = self.full_name(line, graph, name)
        node = operations[name] = graph._record(op_def, inputs, attrs, specs, False, f"{full}/")
        node.location = Location(self.file, line.number) if self.file else UNKNOWN_LOCATION
        for tensor, kind in zip(node.outputs, kinds, strict=not self.infers_types):
            tensor.weak = kind.weak
        node.controls = tuple([self.named(line, graph, control) for control in after])
        _connect(line, node)

    def known(self, graph: Graph) -> dict[str, Operation]:
        """Return the operations that lines may name."""
        operations: dict[str, Operation] = graph.names.operations
        return operations

    def full_name(self, line: Lexer, graph: Graph, name: str) -> str:
        """Return the name of an operation in its graph."""
        return name

    def nested(self, line: Lexer, graph: Graph) -> dict[str, Any]:
        """Parse the graphs below an operation, by the attributes that hold them."""
        attrs: dict[str, Any] = {}
        while self.lines and self.lines[-1].indent > line.indent:
            key, index = self.lines[-1].label()
            header = self.lines[-1].header()
            inner = self.subgraph(self.lines[-1], graph, header)
            if index is None:
                attrs[key] = inner
            else:
                attrs[key] = (*attrs.get(key, ()), inner)
        return attrs

    def operand(self, line: Lexer, graph: Graph, operand: tuple[str, int]) -> SymbolicTensor:
        """Return the tensor of a name and an output index."""
        name, number = operand
        node = self.named(line, graph, name)
        if number >= len(node.outputs):
            raise line.error(f"{name!r} has {len(node.outputs)} outputs: there is no {number}")
        return node.outputs[number]

    def named(self, line: Lexer, graph: Graph, name: str) -> Operation:
        """Return the operation of a name."""
        operations = self.known(graph)
        node: Operation | None = operations.get(name)
        if node is None:
            close = difflib.get_close_matches(name, operations, 2)
            raise line.error(
                f"no operation {name!r} precedes this line"
                + (f"; did you mean {' or '.join(map(repr, close))}?" if close else "")
            )
        return node

    def resolved(self, line: Lexer, op_def: OpDef, value: Any, kinds: list[Type],
                 inputs: list[SymbolicTensor]) -> Any:  # fmt: skip
        """Replace references in an attribute by objects, and the value of a constant by an array.
        """
        if isinstance(value, ObjectReference):
            value_object = self.object(line, op_def, value.name, kinds, inputs)
            return _array(line, value_object, kinds) if op_def is constant_op else value_object
        if isinstance(value, GraphReference):
            if value.name not in self.graphs:
                raise line.error(f"no graph {value.name!r} precedes this line")
            return self.graphs[value.name]
        if isinstance(value, Elided):
            raise line.error("the value is shortened; write the graph with GraphPrinter(full=True)")
        if isinstance(value, LiteralCall):
            fields = value.fields.items()
            return value.literal.of(
                {key: self.resolved(line, op_def, v, kinds, inputs) for key, v in fields}
            )
        if op_def is constant_op:
            return _array(line, value, kinds)
        if type(value) in (tuple, list):
            return type(value)([self.resolved(line, op_def, v, kinds, inputs) for v in value])
        return value

    def object(self, line: Lexer, op_def: OpDef, name: str, kinds: list[Type],
               inputs: list[SymbolicTensor]) -> Any:  # fmt: skip
        """Return the object of a reference; a variable that is not given is created."""
        if name not in self.objects:
            dtype, shape = None, None
            if inputs:
                dtype, shape = inputs[0].dtype, inputs[0].shape
            elif kinds:
                dtype, shape = kinds[0].dtype, kinds[0].shape
            if not op_def.name.endswith("_variable") or dtype is None:
                raise line.error(f"@{name} is not given: graph_from_text(text, {{{name!r}: ...}})")
            self.objects[name] = VariableStorage(name, dtype, shape, per_session=True)  # type: ignore[arg-type]
        return self.objects[name]

    def checked(
        self, line: Lexer, op_def: OpDef, inputs: list[SymbolicTensor], attrs: dict[str, Any],
        kinds: list[Type],
    ) -> tuple[TensorSpec, ...]:  # fmt: skip
        """Return the types of the outputs as written, if inference allows them."""
        least = sum(not name.startswith("*") for name in op_def.inputs)
        if len(inputs) < least or (op_def.arity is not None and len(inputs) != op_def.arity):
            input_names = ", ".join(op_def.inputs) or "nothing"
            raise line.error(
                f"{op_def.name} takes {input_names}, but there are {len(inputs)} inputs"
            )
        shared = inputs[op_def.same_dtype_inputs] if op_def.same_dtype_inputs is not None else []
        dtypes = {t.dtype for t in shared}
        kinds_taken = op_def.dtype_kinds
        if len(dtypes) > 1 or (kinds_taken and any(d.kind not in kinds_taken for d in dtypes)):
            dtype_names = ", ".join([t.dtype.name for t in inputs])
            raise line.error(f"{op_def.name} does not take inputs of the types {dtype_names}")
        try:
            inferred = op_def.infer(*[t.spec for t in inputs], **attrs)
        except (OpError, *_NONSENSE) as error:
            raise line.error(f"{op_def.name} does not take this: {error}") from None
        specs = (inferred,) if isinstance(inferred, TensorSpec) else tuple(inferred)
        if not kinds and self.infers_types:
            return specs
        if len(specs) != len(kinds):
            text = f"{op_def.name} has {len(specs)} outputs, but {len(kinds)} types stand"
            raise line.error(text)
        return tuple([_joined(line, spec, kind) for spec, kind in zip(specs, kinds, strict=True)])


def _joined(line: Lexer, spec: TensorSpec, kind: Type) -> TensorSpec:
    """Return the written type, with the value that inference knows."""
    if spec.dtype is not kind.dtype or not spec.shape.is_compatible_with(kind.shape):
        raise line.error(f"the result is {spec.graph_text()}, not {kind}")
    joined = TensorSpec(kind.shape, kind.dtype, None, spec.value)
    joined.sizes = spec.sizes
    return joined


def _array(line: Lexer, value: Any, kinds: list[Type]) -> Any:
    """Return the array of a constant, of the type that is written behind it."""
    if len(kinds) != 1:
        raise line.error("a constant has one type, as in 'constant(value=1) : int32[]'")
    try:
        array = value if isinstance(value, np.ndarray) else None
        if array is None or array.dtype != kinds[0].dtype.as_numpy_dtype:
            array = np.array(value, dtype=kinds[0].dtype.as_numpy_dtype)
    except (TypeError, ValueError, OverflowError) as error:
        raise line.error(f"the value is no {kinds[0]}: {error}") from None
    if array.shape != kinds[0].shape.dims:
        raise line.error(f"the value has the shape {list(array.shape)}, not {kinds[0]}")
    return array


def _connect(line: Lexer, node: Operation) -> None:
    """Record the captures of sub-graphs; raise an error if the numbers of inputs do not fit."""
    for region in regions(node):
        graph = region.graph
        outer = node.inputs[region.start : region.start + region.captures]
        if region.own < 0 or len(outer) != region.captures:
            raise line.error(f"{region.key} takes {len(graph.inputs)} inputs, which do not fit")
        if len(graph.inputs) != region.own + region.captures:
            raise line.error(f"{region.key} takes {len(graph.inputs)} inputs, which do not fit")
        if graph.outer is node.graph:  # else others call it, too
            graph.captures = tuple(zip(outer, graph.inputs[region.own :], strict=True))
