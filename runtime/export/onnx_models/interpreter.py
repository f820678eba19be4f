"""ModelRunner of models: it applies the rule of each node, eagerly or while a function is traced.

An operator without a rule that ONNX defines as a function is computed as ONNX says.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from runtime.eager.tensor import Tensor
from runtime.export.onnx_models.element_types import number_of
from runtime.export.onnx_models.onnx_graph import (
    ModelReader,
    OnnxFunction,
    OnnxGraph,
    OnnxModel,
    OnnxNode,
)
from runtime.export.onnx_models.onnx_library import onnx_library
from runtime.ops.array.constants import convert_to_tensor
from runtime.types.errors import InvalidArgumentError, OpError, UnimplementedError

Rule = Callable[..., Any]

READERS: dict[str, Rule] = {}
"""Operator -> function of the node and its inputs (None where one is left out)."""

GRAPH_READERS: dict[str, Rule] = {}
"""Operator with graphs -> function of the interpreter, the node, the scope and the inputs."""


def reader(*names: str) -> Callable[[Rule], Rule]:
    """Make a function the rule of some operators."""

    def enter(function: Rule) -> Rule:
        READERS.update(dict.fromkeys(names, function))
        return function

    return enter


def graph_reader(*names: str) -> Callable[[Rule], Rule]:
    """Make a function the rule of some operators with graphs."""

    def enter(function: Rule) -> Rule:
        GRAPH_READERS.update(dict.fromkeys(names, function))
        return function

    return enter


class NeedsValueError(UnimplementedError):
    """Value that has to be known before the run, and is not."""


def static(value: Any, what: str) -> Any:
    """Return a value that has to be known before the run, as an array; NeedsValueError if not."""
    if value is None or isinstance(value, np.ndarray | np.generic):
        return value
    if type(value) is Tensor:
        return value.numpy()
    known = value.spec.value
    if known is None:
        raise NeedsValueError(f"{what} has to be known before the run: make it a constant")
    return np.asarray(known)


def ints(value: Any, what: str) -> list[int] | None:
    """Return a vector of ints that has to be known before the run; None for none."""
    array = static(value, what)
    return None if array is None else [int(n) for n in np.asarray(array).reshape(-1)]


def unknown_nodes(model: OnnxModel) -> list[OnnxNode]:
    """Return the first node of each operator that is not known, in any graph of a model."""
    unknown: dict[tuple[str, str], OnnxNode] = {}
    todo = [*model.graph.nodes, *[n for f in model.functions.values() for n in f.nodes]]
    while todo:
        node = todo.pop(0)
        key = node.domain, node.op_type
        is_ruled = not node.domain and (node.op_type in READERS or node.op_type in GRAPH_READERS)
        if not (is_ruled or key in model.functions or _schema_of(node) is not None):
            unknown.setdefault(key, node)
        for value in node.attrs.values():
            todo += value.nodes if isinstance(value, OnnxGraph) else []
    return list(unknown.values())


def _schema_of(node: OnnxNode) -> Any:
    """Return ONNX' description of an operator that it defines by others; None if it does not."""
    try:
        schema = onnx_library().defs.get_schema(node.op_type, node.version, node.domain)
    except Exception:  # there is no such operator
        return None
    return schema if schema.has_function or schema.has_context_dependent_function else None


class ModelRunner:
    """ModelRunner of the graphs of a model."""

    def __init__(self, model: OnnxModel) -> None:
        self.model = model
        self._bodies: dict[Any, OnnxFunction | None] = {}

    def run(
        self, graph: OnnxGraph, arguments: Mapping[str, Any], around: Mapping[str, Any] = {}
    ) -> list[Any]:  # fmt: skip
        """Run a graph; ``around`` are the values that it sees besides its arguments."""
        scope = {**around, **graph.initializers, **arguments}
        self._apply_all(graph.nodes, scope, {})
        return [self._value(scope, name) for name in graph.outputs]

    def _apply_all(
        self, nodes: Sequence[OnnxNode], scope: dict[str, Any], attrs: Mapping[str, Any]
    ) -> None:
        for node in nodes:
            inputs = [self._value(scope, name) if name else None for name in node.inputs]
            if node.references:
                node = _with_attributes(node, attrs)
            outputs = as_outputs(self.apply(node, inputs, scope))
            for name, value in zip(node.outputs, outputs, strict=False):
                if name:
                    scope[name] = value

    def _value(self, scope: Mapping[str, Any], name: str) -> Any:
        if name not in scope:
            raise InvalidArgumentError(f"the model uses {name!r}, which nothing gives")
        return scope[name]

    def apply(self, node: OnnxNode, inputs: Sequence[Any], scope: Mapping[str, Any]) -> Any:
        """Compute the outputs of a node; errors name it."""
        function = self.model.functions.get((node.domain, node.op_type))
        if function is None and not node.domain:
            special = GRAPH_READERS.get(node.op_type)
            if special is not None:
                return self._with_graphs(special, node, scope, inputs)
            rule = READERS.get(node.op_type)
            if rule is not None:
                return self._ruled(rule, node, inputs)
        if function is None:
            function = self._definition(node, inputs)
        if function is None:
            raise UnimplementedError(f"{node.title} is an operator that is not known here")
        return self.call(function, inputs, node.attrs)

    def _with_graphs(
        self, rule: Rule, node: OnnxNode, scope: Mapping[str, Any], inputs: Sequence[Any]
    ) -> Any:
        try:
            return rule(self, node, scope, *inputs)
        except OpError:
            raise  # of a node inside of a graph, which is named
        except (TypeError, KeyError, IndexError, AttributeError) as error:
            raise InvalidArgumentError(f"{node.title} cannot be run: {_text(error)}") from error

    def _ruled(self, rule: Rule, node: OnnxNode, inputs: Sequence[Any]) -> Any:
        try:
            return rule(node, *inputs)
        except NeedsValueError as error:
            raise NeedsValueError(f"{node.title}: {error}") from None
        except UnimplementedError as error:
            raise UnimplementedError(f"{node.title}: {error}") from None
        except (TypeError, LookupError, ValueError, AttributeError, OverflowError) as error:
            raise InvalidArgumentError(
                f"{node.title} cannot be computed: {_text(error)}"
            ) from error

    def call(
        self, function: OnnxFunction, inputs: Sequence[Any], attrs: Mapping[str, Any]
    ) -> tuple[Any, ...]:
        """Call a function; outputs that only nodes without a value give are None."""
        missing = [None] * (len(function.inputs) - len(inputs))
        scope = dict(zip(function.inputs, [*inputs, *missing], strict=False))
        self._apply_all(function.nodes, scope, {**function.defaults, **attrs})
        return tuple([scope.get(name) for name in function.outputs])

    def _definition(self, node: OnnxNode, inputs: Sequence[Any]) -> OnnxFunction | None:
        """Return the function by which ONNX defines an operator, if it does."""
        schema = _schema_of(node)
        if schema is None:
            return None
        types = tuple(_type_of(value) for value in inputs)
        key = node.proto.SerializeToString(), types, node.version
        if key not in self._bodies:
            self._bodies[key] = _body_of(schema, node, types)
        return self._bodies[key]


def _text(error: Exception) -> str:
    """Return what an error says, in one line."""
    if isinstance(error, KeyError):
        return f"it has no {error}"
    return str(error).partition("\n")[0]


def _with_attributes(node: OnnxNode, attrs: Mapping[str, Any]) -> OnnxNode:
    """Return a node of a function with the attributes of a call filled in."""
    found = {own: attrs[name] for own, name in node.references.items() if name in attrs}
    proto = type(node.proto)()
    proto.CopyFrom(node.proto)
    kept = [a for a in proto.attribute if not a.ref_attr_name]
    helper = onnx_library().helper
    for name, value in found.items():
        if not isinstance(value, np.ndarray | OnnxGraph):
            kept.append(helper.make_attribute(name, value))
    del proto.attribute[:]
    proto.attribute.extend(kept)
    return OnnxNode(node.op_type, node.domain, node.name, node.inputs, node.outputs,
                    {**node.attrs, **found}, {}, node.version, proto)  # fmt: skip


def _type_of(value: Any) -> bytes:
    """Return the type of a value as ONNX' message, serialised."""
    helper = onnx_library().helper
    if value is None or isinstance(value, list):
        return b""
    tensor = convert_to_tensor(value)
    dims = tensor.shape.dims
    number = number_of(tensor.dtype) or 0
    sizes = None if dims is None else list(dims)
    message: bytes = helper.make_tensor_type_proto(number, sizes).SerializeToString()
    return message


def _body_of(schema: Any, node: OnnxNode, types: Sequence[bytes]) -> OnnxFunction | None:
    onnx = onnx_library()
    if schema.has_function:
        versions = [v for v in schema.function_opset_versions if v <= node.version]
        version = max(versions or schema.function_opset_versions)
        data = schema.get_function_with_opset_version(version)
    else:
        versions = schema.context_dependent_function_opset_versions
        usable = [v for v in versions if v <= node.version]
        version = max(usable or versions)
        data = schema.get_context_dependent_function_with_opset_version(
            version, node.proto.SerializeToString(), list(types)
        )
    if not data:
        return None
    proto = onnx.FunctionProto.FromString(data)
    reader = ModelReader(node.title, {"": max(version, schema.since_version)})
    function = reader.function(proto)
    for name, attribute in schema.attributes.items():
        if attribute.default_value.type:
            function.defaults.setdefault(name, reader.attribute(attribute.default_value))
    return function


def as_outputs(result: Any) -> Sequence[Any]:
    """Return what a rule gives as a sequence of outputs; a sequence of ONNX' is a ``list``."""
    return result if isinstance(result, tuple) else (result,)
