"""``RaggedTensorSpec``: the type of a RaggedTensor.

It registers itself, so that functions take a RaggedTensor by its tensors and know it by its type.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any

from runtime.composite.ragged_tensor import RaggedTensor
from runtime.types.composite import ValueSpec, register_type_spec
from runtime.types.dtypes import DType, as_dtype, float32, int64
from runtime.types.shapes import TensorShape, TensorSpec

__all__ = ["RaggedTensorSpec"]


class RaggedTensorSpec(ValueSpec):
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

    def _batch(self, size: int | None) -> RaggedTensorSpec:
        """The type of a batch of such values."""
        shape = TensorShape([size]).concatenate(self._shape)
        return RaggedTensorSpec(shape, self._dtype, self._ragged_rank + 1)

    def _unbatch(self) -> TensorSpec | RaggedTensorSpec:
        """The type of the rows."""
        if not self._ragged_rank:
            return TensorSpec(self._shape[1:], self._dtype)
        return RaggedTensorSpec(self._shape[1:], self._dtype, self._ragged_rank - 1)

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
        outer_splits = [TensorSpec([None], int64)] * (levels - 1)
        return [TensorSpec(inner, self._dtype), TensorSpec([count], int64), *outer_splits]

    def _type_key(self) -> Hashable:
        return RaggedTensorSpec, self._shape, self._dtype, self._ragged_rank

    def _call_key(self) -> Hashable:
        return RaggedTensor, self._dtype, self._ragged_rank

    def _call_shapes(self) -> list[TensorShape | None]:
        """How many values there are in all does not count."""
        return [spec.shape for spec in self._tensors()]

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


register_type_spec(RaggedTensor, RaggedTensorSpec, is_argument=True)
