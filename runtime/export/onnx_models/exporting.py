"""``export.onnx``: a function or model traced and written to a file, in one piece or not at all."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any

from runtime.export.onnx_models.model_writer import SizeNames, checked, model_of
from runtime.export.traced import check_exportable, trace_of
from runtime.functions.concrete_function import ConcreteFunction
from runtime.types import treedef
from runtime.types.atomic_files import file_errors, replacing
from runtime.types.errors import UnimplementedError
from runtime.types.value import Value


def onnx(
    fn: Any, path: str | os.PathLike[str], *args: Any, sizes: SizeNames | None = None,
    outputs: Sequence[str] | None = None, **kwargs: Any,
) -> None:  # fmt: skip
    """Write a function as an ONNX model (opset 21): it needs the extra ``onnx``.

    Branches become ``If``, loops ``Loop``, lists of tensors sequences, calls of functions functions
    of the model; variables that are read become constants with their names.  A run of the model
    fails where the function raises for an index, or for a division of integers by zero; what else
    ONNX cannot say is refused.  See docs/onnx.md.

    Args:
        fn: function of ``runtime.function`` or plain Python, a concrete function, or a model of
            Keras (its call with ``training=False``).
        path: the file, usually ``*.onnx``.
        args: arguments, or TensorSpecs in place of tensors; unknown sizes stay unknown.  None are
            needed where there is an input signature, or exactly one trace.
        sizes: names of sizes by the name of an argument: ``{"x": ["batch", None]}``.
        outputs: names of the results, in order.
        kwargs: further arguments.

    Returns:
        None.

    Raises:
        UnimplementedError: ONNX cannot say what the function does; the message has all such
            operations with their lines.
        ValueError: the arguments' types are not known.
        OpError: the one that fits the error of the file system.
        ModuleNotFoundError: the extra ``onnx`` is not installed.
    """
    model = onnx_model(fn, *args, sizes=sizes, outputs=outputs, **kwargs)
    name = os.fsdecode(path)
    with file_errors(name), replacing(name) as file:
        file.write(model.SerializeToString())


def onnx_model(
    fn: Any, *args: Any, sizes: SizeNames | None = None, outputs: Sequence[str] | None = None,
    **kwargs: Any,
) -> Any:  # fmt: skip
    """Return what ``onnx`` writes, as a ``ModelProto`` of the package ``onnx``."""
    trace, named_sizes = trace_of(fn, args, kwargs)
    sizes = {**named_sizes, **(sizes or {})}
    title = f"{trace.name}()"
    check_exportable(trace, title, "ONNX")
    names = [tensor.op.name for tensor in trace.inputs]
    unknown = next((name for name in sizes if name not in names), None)
    if unknown is not None:
        raise ValueError(f"sizes names {unknown!r}, and the arguments are {', '.join(names)}")
    results = _output_names(trace, outputs)
    return checked(model_of(trace.graph, title, names, results, sizes))


def _output_names(trace: ConcreteFunction, names: Sequence[str] | None) -> list[str]:
    """Return the names of the results: those given, the keys of a dict, or numbers."""
    count = len(trace.graph.outputs)
    if names is not None:
        if len(names) != count or len(set(names)) != count:
            raise ValueError(f"outputs must name {count} results, got {list(names)}")
        return list(names)
    result = trace.structured_outputs
    if isinstance(result, Mapping) and all(isinstance(key, str) for key in result):
        if all(isinstance(value, Value) for value in result.values()) and len(result) == count:
            return list(result)
    if len([leaf for leaf in treedef.flatten(result)[0] if leaf is not None]) != count:
        raise UnimplementedError(
            f"{trace.name}() cannot be written as ONNX: it returns what is no tensor. Return "
            "tensors, and tuples, lists and dicts of them"
        )
    return ["output"] if count == 1 else [f"output_{k}" for k in range(count)]
