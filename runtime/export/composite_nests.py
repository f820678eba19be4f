"""Values made of tensors in the index, and their types: ragged, sparse, and extension types.

They are written by their parts, which nests.py writes: a RaggedTensor as ``{"ragged": [values, row
splits]}``, a SparseTensor as ``{"sparse": [indices, values, shape]}``, an extension type as
``{"extension": [name, [[field, value], ...]]}``.  Its type is written as a value of TensorSpecs is.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from runtime.composite.extension_types import field_types
from runtime.composite.extension_types.extension_type import ExtensionTypeSpec, type_of_name
from runtime.composite.extension_types.field_types import ImmutableDict
from runtime.composite.extension_types.fields import HasFields
from runtime.composite.ragged_tensor import RaggedTensor
from runtime.composite.ragged_tensor_spec import RaggedTensorSpec
from runtime.composite.sparse.sparse_tensor import SparseTensor, SparseTensorSpec
from runtime.types.composite import composite_of
from runtime.types.shapes import TensorShape, TensorSpec, TypeSpec

_CLASSES = (RaggedTensor, SparseTensor, HasFields)


def is_written(value: Any) -> bool:
    """Return whether a value is made of tensors in a way that the index holds."""
    return isinstance(value, (*_CLASSES, RaggedTensorSpec, SparseTensorSpec))


def replaced(value: Any, number: Callable[[Any], Any]) -> Any:
    """Return a value, or its type, with ``number(tensor)`` in place of its tensors.

    Other values stay as they are.
    """
    if not is_written(value):
        return value
    composite: Any = composite_of(value)
    return composite._with_tensors([number(tensor) for tensor in composite._tensors()])


def entry_of(value: Any) -> tuple[str, list[Any]] | None:
    """Return the word and the parts of a value of the index; None if it cannot be written."""
    if isinstance(value, RaggedTensor):
        return "ragged", [value.values, value.row_splits]
    if isinstance(value, SparseTensor):
        return "sparse", [value.indices, value.values, value.dense_shape]
    if isinstance(value, RaggedTensorSpec):
        return "ragged_type", [TensorSpec(value.shape, value.dtype), value.ragged_rank]
    if isinstance(value, SparseTensorSpec):
        return "sparse_type", [TensorSpec(value.shape, value.dtype)]
    cls = value.value_type if isinstance(value, ExtensionTypeSpec) else type(value)
    name = vars(cls).get("__name__")
    if not isinstance(name, str):
        return None
    fields = value._field_values().items()
    return "extension", [name, [[field, _plain(item)] for field, item in fields]]


def _plain(field: Any) -> Any:
    """Return a field with dicts in place of immutable mappings."""
    if type(field) is tuple:
        return tuple(map(_plain, field))
    if isinstance(field, ImmutableDict):
        return {key: _plain(item) for key, item in field.items()}
    return field


def ragged(parts: Sequence[Any]) -> Any:
    """Return a RaggedTensor of its parts; of TensorSpecs its type."""
    values, splits = parts
    if not isinstance(splits, TensorSpec):
        return RaggedTensor(values, splits)
    levels = values.ragged_rank if isinstance(values, RaggedTensorSpec) else 0
    size = splits.shape[0] if splits.shape.rank else None
    inner = values.shape[1:] if values.shape.rank else TensorShape(None)
    rows = TensorShape([None if size is None else size - 1, None])
    return RaggedTensorSpec(rows.concatenate(inner), values.dtype, levels + 1)


def sparse(parts: Sequence[Any]) -> Any:
    """Return a SparseTensor of its parts; of TensorSpecs its type."""
    indices, values, dense_shape = parts
    if not isinstance(values, TensorSpec):
        return SparseTensor._of((indices, values, dense_shape), TensorShape(None))
    rank = dense_shape.shape[0] if dense_shape.shape.rank else None
    return SparseTensorSpec(None if rank is None else [None] * rank, values.dtype)


def ragged_type(parts: Sequence[Any]) -> Any:
    """Return the type of ragged tensors of its shape and dtype, and the number of levels."""
    spec, levels = parts
    return RaggedTensorSpec(spec.shape, spec.dtype, levels)


def sparse_type(parts: Sequence[Any]) -> Any:
    """Return the type of sparse tensors of its shape and dtype."""
    (spec,) = parts
    return SparseTensorSpec(spec.shape, spec.dtype)


OF_PARTS = {
    "ragged": ragged, "sparse": sparse, "ragged_type": ragged_type, "sparse_type": sparse_type,
}  # fmt: skip
"""By the word of an entry: the value of its parts."""


def extension(name: str, fields: Sequence[tuple[str, Any]]) -> Any:
    """Return a value of an extension type; with TensorSpecs among its fields its type.

    ValueError where no class of this name, or one with other fields, is there; TypeError for
    fields of other types.
    """
    cls = type_of_name(name)
    if cls is None:
        raise ValueError(
            f"the saved model uses the extension type {name!r}: define the class with this "
            "__name__ before loading"
        )
    values = dict(fields)
    if [*values] != [field.name for field in cls._fields()]:
        raise ValueError(f"the extension type {name!r} has other fields than {[*values]}")
    is_spec = any(map(_holds_spec, values.values()))
    converted = {
        field.name: field_types.convert(values[field.name], field.annotation, field.name, is_spec)
        for field in cls._fields()
    }
    return (cls.Spec if is_spec else cls)._with_fields(converted)


def _holds_spec(field: Any) -> bool:
    if isinstance(field, dict | ImmutableDict):
        return any(map(_holds_spec, field.values()))
    if type(field) is tuple:
        return any(map(_holds_spec, field))
    return isinstance(field, TypeSpec)
