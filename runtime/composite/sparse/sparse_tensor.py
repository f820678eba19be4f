"""``SparseTensor``: some values of a larger tensor with their indices, and its type spec.

``sparse.py`` lists what is computed of them.  In nests it stands for its three tensors.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any

import numpy as np

from autograph.named_tuples import NamedTuple
from runtime.graph.operation import SymbolicTensor
from runtime.ops import dispatch
from runtime.ops.array.constants import cast_op, convert_to_tensor
from runtime.ops.rules.static_arguments import known_value
from runtime.types.aliases import TensorLike
from runtime.types.composite import ValueSpec, register_type_spec
from runtime.types.dtypes import DType, as_dtype, float32, int64
from runtime.types.errors import IncompatibleShapesError
from runtime.types.shapes import TensorShape, TensorSpec

__all__ = ["SparseTensor", "SparseTensorSpec", "SparseTensorValue"]


class SparseTensorValue(NamedTuple):
    """Arrays of a SparseTensor, as sessions return and take them."""

    indices: Any
    values: Any
    dense_shape: Any


class SparseTensor:
    """Values of a tensor that is 0, or an empty string, elsewhere.

    ``indices``, an int64 matrix, has a row for each of ``values``, a vector; most functions need
    the rows in ascending order, which ``sparse.reorder`` makes.  ``dense_shape`` is the shape of
    the whole.  ValueError for parts whose shapes do not fit.
    """

    __array_priority__ = 100
    _apply_op: Any
    """What an op means on sparse tensors among its inputs (operators.py)."""
    __mul__: Any
    __rmul__: Any
    __truediv__: Any

    def __init__(self, indices: TensorLike, values: TensorLike, dense_shape: TensorLike) -> None:
        places = _whole(indices)
        self._indices = places
        self._values = convert_to_tensor(values)
        self._dense_shape = _whole(dense_shape)
        self._static = TensorShape(None)
        rank, sizes = places.shape.rank, self._dense_shape.shape
        if rank not in (None, 2) or self._values.shape.rank not in (None, 1):
            raise IncompatibleShapesError(
                "SparseTensor: indices must be a matrix and values a vector, got the shapes "
                f"{places.shape} and {self._values.shape}"
            )
        pairs = [(places.shape[:1], self._values.shape), (places.shape[1:], sizes)]
        if rank == 2 and not all(a.is_compatible_with(b) for a, b in pairs):
            raise IncompatibleShapesError(
                f"SparseTensor: indices of shape {places.shape} do not fit values of shape "
                f"{self._values.shape} and a dense_shape of shape {sizes}: a row of indices is for "
                "each value, a column for each dimension"
            )

    @classmethod
    def from_value(cls, sparse_tensor_value: Any) -> SparseTensor:
        """Make one of a SparseTensorValue, a tuple of indices, values and shape, or another one.

        TypeError for other values.
        """
        if isinstance(sparse_tensor_value, cls):
            return sparse_tensor_value
        if not isinstance(sparse_tensor_value, tuple) or len(sparse_tensor_value) != 3:
            raise TypeError(f"SparseTensor: no sparse tensor: {sparse_tensor_value!r}")
        return cls(*sparse_tensor_value)

    @classmethod
    def _of(cls, parts: Sequence[Any], static: TensorShape) -> SparseTensor:
        sparse = cls.__new__(cls)
        sparse._indices, sparse._values, sparse._dense_shape = parts
        sparse._static = static
        return sparse

    def __tf_flatten__(self) -> tuple[Any, tuple[Any, ...]]:
        """Return the tensors, for nests."""
        return (), (self._indices, self._values, self._dense_shape)

    @classmethod
    def __tf_unflatten__(cls, metadata: Any, components: Any) -> Any:
        """Make one of other tensors; of arrays, a SparseTensorValue."""
        if isinstance(components[0], np.ndarray | np.generic):
            return SparseTensorValue(*components)
        return cls._of(components, TensorShape(None))

    @property
    def indices(self) -> Any:
        """Indices of the values, an int64 matrix."""
        return self._indices

    @property
    def values(self) -> Any:
        """Values, a vector."""
        return self._values

    @property
    def dense_shape(self) -> Any:
        """Shape of the whole, an int64 vector."""
        return self._dense_shape

    @property
    def dtype(self) -> DType:
        """Dtype of the values."""
        dtype: DType = self._values.dtype
        return dtype

    @property
    def shape(self) -> TensorShape:
        """Static shape of the whole."""
        sizes = known_value(self._dense_shape)
        if sizes is not None:
            return TensorShape([int(size) for size in sizes])
        if self._static.rank is not None:
            return self._static
        dims = self._dense_shape.shape.dims
        return TensorShape(None if dims is None or dims[0] is None else [None] * dims[0])

    def get_shape(self) -> TensorShape:
        """Return the static shape of the whole."""
        return self.shape

    @property
    def graph(self) -> Any:
        """Graph of the tensors."""
        return self._values.graph

    @property
    def op(self) -> Any:
        """Operation that computes the values."""
        return self._values.op

    @property
    def name(self) -> str:
        """Name of the values."""
        return str(self._values.name)

    def with_values(self, new_values: TensorLike) -> SparseTensor:
        """Return other values at the same indices; ValueError for another number of them."""
        values = convert_to_tensor(new_values)
        if not values.shape.is_compatible_with(self._values.shape):
            raise IncompatibleShapesError(
                f"SparseTensor.with_values: values of shape {values.shape} for indices of shape "
                f"{self._indices.shape}"
            )
        return SparseTensor._of((self._indices, values, self._dense_shape), self.shape)

    def with_shape(self, shape: TensorShape) -> SparseTensor:
        """Return the same with what is known of its static shape."""
        parts = (self._indices, self._values, self._dense_shape)
        return SparseTensor._of(parts, self.shape.merge_with(shape))

    def eval(self, feed_dict: Any = None, session: Any = None) -> Any:
        """Return the arrays, a SparseTensorValue, that a session computes; TensorFlow 1's."""
        parts = (self._indices, self._values, self._dense_shape)
        return SparseTensorValue(*[part.eval(feed_dict, session) for part in parts])

    def __repr__(self) -> str:
        text = ", ".join(
            f"{name}={part if isinstance(part, SymbolicTensor) else str(part)}"
            for name, part in zip(
                SparseTensorValue._fields, (self._indices, self._values, self._dense_shape)
            )
        )
        return f"SparseTensor({text})"


def _whole(value: Any) -> Any:
    if isinstance(value, list | tuple) and not value:
        value = np.zeros(0, np.int64)
    return cast_op(convert_to_tensor(value), dtype=int64)


class SparseTensorSpec(ValueSpec):
    """Type of a SparseTensor: the shape of the whole and the dtype of the values."""

    def __init__(self, shape: Any = None, dtype: Any = float32) -> None:
        self._shape = TensorShape(shape)
        self._dtype = as_dtype(dtype)

    @classmethod
    def from_value(cls, value: Any) -> SparseTensorSpec:
        """Return the type of a SparseTensor."""
        return cls(value.shape, value.dtype)

    @property
    def shape(self) -> TensorShape:
        """Static shape of the whole."""
        return self._shape

    @property
    def dtype(self) -> DType:
        """Dtype of the values."""
        return self._dtype

    @property
    def value_type(self) -> type:
        """SparseTensor."""
        return SparseTensor

    def most_specific_compatible_type(self, other: Any) -> Any:
        """Return the narrowest type of values of both; None where dtypes or ranks differ."""
        if not isinstance(other, SparseTensorSpec) or self._dtype is not other._dtype:
            return None
        return SparseTensorSpec(
            self._shape.most_specific_compatible_shape(other._shape), self._dtype
        )

    def is_compatible_with(self, spec_or_value: Any) -> bool:
        """Return whether a value, or values of another type, are described by this type."""
        if not isinstance(spec_or_value, SparseTensorSpec | SparseTensor):
            return False
        other = self._type_of(spec_or_value)
        return self._dtype is other._dtype and self._shape.is_compatible_with(other._shape)

    def _batch(self, size: int | None) -> SparseTensorSpec:
        """Return the type of a batch of such values."""
        return SparseTensorSpec(TensorShape([size]).concatenate(self._shape), self._dtype)

    def _unbatch(self) -> SparseTensorSpec:
        """Return the type of the rows."""
        return SparseTensorSpec(self._shape[1:], self._dtype)

    def _tensors_of(self, value: Any) -> list[Any]:
        return [value.indices, value.values, value.dense_shape]

    def _tensors(self) -> list[Any]:
        """Return the types of the indices, the values and the shape."""
        rank = self._shape.rank
        return [TensorSpec([None, rank], int64), TensorSpec([None], self._dtype),
                TensorSpec([rank], int64)]  # fmt: skip

    def _type_key(self) -> Hashable:
        return SparseTensorSpec, self._shape, self._dtype

    def _call_shapes(self) -> list[TensorShape | None]:
        """Return shapes that leave the number of values open."""
        return [spec.shape for spec in self._tensors()]

    def _with_tensors(self, tensors: Sequence[Any]) -> Any:
        if tensors and isinstance(tensors[0], TensorSpec):
            return self
        return SparseTensor._of(tuple(tensors), self._shape)

    def __repr__(self) -> str:
        return f"SparseTensorSpec({self._shape!r}, {self._dtype!r})"


register_type_spec(SparseTensor, SparseTensorSpec, is_argument=True)


def _refuse(value: SparseTensor, dtype: Any = None, name: Any = None, as_ref: bool = False) -> Any:
    raise dispatch.OpOverride(value, "use sparse.to_dense()")


dispatch.register_tensor_conversion_function(SparseTensor, _refuse, 0)
