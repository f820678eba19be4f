"""The protocol of composites: values made of tensors, which functions know by their types.

Datasets, iterators, ragged tensors and others are such values.  cache_key.py takes them apart in
calls, optional_nest.py in results, and both know them by what stands here only: each class
registers the type of its values.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any, Protocol, runtime_checkable

from runtime.types.node_types import Flat, NodeType, register
from runtime.types.shapes import TensorShape, TypeSpec


class Composite:
    """A value that a call passes as tensors.

    Two with equal ``_type_key()`` differ in their tensors only.
    """

    def _tensors(self) -> list[Any]:
        """The tensors it is made of."""
        raise NotImplementedError

    def _type_key(self) -> Hashable:
        """All there is to know about it besides."""
        raise NotImplementedError

    def _with_tensors(self, tensors: Sequence[Any]) -> Any:
        """The like of it, of other tensors; of TensorSpecs, its spec."""
        raise NotImplementedError

    def _call_key(self) -> Hashable:
        """What tells calls apart, besides the shapes of the tensors."""
        return self._type_key()

    def _call_shapes(self) -> Sequence[TensorShape | None]:
        """The shapes to trace for; None where it is the tensor's own."""
        return [None] * len(self._tensors())


@runtime_checkable
class HasRows(Protocol):
    """A value made of tensors that functions over the leading axis take row by row."""

    @property
    def shape(self) -> Any:
        """The shape; its first dimension is the number of rows, as far as that is known."""

    def nrows(self) -> Any:
        """The number of rows: an int64 scalar."""

    def __getitem__(self, key: Any) -> Any:
        """A row, by a number that may be a tensor."""


class CompositeSpec(Composite, TypeSpec):
    """The type of a composite, as a TensorSpec is that of a tensor.

    Its ``_tensors()`` are TensorSpecs; ``_with_tensors`` of tensors is a composite of this type.
    """

    def is_compatible_with(self, spec_or_value: Any) -> bool:
        """Whether a value of the other type, or the value, may stand where this is asked for."""
        raise NotImplementedError

    def _takes(self, value: Any) -> bool:
        """Whether a value of any kind is of this type, or is a narrower type."""
        return isinstance(value, Composite) and self.is_compatible_with(value)

    def _tensors_of(self, value: Any) -> list[Any]:
        """The tensors of a value of this type, in the order of ``_tensors()``."""
        found: list[Any] = value._tensors()
        return found


class ValueSpec(CompositeSpec):
    """A type that is equal to others with the same ``_type_key()``."""

    @classmethod
    def from_value(cls, value: Any) -> Any:
        """The type of a value."""
        raise NotImplementedError

    def _takes(self, value: Any) -> bool:
        return self.is_compatible_with(value)

    def _type_of(self, spec_or_value: Any) -> Any:
        kind = type(self)
        return spec_or_value if isinstance(spec_or_value, kind) else kind.from_value(spec_or_value)

    def is_compatible_with(self, spec_or_value: Any) -> bool:
        """Whether a value of the other type, or the value, may stand where this is asked for."""
        fits = isinstance(spec_or_value, type(self) | self.value_type)
        return fits and self.most_specific_compatible_type(self._type_of(spec_or_value)) is not None

    @property
    def value_type(self) -> type:
        """The class of the values."""
        raise NotImplementedError

    def most_specific_compatible_type(self, other: Any) -> Any:
        """The narrowest type of values of both; None where there is none."""
        return self if self == other else None

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ValueSpec) and self._type_key() == other._type_key()

    def __hash__(self) -> int:
        return hash(self._type_key())


class Declared(Composite):
    """A value of a type that is declared: taken apart as the type says, whatever it is itself."""

    def __init__(self, spec: CompositeSpec, value: Any) -> None:
        self._spec = spec
        own = isinstance(value, CompositeSpec)
        self._parts = spec._tensors() if own else spec._tensors_of(value)

    def _tensors(self) -> list[Any]:
        return self._parts

    @property
    def _type_spec(self) -> CompositeSpec:
        return self._spec

    def _type_key(self) -> Hashable:
        return self._spec._type_key()

    def _with_tensors(self, tensors: Sequence[Any]) -> Any:
        return self._spec._with_tensors(tensors)

    def _call_key(self) -> Hashable:
        return self._spec._call_key()

    def _call_shapes(self) -> Sequence[TensorShape | None]:
        return self._spec._call_shapes()


# -- the registry of types ------------------------------------------------------------------------

class _Registry:
    """The classes whose types are registered; the tuples are as ``isinstance`` takes them."""

    def __init__(self) -> None:
        self.specs: dict[type, type[ValueSpec]] = {}
        self.arguments: tuple[type, ...] = ()
        self.writable: tuple[type, ...] = ()


_registry = _Registry()


def register_type_spec(
    cls: type, spec: type[ValueSpec], is_argument: bool = False, writable: bool = False
) -> None:
    """Let values of a class, which are no Composites, have types of class ``spec``.

    With ``is_argument`` calls take such a value as a whole, by its type, although it is a nest.
    ``writable`` are those that refer to other tensors once they are written to.
    """
    _registry.specs[cls] = spec
    if is_argument:
        _registry.arguments += (cls,)
    if writable:
        _registry.writable += (cls,)


def type_spec_of(value: Any) -> Any:
    """The type of a value made of tensors; None for other values."""
    for cls in type(value).__mro__:
        if cls in _registry.specs:
            return _registry.specs[cls].from_value(value)
    return getattr(value, "_type_spec", None)


def is_argument(value: Any) -> bool:
    """Whether calls take a value as a whole, although it is a nest."""
    return isinstance(value, _registry.arguments)


def may_be_written(value: Any) -> bool:
    """Whether a value refers to other tensors once it is written to: it was not changed then."""
    return isinstance(value, _registry.writable)


def composite_of(value: Any) -> Composite | None:
    """An argument as a composite: itself, or typed; None for what is passed in other ways."""
    if isinstance(value, Composite):
        return value
    return Declared(type_spec_of(value), value) if is_argument(value) else None


class _CompositeNode(NodeType):
    """Composites as nodes: leaves, unless they are to be expanded into their tensors."""

    opaque = True
    composite = True
    has_metadata = True

    def flatten(self, value: Any) -> Flat:
        return value._tensors(), value._type_key(), value

    def unflatten(self, data: Any, metadata: Any, children: Sequence[Any]) -> Any:
        return metadata._with_tensors(children)

    def same_metadata(self, one: Any, other: Any) -> bool:
        return True  # all but the tensors is in the type's key


register(Composite, _CompositeNode)
