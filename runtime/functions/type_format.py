"""Texts for the types of arguments and results, as signatures and explanations show them.

One line each, in TensorFlow's words: ``TensorSpec(shape=(None,), dtype=tf.float32, name=None)``,
``Literal[3]``, ``List[...]``, ``Dict[['a', ...]]``.
"""

from __future__ import annotations

import inspect
import reprlib
from collections.abc import Iterable
from typing import Any

import numpy as np

from autograph import staging
from runtime.functions.cache_key import WeakIdKey, codec_of, flatten_arguments
from runtime.state.variable import Variable
from runtime.types.composite import composite_of
from runtime.types.dtypes import DTYPE_OF_NUMPY
from runtime.types.node_types import NodeType
from runtime.types.promotion import KINDS, is_weak
from runtime.types.shapes import TensorSpec
from runtime.types.value import Value

_short = reprlib.Repr()
_short.maxstring = _short.maxother = 60


_BUILTIN: dict[type, str] = {list: "List", tuple: "Tuple", dict: "Dict"}


class TypeText(str):
    """Text of a type, whose ``repr`` has no quotes, for annotations of signatures."""

    __repr__ = str.__str__


class NumberSpec(TensorSpec):
    """Type of a staged Python number or text; it shows as the name of Python's class."""

    def __repr__(self) -> str:
        return KINDS[self.dtype]


def spec_of(value: Any) -> TensorSpec:
    """Return the TensorSpec of a tensor, an array or a TensorSpec."""
    if isinstance(value, TensorSpec):
        return value
    if isinstance(value, np.ndarray | np.generic):
        return TensorSpec(value.shape, DTYPE_OF_NUMPY.get(value.dtype, value.dtype))
    return (NumberSpec if is_weak(value) else TensorSpec)(value.shape, value.dtype)


def format_type(value: Any) -> str:
    """Return the text of the type of an argument or result."""
    leaves, structure = flatten_arguments(value)
    return structure.fold(map(_describe_leaf, leaves), _describe_node)


def _describe_leaf(value: Any) -> str:
    if isinstance(value, Value | TensorSpec | np.ndarray | np.generic):
        return repr(spec_of(value))
    composite = composite_of(value)
    if composite is not None:
        return repr(getattr(composite, "_type_spec", composite))
    if isinstance(value, WeakIdKey):
        inner = value.get()
        return "Reference[an object that is gone]" if inner is None else format_type(inner)
    if isinstance(value, staging.StagedOptional):
        return f"Optional[{format_type(value.ag__value)}]"
    if isinstance(value, staging.StagedVariant):
        return " or ".join(map(format_type, value.ag__alternatives))
    if isinstance(value, staging.JoinedNumber):
        return " or ".join(map(format_type, staging.number_parts(value)[1:]))
    if isinstance(value, staging.StagedList | staging.StagedMap):
        return f"{staging.kind_of(value).__name__.capitalize()}[...]"
    if isinstance(value, Variable):
        return (
            f"VariableSpec(shape={value.shape}, dtype={value.dtype!r}, "
            f"trainable={value.trainable}, name={value.name!r})"
        )
    if codec_of(value).kind == "value":
        return f"Literal[{_short.repr(value)}]"
    return f"Reference[{_name_of(value)}]"


def _describe_node(kind: NodeType, data: Any, metadata: Any, texts: list[str]) -> str:
    name = _BUILTIN.get(kind.cls, kind.cls.__name__)
    if kind.cls is not tuple and not issubclass(kind.cls, list):
        keys = kind.keys(data, len(texts))
        texts = [f"[{key!r}, {text}]" for key, text in zip(keys, texts, strict=True)]
    return f"{name}[{', '.join(texts)}]"


def _name_of(value: Any) -> str:
    name = getattr(value, "__qualname__", None)
    if isinstance(name, str):
        return name
    return f"{type(value).__qualname__} object at {hex(id(value))}"


def typed_signature(
    parameters: Iterable[tuple[str, Any, Any]], result: Any = inspect.Signature.empty
) -> inspect.Signature:
    """Return a signature of (name, kind, value) entries, annotated with the types of the values."""
    typed = [
        inspect.Parameter(name, kind, annotation=TypeText(format_type(value)))
        for name, kind, value in parameters
    ]
    if result is not inspect.Signature.empty:
        result = TypeText(format_type(result))
    return inspect.Signature(typed, return_annotation=result)
