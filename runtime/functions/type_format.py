"""The types of arguments and results as texts: what signatures and explanations show.

One line each, in TensorFlow's words: ``TensorSpec(shape=(None,), dtype=tf.float32, name=None)``,
``Literal[3]``, ``List[...]``, ``Dict[['a', ...]]``.
"""

from __future__ import annotations

import inspect
import reprlib
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from autograph.staging import StagedList, StagedOptional
from runtime.composite.ragged_tensor import RaggedTensor
from runtime.composite.type_spec import type_spec_from_value
from runtime.functions.cache_key import Identity, is_literal
from runtime.state.variable import Variable
from runtime.types import nest
from runtime.types.composite import Composite, CompositeSpec
from runtime.types.dtypes import BY_NUMPY
from runtime.types.shapes import TensorSpec
from runtime.types.value import Value

_short = reprlib.Repr()
_short.maxstring = _short.maxother = 60


class TypeText(str):
    """The text of a type; as an annotation it shows without quotes."""

    __repr__ = str.__str__


def spec_of(value: Any) -> TensorSpec:
    """The spec of a tensor, an array, or what is a spec already."""
    if isinstance(value, TensorSpec):
        return value
    if isinstance(value, np.ndarray | np.generic):
        return TensorSpec(value.shape, BY_NUMPY.get(value.dtype, value.dtype))
    return TensorSpec(value.shape, value.dtype)


def describe(value: Any) -> str:
    """The type of an argument or result."""
    if isinstance(value, Value | TensorSpec | np.ndarray | np.generic):
        return repr(spec_of(value))
    if isinstance(value, RaggedTensor):
        value = type_spec_from_value(value)
    if isinstance(value, CompositeSpec | Composite):
        return repr(getattr(value, "_type_spec", value))
    if isinstance(value, Identity):
        inner = value.get()
        return "Reference[an object that is gone]" if inner is None else describe(inner)
    if isinstance(value, StagedOptional):
        return f"Optional[{describe(value.value)}]"
    if isinstance(value, StagedList):
        return "List[...]"
    if isinstance(value, Variable):
        return (
            f"VariableSpec(shape={value.shape}, dtype={value.dtype!r}, "
            f"trainable={value.trainable}, name={value.name!r})"
        )
    if nest.is_nested(value):
        return _describe_nest(value)
    if is_literal(value):
        return f"Literal[{_short.repr(value)}]"
    return f"Reference[{_named(value)}]"


def _describe_nest(value: Any) -> str:
    items = [(key, describe(item)) for key, item in nest.entries(value)]
    if type(value) in (list, tuple):
        return f"{type(value).__name__.capitalize()}[{', '.join(text for _, text in items)}]"
    name = "Dict" if type(value) is dict else type(value).__name__
    if not isinstance(value, Mapping) and isinstance(value, list):
        return f"{name}[{', '.join(text for _, text in items)}]"
    return f"{name}[{', '.join(f'[{key!r}, {text}]' for key, text in items)}]"


def _named(value: Any) -> str:
    name = getattr(value, "__qualname__", None)
    if isinstance(name, str):
        return name
    return f"{type(value).__qualname__} object at {hex(id(value))}"


def typed_signature(
    parameters: Iterable[tuple[str, Any, Any]], result: Any = inspect.Signature.empty
) -> inspect.Signature:
    """A signature of (name, kind, value) whose annotations are the types of the values."""
    made = [
        inspect.Parameter(name, kind, annotation=TypeText(describe(value)))
        for name, kind, value in parameters
    ]
    if result is not inspect.Signature.empty:
        result = TypeText(describe(result))
    return inspect.Signature(made, return_annotation=result)
