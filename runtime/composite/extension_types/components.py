"""Tensors of the fields of extension types: to take values apart, compare types and rebuild.

A field is a tensor, a value made of tensors, a tuple or mapping of these, or something static.  The
fields of a type spec have specs in the same places, so all functions take both.  Classes are
compared by ``type``: a TensorShape says that it is a tuple.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from typing import Any

from runtime.composite.extension_types.field_types import ImmutableDict
from runtime.eager.tensor import Tensor
from runtime.types.composite import Composite, Declared, type_spec_of
from runtime.types.shapes import TensorShape, TensorSpec


def _is_tensor(field: Any) -> bool:
    return isinstance(field, Tensor | TensorSpec)


def _composite(field: Any) -> Composite | None:
    """Return a field made of tensors as a composite; None for others."""
    if isinstance(field, Composite):
        return field
    spec = None if isinstance(field, TensorShape) else type_spec_of(field)
    return None if spec is None else Declared(spec, field)


def _items(field: Any) -> Any:
    return field.values() if isinstance(field, ImmutableDict) else field


def spec_of(field: Any) -> Any:
    """Return a field with specs in place of its tensors."""
    if isinstance(field, Tensor):
        return TensorSpec(field.shape, field.dtype)
    if type(field) is tuple:
        return tuple(map(spec_of, field))
    if isinstance(field, ImmutableDict):
        return ImmutableDict({key: spec_of(item) for key, item in field.items()})
    spec = type_spec_of(field)
    return field if spec is None else spec


def tensors_of(field: Any) -> list[Any]:
    """Return the tensors of a field, or the TensorSpecs of a spec's."""
    if _is_tensor(field):
        return [field]
    if type(field) in (tuple, ImmutableDict):
        return [tensor for item in _items(field) for tensor in tensors_of(item)]
    composite = _composite(field)
    return [] if composite is None else composite._tensors()


def components_of(field: Any) -> list[Any]:
    """Return the tensors, and the values made of tensors, of a field, or their specs."""
    if type(field) in (tuple, ImmutableDict):
        return [component for item in _items(field) for component in components_of(item)]
    return [field] if _is_tensor(field) or _composite(field) is not None else []


def with_components(field: Any, feed: Iterator[Any]) -> Any:
    """Return a field with others for its components, which are taken from ``feed``."""
    if type(field) is tuple:
        return tuple([with_components(item, feed) for item in field])
    if isinstance(field, ImmutableDict):
        return ImmutableDict({key: with_components(item, feed) for key, item in field.items()})
    return next(feed) if _is_tensor(field) or _composite(field) is not None else field


def with_tensors(field: Any, feed: Iterator[Any]) -> Any:
    """Return a field with other tensors, or TensorSpecs, which are taken from ``feed``."""
    if _is_tensor(field):
        return next(feed)
    if type(field) is tuple:
        return tuple([with_tensors(item, feed) for item in field])
    if isinstance(field, ImmutableDict):
        return ImmutableDict({key: with_tensors(item, feed) for key, item in field.items()})
    composite = _composite(field)
    if composite is None:
        return field
    return composite._with_tensors([next(feed) for _ in composite._tensors()])


def key_of(field: Any, in_call: bool) -> Hashable:
    """Return what tells the type of a field apart; ``in_call`` leaves shapes of tensors out."""
    if _is_tensor(field):
        return field.dtype if in_call else (field.shape, field.dtype)
    if type(field) is tuple:
        return tuple([key_of(item, in_call) for item in field])
    if isinstance(field, ImmutableDict):
        return tuple([(key, key_of(item, in_call)) for key, item in field.items()])
    composite = _composite(field)
    if composite is None:
        return type(field), field
    return composite._call_key() if in_call else composite._type_key()


def call_shapes_of(field: Any) -> list[TensorShape | None]:
    """Return the shapes to trace for; None stands for the shape of the tensor."""
    if _is_tensor(field):
        return [None]
    if type(field) in (tuple, ImmutableDict):
        return [shape for item in _items(field) for shape in call_shapes_of(item)]
    composite = _composite(field)
    return [] if composite is None else [*composite._call_shapes()]


class Incompatible(Exception):
    """Two fields have no type in common."""


def joint_spec(field: Any, second: Any) -> Any:
    """Return the narrowest type that describes values of both specs; Incompatible if none does."""
    if type(field) is tuple and type(second) is tuple and len(field) == len(second):
        return tuple([joint_spec(a, b) for a, b in zip(field, second, strict=True)])
    if isinstance(field, ImmutableDict) and isinstance(second, ImmutableDict):
        if [*field] != [*second]:
            raise Incompatible
        return ImmutableDict({key: joint_spec(item, second[key]) for key, item in field.items()})
    joint = field if type(field) is type(second) and field == second else None
    if isinstance(field, TensorShape) and isinstance(second, TensorShape):
        joint = field.most_specific_compatible_shape(second)
    elif isinstance(field, TensorSpec) and isinstance(second, TensorSpec):
        if field.dtype is second.dtype:
            shape = field.shape.most_specific_compatible_shape(second.shape)
            joint = TensorSpec(shape, field.dtype)
    elif type(field) is type(second) and hasattr(field, "most_specific_compatible_type"):
        joint = field.most_specific_compatible_type(second)
    if joint is None and not (field is None and second is None):
        raise Incompatible
    return joint


def are_compatible(field: Any, second: Any) -> bool:
    """Return whether one value may have both specs as the type of a field."""
    if type(field) is tuple and type(second) is tuple:
        pairs = zip(field, second, strict=False)
        return len(field) == len(second) and all(are_compatible(a, b) for a, b in pairs)
    if isinstance(field, ImmutableDict) and isinstance(second, ImmutableDict):
        same_keys = field.keys() == second.keys()
        return same_keys and all(are_compatible(field[key], second[key]) for key in field)
    has_rule = isinstance(field, TensorSpec | TensorShape | Composite)
    if has_rule and type(field) is type(second):
        return bool(field.is_compatible_with(second))
    return type(field) is type(second) and bool(field == second)
