"""Types of the inputs of a model's first call, and as the plain values of a build config."""

from __future__ import annotations

from typing import Any

from runtime.types import nest
from runtime.types.shapes import TensorSpec
from runtime.types.value import Value


def in_lists(value: Any) -> Any:
    """Return a nest with lists in the place of tuples, as JSON has it."""
    if isinstance(value, dict):
        return {name: in_lists(item) for name, item in value.items()}
    return list(map(in_lists, value)) if isinstance(value, list | tuple) else value


def specs_of(shapes: Any, dtypes: Any) -> Any:
    """Return the types of inputs of these shapes and dtypes, two nests."""
    if isinstance(dtypes, str):
        return TensorSpec(shapes, dtypes)
    if isinstance(dtypes, dict):
        return {name: specs_of(shapes[name], dtype) for name, dtype in dtypes.items()}
    return [specs_of(shape, dtype) for shape, dtype in zip(shapes, dtypes, strict=True)]


def input_specs(inputs: Any) -> Any:
    """Return the types of inputs, of any number of samples; None where they are no tensors."""
    leaves = nest.flatten(inputs)
    if not all(isinstance(leaf, Value) for leaf in leaves):
        return None
    specs = [
        TensorSpec([None, *leaf.shape.as_list()[1:]] if leaf.shape.rank else leaf.shape, leaf.dtype)
        for leaf in leaves
    ]
    return nest.pack_sequence_as(inputs, specs)
