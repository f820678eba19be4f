"""Model writer: the graph of a trace as ONNX' ``ModelProto``, checked by ONNX itself."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from runtime.engine.inspection import with_calls
from runtime.export.onnx_models.graph_writer import GraphWriter, Model, check_refusals
from runtime.export.onnx_models.node_writer import NodeWriter, value_info
from runtime.export.onnx_models.onnx_gap import OnnxGap
from runtime.export.onnx_models.onnx_library import IR_VERSION, OPSET, onnx_library
from runtime.export.onnx_models.rules import all_rules
from runtime.export.onnx_models.rules.control import FUNCTIONS, typed
from runtime.graph.nesting import deeply
from runtime.types.dtypes import variant
from runtime.types.errors import UnimplementedError

SizeNames = Mapping[str, Sequence[str | int | None]]
"""Name of an input -> names of its sizes."""

LARGEST = 2**31 - 2**24
"""Bytes of constants in a file: a message of its format has less than 2 GiB."""


def model_of(
    graph: Any, title: str, inputs: Sequence[str], outputs: Sequence[str], sizes: SizeNames
) -> Any:
    """Return a frozen graph as a ModelProto.

    UnimplementedError, with all operations that ONNX cannot say and their lines.
    """
    return deeply(graph, lambda: _model_of(graph, title, inputs, outputs, sizes))


def _model_of(
    graph: Any, title: str, inputs: Sequence[str], outputs: Sequence[str], sizes: SizeNames
) -> Any:
    assert all_rules
    optimized = with_calls(graph)
    model = Model(title)
    writer = GraphWriter(model, NodeWriter(model.names))
    arguments = [model.names.unique(name) for name in inputs]
    results = writer.finish(writer.write(optimized, arguments))
    check_refusals(model)
    size = sum([len(tensor.raw_data) for tensor in writer.scope.initializers])
    if size > LARGEST:
        raise UnimplementedError(
            f"{title} cannot be written as ONNX: its variables and constants take {size:,} bytes, "
            f"and a file holds {LARGEST:,}"
        )
    helper = onnx_library().helper
    try:
        input_infos = [
            _input_info(name, tensor, sizes.get(name))
            for name, tensor in zip(arguments, graph.inputs, strict=True)
        ]
        output_names: list[str] = []
        for result, name in zip(results, outputs, strict=True):
            if not isinstance(result, str):
                raise OnnxGap(f"its result {name!r} is a list: stack it to a tensor")
            if optimized.outputs[len(output_names)].shape.dims is None:
                raise OnnxGap(
                    f"its result {name!r} has an unknown number of dimensions: let what a loop "
                    "carries have the shape of the result from its beginning"
                )
            writer.scope.label = name
            output_names.append(writer.emit("Identity", result))
        output_infos = [
            typed(name, tensor)[0]
            for name, tensor in zip(output_names, optimized.outputs, strict=True)
        ]
    except OnnxGap as refusal:
        raise UnimplementedError(f"{title} cannot be written as ONNX: {refusal}") from None
    proto = helper.make_graph(
        writer.scope.nodes, graph.name, input_infos, output_infos, writer.scope.initializers
    )
    functions = list(model.functions.values())
    opsets = [helper.make_opsetid("", OPSET)]
    if functions:
        opsets.append(helper.make_opsetid(FUNCTIONS, 1))
    return helper.make_model(
        proto, opset_imports=opsets, ir_version=IR_VERSION, functions=functions,
        producer_name="pyautograph",
    )  # fmt: skip


def _input_info(name: str, tensor: Any, names: Sequence[str | int | None] | None) -> Any:
    if tensor.dtype is variant:
        raise OnnxGap(f"its argument {name!r} is no array")
    dims = tensor.shape.dims
    if dims is None:
        raise OnnxGap(f"its argument {name!r} has an unknown number of dimensions: give it a rank")
    given = list(names or [None] * len(dims))
    if len(given) != len(dims):
        raise OnnxGap(f"sizes has {len(given)} names for the {len(dims)} sizes of {name!r}")
    sizes = [
        size if size is not None else given[axis] or f"{name}_size_{axis}"
        for axis, size in enumerate(dims)
    ]
    return value_info(name, tensor.dtype, sizes)


def checked(model: Any) -> Any:
    """Return the model with the types of its values, once ONNX' checker has passed it."""
    onnx = onnx_library()
    onnx.checker.check_model(model, full_check=True)
    infer = onnx.shape_inference.infer_shapes
    try:
        return infer(model, check_type=True, strict_mode=True, data_prop=True)
    except onnx.shape_inference.InferenceError:  # it takes constants of other uses for shapes
        return infer(model, check_type=True, strict_mode=True)
