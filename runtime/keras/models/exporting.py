"""``Model.export`` and saved models of Keras' models: their calls as functions of tensors alone."""

from __future__ import annotations

import os
from typing import Any

from runtime.export.onnx_models.exporting import onnx
from runtime.export.saved_model import save
from runtime.functions.decorator import function
from runtime.keras.layers.base.call_context import named_operations
from runtime.keras.layers.base.input_layer import input_layer_of
from runtime.state.module import Module
from runtime.types import nest
from runtime.types.shapes import TensorSpec

__all__: list[str] = []

FORMATS = ("tf_saved_model", "onnx")


class ExportedModel(Module):
    """What ``Model.export`` saves: the function ``serve``, and the model whose weights it reads."""

    def __init__(self, model: Any, serve: Any) -> None:
        super().__init__()
        self.serve = serve
        self._tracked = [model]


def export_model(
    model: Any, filepath: str | os.PathLike[str], format: str, input_signature: Any
) -> None:
    """Write the function ``serve`` of a model, its call with ``training=False``.

    It goes to a folder, or as ONNX to a file.  ValueError for another format, and where the types
    of the inputs are not known.
    """
    if format not in FORMATS:
        raise ValueError(f"Unrecognized format={format!r}: the formats are {', '.join(FORMATS)}")
    serve = serving_function(model, input_signature)
    if serve is None:
        raise ValueError(
            f"the types of the inputs of model {model.name!r} are not known: call the model, or "
            "give export() an input_signature, as [TensorSpec((None, 3), 'float32')]"
        )
    if format == "onnx":
        trace = named_trace(serve)
        onnx(trace, filepath, sizes=batch_sizes(trace))
        return
    signatures = dict.fromkeys(("serve", "serving_default"), serve)
    save(ExportedModel(model, serve), filepath, signatures=signatures)


def named_trace(serve: Any) -> Any:
    """Return the trace of a serving function, whose operations begin with the layers' names."""
    with named_operations():
        return serve.get_concrete_function()


def batch_sizes(trace: Any) -> dict[str, list[str | None]]:
    """Return names for the sizes of the inputs: the first, if it is not known, is the batch."""
    sizes: dict[str, list[str | None]] = {}
    for tensor in trace.inputs:
        dims = tensor.shape.dims or ()
        if dims and dims[0] is None:
            sizes[tensor.op.name] = ["batch", *[None] * (len(dims) - 1)]
    return sizes


def serving_function(model: Any, input_signature: Any = None) -> Any:
    """Return the call of a model as a function of tensors of known types; None if not known."""
    if input_signature is None:
        specs = _input_specs(model)
        if specs is None:
            return None
        input_signature = [specs]
    if not isinstance(input_signature, list | tuple):
        input_signature = [input_signature]

    def serve(inputs: Any) -> Any:
        return model(inputs, training=False)

    def serve_several(*inputs: Any) -> Any:
        return model(*inputs, training=False)

    serve_several.__name__ = "serve"
    python = serve if len(input_signature) == 1 else serve_several
    return function(python, input_signature=list(input_signature))


def _input_specs(model: Any) -> Any:
    """Return the types of the inputs, a nest of TensorSpecs; None where they are not known."""
    program = model._program
    if program is None:
        return model._keras.input_specs
    names = _names(program.inputs)
    leaves = [
        TensorSpec(tensor.shape, tensor.dtype, name)
        for name, tensor in zip(names, nest.flatten(program.inputs), strict=True)
    ]
    return nest.pack_sequence_as(program.inputs, leaves)


def _names(inputs: Any) -> list[str]:
    if isinstance(inputs, dict):
        return sorted(inputs)
    return [input_layer_of(tensor).name for tensor in nest.flatten(inputs)]
