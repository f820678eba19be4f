"""Rules of variables: what is read is a constant of the model, which cannot be written."""

from __future__ import annotations

import numpy as np

from runtime.export.onnx_models.graph_writer import REASONS, GraphWriter, rule
from runtime.export.onnx_models.node_writer import FunctionWriter, as_tensor_proto
from runtime.export.onnx_models.onnx_gap import OnnxGap
from runtime.graph.operation import Operation


@rule("read_variable")
def _read(writer: GraphWriter, node: Operation) -> str:
    storage = node.attrs["storage"]
    known = writer.model.variables.get(id(storage))
    if known is not None:
        return known[1]
    scope = writer.scope
    while scope.outer is not None:  # the weights stand in the model's graph
        scope = scope.outer
    value = np.asarray(storage.read())
    name = writer.model.names.unique(storage.name.removesuffix(":0"))
    if isinstance(scope, FunctionWriter):
        scope.add_constant(as_tensor_proto(value, name))
        return name
    writer.model.variables[id(storage)] = storage, name
    scope.add_constant(as_tensor_proto(value, name))
    return name


def _refuses(*names: str) -> None:
    text = (
        "it writes a variable, and an ONNX model keeps no state: return the new value, and export "
        "the function without the assignment"
    )
    REASONS.update(dict.fromkeys(names, text))


_refuses("assign_variable", "assign_sum", "assign_changed", "count_up_to", "initialized_value")


@rule("is_variable_initialized")
def _is_initialized(writer: GraphWriter, node: Operation) -> str:
    raise OnnxGap("an ONNX model has no variables that could lack a value")
