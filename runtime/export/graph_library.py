"""Library of the graphs of a saved model: writes traces as text, with references to objects.

Variables are written as ``@key``, long constants as ``@constants/n``, names of assets as
``@assets/n``.  A graph that is called more than once is written once, and referred to by ``&name``.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Collection
from typing import Any

import numpy as np

from runtime.autodiff.custom_gradient_rule import Derivative
from runtime.export.tables import entries_of
from runtime.graph.func_graph import FuncGraph, graphs_inside
from runtime.graph.nesting import deeply
from runtime.graph.operation import Operation
from runtime.graph.printer import GraphPrinter
from runtime.ops.control_flow.recursive_call import Callee
from runtime.ops.op import CALL
from runtime.ops.resource.variable import VariableStorage
from runtime.types.errors import FailedPreconditionError, UnimplementedError
from runtime.types.graph_literals import BY_CLASS

CONSTANT, ASSET, TABLE, CALLEE = "constants/", "assets/", "tables/", "callees/"
"""What the references to constants, assets, tables and recursive functions begin with."""

LONG = 64
"""Constants of more elements go to the file of constants."""


class GraphLibrary(GraphPrinter):
    """Writer of graphs, which collects the constants that they use.

    keys    id of a variable's storage -> its key
    assets  id of a tensor that names an asset -> the reference to write
    traces  ids of graphs that are to be written, also where others call them
    """

    def __init__(
        self, keys: dict[int, str], assets: dict[int, str], traces: Collection[int] = ()
    ) -> None:
        super().__init__(full=True)
        self.keys = keys
        self.assets = assets
        self.traces = traces
        self.constants: dict[str, np.ndarray[Any, Any]] = {}
        self.callees: dict[str, dict[str, Any]] = {}
        self._waiting: list[tuple[str, Callee]] = []
        self.tables: dict[str, dict[str, str]] = {}
        self.texts: list[str] = []
        self.names: dict[int, str] = {}
        """Id of a graph that is written -> its name."""
        self._graphs: list[FuncGraph] = []
        self._by_content: dict[Any, str] = {}
        self._asset_operations: dict[int, str] = {}
        self._title = ""
        self._operation: Operation | None = None

    def add(self, graph: FuncGraph, title: str, recursive: bool = False) -> str:
        """Write a graph, unless it is there; return its name.

        ``title`` is what messages call it; captures of a ``recursive`` one are passed by calls.
        UnimplementedError for what cannot be written, FailedPreconditionError for tensors of other
        graphs and variables that are not saved.
        """
        written_name = self.names.get(id(graph))
        if written_name is not None:
            return written_name
        before = self._title
        self._title = title
        if (graph.captures or graph.outer_controls) and not recursive:
            outer = graph.captures[0][0].name if graph.captures else graph.outer_controls[0].name
            raise FailedPreconditionError(
                f"{title} uses {outer!r}, a tensor of the graph that it was traced in, so it "
                "cannot be saved: make it an argument"
            )
        for nested in (graph, *graphs_inside(graph)):
            for tensor, symbolic in nested._constants.values():
                if id(tensor) in self.assets:
                    self._asset_operations[id(symbolic.op)] = self.assets[id(tensor)]
        for called in (*self._shared_callees(graph), *_graphs_of_literals(graph)):
            self.add(called, title)
        name = self._unique(graph.name)
        self.texts.append(deeply(graph, lambda: self._graph_text(graph, name)))
        self.names[id(graph)] = name
        self._graphs.append(graph)  # keeps the id
        self._add_callees(title)
        self._title = before
        return name

    def _shared_callees(self, graph: FuncGraph) -> list[FuncGraph]:
        """Return the graphs that a graph calls more than once, or that are written anyway."""
        seen: set[int] = set()
        shared: dict[int, FuncGraph] = {}
        for nested in (graph, *graphs_inside(graph)):
            for node in nested.operations:
                if CALL not in node.op_def.traits:
                    continue
                called = node.attrs.get("graph")
                if not isinstance(called, FuncGraph) or called.captures:
                    continue
                if id(called) in seen or id(called) in self.traces:
                    shared[id(called)] = called
                seen.add(id(called))
        return list(shared.values())

    def text(self) -> str:
        """Return all graphs."""
        return "\n".join(self.texts)

    def _unique(self, name: str) -> str:
        base = re.sub(r"[^A-Za-z0-9_.:/-]", "_", name)
        candidate, count, used_names = base, 0, set(self.names.values())
        while candidate in used_names:
            count += 1
            candidate = f"{base}_{count}"
        return candidate

    def _graph_text(self, graph: FuncGraph, name: str) -> str:
        _, _, arguments = self.graph(graph).partition("(")
        return f"{name}({arguments}"

    def operation(self, operation: Operation, indent: str) -> list[str]:
        """Write an operation."""
        self._operation = operation
        return super().operation(operation, indent)

    def nested_attributes(self, operation: Operation) -> dict[str, Any]:
        """Return the attributes whose graphs are written below an operation."""
        attributes = super().nested_attributes(operation)
        return {key: v for key, v in attributes.items() if id(v) not in self.names}

    def value(self, value: Any) -> str:
        """Write an attribute."""
        if id(value) in self.names:
            return f"&{self.names[id(value)]}"
        if type(value) is Derivative and value.graph is None:
            return self.object(value.function)
        return super().value(value)

    def constant_of(self, operation: Operation, array: Any) -> str:
        """Write the value of a constant, or a reference to it."""
        asset = self._asset_operations.get(id(operation))
        if asset is not None:
            return f"@{asset}"
        if array.dtype == object and array.size and not isinstance(array.reshape(-1)[0], bytes):
            return self.object(array.reshape(-1)[0])
        return self.constant(array) if array.size <= LONG else f"@{self.keep(array)}"

    def keep(self, array: Any) -> str:
        """Keep an array; return its name."""
        plain = np.ascontiguousarray(array)
        raw = repr(plain.tolist()).encode() if plain.dtype == object else plain.tobytes()
        content = plain.dtype.str, array.shape, hashlib.sha256(raw).digest()
        name = self._by_content.setdefault(content, f"{CONSTANT}{len(self.constants)}")
        self.constants.setdefault(name, np.asarray(array))
        return name

    def object(self, value: Any) -> str:
        """Write a reference to a variable; raise an error for other objects."""
        if isinstance(value, VariableStorage):
            key = self.keys.get(id(value))
            if key is not None:
                return f"@{key}"
            raise FailedPreconditionError(
                f"{self._title} uses the variable {value.name!r}, which no attribute of the "
                f"saved object leads to{self._location()}. Assign the variable to an attribute of "
                "the object"
            )
        if isinstance(value, Callee):
            return f"@{self._callee(value)}"
        entries = entries_of(value)
        if entries is not None:
            return f"@{self._table(value, *entries)}"
        operation = self._operation
        assert operation is not None
        class_name = type(value).__name__
        raise UnimplementedError(
            f"{self._title} cannot be saved: its operation {operation.name!r} "
            f"({operation.op_def.name}{self._location()}) depends on a Python object, "
            f"{'a function' if callable(value) else class_name}, and a saved model holds no code. "
            "Compute it by operations of runtime, or keep the function out of the saved object"
        )

    def _callee(self, callee: Callee) -> str:
        """Refer to a function that calls itself; its graph is written after this one."""
        name = self._names.setdefault(id(callee), f"{CALLEE}{len(self.callees)}")
        if name not in self.callees:
            self.objects[name] = callee
            self.callees[name] = {"name": callee.name, "captured": len(callee.captured)}
            self._waiting.append((name, callee))
        return name

    def _add_callees(self, title: str) -> None:
        while self._waiting:
            name, callee = self._waiting.pop()
            self.callees[name]["graph"] = self.add(callee.graph, title, True)

    def _table(self, table: Any, keys: Any, values: Any) -> str:
        """Keep a table; return its name."""
        name = self._names.setdefault(id(table), f"{TABLE}{len(self.tables)}")
        if name not in self.tables:
            self.objects[name] = table  # keeps the id
            entry = {"name": table.name, "keys": self.keep(keys), "values": self.keep(values)}
            self.tables[name] = entry
        return name

    def _location(self) -> str:
        operation = self._operation
        at = None if operation is None else operation.location
        return f", made at {at}" if at else ""


def _graphs_of_literals(graph: FuncGraph) -> list[FuncGraph]:
    """Return the graphs in attributes that are written as calls: those of derivatives."""
    graphs: dict[int, FuncGraph] = {}
    for nested in (graph, *graphs_inside(graph)):
        for node in nested.operations:
            for value in node.attrs.values():
                inner = getattr(value, "graph", None) if type(value) in BY_CLASS else None
                if isinstance(inner, FuncGraph):
                    graphs[id(inner)] = inner
    return list(graphs.values())
