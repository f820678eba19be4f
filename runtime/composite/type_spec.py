"""``RaggedTensorSpec``, ``TensorArraySpec`` and others: types of what is not one tensor.

As a TensorSpec is the type of a tensor, these are the types of values made of several tensors, of
something else, or of none.  Each says of which tensors a value consists and makes one of others:
so elements of datasets are taken apart and put together.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any

from runtime.composite.indexed_slices import IndexedSlices
from runtime.composite.ragged_ops import RaggedTensor
from runtime.composite.tensor_array import TensorArray
from runtime.ops.array.constants import convert_to_tensor
from runtime.ops.resource.tensor_array import ArraySpec, Config
from runtime.types.composite import CompositeSpec
from runtime.types.dtypes import DType, as_dtype, float32, int64
from runtime.types.shapes import TensorShape, TensorSpec
from runtime.types.value import Value

__all__ = [
    "IndexedSlicesSpec", "NoneTensorSpec", "RaggedTensorSpec", "TensorArraySpec",
    "type_spec_from_value",
]  # fmt: skip


class _ValueSpec(CompositeSpec):
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
        return isinstance(other, _ValueSpec) and self._type_key() == other._type_key()

    def __hash__(self) -> int:
        return hash(self._type_key())


class NoneTensorSpec(_ValueSpec):
    """The type of None."""

    @classmethod
    def from_value(cls, value: Any) -> NoneTensorSpec:
        """The type of None."""
        return cls()

    @property
    def value_type(self) -> type:
        """The class of None."""
        return type(None)

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


class RaggedTensorSpec(_ValueSpec):
    """The type of a RaggedTensor: shape, dtype and the number of ragged dimensions.

    ``ragged_rank`` is by default one less than the rank; 0 stands for rows taken out of a ragged
    tensor, which are tensors and become ragged again in batches.  ValueError without a rank.
    """

    def __init__(
        self, shape: Any = None, dtype: Any = float32, ragged_rank: int | None = None,
        row_splits_dtype: Any = int64, flat_values_spec: Any = None,
    ) -> None:
        self._shape = TensorShape(shape)
        self._dtype = as_dtype(dtype)
        rank = self._shape.rank
        if as_dtype(row_splits_dtype) is not int64:
            raise ValueError("RaggedTensorSpec: row_splits are int64 here, got "
                             f"row_splits_dtype={as_dtype(row_splits_dtype).name}")  # fmt: skip
        if flat_values_spec is not None:
            raise ValueError("RaggedTensorSpec: flat_values are tensors here; leave "
                             "flat_values_spec out")  # fmt: skip
        if ragged_rank is None:
            if rank is None:
                raise ValueError("Must specify ragged_rank or a shape with a known rank.")
            ragged_rank = rank - 1
        if not isinstance(ragged_rank, int):
            raise TypeError(f"ragged_rank must be an int, got {ragged_rank!r}")
        if rank is not None and ragged_rank >= rank:
            raise ValueError(f"ragged_rank ({ragged_rank}) must be less than rank ({rank}).")
        self._ragged_rank = ragged_rank

    @classmethod
    def from_value(cls, value: Any) -> RaggedTensorSpec:
        """The type of a RaggedTensor."""
        return cls(value.shape, value.dtype, value.ragged_rank)

    @property
    def shape(self) -> TensorShape:
        """The shape, as far as it is known."""
        return self._shape

    @property
    def dtype(self) -> DType:
        """The dtype of the values."""
        return self._dtype

    @property
    def ragged_rank(self) -> int:
        """How many levels of rows there are."""
        return self._ragged_rank

    @property
    def row_splits_dtype(self) -> DType:
        """The dtype of ``row_splits``."""
        return int64

    @property
    def flat_values_spec(self) -> None:
        """None: flat values are a tensor."""
        return None

    @property
    def value_type(self) -> type:
        """The class of the values; Tensor's where nothing is ragged."""
        return RaggedTensor

    def most_specific_compatible_type(self, other: Any) -> Any:
        """The narrowest type of values of both; None where dtypes or levels differ."""
        if not isinstance(other, RaggedTensorSpec) or self._dtype is not other._dtype:
            return None
        if self._ragged_rank != other._ragged_rank:
            return None
        shape = self._shape.most_specific_compatible_shape(other._shape)
        return RaggedTensorSpec(shape, self._dtype, self._ragged_rank)

    def is_compatible_with(self, spec_or_value: Any) -> bool:
        """Whether a value of the other type, or the value, may stand where this is asked for."""
        if not isinstance(spec_or_value, RaggedTensorSpec | RaggedTensor):
            return False
        other = self._type_of(spec_or_value)
        same = self._dtype is other._dtype and self._ragged_rank == other._ragged_rank
        return same and self._shape.is_compatible_with(other._shape)

    def _tensors_of(self, value: Any) -> list[Any]:
        if isinstance(value, RaggedTensor):
            return [value.flat_values, *value.nested_row_splits]
        return [value]

    def _tensors(self) -> list[Any]:
        """The types of the flat values, and of the splits, outermost first."""
        levels, dims = self._ragged_rank, self._shape.dims
        if not levels:
            return [TensorSpec(self._shape, self._dtype)]
        inner = TensorShape(None) if dims is None else TensorShape([None, *dims[levels + 1 :]])
        count = None if dims is None or dims[0] is None else dims[0] + 1
        rest = [TensorSpec([None], int64)] * (levels - 1)
        return [TensorSpec(inner, self._dtype), TensorSpec([count], int64), *rest]

    def _type_key(self) -> Hashable:
        return RaggedTensorSpec, self._shape, self._dtype, self._ragged_rank

    def _with_tensors(self, tensors: Sequence[Any]) -> Any:
        if tensors and isinstance(tensors[0], TensorSpec):
            return self._with_types(*tensors)
        value, *splits = tensors
        for ends in reversed(splits):
            value = RaggedTensor(value, ends)
        return value

    def _with_types(self, flat: TensorSpec, *splits: TensorSpec) -> RaggedTensorSpec:
        """The like of it, of parts whose sizes may be known more, or less."""
        dims, inner, levels = self._shape.dims, flat.shape.dims, self._ragged_rank
        if dims is None or inner is None or not splits:
            return self
        ends = splits[0].shape.dims
        rows = None if ends is None or ends[0] is None else ends[0] - 1
        shape = [rows, *dims[1 : levels + 1], *inner[1:]]
        return RaggedTensorSpec(shape, self._dtype, levels)

    def __repr__(self) -> str:
        return (
            f"RaggedTensorSpec({self._shape!r}, {self._dtype!r}, {self._ragged_rank}, {int64!r})"
        )


class TensorArraySpec(_ValueSpec):
    """The type of a TensorArray."""

    def __init__(
        self, element_shape: Any = None, dtype: Any = float32, dynamic_size: bool = False,
        infer_shape: bool = True,
    ) -> None:
        self._config = Config(as_dtype(dtype), bool(dynamic_size), True, bool(infer_shape))
        self._element = TensorShape(element_shape)

    @classmethod
    def from_value(cls, value: Any) -> TensorArraySpec:
        """The type of a TensorArray."""
        spec = cls(value.element_shape, value.dtype)
        spec._config = value.__tf_flatten__()[0][0]
        return spec

    @property
    def value_type(self) -> type:
        """TensorArray."""
        return TensorArray

    def _tensors_of(self, value: Any) -> list[Any]:
        return [value.flow]

    def _tensors(self) -> list[Any]:
        return [ArraySpec(self._element)]

    def _type_key(self) -> Hashable:
        return TensorArraySpec, self._config, self._element

    def _with_tensors(self, tensors: Sequence[Any]) -> Any:
        if isinstance(tensors[0], TensorSpec):
            return self
        return TensorArray.__tf_unflatten__((self._config, self._element, None), tensors)

    def most_specific_compatible_type(self, other: Any) -> Any:
        """The narrowest type of arrays of both; None where dtypes or settings differ."""
        if not isinstance(other, TensorArraySpec) or self._config != other._config:
            return None
        joint = TensorArraySpec(self._element.most_specific_compatible_shape(other._element))
        joint._config = self._config
        return joint

    def __repr__(self) -> str:
        dtype, dynamic, _, infer = self._config
        return f"TensorArraySpec({self._element!r}, {dtype!r}, {dynamic}, {infer})"


class IndexedSlicesSpec(_ValueSpec):
    """The type of IndexedSlices: shape and dtype of the whole, and dtypes of its parts.

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
        """The type of IndexedSlices."""
        indices, whole = convert_to_tensor(value.indices), value.dense_shape
        kind = None if whole is None else convert_to_tensor(whole).dtype
        return cls(value.shape, value.dtype, indices.dtype, kind, indices.shape)

    @property
    def value_type(self) -> type:
        """IndexedSlices."""
        return IndexedSlices

    def _tensors_of(self, value: Any) -> list[Any]:
        return [convert_to_tensor(part) for part in value.__tf_flatten__()[1]]

    def _tensors(self) -> list[Any]:
        """The types of the rows, of their places, and of the whole's shape."""
        dims = self._shape.dims
        rest = TensorShape(None if dims is None else dims[1:])
        rows = TensorSpec(self._indices.shape.concatenate(rest), self._dtype)
        whole = [] if self._whole is None else [TensorSpec([self._shape.rank], self._whole)]
        return [rows, self._indices, *whole]

    def _type_key(self) -> Hashable:
        return IndexedSlicesSpec, self._shape, self._dtype, self._indices, self._whole

    def _with_tensors(self, tensors: Sequence[Any]) -> Any:
        return self if isinstance(tensors[0], TensorSpec) else IndexedSlices(*tensors)

    def most_specific_compatible_type(self, other: Any) -> Any:
        """The narrowest type of values of both; None where dtypes differ."""
        if not isinstance(other, IndexedSlicesSpec) or self._whole is not other._whole:
            return None
        if self._dtype is not other._dtype or self._indices.dtype is not other._indices.dtype:
            return None
        shape = self._shape.most_specific_compatible_shape(other._shape)
        places = self._indices.most_specific_compatible_type(other._indices).shape
        return IndexedSlicesSpec(shape, self._dtype, self._indices.dtype, self._whole, places)

    def is_compatible_with(self, spec_or_value: Any) -> bool:
        """Whether a value of the other type, or the value, may stand where this is asked for."""
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


_OF_CLASS: dict[type, type[_ValueSpec]] = {
    IndexedSlices: IndexedSlicesSpec, RaggedTensor: RaggedTensorSpec, TensorArray: TensorArraySpec,
}  # fmt: skip


def type_spec_from_value(value: Any) -> Any:
    """The type of a tensor, of what consists of tensors, or of what can become a tensor.

    TypeError for other values.
    """
    if isinstance(value, Value):
        return TensorSpec.from_tensor(value)
    made = next((spec for cls, spec in _OF_CLASS.items() if isinstance(value, cls)), None)
    if made is not None:
        return made.from_value(value)
    if hasattr(value, "_type_spec"):
        return value._type_spec
    try:
        return TensorSpec.from_tensor(convert_to_tensor(value))
    except (TypeError, ValueError) as error:
        raise TypeError(
            f"Could not build a TypeSpec for {value!r} with type {type(value).__name__}: {error}"
        ) from None
