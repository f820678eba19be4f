"""Arguments of a trace: how it remembers them, and how a call's are matched with them."""

from __future__ import annotations

from typing import Any

from runtime.functions.cache_key import (
    WeakIdKey,
    flatten_arguments,
    is_literal,
    is_tensor_argument,
    key_of,
    replace_tensors,
)
from runtime.functions.signature import BoundCall
from runtime.functions.type_format import format_type
from runtime.graph.graph import Graph
from runtime.ops import dispatch
from runtime.types import nest
from runtime.types.composite import CompositeSpec
from runtime.types.promotion import is_weak
from runtime.types.shapes import TensorSpec


class Mismatch(Exception):
    """Arguments that are not those of the Python function."""


def matched(name: str, value: Any, traced: Any) -> list[Any]:
    """The tensors of an argument's part where the trace has a leaf."""
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


def weaken(value: Any) -> Any:
    """An argument to remember: objects that are told by identity are not kept alive."""

    def one(leaf: Any) -> Any:
        kept = is_tensor_argument(leaf) or isinstance(leaf, CompositeSpec) or is_literal(leaf)
        return leaf if kept else WeakIdKey(leaf)

    return nest.map_structure(one, value)


def resolve(value: Any) -> Any:
    """An argument as it was remembered, with None for objects that are gone."""
    return nest.map_structure(lambda v: v.get() if isinstance(v, WeakIdKey) else v, value)


def with_names(value: Any, name: str) -> Any:
    """An argument, its specs named after it where they have no name of their own."""
    leaves, structure = flatten_arguments(value)
    specs: list[TensorSpec] = []
    for leaf in leaves:
        if isinstance(leaf, TensorSpec | CompositeSpec):
            specs += [leaf] if isinstance(leaf, TensorSpec) else leaf._tensors()
    named = iter([TensorSpec.from_spec(s, s.name or name) for s in specs])
    return replace_tensors(leaves, structure, named)


def inputs_of(call: BoundCall) -> list[Any]:
    """The tensors of a call as strong tensors."""
    for tensor in call.tensors:
        if isinstance(tensor, TensorSpec):
            raise TypeError(
                f"a call takes values, not {tensor!r}; get_concrete_function takes TensorSpecs"
            )
    current = dispatch.current()
    if not isinstance(current, Graph):
        return call.tensors
    # what stands for a Python number goes on doing so inside
    return [current.as_local(t) if is_weak(t) else current.as_tensor(t) for t in call.tensors]
