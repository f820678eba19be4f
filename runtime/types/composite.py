"""Protocol of composite tensors: values made of tensors, described by type specs.

Datasets, iterators, ragged tensors and others are such values.  cache_key.py flattens them in
arguments, staging/values/optional_nest.py in results; both use only this protocol and the registry
of specs.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import Any, Protocol, runtime_checkable

from runtime.types.node_types import Flat, NodeType, register
from runtime.types.shapes import TensorShape, TypeSpec


class Composite:
    """Value that calls pass as tensors.

    Values with equal ``_type_key()`` differ in their tensors only.
    """

    def _tensors(self) -> list[Any]:
        """Return the tensors that it is made of."""
        raise NotImplementedError

    def _type_key(self) -> Hashable:
        """Return a hashable description of everything but the tensors."""
        raise NotImplementedError

    def _with_tensors(self, tensors: Sequence[Any]) -> Any:
        """Make a value of the same type from other tensors; from TensorSpecs, its spec."""
        raise NotImplementedError

    def _call_key(self) -> Hashable:
        """Return the part of the cache key that it adds to the shapes of the tensors."""
        return self._type_key()

    def _call_shapes(self) -> Sequence[TensorShape | None]:
        """Return the shapes to trace for; None stands for the shape of the tensor."""
        return [None] * len(self._tensors())

    def _caller_arrays(self) -> Mapping[int, Any]:
        """Return the arrays of the caller, who sees changes of them, by the tensors' numbers."""
        return {}


@runtime_checkable
class HasRows(Protocol):
    """Composite that functions over the leading axis split into rows."""

    @property
    def shape(self) -> Any:
        """Static shape, whose first dimension is the number of rows."""

    def nrows(self) -> Any:
        """Return the number of rows, an int64 scalar."""

    def __getitem__(self, key: Any) -> Any:
        """Return a row by its index, which may be a tensor."""


class Batchable(Composite):
    """Composite of which several make a batch, by components that are stacked one by one."""

    def _encoded(self, minimum_rank: int = 0) -> list[Any]:
        """Return the tensors and composites that stand for it in a batch, of some rank at least."""
        raise NotImplementedError

    def _row(self, components: Sequence[Any]) -> Any:
        """Make a value of the rows of its components."""
        raise NotImplementedError

    def _batch_of(self, components: Sequence[Any], size: int | None) -> Any:
        """Make a batch of such values of stacked components."""
        raise NotImplementedError


class CompositeSpec(Composite, TypeSpec):
    """Type spec of a composite, as a TensorSpec is that of a tensor.

    Its ``_tensors()`` are TensorSpecs; ``_with_tensors`` of tensors is a composite of this type.
    """

    def is_compatible_with(self, spec_or_value: Any) -> bool:
        """Return whether a value, or one of another type, is compatible with this type."""
        raise NotImplementedError

    def _takes(self, value: Any) -> bool:
        """Return whether a value of any class has this type, or is a subtype."""
        return isinstance(value, Composite) and self.is_compatible_with(value)

    def _tensors_of(self, value: Any) -> list[Any]:
        """Return the tensors of a value of this type, in the order of ``_tensors()``."""
        tensors: list[Any] = value._tensors()
        return tensors


class ValueSpec(CompositeSpec):
    """Type spec that is compared by ``_type_key()``."""

    @classmethod
    def from_value(cls, value: Any) -> Any:
        """Return the type spec of a value."""
        raise NotImplementedError

    def _takes(self, value: Any) -> bool:
        return self.is_compatible_with(value)

    def _type_of(self, spec_or_value: Any) -> Any:
        kind = type(self)
        return spec_or_value if isinstance(spec_or_value, kind) else kind.from_value(spec_or_value)

    def is_compatible_with(self, spec_or_value: Any) -> bool:
        """Return whether a value, or one of another type, is compatible with this type."""
        fits = isinstance(spec_or_value, type(self) | self.value_type)
        return fits and self.most_specific_compatible_type(self._type_of(spec_or_value)) is not None

    @property
    def value_type(self) -> type:
        """Class of the values."""
        raise NotImplementedError

    def most_specific_compatible_type(self, other: Any) -> Any:
        """Return the most specific common type; None without one."""
        return self if self == other else None

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ValueSpec) and self._type_key() == other._type_key()

    def __hash__(self) -> int:
        return hash(self._type_key())


class Declared(Composite):
    """Value with a declared type spec, which flattens it."""

    def __init__(self, spec: CompositeSpec, value: Any) -> None:
        self._spec = spec
        is_spec = isinstance(value, CompositeSpec)
        self._parts = spec._tensors() if is_spec else spec._tensors_of(value)

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
    """Registry of the type specs of classes; tuples of classes for ``isinstance``."""

    def __init__(self) -> None:
        self.specs: dict[type, type[ValueSpec]] = {}
        self.arguments: tuple[type, ...] = ()
        self.writable: tuple[type, ...] = ()


_registry = _Registry()


def register_type_spec(
    cls: type, spec: type[ValueSpec], is_argument: bool = False, writable: bool = False
) -> None:
    """Register the class ``spec`` of type specs for values of a class that is no Composite.

    With ``is_argument`` calls pass such a value by its type, although it is a nest.  ``writable``
    values refer to other tensors after they are written to.
    """
    _registry.specs[cls] = spec
    if is_argument:
        _registry.arguments += (cls,)
    if writable:
        _registry.writable += (cls,)


def has_type_spec(cls: type) -> bool:
    """Return whether a class of type specs is registered for a class."""
    return any(base in _registry.specs for base in cls.__mro__)


def type_spec_of(value: Any) -> Any:
    """Return the type spec of a value made of tensors; None for other values."""
    for cls in type(value).__mro__:
        if cls in _registry.specs:
            return _registry.specs[cls].from_value(value)
    return getattr(value, "_type_spec", None)


def is_argument(value: Any) -> bool:
    """Return whether calls pass a value by its type, although it is a nest."""
    return isinstance(value, _registry.arguments)


def may_be_written(value: Any) -> bool:
    """Return whether a value refers to other tensors after it is written to."""
    return isinstance(value, _registry.writable)


def composite_of(value: Any) -> Composite | None:
    """Return an argument as a composite; None for arguments that are passed otherwise."""
    if isinstance(value, Composite):
        return value
    return Declared(type_spec_of(value), value) if is_argument(value) else None


class _CompositeNode(NodeType):
    """Node type of composites: leaves, unless they are expanded into their tensors."""

    opaque = True
    composite = True
    has_metadata = True

    def flatten(self, value: Any) -> Flat:
        return value._tensors(), value._type_key(), value

    def unflatten(self, data: Any, metadata: Any, children: Sequence[Any]) -> Any:
        return metadata._with_tensors(children)

    def same_metadata(self, first: Any, second: Any) -> bool:
        return True  # all but the tensors is in the type's key


register(Composite, _CompositeNode)
