"""``BatchableExtensionType``: extension type of whose values datasets, ``map_fn`` and Keras make
batches, and ``ExtensionTypeBatchEncoder``, which says by which tensors.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from runtime.composite.extension_types.components import components_of, with_components
from runtime.composite.extension_types.extension_type import ExtensionType, ExtensionTypeSpec
from runtime.composite.extension_types.field_types import ImmutableDict
from runtime.types import nest, treedef
from runtime.types.composite import Batchable, Composite
from runtime.types.shapes import TensorShape, TensorSpec

__all__ = ["BatchableExtensionType", "ExtensionTypeBatchEncoder"]


class ExtensionTypeBatchEncoder:
    """Rule for batches of an extension type: by default, that of each field is a batch.

    A subclass, set as ``__batch_encoder__`` of the type, overrides the methods.
    """

    def batch(self, spec: Any, batch_size: int | None) -> Any:
        """Return the type of a batch of values of a type: each field has one more axis."""
        return _each_field(spec, lambda field: _batched(field, batch_size))

    def unbatch(self, spec: Any) -> Any:
        """Return the type of one value of a batch: each field without its first axis."""
        return _each_field(spec, _unbatched)

    def encode(self, spec: Any, value: Any, minimum_rank: int = 0) -> Any:
        """Return a nest of tensors and composites that stands for a value in batches.

        They have at least ``minimum_rank`` axes.
        """
        return tuple(components_of(tuple(value._field_values().values())))

    def decode(self, spec: Any, encoded_value: Any) -> Any:
        """Return the value of a type of a nest as ``encode`` makes it."""
        feed = iter(encoded_value)
        values = {
            name: with_components(field, feed) for name, field in spec._field_values().items()
        }
        return spec.value_type._with_fields(values)

    def encoding_specs(self, spec: Any) -> Any:
        """Return the nest of the types of what ``encode`` makes."""
        return tuple(components_of(tuple(spec._field_values().values())))


def _each_field(spec: Any, change: Callable[[Any], Any]) -> Any:
    def changed(field: Any) -> Any:
        if type(field) is tuple:
            return tuple(map(changed, field))
        if isinstance(field, ImmutableDict):
            return ImmutableDict({key: changed(item) for key, item in field.items()})
        return change(field)

    values = {name: changed(field) for name, field in spec._field_values().items()}
    return spec._with_fields(values)


def _batched(field: Any, size: int | None) -> Any:
    if isinstance(field, TensorShape):
        return TensorShape([size]).concatenate(field)
    if isinstance(field, TensorSpec):
        return TensorSpec(TensorShape([size]).concatenate(field.shape), field.dtype)
    return _batch_type(field)._batch(size) if isinstance(field, Composite) else field


def _unbatched(field: Any) -> Any:
    if isinstance(field, TensorShape):
        return field[1:] if field.rank is not None else field
    if isinstance(field, TensorSpec):
        rank = field.shape.rank
        return TensorSpec(None if rank is None else field.shape[1:], field.dtype)
    return _batch_type(field)._unbatch() if isinstance(field, Composite) else field


def _batch_type(field: Any) -> Any:
    """Return the type of a field; TypeError for one of which there are no batches."""
    if not hasattr(field, "_batch"):
        raise TypeError(
            f"there are no batches of fields of type {field}: make it a BatchableExtensionType, or "
            "give the type a __batch_encoder__"
        )
    return field


class BatchableExtensionTypeSpec(ExtensionTypeSpec):
    """Type of values of a batchable extension type."""

    __batch_encoder__ = ExtensionTypeBatchEncoder()

    def _batch(self, size: int | None) -> Any:
        return self.__batch_encoder__.batch(self, size)

    def _unbatch(self) -> Any:
        return self.__batch_encoder__.unbatch(self)

    def _encoding_specs(self) -> list[Any]:
        """Return the types of the components that stand for a value in batches."""
        return nest.flatten(self.__batch_encoder__.encoding_specs(self))

    def _encoded(self, value: Any, minimum_rank: int = 0) -> list[Any]:
        """Return the components that stand for a value in batches."""
        encoded = self.__batch_encoder__.encode(self, value, minimum_rank)
        return treedef.flatten(encoded, nest.is_composite)[0]

    def _decoded(self, components: list[Any]) -> Any:
        """Return the value for which components stand."""
        like = self.__batch_encoder__.encoding_specs(self)
        encoded = treedef.flatten(like, nest.is_composite)[1].unflatten(components)
        return self.__batch_encoder__.decode(self, encoded)


class BatchableExtensionType(ExtensionType, Batchable):
    """Extension type whose values can be stacked, and are rows of batches.

    ``data.Dataset``, ``map_fn`` and Keras take it apart along the first axis of its fields:
    tensors, batchable extension types, and ``TensorShape``.  A class whose values are stacked
    otherwise sets ``__batch_encoder__``, an ``ExtensionTypeBatchEncoder``.
    """

    _spec_base: Any = BatchableExtensionTypeSpec

    def _encoded(self, minimum_rank: int = 0) -> list[Any]:
        encoded: list[Any] = self._type_spec._encoded(self, minimum_rank)
        return encoded

    def _row(self, components: Sequence[Any]) -> Any:
        return self._type_spec._unbatch()._decoded(components)

    def _batch_of(self, components: Sequence[Any], size: int | None) -> Any:
        return self._type_spec._batch(size)._decoded(components)
