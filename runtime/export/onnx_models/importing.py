"""``export.import_onnx``: an ONNX model as a function of the runtime."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

from runtime.export.onnx_models.interpreter import ModelRunner, NeedsValueError, unknown_nodes
from runtime.export.onnx_models.onnx_graph import OnnxModel, read_model
from runtime.export.onnx_models.reading import all_rules
from runtime.functions.decorator import function
from runtime.graph.trace import current_graph
from runtime.ops.array.constants import convert_to_tensor
from runtime.state.module import Module
from runtime.state.variable import Variable
from runtime.types.errors import UnimplementedError

assert all_rules


class ImportedModel(Module):
    """Model that was read from ONNX: a function of its inputs, by position or by name.

    It gives the output, or a tuple of several.  ``input_names``, ``output_names`` and
    ``input_signature`` describe it; ``variables`` are its weights, if they were read as such.
    """

    def __init__(self, model: OnnxModel, trainable: bool) -> None:
        super().__init__()
        graph = model.graph
        self._interpreter = ModelRunner(model)
        self._graph = graph
        inputs = [info for info in graph.inputs if info.name not in graph.initializers]
        self.input_names = [info.name for info in inputs]
        self.output_names = list(graph.outputs)
        self._optional = {i.name for i in graph.inputs if i.name in graph.initializers}
        self.input_signature = [info.spec for info in inputs]
        weights = {
            name: array for name, array in graph.initializers.items()
            if trainable and array.dtype.kind == "f"
        }  # fmt: skip
        self.weights = {name: Variable(array, name=name) for name, array in weights.items()}
        self._staged = function(self._run, autograph=False)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Run the model."""
        values = self._bound(args, kwargs)
        if current_graph() is None:
            try:
                return self._staged(*values)
            except NeedsValueError:
                pass  # a value decides about shapes, and is known now
        return self._run(*values)

    def _bound(self, args: Sequence[Any], kwargs: dict[str, Any]) -> list[Any]:
        names = self.input_names
        if len(args) > len(names):
            raise TypeError(f"the model takes {len(names)} inputs ({', '.join(names)})")
        values = dict(zip(names, args, strict=False))
        for name, value in kwargs.items():
            if name in values or name not in names:
                raise TypeError(f"the model has no input {name!r} left, of {', '.join(names)}")
            values[name] = value
        missing = [name for name in names if name not in values]
        if missing:
            raise TypeError(f"the model misses its input {missing[0]!r}")
        return [self._converted(values[name], k) for k, name in enumerate(names)]

    def _converted(self, value: Any, number: int) -> Any:
        """Return an argument as a tensor of the input's dtype, or a list or None as it is."""
        if value is None:
            return None
        if isinstance(value, list) and self.input_signature[number] is None:
            return [convert_to_tensor(item) for item in value]
        spec = self.input_signature[number]
        if spec is None:
            return convert_to_tensor(value)
        tensor = convert_to_tensor(value, spec.dtype)
        if not tensor.shape.is_compatible_with(spec.shape):
            raise ValueError(
                f"the input {self.input_names[number]!r} has the shape {spec.shape}, and the "
                f"argument {tensor.shape}"
            )
        return tensor

    def _run(self, *values: Any) -> Any:
        arguments = dict(zip(self.input_names, values, strict=True))
        weights = {name: variable.value() for name, variable in self.weights.items()}
        outputs = self._interpreter.run(self._graph, {**weights, **arguments})
        results = [_as_result(value) for value in outputs]
        return results[0] if len(results) == 1 else tuple(results)

    def __repr__(self) -> str:
        inputs = [f"{n}: {s}" for n, s in zip(self.input_names, self.input_signature, strict=True)]
        return f"<ONNX model ({', '.join(inputs)}) -> {', '.join(self.output_names)}>"


def _as_result(value: Any) -> Any:
    if isinstance(value, list):
        return [_as_result(item) for item in value]
    return value if value is None else convert_to_tensor(value)


def import_onnx(path: str | os.PathLike[str], trainable: bool = False) -> ImportedModel:
    """Read an ONNX model as a function, which runs eagerly and in graphs, trains and compiles.

    No code of the file runs, and no other file is read.  The operators that are known are those of
    the tables in docs/onnx.md, and those that ONNX defines by others.

    Args:
        path: the file.
        trainable: whether the constants of floats in the model's graph become variables.

    Returns:
        ``ImportedModel``: called with the inputs by position or by name, it gives the output, or a
        tuple of several.

    Raises:
        NotFoundError: there is no such file; also other errors of the file system.
        DataLossError: the file is no model, or damaged.
        UnimplementedError: operators are not known, or tensors have unknown types or stand in other
            files; in a call: a value has to be known before the run, or a rule lacks the case.
        ModuleNotFoundError: the extra ``onnx`` is not installed.
    """
    model = read_model(path)
    unknown = [node.title for node in unknown_nodes(model)]
    if unknown:
        verb = "is an operator that is" if len(unknown) == 1 else "are operators that are"
        raise UnimplementedError(
            f"{os.fsdecode(path)}; {', '.join(unknown)} {verb} not known here"
        )
    return ImportedModel(model, trainable)
