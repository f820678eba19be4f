"""Values made of tensors: what functions take and return by their tensors, and know by their type.

Datasets and iterators are such values.  arguments.py takes them apart in calls, optionals.py in
results.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any, Protocol, runtime_checkable

from runtime.types.shapes import TypeSpec


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


class Declared(Composite):
    """A value of a type that is declared: taken apart as the type says, whatever it is itself."""

    def __init__(self, spec: CompositeSpec, value: Any) -> None:
        self._spec = spec
        own = isinstance(value, CompositeSpec)
        self._parts = spec._tensors() if own else spec._tensors_of(value)

    def _tensors(self) -> list[Any]:
        return self._parts

    def _type_key(self) -> Hashable:
        return self._spec._type_key()

    def _with_tensors(self, tensors: Sequence[Any]) -> Any:
        return self._spec._with_tensors(tensors)
