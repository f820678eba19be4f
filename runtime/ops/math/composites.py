"""Functions composed of ops of several families: tests of order, polynomials, segments, bits."""

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
    doc="Reinterpret the bytes as elements of another dtype.",
)  # fmt: skip


def bitcast(input: TensorLike, type: Any, name: str | None = None) -> Any:
    """Reinterpret the bytes of a tensor as another dtype.

    Args:
        input: tensor of a numeric dtype.
        type: dtype of the result.
    Returns:
        Tensor of dtype ``type`` and of the shape of ``input``; a last axis is added or removed
        where the sizes of the dtypes differ.
    Raises:
        InvalidArgumentError: the last axis does not hold a whole element (also a ValueError).
    """
    return bitcast_op(input, type=as_dtype(type), name=name)


def get_static_value(tensor: TensorLike, partial: bool = False) -> Any:
    """Return the value of a tensor where it is known before the graph runs.

    Args:
        tensor: tensor or value.
        partial: ignored.
    Returns:
        NumPy array, or None.
    """
    return None if isinstance(tensor, str) else known_value(dispatch.convert(tensor))


def is_symbolic_tensor(tensor: Any) -> bool:
    """Test whether a value is a symbolic tensor, one of a graph.

    Args:
        tensor: any value.
    Returns:
        Python's True or False.
    """
    return isinstance(tensor, Value) and hasattr(tensor, "spec")


def identity_n(input: Sequence[Any], name: str | None = None) -> list[Any]:
    """Return tensors with the same values.

    Args:
        input: list of tensors.
    Returns:
        List of tensors of the same shapes and dtypes.
    """
    return [identity(x, name=name) for x in input]


def parallel_stack(values: Sequence[Any], name: str = "parallel_stack") -> Any:
    """Stack tensors along a new first axis, as ``stack`` does.

    Args:
        values: sequence of tensors of one shape and dtype.
    Returns:
        Tensor of a rank greater by one.
    Raises:
        InvalidArgumentError: the shapes differ (also a ValueError), or the dtypes do (also a
            TypeError).
    """
    return stack(values, 0, name)


def accumulate_n(inputs: Any, shape: ShapeLike | None = None, tensor_dtype: DTypeLike | None = None,
                 name: str | None = None) -> Any:  # fmt: skip
    """Add tensors of one shape and dtype, and check them.

    Args:
        inputs: list of tensors of a numeric dtype.
        shape: shape that they must have; by default any.
        tensor_dtype: dtype that they must have; by default any.
    Returns:
        Tensor of their shape and dtype.
    Raises:
        TypeError: the dtype is not ``tensor_dtype``.
        ValueError: a shape is not ``shape``, or there are no inputs, or the shapes differ.
    """
    tensors = [dispatch.convert(x) for x in listed(inputs, "inputs")]
    if tensor_dtype is not None and any(t.dtype is not as_dtype(tensor_dtype) for t in tensors):
        raise TypeError(f"tensor_dtype is {tensor_dtype}, but inputs is of type {tensors[0].dtype}")
    if shape is not None and not all(t.shape.is_compatible_with(shape) for t in tensors):
        raise ValueError(f"accumulate_n: the inputs do not have shape {shape}")
    return elementwise.add_n(tensors, name=name)


def polyval(coeffs: Sequence[Any], x: TensorLike, name: str | None = None) -> Any:
    """Evaluate a polynomial by Horner's rule, element-wise.

    Args:
        coeffs: list of coefficients, that of the greatest power first.
        x: tensor of a numeric dtype.
    Returns:
        Tensor of the dtype of ``x`` and of the shape that it and the coefficients broadcast to.
    Raises:
        ValueError: ``coeffs`` is no list.
    """
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
    """Test whether no element, in row-major order, is less than the one before.

    Args:
        x: tensor of an integer or floating dtype.
    Returns:
        Scalar of dtype bool.
    """
    flat = reshape(x, [-1])
    return reduction.reduce_all(flat[:-1] <= flat[1:], name=name)


def is_strictly_increasing(x: TensorLike, name: str | None = None) -> Any:
    """Test whether each element, in row-major order, is greater than the one before.

    Args:
        x: tensor of an integer or floating dtype.
    Returns:
        Scalar of dtype bool.
    """
    flat = reshape(x, [-1])
    return reduction.reduce_all(flat[:-1] < flat[1:], name=name)


def _counts(data: Any, ids: Any, number: Any) -> Any:
    """How many entries each segment has, at least 1, in a shape that divides the sums."""
    counts = unsorted_segment_sum(ones_like(ids, data.dtype), ids, number)
    inner_rank = len(data.shape) - len(ids.shape)
    counts = reshape(counts, [shape_op(counts)[0], *[1] * inner_rank]) if inner_rank else counts
    return elementwise.maximum(counts, cast(1, data.dtype))


def unsorted_segment_mean(data: TensorLike, segment_ids: TensorLike, num_segments: TensorLike,
                          name: str | None = None) -> Any:  # fmt: skip
    """Compute the mean of the entries of each segment; 0 for empty ones.

    Args:
        data: tensor of a numeric dtype; its shape begins with that of ``segment_ids``.
        segment_ids: tensor of an integer dtype; entries with a negative number are left out.
        num_segments: number of segments, an integer scalar.
    Returns:
        Tensor with ``num_segments`` entries, of the dtype that ``data / 1`` has.
    Raises:
        InvalidArgumentError: a segment id is ``num_segments`` or greater, or the shapes do not fit.
    """
    data, ids = dispatch.convert(data), dispatch.convert(segment_ids)
    sums = unsorted_segment_sum(data, ids, num_segments)
    return elementwise.truediv(sums, _counts(data, ids, num_segments), name=name)


def unsorted_segment_sqrt_n(data: TensorLike, segment_ids: TensorLike, num_segments: TensorLike,
                            name: str | None = None) -> Any:  # fmt: skip
    """Compute the sum of the entries of each segment over the square root of their number.

    Args:
        data: tensor of a floating or complex dtype; its shape begins with that of ``segment_ids``.
        segment_ids: tensor of an integer dtype; entries with a negative number are left out.
        num_segments: number of segments, an integer scalar.
    Returns:
        Tensor of the dtype of ``data`` with ``num_segments`` entries.
    Raises:
        InvalidArgumentError: a segment id is ``num_segments`` or greater, or the shapes do not fit.
    """
    data, ids = dispatch.convert(data), dispatch.convert(segment_ids)
    sums = unsorted_segment_sum(data, ids, num_segments)
    counts = elementwise.sqrt(_counts(data, ids, num_segments))
    return elementwise.truediv(sums, counts, name=name)
