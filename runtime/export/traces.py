"""Traces in the index: the arguments and results of a concrete function, as JSON and back."""

from __future__ import annotations

import inspect
import itertools
from collections.abc import Sequence
from typing import Any

from runtime.composite.extension_types.fields import HasFields
from runtime.export.composite_nests import is_written, replaced
from runtime.export.nests import UnsavableValueError, decode, encode
from runtime.functions.cache_key import WeakIdKey, flatten_arguments, is_tensor_argument
from runtime.functions.concrete_function import ConcreteFunction
from runtime.functions.function import Function
from runtime.staging.values.optional_nest import is_of_run_time
from runtime.types import nest, treedef
from runtime.types.errors import UnimplementedError
from runtime.types.shapes import TensorSpec
from runtime.types.value import Value


class Numbered:
    """Stands for the tensor of a number in a nest."""

    def __init__(self, number: int) -> None:
        self.number = number


def _number(value: Any) -> Any:
    return {"tensor": value.number} if isinstance(value, Numbered) else None


class Unsaved:
    """Stands for a Python object that the saved model does not hold."""

    def __init__(self, description: str) -> None:
        self.what = description

    def __repr__(self) -> str:
        return f"<{self.what}, which was not saved>"


def describe(value: Any) -> str:
    """Return what messages call a value."""
    if isinstance(value, WeakIdKey):
        value = value.get()
    if is_of_run_time(value):
        return "a list, dict or None that only a run knows (stack lists to tensors)"
    name = type(value).__name__
    return f"{'an' if name[0] in 'AEIOUaeiou' else 'a'} {name}"


def trace_entry(trace: ConcreteFunction, graph: str, title: str) -> dict[str, Any]:
    """Return the entry of a trace, whose graph has a name.

    UnimplementedError for arguments and results that an index cannot hold.
    """
    entries = trace._arguments.entries
    leaves, structure = flatten_arguments(tuple([value for _, _, value in entries]))
    specs: list[TensorSpec] = []
    numbered: list[Any] = []

    def number(spec: TensorSpec) -> Numbered:
        specs.append(spec)
        return Numbered(len(specs) - 1)

    for leaf in leaves:
        numbered.append(number(leaf) if is_tensor_argument(leaf) else replaced(leaf, number))
    arguments = []
    for (name, kind, _), value in zip(entries, structure.unflatten(numbered), strict=True):
        try:
            arguments.append([name, kind.name, encode(value, _number)])
        except UnsavableValueError as error:
            raise UnimplementedError(
                f"{title} cannot be saved: its argument {name!r} is {describe(error.args[0])}. "
                "Pass tensors, numbers and texts, and lists, tuples and dicts of those"
                f"{_hint(error)}"
            ) from None
    entry: dict[str, Any] = {"graph": graph, "arguments": arguments}
    if any(spec.name for spec in specs):
        entry["names"] = [spec.name for spec in specs]
    entry["labels"] = list(trace._arg_names)
    if trace.arrays.pattern is not None:
        entry["arrays"] = True
    entry["result"] = result_entry(trace.structured_outputs, title)
    return entry


def result_entry(structure: Any, title: str) -> Any:
    """Return the structure of a result as JSON."""
    leaves, layout = treedef.flatten(structure, nest.is_composite)
    numbers = itertools.count()
    numbered: list[Any] = []

    def number(tensor: Any) -> Numbered:
        return Numbered(next(numbers))

    for leaf in leaves:
        if isinstance(leaf, Value):
            numbered.append(number(leaf))
        elif leaf is None or is_written(leaf):
            numbered.append(replaced(leaf, number))
        else:
            raise UnimplementedError(
                f"{title} cannot be saved: it returns {describe(leaf)}. Return tensors, and lists, "
                "tuples and dicts of those"
            )
    try:
        return encode(layout.unflatten(numbered), _number)
    except UnsavableValueError as error:
        raise UnimplementedError(
            f"{title} cannot be saved: it returns {describe(error.args[0])}. Return tensors, and "
            f"lists, tuples and dicts of those{_hint(error)}"
        ) from None


def _hint(error: UnsavableValueError) -> str:
    if not isinstance(error.args[0], HasFields):
        return ""
    return "; an extension type is known by its name: give the class an attribute __name__"


def arguments_of(entry: Any, inputs: Sequence[Any]) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """Return the arguments of an entry, with TensorSpecs in place of tensors.

    ValueError for an entry that does not fit the inputs of the graph.
    """
    names = entry.get("names") or [None] * len(inputs)
    used: list[int] = []

    def spec(number: int) -> TensorSpec:
        used.append(number)
        tensor, name = inputs[number], names[number]
        return TensorSpec(tensor.shape, tensor.dtype, None if name is None else str(name))

    args: list[Any] = []
    kwargs: dict[str, Any] = {}
    for name, kind, data in entry["arguments"]:
        value = decode(data, spec)
        if inspect._ParameterKind[kind] is inspect.Parameter.KEYWORD_ONLY:
            kwargs[str(name)] = value
        else:
            args.append(value)
    if sorted(used) != list(range(len(inputs))):
        raise ValueError(f"the arguments do not fit the {len(inputs)} inputs of the graph")
    return tuple(args), kwargs


def result_of(entry: Any, outputs: Sequence[Any]) -> Any:
    """Return the structure of a result with the outputs of a graph in it; ValueError if none."""
    structure = decode(entry, lambda number: outputs[number])
    tensors = [leaf for leaf in nest.flatten(structure, True) if leaf is not None]
    if list(map(id, tensors)) != list(map(id, outputs)):
        raise ValueError(f"the result does not fit the {len(outputs)} outputs of the graph")
    return structure


def parameter_entries(signature: inspect.Signature) -> list[dict[str, Any]]:
    """Return the parameters of a signature as JSON."""
    entries = []
    for parameter in signature.parameters.values():
        entry: dict[str, Any] = {"name": parameter.name, "kind": parameter.kind.name}
        if parameter.default is not parameter.empty:
            try:
                entry["default"] = encode(parameter.default, lambda value: None)
            except UnsavableValueError:
                entry["lost_default"] = describe(parameter.default)
        entries.append(entry)
    return entries


def signature_of(entries: Any) -> inspect.Signature:
    """Return the signature of parameters; ValueError for no parameters of a function."""
    parameters = []
    for entry in entries:
        default: Any = inspect.Parameter.empty
        if "default" in entry:
            default = decode(entry["default"], _no_tensor)
        elif "lost_default" in entry:
            default = Unsaved(str(entry["lost_default"]))
        kind = inspect._ParameterKind[entry["kind"]]
        parameters.append(inspect.Parameter(entry["name"], kind, default=default))
    return inspect.Signature(parameters)


def _no_tensor(number: int) -> Any:
    raise ValueError("a default value is no tensor")


def savable_traces(function: Function, title: str) -> list[ConcreteFunction]:
    """Return the traces of a function; it is traced for its input signature if it has none.

    UnimplementedError for functions that a saved model cannot hold.
    """
    if function._options.stage_numbers:
        raise _of_numbers(title)
    if function.input_signature is not None and not function._all():
        function.get_concrete_function()
    savable = []
    for trace in function._all():
        check_savable(trace, title)
        if not any(tensor.weak for tensor in trace.graph.inputs):
            savable.append(trace)
    return sorted(savable, key=lambda trace: trace.arrays.pattern is not None)


def check_savable(trace: ConcreteFunction, title: str) -> None:
    """Raise UnimplementedError for a trace whose calls change Python objects."""
    if trace.returns_numbers:
        raise _of_numbers(title)
    if trace.carries_state:
        raise UnimplementedError(
            f"{title} cannot be saved: its calls read or write attributes or items of Python "
            "objects. Keep that state in variables"
        )
    if trace.arrays.written:
        raise UnimplementedError(
            f"{title} cannot be saved: its calls change an array that is an argument. Change a "
            "copy, and return it"
        )


def _of_numbers(title: str) -> UnimplementedError:
    return UnimplementedError(
        f"{title} cannot be saved: runtime.jit computes with Python's own numbers and objects. Use "
        "runtime.function"
    )
