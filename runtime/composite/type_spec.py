"""``type_spec_from_value``, ``NoneTensorSpec``, and the names of all types of composite values.

As a TensorSpec is the type of a tensor, these are the types of values made of several tensors, of
something else, or of none.  Each stands beside the class of its values; elements of datasets are
taken apart and put together by them.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any

from runtime.composite.ragged_tensor_spec import RaggedTensorSpec
from runtime.composite.sparse.sparse_tensor import SparseTensorSpec
from runtime.composite.tensor_array import TensorArraySpec
from runtime.ops.array.constants import convert_to_tensor
from runtime.state.indexed_slices import IndexedSlicesSpec
from runtime.types.composite import ValueSpec, type_spec_of
from runtime.types.shapes import TensorSpec
from runtime.types.value import Value

__all__ = [
    "IndexedSlicesSpec", "NoneTensorSpec", "RaggedTensorSpec", "SparseTensorSpec",
    "TensorArraySpec", "type_spec_from_value",
]  # fmt: skip


class NoneTensorSpec(ValueSpec):
    """The type of None."""

    @classmethod
    def from_value(cls, value: Any) -> NoneTensorSpec:
        """The type of None."""
        return cls()

    @property
    def value_type(self) -> type:
        """The class of None."""
        return type(None)

    def _batch(self, size: int | None) -> NoneTensorSpec:
        return self

    def _unbatch(self) -> NoneTensorSpec:
        return self

    def _tensors_of(self, value: Any) -> list[Any]:
        return []

    def _tensors(self) -> list[Any]:
        return []

    def _type_key(self) -> Hashable:
        return NoneTensorSpec

    def _with_tensors(self, tensors: Sequence[Any]) -> None:
        return None

    def __repr__(self) -> str:
        return "NoneTensorSpec()"


def type_spec_from_value(value: Any) -> Any:
    """Describe the type of a value.

    Args:
        value: tensor, composite tensor, or what becomes a tensor.
    Returns:
        Type spec.
    Raises:
        TypeError: the value is another one.
    """
    if isinstance(value, Value):
        return TensorSpec.from_tensor(value)
    spec = type_spec_of(value)
    if spec is not None:
        return spec
    try:
        return TensorSpec.from_tensor(convert_to_tensor(value))
    except (TypeError, ValueError) as error:
        raise TypeError(
            f"Could not build a TypeSpec for {value!r} with type {type(value).__name__}: {error}"
        ) from None
