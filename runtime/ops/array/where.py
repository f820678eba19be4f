"""Op definitions that choose by a condition: where, boolean_mask, sequence_mask."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.ops import dispatch
from runtime.ops.array import creation, shape
from runtime.ops.array.constants import cast
from runtime.ops.array.indexing import getitem
from runtime.ops.math import elementwise, reduction
from runtime.ops.math.comparison import less
from runtime.ops.op import ELEMENTWISE, define
from runtime.ops.rules import loops
from runtime.ops.rules.inference import broadcast_last
from runtime.ops.rules.lowering import Native, OnArrays
from runtime.ops.rules.samples import case
from runtime.ops.rules.static_arguments import static_int, whole_numbers
from runtime.types.aliases import AxisLike, DTypeLike, TensorLike
from runtime.types.dtypes import as_dtype, bool_, int64
from runtime.types.errors import MismatchedTypesError
from runtime.types.shapes import TensorSpec

__all__ = ["boolean_mask", "sequence_mask", "where"]


def _check_condition(dtype: Any) -> None:
    if dtype != bool_:
        raise MismatchedTypesError(
            f"where: condition must be bool, got {as_dtype(dtype).name}. "
            "Compare (x != 0), or use runtime.cast(x, runtime.bool)."
        )


def _where(condition: Any, x: Any, y: Any) -> Any:
    _check_condition(condition.dtype)
    return np.where(condition, x, y)


def _where_infer(condition: TensorSpec, x: TensorSpec, y: TensorSpec) -> TensorSpec:
    _check_condition(condition.dtype)
    return broadcast_last(condition, x, y)


def _either(condition: Any, x: Any, y: Any, z: Any, dz: Any) -> tuple[Any, ...]:
    zeros = creation.zeros_like_op(dz, dtype=dz.dtype)
    dx = lambda: where_op(condition, dz, zeros)
    return None, dx, lambda: where_op(condition, zeros, dz)


where_op = define(
    "where",
    inputs="condition x y",
    same_dtype_inputs=slice(1, 3),
    kernel=_where,
    infer=_where_infer,
    grad=_either,
    node_name="SelectV2",
    overloads=(np.where,),
    traits=(ELEMENTWISE,),
    lower=Native("select", mixed=True),
    samples=lambda: [
        case([[True], [False]], [1, 2], 9),
        case(True, [1.0, 2.0], 0.5),
        case([True, False], ["a", "b"], "c"),
    ],
    doc="Choose elements of ``x`` where the condition is true, else of ``y``, with broadcasting.",
)

argwhere_op = define(
    "argwhere",
    inputs="condition",
    same_dtype_inputs=None,
    kernel=np.argwhere,
    infer=lambda condition: TensorSpec(
        [None, None if condition.shape.dims is None else len(condition.shape.dims)], int64
    ),
    grad=None,
    node_name="Where",
    overloads=(np.argwhere,), lower=OnArrays(plan=loops.true_positions),
    samples=lambda: [case([[True, False], [True, True]]), case([0.0, 2.0]), case(False)],
    doc="Find the indices of the elements that are true (not zero), in order.",
)


def where(condition: TensorLike, x: TensorLike | None = None, y: TensorLike | None = None,
          name: str | None = None) -> Any:  # fmt: skip
    """Choose elements of two tensors by a condition, or find the true elements.

    Args:
        condition: tensor of dtype bool; alone, of any dtype: 0 is false.
        x: tensor of any dtype, for the true elements; the three broadcast.
        y: tensor of the dtype of ``x``, for the others.
    Returns:
        Tensor of the broadcast shape and of the dtype of ``x``; without ``x`` and ``y`` the indices
        of the true elements: int64, of shape (number of them, rank).
    Raises:
        ValueError: one of ``x`` and ``y`` is None, or the shapes do not broadcast (also an
            InvalidArgumentError).
        InvalidArgumentError: ``x`` and ``y`` differ in dtype, or ``condition`` is not bool (also a
            TypeError).
    """
    if (x is None) is not (y is None):
        raise ValueError("x and y must both be non-None or both be None.")
    if x is None:
        return argwhere_op(condition, name=name)
    return where_op(condition, x, y, name=name)


def boolean_mask(
    tensor: TensorLike, mask: TensorLike, axis: AxisLike | None = None, name: str = "boolean_mask"
) -> Any:
    """Select the entries of a tensor where a mask is true.

    Args:
        tensor: tensor of any dtype.
        mask: tensor of dtype bool or of integers, of rank K of 1 or more; its shape is that of the
            K axes from ``axis`` on.
        axis: first axis of the mask; 0 by default.
    Returns:
        Tensor of the dtype of ``tensor``; one axis replaces the K axes of the mask.
    Raises:
        ValueError: ``mask`` is a scalar, or does not fit the shape (also an InvalidArgumentError).
        InvalidArgumentError: the dtype of ``mask`` is another one (also a TypeError).
    """
    chosen = dispatch.convert(mask)
    if chosen.dtype is not bool_:
        if not chosen.dtype.is_integer:
            raise MismatchedTypesError(f"boolean_mask: mask must be bool, got {chosen.dtype.name}")
        chosen = cast(chosen, bool_)
    if chosen.shape.dims is not None and not len(chosen.shape.dims):
        raise ValueError("mask cannot be scalar.")
    skip = 0 if axis is None else static_int(axis, "axis")
    if skip < 0:
        skip += shape.known_rank(tensor, "boolean_mask with a negative axis")
    return getitem(dispatch.convert(tensor), (*[slice(None)] * skip, chosen))


def sequence_mask(lengths: TensorLike, maxlen: TensorLike | None = None, dtype: DTypeLike = bool_,
                  name: str | None = None) -> Any:  # fmt: skip
    """Make masks of the first entries of sequences.

    Args:
        lengths: tensor of an integer dtype.
        maxlen: size of the new axis; by default the greatest length.
        dtype: dtype of the result.
    Returns:
        Tensor of shape ``(*lengths.shape, maxlen)``: true, or 1, before each length.
    """
    sizes = whole_numbers(lengths, "lengths")
    end = reduction.reduce_max(sizes) if maxlen is None else cast(maxlen, sizes.dtype)
    if maxlen is None:
        end = elementwise.maximum(end, 0)
    mask = less(creation.range(end), shape.expand_dims(sizes, -1), name=name)
    return mask if as_dtype(dtype) is bool_ else cast(mask, dtype)


