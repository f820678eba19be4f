"""Op definition that pads rows of different lengths to a tensor."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.ops.op import define
from runtime.ops.rules.kernels import checked
from runtime.ops.rules.lazy_gradient import lazy_gradient
from runtime.ops.rules.samples import case
from runtime.types.dtypes import Array
from runtime.types.errors import IncompatibleShapesError, InvalidArgumentError
from runtime.types.shapes import TensorSpec

__all__: list[str] = []


def size_of_vector(spec: TensorSpec, role: str) -> int | None:
    """The size of a vector, as far as it is known; an error for another rank."""
    dims = spec.shape.dims
    if dims is not None and len(dims) != 1:
        raise IncompatibleShapesError(f"{role} must be a vector, got shape {spec.shape}")
    return None if dims is None else dims[0]


def check_scalar(spec: TensorSpec, role: str) -> None:
    """Raise IncompatibleShapesError unless a tensor may be a scalar."""
    if spec.shape.dims not in (None, ()):
        raise IncompatibleShapesError(f"{role} must be a scalar, got shape {spec.shape}")


def number_of_rows(row_splits: TensorSpec) -> Any:
    """Return the number of rows, if known."""
    size = size_of_vector(row_splits, "row_splits")
    if size == 0:
        raise IncompatibleShapesError("row_splits must hold at least the number 0, got none")
    return None if size is None else size - 1


def check_splits(row_splits: Array, size: int) -> None:
    """InvalidArgumentError unless the ends of rows rise from 0 to the number of values."""
    if row_splits.ndim != 1 or not len(row_splits) or row_splits[0] != 0:
        raise InvalidArgumentError("Arguments to from_row_splits do not form a valid RaggedTensor")
    if np.any(np.diff(row_splits) < 0) or row_splits[-1] != size:
        raise InvalidArgumentError(
            "Arguments to from_row_splits do not form a valid RaggedTensor: row_splits "
            f"{row_splits.tolist()} must rise to the number of values, {size}"
        )


def _to_tensor(values: Array, default: Array, row_splits: Array, *, width: int | None) -> Any:
    check_splits(row_splits, len(values))
    lengths = np.diff(row_splits)
    wide = int(lengths.max(initial=0)) if width is None else width
    result = np.empty((len(lengths), wide, *values.shape[1:]), values.dtype)
    result[...] = default
    for row, (start, length) in enumerate(zip(row_splits.tolist(), lengths.tolist())):
        count = min(length, wide)
        result[row, :count] = values[start : start + count]
    return result


def _to_tensor_infer(
    values: TensorSpec, default: TensorSpec, row_splits: TensorSpec, *, width: int | None
) -> TensorSpec:
    check_scalar(default, "default_value")
    dims, count = values.shape.dims, number_of_rows(row_splits)
    if dims is None:
        return TensorSpec(None, values.dtype)
    if not dims:
        raise IncompatibleShapesError("the values of rows must have an axis, got a scalar")
    return TensorSpec([count, width, *dims[1:]], values.dtype)


to_tensor_op = define(
    "ragged_to_tensor",
    inputs="values default row_splits",
    same_dtype_inputs=slice(0, 2),
    kernel=checked(_to_tensor, _to_tensor_infer),
    infer=_to_tensor_infer,
    grad=lazy_gradient("partitions.rows_to_tensor"),
    node_name="RaggedTensorToTensor",
    samples=lambda: [
        case([1, 2, 3], 0, np.array([0, 2, 2, 3]), width=None),
        case(["a", "b", "c"], "", np.array([0, 1, 3]), width=1),
    ],
    doc="Rows of different lengths as one tensor, filled up with a default.",
)


