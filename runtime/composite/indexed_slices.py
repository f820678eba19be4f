"""``IndexedSlices``: some rows of a tensor, and their numbers.  What scatter methods take."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from runtime.ops import dispatch as interpreter
from runtime.ops.array.concat_split import concat
from runtime.ops.array.constants import convert_to_tensor
from runtime.ops.array.gather_scatter import scatter_nd
from runtime.ops.array.shape import expand_dims, reshape, shape
from runtime.ops.rules.static_arguments import known_value
from runtime.types.dtypes import DType
from runtime.types.shapes import TensorShape

__all__ = ["IndexedSlices"]


class IndexedSlicesValue(NamedTuple):
    """Arrays in the place of tensors: what a session gives for IndexedSlices, and takes for it."""

    values: Any
    indices: Any
    dense_shape: Any = None


class IndexedSlices:
    """Rows ``values`` of a larger tensor, which stand there at the places ``indices``.

    ``dense_shape``, where known, is the shape of the whole tensor.  As a tensor it is that tensor,
    with zeros elsewhere, and the sum of rows that stand at one place.  In a nest it stands for its
    tensors.
    """

    def __init__(self, values: Any, indices: Any, dense_shape: Any = None) -> None:
        self._values = values
        self._indices = indices
        self._dense_shape = dense_shape

    def __tf_flatten__(self) -> tuple[Any, tuple[Any, ...]]:
        """The tensors that it stands for in a nest."""
        parts = (self._values, self._indices, self._dense_shape)
        return (), parts if self._dense_shape is not None else parts[:2]

    @classmethod
    def __tf_unflatten__(cls, metadata: Any, components: Any) -> Any:
        """The like of it with other tensors; of arrays, an IndexedSlicesValue."""
        arrays = isinstance(components[0], np.ndarray | np.generic)
        return (IndexedSlicesValue if arrays else cls)(*components)

    @property
    def values(self) -> Any:
        """The rows."""
        return self._values

    @property
    def indices(self) -> Any:
        """The places of the rows."""
        return self._indices

    @property
    def dense_shape(self) -> Any:
        """The shape of the whole tensor, or None."""
        return self._dense_shape

    @property
    def dtype(self) -> DType:
        """The type of the elements."""
        return convert_to_tensor(self._values).dtype

    @property
    def shape(self) -> TensorShape:
        """The shape of the whole tensor, as far as it is known."""
        known = None if self._dense_shape is None else known_value(self._dense_shape)
        if known is not None:
            return TensorShape([int(size) for size in known])
        dims = convert_to_tensor(self._values).shape.dims
        return TensorShape(None if dims is None else [None, *dims[1:]])

    @property
    def device(self) -> str:
        """Where the rows live: there is one CPU."""
        return str(convert_to_tensor(self._values).device)

    @property
    def name(self) -> str:
        """The name of the rows."""
        return str(self._values.name)

    @property
    def op(self) -> Any:
        """The operation that makes the rows."""
        return self._values.op

    @property
    def graph(self) -> Any:
        """The graph of the rows."""
        return self._values.graph

    def __neg__(self) -> IndexedSlices:
        return IndexedSlices(-convert_to_tensor(self._values), self._indices, self._dense_shape)

    def __repr__(self) -> str:
        whole = "" if self._dense_shape is None else f", dense_shape={self._dense_shape!r}"
        return f"IndexedSlices(indices={self._indices!r}, values={self._values!r}{whole})"


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
    whole = scatter_nd(expand_dims(flat, -1), aligned, value.dense_shape)
    return convert_to_tensor(whole, dtype)


interpreter.register_tensor_conversion_function(IndexedSlices, _as_tensor, 0)
