"""Objects of a saved model: a tree of modules, collections, variables and functions, as JSON."""

from __future__ import annotations

import inspect
import os
import re
from typing import Any

import numpy as np

from runtime.eager.tensor import Tensor
from runtime.export.asset import Asset
from runtime.export.graph_library import ASSET, CALLEE, CONSTANT, TABLE
from runtime.export.nests import UnsavableValueError, encode
from runtime.export.traces import describe, parameter_entries, savable_traces
from runtime.functions.bound_method import BoundMethod
from runtime.functions.concrete_function import ConcreteFunction
from runtime.functions.function import Function
from runtime.state.module import Module
from runtime.state.variable import Variable
from runtime.train.tracking import children, variables_of
from runtime.types.composite import Composite
from runtime.types.errors import FailedPreconditionError, UnimplementedError

_OWN = frozenset(("_name", "_name_scope"))
"""Attributes of every module, which say nothing of the model."""
_RESERVED = (CONSTANT, ASSET, TABLE, CALLEE)
"""Beginnings of the references to other things than variables."""


def function_of(value: Any) -> Function | None:
    """Return the traced function that a value is, a method's or one by itself; None for others."""
    if isinstance(value, BoundMethod):
        value = value.__func__
    return value if isinstance(value, Function) else None


def is_object(value: Any) -> bool:
    """Whether a value is an object whose attributes are saved."""
    checkpointed = hasattr(value, "_checkpoint_children") and not isinstance(value, Composite)
    return isinstance(value, Module) or checkpointed


class SavedObjects:
    """Nodes of the objects that an object leads to, the object itself first.

    variables  key -> variable
    functions  node of a function -> the function
    traces     node of a concrete function -> that
    assets     name of a file -> asset
    tensors    node of an eager tensor -> its value
    """

    def __init__(self, root: Any) -> None:
        self.nodes: list[dict[str, Any]] = []
        self.variables: dict[str, Variable] = {}
        self.functions: dict[int, tuple[str, Function]] = {}
        self.traces: dict[int, tuple[str, ConcreteFunction]] = {}
        self.assets: dict[str, Asset] = {}
        self.tensors: dict[int, Any] = {}
        self._seen: dict[int, int] = {}
        self._frozen: set[int] = set()
        """Ids of variables of layers that are not trained."""
        self._kept: list[Any] = []
        self._keys = {id(v): key for key, v in variables_of(root)[0].items()}
        self.add(root, "")

    def add(self, value: Any, path: str) -> int | None:
        """Return the number of a value's node; None where a saved model does not hold it."""
        function = function_of(value)
        key = id(value if function is None else function)
        if key in self._seen:
            return self._seen[key]
        node: dict[str, Any] = {}
        number = self._seen[key] = len(self.nodes)
        self.nodes.append(node)
        self._kept.append(value)
        if not self._describe(node, number, value, function, path):
            if number + 1 == len(self.nodes):
                self.nodes.pop()
            del self._seen[key]
            return None
        return number

    def _describe(
        self, node: dict[str, Any], number: int, value: Any, function: Function | None, path: str
    ) -> bool:
        if function is not None:
            self._function(node, number, function, path)
        elif isinstance(value, Variable):
            self._variable(node, value, path)
        elif isinstance(value, ConcreteFunction):
            node["kind"] = "concrete_function"
            self.traces[number] = (path, value)
        elif isinstance(value, Asset):
            node["kind"], node["file"] = "asset", self._asset(value)
        elif type(value) is Tensor or isinstance(value, np.ndarray | np.generic):
            node["kind"] = "tensor" if type(value) is Tensor else "array"
            self.tensors[number] = value
        elif isinstance(value, list | tuple):
            items = enumerate(value)
            node["kind"] = "list" if isinstance(value, list) else "tuple"
            node["items"] = [self._item(item, f"{path}[{index}]") for index, item in items]
        elif isinstance(value, dict):
            node["kind"] = "dict"
            node["items"] = [
                [_key(key, path), self._item(item, f"{path}[{key!r}]")]
                for key, item in value.items()
            ]  # fmt: skip
        elif is_object(value):
            self._object(node, value, path)
        else:
            return self._plain(node, value)
        return True

    def _item(self, value: Any, path: str) -> int:
        number = self.add(value, path)
        if number is None:
            self.nodes.append({"kind": "lost", "what": describe(value)})
            number = len(self.nodes) - 1
        return number

    def _plain(self, node: dict[str, Any], value: Any) -> bool:
        try:
            data = encode(value, lambda leaf: None)
        except UnsavableValueError:
            return False
        node["kind"], node["value"] = "value", data
        return True

    def _function(self, node: dict[str, Any], number: int, function: Function, path: str) -> None:
        node["kind"], node["name"] = "function", function.name
        node["parameters"] = parameter_entries(function._parameters.signature)
        title = title_of(function.name, path)
        if function.input_signature is not None:
            try:
                node["input_signature"] = encode(tuple(function.input_signature), lambda leaf: None)
            except UnsavableValueError as error:
                raise UnimplementedError(
                    f"{title} cannot be saved: its input_signature holds {describe(error.args[0])}"
                ) from None
        self.functions[number] = (title, function)

    def _variable(self, node: dict[str, Any], variable: Variable, path: str) -> None:
        if variable._graph is not None:
            raise FailedPreconditionError(
                f"the variable {variable.name!r} belongs to a graph, whose sessions hold its "
                "values: make the variables that are saved under eager execution"
            )
        base = self._keys.get(id(variable), path) or variable.path
        base = re.sub(r"[^A-Za-z0-9_./-]", "_", base) or "variable"
        if base.startswith(_RESERVED):
            base = f"_{base}"
        key, count = base, 0
        while key in self.variables:
            count += 1
            key = f"{base}_{count}"
        self.variables[key] = variable
        dims = variable.shape.dims
        node.update(
            kind="variable", key=key, name=variable.path,
            dtype=variable.dtype.name, shape=None if dims is None else list(dims),
            trainable=variable.trainable and id(variable) not in self._frozen,
        )  # fmt: skip

    def _asset(self, asset: Asset) -> str:
        base = os.path.basename(os.fspath(asset))
        stem, suffix = os.path.splitext(base)
        name, count = base, 0
        while name in self.assets:
            count += 1
            name = f"{stem}_{count}{suffix}"
        self.assets[name] = asset
        return name

    def _object(self, node: dict[str, Any], value: Any, path: str) -> None:
        node["kind"] = "object"
        node["class"] = getattr(value, "_saved_class", type(value).__name__)
        if isinstance(value, Module):
            node["name"] = value.name
        self._frozen.update(map(id, getattr(value, "non_trainable_variables", ())))
        children: dict[str, int] = {}
        lost: dict[str, str] = {}
        for name, attribute in _attributes(value):
            private = name.startswith("_")
            if private and not _leads_to_state(attribute):
                continue
            number = self.add(attribute, f"{path}.{name}" if path else name)
            if number is not None:
                children[name] = number
            elif not private:
                lost[name] = describe(attribute)
        node["children"] = children
        if lost:
            node["lost"] = lost


def title_of(name: str, path: str) -> str:
    """Return what messages call a function that an attribute leads to."""
    if not path or path == name or path.endswith(f".{name}"):
        return f"the function {(path or name)!r}"
    return f"the function {name!r} (the attribute {path!r})"


def _attributes(value: Any) -> list[tuple[str, Any]]:
    """Return what an object holds, and the traced functions of its class, by name."""
    ignored = getattr(type(value), "_TF_MODULE_IGNORED_PROPERTIES", frozenset()) | _OWN
    saved_functions = getattr(value, "_saved_functions", None)
    attributes = {} if saved_functions is None else dict(saved_functions())
    says = getattr(value, "_saved_children", None)
    for name, attribute in children(value) if says is None else says():
        if name not in ignored and (says is None or _leads_to_state(attribute)):
            attributes.setdefault(name, attribute)
    for name in dir(type(value)):
        if (
            name not in attributes
            and function_of(inspect.getattr_static(value, name, None)) is not None
        ):
            attributes[name] = getattr(value, name)
    return sorted(attributes.items(), key=lambda entry: (entry[0].startswith("_"), entry[0]))


def _leads_to_state(value: Any) -> bool:
    """Whether a value holds variables, functions, tensors, assets or objects with attributes."""
    todo, seen = [value], set()
    while todo:
        item = todo.pop()
        if id(item) in seen:
            continue
        seen.add(id(item))
        if isinstance(item, dict):
            todo += item.values()
        elif isinstance(item, list | tuple):
            todo += item
        elif is_object(item) or function_of(item) is not None or isinstance(
            item, Variable | ConcreteFunction | Asset | Tensor
        ):  # fmt: skip
            return True
    return False


def _key(key: Any, path: str) -> Any:
    if type(key) not in (str, int, bool, float, bytes, tuple):
        raise UnimplementedError(
            f"the dict {path!r} cannot be saved: one of its keys is {describe(key)}"
        )
    try:
        return encode(key, lambda leaf: None)
    except UnsavableValueError:
        raise UnimplementedError(f"the dict {path!r} cannot be saved: a key is {key!r}") from None


def all_traces(saved: SavedObjects) -> dict[int, list[ConcreteFunction]]:
    """Return the traces of each function, by its node."""
    return {
        number: savable_traces(function, title)
        for number, (title, function) in saved.functions.items()
    }
