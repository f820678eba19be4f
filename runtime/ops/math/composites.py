"""Functions made of rows that belong to no family: tests of order, polynomials, segments, bits."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from runtime.ops import dispatch
from runtime.ops.array.concat_split import stack
from runtime.ops.array.constants import cast, identity
from runtime.ops.array.creation import ones_like
from runtime.ops.array.shape import reshape
from runtime.ops.array.shape import shape as shape_op
from runtime.ops.math import elementwise, reduction
from runtime.ops.math.scans import unsorted_segment_sum
from runtime.ops.op import define
from runtime.ops.rules.kernels import checked
from runtime.ops.rules.samples import case, spread
from runtime.ops.rules.static_arguments import known_value, listed
from runtime.types.aliases import DTypeLike, ShapeLike, TensorLike
from runtime.types.dtypes import Array, DType, as_dtype
from runtime.types.errors import IncompatibleShapesError
from runtime.types.shapes import UNKNOWN_SHAPE, TensorSpec
from runtime.types.value import Value

__all__ = [
    "bitcast", "get_static_value", "identity_n", "is_symbolic_tensor", "parallel_stack",
]  # fmt: skip


def _bitcast(x: Array, *, type: DType) -> Any:
    target = np.dtype(type.as_numpy_dtype)
    if target.itemsize < x.dtype.itemsize:
        return np.ascontiguousarray(x)[..., None].view(target)
    if target.itemsize > x.dtype.itemsize:
        return np.ascontiguousarray(x).view(target)[..., 0]
    return np.ascontiguousarray(x).view(target).reshape(x.shape)


def _bitcast_infer(x: TensorSpec, *, type: DType) -> TensorSpec:
    have, want, dims = x.dtype.size, type.size, x.shape.dims
    if dims is None:
        return TensorSpec(UNKNOWN_SHAPE, type)
    if want < have:
        return TensorSpec([*dims, have // want], type)
    if want > have:
        if not dims or dims[-1] not in (None, want // have):
            raise IncompatibleShapesError(
                f"Cannot bitcast from {x.dtype.name} to {type.name}: the last dimension must be "
                f"{want // have}, got shape {x.shape}"
            )
        return TensorSpec(dims[:-1], type)
    return TensorSpec(dims, type)


bitcast_op = define(
    "bitcast", inputs="input", kernel=checked(_bitcast, _bitcast_infer), infer=_bitcast_infer,
    dtype_kinds="iufc", grad=None, node_name="Bitcast",
    samples=lambda: [case(spread(-1, 1, 2, 3), type=as_dtype("int32")),
                     case(spread(-1, 1, 2), type=as_dtype("uint8")),
                     case(np.arange(4, dtype=np.uint8), type=as_dtype("int32"))],
    doc="The same bytes as elements of another dtype.",
)  # fmt: skip


def bitcast(input: TensorLike, type: Any, name: str | None = None) -> Any:
    """The same bytes as elements of another dtype; a last axis comes or goes with the sizes."""
    return bitcast_op(input, type=as_dtype(type), name=name)


def get_static_value(tensor: TensorLike, partial: bool = False) -> Any:
    """The value as an array where it is known before running, else None."""
    return None if isinstance(tensor, str) else known_value(dispatch.convert(tensor))


def is_symbolic_tensor(tensor: Any) -> bool:
    """Whether it is a tensor without a value until a graph runs."""
    return isinstance(tensor, Value) and hasattr(tensor, "spec")


def identity_n(input: Sequence[Any], name: str | None = None) -> list[Any]:
    """Tensors with the same values."""
    return [identity(x, name=name) for x in input]


def parallel_stack(values: Sequence[Any], name: str = "parallel_stack") -> Any:
    """``stack`` along axis 0."""
    return stack(values, 0, name)


def accumulate_n(inputs: Any, shape: ShapeLike | None = None, tensor_dtype: DTypeLike | None = None,
                 name: str | None = None) -> Any:  # fmt: skip
    """The sum of tensors of one shape and dtype, which may be given to be checked."""
    tensors = [dispatch.convert(x) for x in listed(inputs, "inputs")]
    if tensor_dtype is not None and any(t.dtype is not as_dtype(tensor_dtype) for t in tensors):
        raise TypeError(f"tensor_dtype is {tensor_dtype}, but inputs is of type {tensors[0].dtype}")
    if shape is not None and not all(t.shape.is_compatible_with(shape) for t in tensors):
        raise ValueError(f"accumulate_n: the inputs do not have shape {shape}")
    return elementwise.add_n(tensors, name=name)


def polyval(coeffs: Sequence[Any], x: TensorLike, name: str | None = None) -> Any:
    """``coeffs[0] * x ** (n - 1) + ... + coeffs[n - 1]``, by Horner's rule."""
    if not isinstance(coeffs, list):
        raise ValueError(f"Argument coeffs must be list type. Received type {type(coeffs)}.")
    x = dispatch.convert(x)
    if not coeffs:
        return x - x
    total = dispatch.convert(coeffs[0], x.dtype)
    for coefficient in coeffs[1:]:
        total = dispatch.convert(coefficient, x.dtype) + total * x
    return total


def is_non_decreasing(x: TensorLike, name: str | None = None) -> Any:
    """Whether no element, in row-major order, is less than the one before."""
    flat = reshape(x, [-1])
    return reduction.reduce_all(flat[:-1] <= flat[1:], name=name)


def is_strictly_increasing(x: TensorLike, name: str | None = None) -> Any:
    """Whether each element, in row-major order, is greater than the one before."""
    flat = reshape(x, [-1])
    return reduction.reduce_all(flat[:-1] < flat[1:], name=name)


def _counts(data: Any, ids: Any, number: Any) -> Any:
    """How many entries each segment has, at least 1, in a shape that divides the sums."""
    counts = unsorted_segment_sum(ones_like(ids, data.dtype), ids, number)
    rest = len(data.shape) - len(ids.shape)
    counts = reshape(counts, [shape_op(counts)[0], *[1] * rest]) if rest else counts
    return elementwise.maximum(counts, cast(1, data.dtype))


def unsorted_segment_mean(data: TensorLike, segment_ids: TensorLike, num_segments: TensorLike,
                          name: str | None = None) -> Any:  # fmt: skip
    """The means of the entries of each segment; 0 for those without any."""
    data, ids = dispatch.convert(data), dispatch.convert(segment_ids)
    sums = unsorted_segment_sum(data, ids, num_segments)
    return elementwise.truediv(sums, _counts(data, ids, num_segments), name=name)


def unsorted_segment_sqrt_n(data: TensorLike, segment_ids: TensorLike, num_segments: TensorLike,
                            name: str | None = None) -> Any:  # fmt: skip
    """The sums of the entries of each segment over the square root of how many they are."""
    data, ids = dispatch.convert(data), dispatch.convert(segment_ids)
    sums = unsorted_segment_sum(data, ids, num_segments)
    counts = elementwise.sqrt(_counts(data, ids, num_segments))
    return elementwise.truediv(sums, counts, name=name)
