"""Arguments that a function was traced for; calls of the trace are bound to them.

A concrete function has one :class:`TracedArguments`, which holds TensorSpecs for tensors,
Python values as they were, and objects without a value of their own by weak references.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from runtime.functions.cache_key import (
    WeakIdKey,
    codec_of,
    flatten_arguments,
    is_tensor_argument,
    key_of,
    replace_tensors,
)
from runtime.functions.signature import BoundCall
from runtime.functions.type_format import format_type
from runtime.graph.graph import Graph
from runtime.graph.operation import SymbolicTensor
from runtime.ops import dispatch
from runtime.ops.array.constants import convert_to_tensor
from runtime.ops.dispatch import ACTIVE
from runtime.types import nest
from runtime.types.composite import CompositeSpec
from runtime.types.errors import UnfitArgumentError
from runtime.types.promotion import is_weak
from runtime.types.shapes import TensorSpec
from runtime.types.treedef import StructureError, subscripts


class Mismatch(Exception):
    """Mismatch between the arguments of a call and those that the function was traced for."""


class TracedArguments:
    """Arguments of one trace, by the names of their parameters."""

    def __init__(self, call: BoundCall, specs: Sequence[TensorSpec]) -> None:
        values = nest.map_structure(_weak_reference, call.replace_tensors(specs))
        self.entries: list[tuple[str, Any, Any]] = [
            (name, kind, v) for (name, kind), v in zip(call.labels, values, strict=True)
        ]
        """Name, kind of parameter and value of each argument."""

    def structured_signature(self) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """Return positional and keyword arguments, with specs named after their parameters."""
        args: list[Any] = []
        kwargs: dict[str, Any] = {}
        for name, kind, traced in self.entries:
            value = _with_names(_resolve(traced), name)
            if kind.name == "KEYWORD_ONLY":
                kwargs[name] = value
            else:
                args.append(value)
        return tuple(args), kwargs

    def bind(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> list[Any]:
        """Return the tensors among arguments that are passed as to the Python function.

        Python values may be left out.  Mismatch for an argument that is missing, unknown,
        of another structure or of another value.
        """
        names = [name for name, _, _ in self.entries]
        if len(args) > len(names):
            raise Mismatch(f"got {len(args)} arguments")
        by_name = dict(zip(names, args))
        for name, value in kwargs.items():
            if name in by_name or name not in names:
                fault = "multiple values for" if name in by_name else "an unexpected"
                raise Mismatch(f"got {fault} argument {name!r}")
            by_name[name] = value
        tensors: list[Any] = []
        for name, _, weak_value in self.entries:
            traced = _resolve(weak_value)
            if name in by_name:
                tensors += _match(name, by_name[name], traced)
            elif any(isinstance(t, TensorSpec | CompositeSpec) for t in nest.flatten(traced)):
                raise Mismatch(f"got no value for {name!r}")
        return tensors


def _match(name: str, value: Any, traced: Any) -> list[Any]:
    """Return the tensors of an argument, which must have the structure of the traced one."""
    specs, structure = flatten_arguments(traced)
    try:
        leaves = structure.named_parts(name, value)
    except StructureError as error:
        label = name + subscripts(error.path)
        raise Mismatch(f"got {format_type(error.value)} for {label!r}") from None
    pairs = zip(leaves, specs, strict=True)
    return [tensor for (label, leaf), spec in pairs for tensor in _match_leaf(label, leaf, spec)]


def _match_leaf(name: str, value: Any, traced: Any) -> list[Any]:
    """Return the tensors of the part of an argument that stands for a leaf of the traced one."""
    if is_tensor_argument(traced):
        if value is None or nest.is_nested(value) and not isinstance(value, list | tuple):
            raise Mismatch(f"got {value!r} for {name!r}")
        return [value]
    if isinstance(traced, CompositeSpec):
        if not traced._takes(value):
            raise Mismatch(f"got {format_type(value)} for {name!r}, which takes {traced!r}")
        return traced._tensors_of(value)
    if is_tensor_argument(value) or key_of(value) != key_of(traced):
        raise Mismatch(f"got {format_type(value)} for {name!r}")
    return []


def _weak_reference(leaf: Any) -> Any:
    """Replace an object that is compared by identity."""
    return WeakIdKey(leaf) if codec_of(leaf).kind == "object" else leaf


def _resolve(value: Any) -> Any:
    """Replace weak references by the objects; None for an object that is gone."""
    return nest.map_structure(lambda v: v.get() if isinstance(v, WeakIdKey) else v, value)


def _with_names(value: Any, name: str) -> Any:
    """Name the specs in an argument after its parameter, unless they have names."""
    leaves, structure = flatten_arguments(value)
    specs: list[TensorSpec] = []
    for leaf in leaves:
        if isinstance(leaf, TensorSpec | CompositeSpec):
            specs += [leaf] if isinstance(leaf, TensorSpec) else leaf._tensors()
    named = iter([TensorSpec.from_spec(s, s.name or name) for s in specs])
    return replace_tensors(leaves, structure, named)


def as_input(function: str, value: Any, placeholder: SymbolicTensor) -> Any:
    """Return the tensor of an argument of a trace; UnfitArgumentError where it does not fit."""
    label = placeholder.op.name
    try:
        tensor = convert_to_tensor(value, placeholder.dtype)
    except ValueError as error:
        raise UnfitArgumentError(f"{function}(): {label!r}: {error}") from None
    if not tensor.shape.is_compatible_with(placeholder.shape):
        raise UnfitArgumentError(
            f"{function}(): the argument {label!r} has shape {tensor.shape}, but this trace takes "
            f"{placeholder.shape}"
        )
    return tensor


def inputs_of(call: BoundCall) -> list[Any]:
    """Return the tensors of a call as tensors of the current graph, if there is one."""
    for tensor in call.tensors:
        if isinstance(tensor, TensorSpec):
            raise TypeError(
                f"a call takes values, not {tensor!r}; get_concrete_function takes TensorSpecs"
            )
    current = dispatch.current() if ACTIVE else None
    if not isinstance(current, Graph):
        return call.tensors
    # what stands for a Python number goes on doing so inside
    return [current.as_local(t) if is_weak(t) else current.as_tensor(t) for t in call.tensors]
