"""``IndexedSlices``, some rows of a tensor with their indices, and its type spec.

Gathers have such gradients; scatter methods take them.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any

import numpy as np

from autograph.named_tuples import NamedTuple
from runtime.ops import dispatch
from runtime.ops.array.concat_split import concat
from runtime.ops.array.constants import convert_to_tensor
from runtime.ops.array.gather_scatter import scatter_nd
from runtime.ops.array.shape import expand_dims, reshape, shape
from runtime.ops.rules.static_arguments import known_value
from runtime.types.aliases import TensorLike
from runtime.types.composite import ValueSpec, register_type_spec
from runtime.types.dtypes import DType, as_dtype, float32, int64
from runtime.types.shapes import TensorShape, TensorSpec

__all__ = ["IndexedSlices", "IndexedSlicesSpec"]


class IndexedSlicesValue(NamedTuple):
    """Arrays of IndexedSlices, as sessions return and take them."""

    values: Any
    indices: Any
    dense_shape: Any = None


class IndexedSlices:
    """Rows ``values`` of a larger tensor, at the positions ``indices`` of its first axis.

    ``dense_shape``, where known, is the shape of the whole tensor.  Converted to a tensor it is
    that
    tensor, with zeros elsewhere, and the sum of the rows with one index.  In a nest its tensors are
    the leaves.
    """

    def __init__(
        self, values: TensorLike, indices: TensorLike, dense_shape: TensorLike | None = None
    ) -> None:
        self._values = values
        self._indices = indices
        self._dense_shape = dense_shape

    def __tf_flatten__(self) -> tuple[Any, tuple[Any, ...]]:
        """Return the tensors, for nests."""
        components = (self._values, self._indices, self._dense_shape)
        return (), components if self._dense_shape is not None else components[:2]

    @classmethod
    def __tf_unflatten__(cls, metadata: Any, components: Any) -> Any:
        """Make IndexedSlices of other tensors; of arrays, an IndexedSlicesValue."""
        arrays = isinstance(components[0], np.ndarray | np.generic)
        return (IndexedSlicesValue if arrays else cls)(*components)

    @property
    def values(self) -> Any:
        """Rows, a tensor of shape ``[n, ...]``."""
        return self._values

    @property
    def indices(self) -> Any:
        """Indices of the rows, a vector of integers."""
        return self._indices

    @property
    def dense_shape(self) -> Any:
        """Shape of the whole tensor as a tensor, or None."""
        return self._dense_shape

    @property
    def dtype(self) -> DType:
        """Dtype of the rows."""
        return convert_to_tensor(self._values).dtype

    @property
    def shape(self) -> TensorShape:
        """Static shape of the whole tensor."""
        dense_shape = None if self._dense_shape is None else known_value(self._dense_shape)
        if dense_shape is not None:
            return TensorShape([int(size) for size in dense_shape])
        dims = convert_to_tensor(self._values).shape.dims
        return TensorShape(None if dims is None else [None, *dims[1:]])

    @property
    def device(self) -> str:
        """Device of the rows: there is one CPU."""
        return str(convert_to_tensor(self._values).device)

    @property
    def name(self) -> str:
        """Name of the rows."""
        return str(self._values.name)

    @property
    def op(self) -> Any:
        """Operation that computes the rows."""
        return self._values.op

    @property
    def graph(self) -> Any:
        """Graph of the rows."""
        return self._values.graph

    def __neg__(self) -> IndexedSlices:
        return IndexedSlices(-convert_to_tensor(self._values), self._indices, self._dense_shape)

    def __repr__(self) -> str:
        shape_text = "" if self._dense_shape is None else f", dense_shape={self._dense_shape!r}"
        return f"IndexedSlices(indices={self._indices!r}, values={self._values!r}{shape_text})"


class IndexedSlicesSpec(ValueSpec):
    """Type of IndexedSlices: shape and dtype of the whole tensor, and dtypes of its parts.

    ``dense_shape_dtype`` is None where ``dense_shape`` is.
    """

    def __init__(
        self, shape: Any = None, dtype: Any = float32, indices_dtype: Any = int64,
        dense_shape_dtype: Any = None, indices_shape: Any = None,
    ) -> None:
        self._shape = TensorShape(shape)
        self._dtype = as_dtype(dtype)
        self._indices = TensorSpec(TensorShape(indices_shape).with_rank(1), indices_dtype)
        self._whole = None if dense_shape_dtype is None else as_dtype(dense_shape_dtype)

    @classmethod
    def from_value(cls, value: Any) -> IndexedSlicesSpec:
        """Return the type of IndexedSlices."""
        indices, dense_shape = convert_to_tensor(value.indices), value.dense_shape
        kind = None if dense_shape is None else convert_to_tensor(dense_shape).dtype
        return cls(value.shape, value.dtype, indices.dtype, kind, indices.shape)

    @property
    def value_type(self) -> type:
        """IndexedSlices."""
        return IndexedSlices

    def _tensors_of(self, value: Any) -> list[Any]:
        return [convert_to_tensor(component) for component in value.__tf_flatten__()[1]]

    def _tensors(self) -> list[Any]:
        """Return the types of the rows, of the indices, and of the shape."""
        dims = self._shape.dims
        row_shape = TensorShape(None if dims is None else dims[1:])
        rows = TensorSpec(self._indices.shape.concatenate(row_shape), self._dtype)
        shape_specs = [] if self._whole is None else [TensorSpec([self._shape.rank], self._whole)]
        return [rows, self._indices, *shape_specs]

    def _type_key(self) -> Hashable:
        return IndexedSlicesSpec, self._shape, self._dtype, self._indices, self._whole

    def _with_tensors(self, tensors: Sequence[Any]) -> Any:
        return self if isinstance(tensors[0], TensorSpec) else IndexedSlices(*tensors)

    def most_specific_compatible_type(self, other: Any) -> Any:
        """Return the narrowest type that describes values of both; None if dtypes differ."""
        if not isinstance(other, IndexedSlicesSpec) or self._whole is not other._whole:
            return None
        if self._dtype is not other._dtype or self._indices.dtype is not other._indices.dtype:
            return None
        shape = self._shape.most_specific_compatible_shape(other._shape)
        places = self._indices.most_specific_compatible_type(other._indices).shape
        return IndexedSlicesSpec(shape, self._dtype, self._indices.dtype, self._whole, places)

    def is_compatible_with(self, spec_or_value: Any) -> bool:
        """Return whether a value, or values of another type, are described by this type."""
        if not super().is_compatible_with(spec_or_value):
            return False
        pairs = zip(self._tensors(), self._type_of(spec_or_value)._tensors(), strict=True)
        return all(mine.is_compatible_with(other) for mine, other in pairs)

    def __repr__(self) -> str:
        return (
            f"IndexedSlicesSpec(shape={self._shape}, dtype={self._dtype!r}, "
            f"indices_dtype={self._indices.dtype!r}, dense_shape_dtype={self._whole!r}, "
            f"indices_shape={self._indices.shape})"
        )


register_type_spec(IndexedSlices, IndexedSlicesSpec)


def _as_tensor(
    value: IndexedSlices, dtype: Any = None, name: Any = None, as_ref: bool = False
) -> Any:
    if value.dense_shape is None:
        raise ValueError(
            "Tensor conversion requested for IndexedSlices for which the shape of the whole tensor "
            f"is not known: {value!r}. Give dense_shape."
        )
    rows = convert_to_tensor(value.values)
    indices = convert_to_tensor(value.indices)
    flat = reshape(indices, [-1])
    tail = convert_to_tensor(value.dense_shape)[1:]
    aligned = reshape(rows, concat([shape(flat, tail.dtype), tail], 0))
    dense = scatter_nd(expand_dims(flat, -1), aligned, value.dense_shape)
    return convert_to_tensor(dense, dtype)


dispatch.register_tensor_conversion_function(IndexedSlices, _as_tensor, 0)
