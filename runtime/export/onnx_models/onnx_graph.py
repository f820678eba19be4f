"""Models as they were read: graphs of nodes with plain values, checked, without the file's classes.

Nothing of a file is executed, and no other file is read: tensors that are kept beside a model are
refused.
"""

from __future__ import annotations

import math
import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from runtime.export.onnx_models.element_types import dtype_of
from runtime.export.onnx_models.onnx_library import onnx_library
from runtime.types.atomic_files import file_errors
from runtime.types.errors import DataLossError, UnimplementedError
from runtime.types.shapes import TensorSpec

_STANDARD = ("", "ai.onnx")
NEWEST_IR = 14
"""Newest version of the file format whose meaning is known."""


@dataclass
class OnnxNode:
    """Node of a graph; ``attrs`` hold numbers, texts, arrays and graphs.

    ``references`` map attributes to those of the function that the node is in.
    """

    op_type: str
    domain: str
    name: str
    inputs: list[str]
    outputs: list[str]
    attrs: dict[str, Any]
    references: dict[str, str]
    version: int
    proto: Any

    def attr(self, name: str, default: Any = None) -> Any:
        """Return an attribute; texts as ``str``."""
        value = self.attrs.get(name, default)
        return value.decode(errors="replace") if isinstance(value, bytes) else value

    @property
    def title(self) -> str:
        """What messages call the node."""
        domain = "" if self.domain in _STANDARD else f"{self.domain}."
        named = f" {self.name!r}" if self.name else ""
        return f"the node{named} ({domain}{self.op_type}, version {self.version})"


@dataclass
class OnnxInput:
    """Input or output of a graph: its name, and its type as far as it is known."""

    name: str
    spec: TensorSpec | None
    is_tensor: bool = True


@dataclass
class OnnxGraph:
    """Graph, or body of a branch or loop."""

    name: str
    inputs: list[OnnxInput]
    outputs: list[str]
    nodes: list[OnnxNode]
    initializers: dict[str, Any]


@dataclass
class OnnxFunction:
    """Function of a model: its nodes see its inputs and attributes only."""

    name: str
    inputs: list[str]
    outputs: list[str]
    nodes: list[OnnxNode]
    defaults: dict[str, Any]


@dataclass
class OnnxModel:
    """Model: the graph, and functions by domain and name."""

    graph: OnnxGraph
    functions: dict[tuple[str, str], OnnxFunction]
    opsets: dict[str, int] = field(default_factory=dict)


def read_model(path: str | os.PathLike[str]) -> OnnxModel:
    """Read a file; DataLossError for what is no valid model, OpError for the file system's."""
    name = os.fsdecode(path)
    with file_errors(name), open(name, "rb") as file:
        data = file.read()
    return model_from_bytes(data, name)


def model_from_bytes(data: bytes, title: str = "the model") -> OnnxModel:
    """Read a model; DataLossError for bytes that are none."""
    onnx = onnx_library()
    try:
        proto = onnx.ModelProto.FromString(data)
    except Exception as error:
        raise DataLossError(f"{title}; it is no ONNX model: {_line(error)}") from None
    return model_of_proto(proto, title)


def model_of_proto(proto: Any, title: str = "the model") -> OnnxModel:
    """Return a ``ModelProto`` as a model; DataLossError for one that is not valid."""
    if not proto.HasField("graph"):
        raise DataLossError(f"{title}; it is no ONNX model: it has no graph")
    if proto.ir_version > NEWEST_IR:
        raise UnimplementedError(
            f"{title}; it has the version {proto.ir_version} of the format, and versions up to "
            f"{NEWEST_IR} are known"
        )
    reader = ModelReader(title, {o.domain: o.version for o in proto.opset_import})
    try:
        functions = {}
        for function in proto.functions:
            key = function.domain, function.name
            functions[key] = reader.function(function)
        return OnnxModel(reader.graph(proto.graph, 0), functions, reader.opsets)
    except (DataLossError, UnimplementedError):
        raise
    except Exception as error:  # what a damaged message may hold is not for us to list
        raise DataLossError(f"{title}; it is damaged: {_line(error)}") from None


def _line(error: Exception) -> str:
    lines = str(error).strip().splitlines()
    return lines[0] if lines else type(error).__name__


_DEEPEST = 64
"""Graphs inside of each other, at most."""


class ModelReader:
    """Reader of messages; ``opsets`` are the versions of the domains, ``title`` is for errors."""

    def __init__(self, title: str, opsets: dict[str, int]) -> None:
        self.title = title
        self.opsets = opsets
        self._get = onnx_library().helper.get_attribute_value

    def graph(self, proto: Any, depth: int) -> OnnxGraph:
        """Return a graph that is so deep inside of others; DataLossError beyond a limit."""
        if depth > _DEEPEST:
            raise DataLossError(f"{self.title}; its graphs are nested too deeply")
        initializers = {t.name: self.array(t) for t in proto.initializer}
        for sparse in proto.sparse_initializer:
            initializers[sparse.values.name] = self._dense(sparse)
        inputs = [self._input(info) for info in proto.input]
        nodes = [self._node(node, depth, self.opsets) for node in proto.node]
        return OnnxGraph(proto.name, inputs, [o.name for o in proto.output], nodes, initializers)

    def function(self, proto: Any) -> OnnxFunction:
        """Return a function."""
        opsets = {o.domain: o.version for o in proto.opset_import} or self.opsets
        nodes = [self._node(node, 0, opsets) for node in proto.node]
        defaults = {a.name: self.attribute(a) for a in proto.attribute_proto}
        return OnnxFunction(proto.name, list(proto.input), list(proto.output), nodes, defaults)

    def _node(self, proto: Any, depth: int, opsets: dict[str, int]) -> OnnxNode:
        attrs = {a.name: self.attribute(a, depth) for a in proto.attribute if not a.ref_attr_name}
        references = {a.name: a.ref_attr_name for a in proto.attribute if a.ref_attr_name}
        domain = "" if proto.domain in _STANDARD else proto.domain
        version = next((opsets[d] for d in (domain, proto.domain, "ai.onnx") if d in opsets), 1)
        return OnnxNode(proto.op_type, domain, proto.name, list(proto.input), list(proto.output),
                        attrs, references, version, proto)  # fmt: skip

    def attribute(self, proto: Any, depth: int = 0) -> Any:
        """Return the value of an attribute."""
        value = self._get(proto)
        kinds = onnx_library().AttributeProto
        if proto.type == kinds.TENSOR:
            return self.array(value)
        if proto.type == kinds.SPARSE_TENSOR:
            return self._dense(value)
        if proto.type == kinds.GRAPH:
            return self.graph(value, depth + 1)
        if proto.type in (kinds.FLOAT, kinds.INT, kinds.STRING):
            return value
        if proto.type in (kinds.FLOATS, kinds.INTS, kinds.STRINGS):
            return list(value)
        return value

    def array(self, proto: Any) -> Any:
        """Return a tensor as an array; UnimplementedError for a type that is not known."""
        onnx = onnx_library()
        if proto.data_location == onnx.TensorProto.EXTERNAL:
            raise UnimplementedError(
                f"{self.title}; the tensor {proto.name!r} is kept in another file, and only one is "
                "read: save the model with its weights inside (onnx.save_model)"
            )
        dtype = dtype_of(proto.data_type)
        if dtype is None:
            number = proto.data_type
            known = number in onnx.TensorProto.DataType.values()
            kind = onnx.TensorProto.DataType.Name(number) if known else str(number)
            raise UnimplementedError(
                f"{self.title}; the tensor {proto.name!r} has elements of type {kind}"
            )
        count = math.prod(proto.dims)
        if any(d < 0 for d in proto.dims) or count > 2**34:
            raise DataLossError(f"{self.title}; the tensor {proto.name!r} has the shape "
                                f"{list(proto.dims)}")  # fmt: skip
        array = np.asarray(onnx.numpy_helper.to_array(proto))
        if dtype.name == "string":
            texts = [x if isinstance(x, bytes) else str(x).encode() for x in array.reshape(-1)]
            result = np.empty(len(texts), object)
            result[:] = texts
            return result.reshape(array.shape)
        return array.astype(dtype.as_numpy_dtype, copy=False)

    def _dense(self, sparse: Any) -> Any:
        values, indices = self.array(sparse.values), self.array(sparse.indices)
        dims = list(sparse.dims)
        if math.prod(dims) > 2**30:
            raise DataLossError(f"{self.title}; a sparse tensor has the shape {dims}")
        result = np.zeros(dims, values.dtype)
        if indices.ndim == 1:
            result.reshape(-1)[indices] = values
        else:
            result[tuple(indices.T)] = values
        return result

    def _input(self, info: Any) -> OnnxInput:
        if not info.type.HasField("tensor_type"):
            return OnnxInput(info.name, None, is_tensor=False)
        tensor = info.type.tensor_type
        dtype = dtype_of(tensor.elem_type)
        if dtype is None:
            raise UnimplementedError(
                f"{self.title}; its input {info.name!r} has elements of type {tensor.elem_type}"
            )
        if not tensor.HasField("shape"):
            return OnnxInput(info.name, TensorSpec(None, dtype, info.name))
        dims: Sequence[int | None] = [
            d.dim_value if d.HasField("dim_value") else None for d in tensor.shape.dim
        ]
        if any(d is not None and d < 0 for d in dims):
            raise DataLossError(f"{self.title}; its input {info.name!r} has the shape {dims}")
        return OnnxInput(info.name, TensorSpec(dims, dtype, info.name))
