"""Values of the fields of extension types: what an annotation allows, and what becomes of it.

``convert`` checks a value of a field, and makes it immutable: tensors of numbers, tuples of lists,
:class:`ImmutableDict` of mappings.  In a type spec stand specs where values have tensors.
"""

from __future__ import annotations

import collections.abc
import types
import typing
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from runtime.eager.tensor import Tensor
from runtime.ops.array.constants import convert_to_tensor
from runtime.types.composite import Composite, has_type_spec
from runtime.types.dtypes import DType, as_dtype
from runtime.types.shapes import TensorShape, TensorSpec, TypeSpec

_PLAIN = (int, float, str, bytes, bool, type(None))
"""Python's classes of which a field may be."""


class ImmutableDict(Mapping[Any, Any]):
    """Mapping of a field of an extension type, which cannot be changed."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        self._items = dict(*args, **kwargs)

    def __getitem__(self, key: Any) -> Any:
        return self._items[key]

    def __iter__(self) -> Iterator[Any]:
        return iter(self._items)

    def __len__(self) -> int:
        return len(self._items)

    def __repr__(self) -> str:
        return f"ImmutableDict({self._items!r})"


def is_tuple(annotation: Any) -> bool:
    """Return whether an annotation is that of a tuple with types of items."""
    return typing.get_origin(annotation) is tuple


def is_union(annotation: Any) -> bool:
    """Return whether an annotation is a choice of several."""
    return typing.get_origin(annotation) in (typing.Union, types.UnionType)


def is_mapping(annotation: Any) -> bool:
    """Return whether an annotation is that of a mapping with types of keys and values."""
    return typing.get_origin(annotation) is collections.abc.Mapping


def is_made_of_tensors(cls: Any) -> bool:
    """Return whether values of a class are made of tensors."""
    return isinstance(cls, type) and (issubclass(cls, Composite) or has_type_spec(cls))


def check(annotation: Any, in_key: bool = False) -> None:
    """Raise TypeError for an annotation that no field may have."""
    if isinstance(annotation, str | typing.ForwardRef):
        return  # looked at again when values are made
    if annotation is None or annotation in _PLAIN or annotation is DType:
        return
    if annotation in (Tensor, TensorShape) or is_made_of_tensors(annotation):
        if in_key:
            raise TypeError(
                f"Mapping had a key {annotation.__name__!r} with type {type(annotation).__name__!r}"
            )
        return
    arguments = [a for a in typing.get_args(annotation) if a is not Ellipsis]
    if is_tuple(annotation) or is_union(annotation):
        for argument in arguments:
            check(argument, in_key)
    elif is_mapping(annotation):
        check(arguments[0], True)
        check(arguments[1], in_key)
    else:
        name = repr(annotation.__name__ if isinstance(annotation, type) else annotation)
        raise TypeError(f"Unsupported type annotation {name}")


def convert(value: Any, annotation: Any, place: str, in_spec: bool = False) -> Any:
    """Return a value of a field as its annotation says.

    Args:
        value: what the user gave.
        annotation: the type of the field.
        place: the field, for messages.
        in_spec: whether this is the field of a type spec, with specs in place of tensors.
    Returns:
        The value, immutable.
    Raises:
        TypeError: it does not have this type.
    """
    if annotation is Tensor:
        return _tensor(value, place, in_spec)
    if is_made_of_tensors(annotation):
        return _composite(value, annotation, place, in_spec)
    for cls, make in ((TensorShape, TensorShape), (DType, as_dtype)):
        if annotation is cls:
            try:
                return make(value)
            except TypeError:
                raise _unexpected(place, f"'tf.{cls.__name__}'", value) from None
    if annotation is None or annotation in _PLAIN:
        kind = type(None) if annotation is None else annotation
        if not isinstance(value, kind):
            raise _unexpected(place, repr(kind.__name__), value)
        return value
    if is_tuple(annotation):
        return _tuple(value, annotation, place, in_spec)
    if is_mapping(annotation):
        key_type, value_type = typing.get_args(annotation)
        if not isinstance(value, Mapping):
            raise _unexpected(place, "mapping", value)
        return ImmutableDict({
            convert(key, key_type, f"{place}[<key>]", in_spec): (
                convert(item, value_type, f"{place}[{key!r}]", in_spec)
            )
            for key, item in value.items()
        })  # fmt: skip
    if is_union(annotation):
        return _union(value, annotation, place, in_spec)
    if isinstance(annotation, str | typing.ForwardRef):
        raise TypeError(f"Unresolved forward reference {annotation!r}")
    raise TypeError(f"{place}: Unsupported type annotation {annotation!r}")


def _unexpected(place: str, expected: str, value: Any) -> TypeError:
    return TypeError(f"{place}: expected {expected}, got {type(value).__name__!r}")


def _tensor(value: Any, place: str, in_spec: bool) -> Any:
    if in_spec:
        if not isinstance(value, TensorSpec):
            raise _unexpected(place, "a TensorSpec", value)
        return value
    if isinstance(value, Tensor):
        return value
    try:
        return convert_to_tensor(value)
    except (ValueError, TypeError):
        raise _unexpected(place, "a Tensor", value) from None


def _composite(value: Any, cls: Any, place: str, in_spec: bool) -> Any:
    if in_spec:
        if not isinstance(value, TypeSpec) or not issubclass(_class_of(value), cls):
            raise _unexpected(place, f"a TypeSpec for {cls.__name__!r}", value)
        return value
    if not isinstance(value, cls):
        raise _unexpected(place, repr(cls.__name__), value)
    return value


def _class_of(spec: Any) -> type:
    cls: type = spec.value_type
    return cls


def _tuple(value: Any, annotation: Any, place: str, in_spec: bool) -> Any:
    if not isinstance(value, Sequence):
        raise _unexpected(place, "tuple", value)
    kinds = typing.get_args(annotation)
    if len(kinds) == 2 and kinds[1] is Ellipsis:
        kinds = (kinds[0],) * len(value)
    if len(kinds) != len(value):
        raise TypeError(
            f"{place}: expected tuple with length {len(kinds)}, got {type(value).__name__!r} of "
            f"length {len(value)}"
        )
    items = enumerate(zip(value, kinds, strict=True))
    return tuple([convert(item, kind, f"{place}[{k}]", in_spec) for k, (item, kind) in items])


def _union(value: Any, annotation: Any, place: str, in_spec: bool) -> Any:
    for choice in typing.get_args(annotation):
        try:
            return convert(value, choice, place, in_spec)
        except TypeError:
            continue  # the next one may take it
    raise _unexpected(place, repr(annotation), value)
