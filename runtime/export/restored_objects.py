"""Objects of a saved model, made anew: a tree of modules that hold variables and functions."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from runtime.autodiff import custom_gradient_graph  # noqa: F401 - registers derivatives
from runtime.eager.tensor import wrap
from runtime.export.asset import Asset
from runtime.export.folder import (
    ASSETS_FOLDER,
    CONSTANTS,
    GRAPHS,
    INDEX,
    VARIABLES,
    SavedFolder,
)
from runtime.export.nests import decode, dims_of
from runtime.export.restored_function import RestoredFunction, RestoredTrace
from runtime.export.signatures import parameters_of, spec_arguments
from runtime.export.tables import table_of
from runtime.export.traces import Unsaved, arguments_of, result_of, signature_of
from runtime.functions.concrete_function import ConcreteFunction
from runtime.functions.function_graph import FunctionGraph
from runtime.functions.shown_trace import pickled_graphs
from runtime.graph.parser import graphs_from_text
from runtime.ops.control_flow.recursive_call import Callee
from runtime.state.module import Module
from runtime.state.variable import Variable
from runtime.types.conversion import as_object_scalar
from runtime.types.dtypes import as_dtype
from runtime.types.errors import InvalidArgumentError, OpError


class SignatureMap(Mapping[str, ConcreteFunction]):
    """Signatures of a loaded model by name: functions of named tensors that give a dict."""

    def __init__(self, functions: dict[str, ConcreteFunction]) -> None:
        self._functions = functions

    def __getitem__(self, name: str) -> ConcreteFunction:
        if name not in self._functions:
            raise KeyError(
                f"there is no signature {name!r}; the saved model has "
                f"{', '.join(map(repr, self._functions)) or 'none'}"
            )
        return self._functions[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._functions)

    def __len__(self) -> int:
        return len(self._functions)

    def __repr__(self) -> str:
        return f"_SignatureMap({self._functions!r})"


class RestoredObject(Module):
    """Object of a saved model: what its attributes led to, under their names.

    ``signatures`` is a mapping of the signatures by name, where it is the whole model.
    """

    _TF_MODULE_IGNORED_PROPERTIES = frozenset(("signatures", "_saved_class", "_lost"))

    def __init__(self, name: Any = None) -> None:
        super().__init__("restored_object")
        if isinstance(name, str):
            self._name = name

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Call the function ``__call__`` of the saved object; TypeError if it had none."""
        call = vars(self).get("__call__")
        if call is None:
            attributes = vars(self).items()
            function_names = [
                name for name, attribute in attributes if isinstance(attribute, RestoredFunction)
            ]
            raise TypeError(
                f"{self!r} cannot be called: the class of the saved object had no __call__ under "
                f"runtime.function. Its functions are {', '.join(function_names) or 'none'}"
            )
        return call(*args, **kwargs)

    def __getattr__(self, name: str) -> Any:
        lost_value = vars(self).get("_lost", {}).get(name)
        if lost_value is None:
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        raise AttributeError(f"{name!r} was {lost_value}, which a saved model does not hold")

    def __reduce__(self) -> Any:
        """Pickle what a saved model of it holds."""
        return pickled_graphs(self)

    def __repr__(self) -> str:
        return f"<a restored {vars(self).get('_saved_class', 'object')}>"


class ObjectRestoration:
    """Restoration of the objects of a folder.

    Whatever does not fit together raises DataLossError; it runs no code that the folder brings.
    """

    def __init__(self, folder: SavedFolder) -> None:
        self.folder = folder
        self.nodes: list[dict[str, Any]] = folder.content["objects"]
        self.objects: dict[int, Any] = {}
        self.constants = folder.tensors(CONSTANTS)
        self.references: dict[str, Any] = dict(self.constants)
        self.graphs: dict[str, FunctionGraph] = {}

    def root(self) -> RestoredObject:
        """Return the object that was saved."""
        self._variables()
        self._assets()
        callees = self.folder.content.get("callees", {})
        for name, entry in callees.items():
            self.references[name] = Callee(str(entry["name"]))
        for name, entry in self.folder.content.get("tables", {}).items():
            columns = self.constants[entry["keys"]], self.constants[entry["values"]]
            self.references[name] = table_of(str(entry["name"]), *columns)
        self.graphs = self._graphs()
        for name, entry in callees.items():
            self._finish_callee(self.references[name], self.graphs[entry["graph"]], entry)
        for number, node in enumerate(self.nodes):
            self._start(number, node)
        for number, node in enumerate(self.nodes):
            self._fill(number, node)
        root = self._at(0)
        if not isinstance(root, RestoredObject):
            raise ValueError("its first object has no attributes")
        vars(root)["signatures"] = SignatureMap(self._signatures())
        return root

    def _finish_callee(self, callee: Callee, graph: FunctionGraph, entry: Any) -> None:
        """Give a function that calls itself its graph, whose last inputs are captures."""
        count = entry["captured"]
        if type(count) is not int or not 0 <= count <= len(graph.inputs):
            raise ValueError(f"the function {callee.name!r} captures {count!r} tensors")
        callee.graph = graph
        callee.captured = list(graph.inputs[len(graph.inputs) - count :])
        callee.complete = True

    def _variables(self) -> None:
        values = self.folder.tensors(VARIABLES)
        for number, node in enumerate(self.nodes):
            if node["kind"] == "variable":
                key, shape, name = node["key"], dims_of(node["shape"]), node["name"]
                value = values[key]
                if as_dtype(value.dtype) is not as_dtype(node["dtype"]):
                    raise ValueError(f"the variable {key!r} has another dtype than its value")
                variable = Variable(
                    wrap(value), bool(node["trainable"]), name=f"{name}/", shape=shape
                )
                self.objects[number] = variable
                self.references[key] = variable._storage

    def _assets(self) -> None:
        for number, node in enumerate(self.nodes):
            if node["kind"] == "asset":
                name = f"{ASSETS_FOLDER}/{node['file']}"
                asset = self.objects[number] = Asset(self.folder.file(name))
                self.references[name] = as_object_scalar(asset.numpy())

    def _graphs(self) -> dict[str, FunctionGraph]:
        text = self.folder.text(GRAPHS)
        path = os.path.join(self.folder.path, GRAPHS)
        try:
            return graphs_from_text(text, self.references, FunctionGraph, path)
        except InvalidArgumentError as error:
            raise self.folder.fault(GRAPHS, error.message) from error

    def _start(self, number: int, node: dict[str, Any]) -> None:
        """Make what other objects may refer to before it has all its parts."""
        kind = node["kind"]
        if kind == "object":
            self.objects[number] = RestoredObject(node.get("name"))
        elif kind in ("list", "dict"):
            self.objects[number] = [] if kind == "list" else {}
        elif kind == "function":
            self.objects[number] = self._function(node)
        elif kind == "concrete_function":
            name = str(node["name"])
            function = RestoredFunction(name, signature_of(node["parameters"]))
            self.objects[number] = self._trace(function, node["trace"])
        elif kind in ("tensor", "array"):
            value = self.constants[node["key"]]
            self.objects[number] = wrap(value) if kind == "tensor" else np.array(value)
        elif kind == "value":
            self.objects[number] = decode(node["value"], _no_tensor)
        elif kind == "lost":
            self.objects[number] = Unsaved(str(node["what"]))
        elif kind not in ("variable", "asset", "tuple"):
            raise ValueError(f"it holds an object of the kind {kind!r}")

    def _fill(self, number: int, node: dict[str, Any]) -> None:
        """Put the parts into a collection or object."""
        container = self._at(number)
        if node["kind"] == "list":
            container += map(self._at, node["items"])
        elif node["kind"] == "dict":
            container.update(
                (decode(key, _no_tensor), self._at(item)) for key, item in node["items"]
            )
        elif node["kind"] == "object":
            for name, item in node["children"].items():
                vars(container)[name] = self._at(item)
            vars(container)["_saved_class"] = str(node["class"])
            vars(container)["_lost"] = {k: str(v) for k, v in node.get("lost", {}).items()}

    def _at(self, number: Any) -> Any:
        """Return the object of a node; tuples are made when they are first asked for."""
        if type(number) is not int or not 0 <= number < len(self.nodes):
            raise ValueError(f"it refers to the object {number!r}, which is not there")
        if number not in self.objects:
            self.objects[number] = tuple([self._at(item) for item in self.nodes[number]["items"]])
        return self.objects[number]

    def _function(self, node: dict[str, Any]) -> RestoredFunction:
        input_signature = node.get("input_signature")
        specs = None if input_signature is None else decode(input_signature, _no_tensor)
        function = RestoredFunction(str(node["name"]), signature_of(node["parameters"]), specs)
        for entry in node["traces"]:
            self._trace(function, entry)
        return function

    def _trace(self, function: RestoredFunction, entry: dict[str, Any]) -> RestoredTrace:
        graph = self.graphs[entry["graph"]]
        args, kwargs = arguments_of(entry, graph.inputs)
        call = function.bound(args, kwargs)
        result = result_of(entry["result"], graph.outputs)
        labels = [str(label) for label in entry["labels"]]
        if not len(labels) == len(graph.inputs) == len(call.tensors):
            raise ValueError(f"a trace of {function.name}() does not fit its graph")
        trace = RestoredTrace(function.name, call, graph, result, labels)
        function.add(trace, call)
        return trace

    def _signatures(self) -> dict[str, ConcreteFunction]:
        signatures: dict[str, ConcreteFunction] = {}
        for name, entry in self.folder.content["signatures"].items():
            graph, names = self.graphs[entry["graph"]], entry["inputs"]
            function = RestoredFunction(name, parameters_of(names))
            call = function.bound((), spec_arguments(names, graph.inputs))
            result = dict(zip(entry["outputs"], graph.outputs, strict=True))
            signatures[name] = RestoredTrace(name, call, graph, result, names)
        return signatures


def _no_tensor(number: int) -> Any:
    raise ValueError("there are no tensors here")


_NONSENSE = (
    ArithmeticError, AssertionError, AttributeError, LookupError, MemoryError, RecursionError,
    TypeError, ValueError,
)  # fmt: skip


def restore_object(folder: SavedFolder) -> RestoredObject:
    """Return the object that a folder holds; DataLossError where its parts do not fit together."""
    try:
        return ObjectRestoration(folder).root()
    except _NONSENSE as error:
        if isinstance(error, OpError):
            raise
        reason = str(error) or type(error).__name__
        raise folder.fault(INDEX, f"this makes no sense: {reason}") from error
