"""Clipping to an interval, by norms of one or several tensors, and saturating casts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from runtime.ops import dispatch
from runtime.ops.array.constants import cast
from runtime.ops.array.creation import ones_like
from runtime.ops.array.shape import size
from runtime.ops.array.where import where
from runtime.ops.math.elementary import real
from runtime.ops.math.elementwise import add_n, maximum, multiply, sqrt, square
from runtime.ops.math.reduction import reduce_sum
from runtime.ops.op import ELEMENTWISE, define
from runtime.ops.rules.inference import broadcast
from runtime.ops.rules.lazy_gradient import lazy_gradient
from runtime.ops.rules.lowering import Native
from runtime.ops.rules.samples import case
from runtime.types.aliases import AxisLike, DTypeLike, TensorLike
from runtime.types.dtypes import Array, as_dtype

__all__ = [
    "clip_by_average_norm", "clip_by_global_norm", "clip_by_norm", "clip_by_value",
    "global_norm", "saturate_cast",
]  # fmt: skip


def _clip(x: Array, low: Array, high: Array) -> Any:
    return np.maximum(np.minimum(x, high), low)  # the lower end wins, as in TensorFlow


clip_op = define(
    "clip_by_value",
    inputs="t clip_value_min clip_value_max",
    kernel=_clip,
    infer=broadcast,
    dtype_kinds="iuf",
    grad=lazy_gradient("elementwise.clip_by_value"),
    traits=(ELEMENTWISE,),
    lower=Native("clip"),
    samples=lambda: [case([-1.0, 0.5, 9.0], -0.5, 1.0), case([[1, 5]], [[2], [0]], 3)],
    doc="Clip ``t`` to the interval from ``clip_value_min`` to ``clip_value_max``.",
)


def clip_by_value(
    t: TensorLike, clip_value_min: TensorLike, clip_value_max: TensorLike, name: str | None = None
) -> Any:
    """Clip the elements of a tensor to an interval.

    Args:
        t: tensor of an integer or floating dtype.
        clip_value_min: tensor of the same dtype that broadcasts: the least value.
        clip_value_max: tensor of the same dtype that broadcasts: the greatest value.
    Returns:
        Tensor of the broadcast shape and of the dtype of ``t``.
    Raises:
        InvalidArgumentError: the dtypes differ (also a TypeError), or the shapes do not broadcast
            (also a ValueError).
    """
    return clip_op(t, clip_value_min, clip_value_max, name=name)


def clip_by_norm(
    t: TensorLike, clip_norm: TensorLike, axes: AxisLike | None = None, name: str | None = None
) -> Any:
    """Scale a tensor down to a Euclidean norm.

    Args:
        t: tensor of a floating dtype.
        clip_norm: scalar: the greatest norm.
        axes: axes along which the norm is taken; by default all.
    Returns:
        Tensor of the shape and dtype of ``t``.
    Raises:
        InvalidArgumentError: the dtype is another one (also a TypeError), or an axis is out of
            range (also a ValueError).
    """
    t = dispatch.convert(t)
    total = reduce_sum(square(t), axes, keepdims=True)
    is_positive = total > 0  # the root has no slope at 0
    norm = where(is_positive, sqrt(where(is_positive, total, ones_like(total))), total)
    limit = maximum(dispatch.convert(clip_norm, t.dtype), 0)
    return multiply(t, limit / maximum(norm, limit), name=name)


def clip_by_average_norm(t: TensorLike, clip_norm: TensorLike, name: str | None = None) -> Any:
    """Scale a tensor down to an average norm: its Euclidean norm over the number of its elements.

    Args:
        t: tensor of a floating dtype.
        clip_norm: scalar: the greatest average norm.
    Returns:
        Tensor of the shape and dtype of ``t``.
    Raises:
        InvalidArgumentError: the dtype is another one (also a TypeError).
    """
    t = dispatch.convert(t)
    limit = dispatch.convert(clip_norm, t.dtype) * cast(size(t), t.dtype)
    return clip_by_norm(t, limit, name=name)


def global_norm(t_list: Sequence[Any], name: str | None = None) -> Any:
    """Compute the Euclidean norm of all elements of several tensors.

    Args:
        t_list: list of tensors of one floating dtype; None is ignored.
    Returns:
        Scalar of their dtype; float32 for none.
    Raises:
        TypeError: ``t_list`` is no list or tuple, or the dtypes differ (also an
            InvalidArgumentError).
    """
    if not isinstance(t_list, list | tuple):
        raise TypeError(f"t_list must be a list of tensors, got {t_list!r}")
    tensors = [t for t in t_list if t is not None]
    if not tensors:
        return dispatch.convert(0.0)
    return sqrt(add_n([reduce_sum(square(t)) for t in tensors]), name=name)


def clip_by_global_norm(
    t_list: Sequence[Any], clip_norm: TensorLike, use_norm: Any = None, name: str | None = None
) -> tuple[list[Any], Any]:
    """Scale several tensors down together to a global norm.

    Pascanu, Mikolov, Bengio: On the Difficulty of Training Recurrent Neural Networks (2012).

    Args:
        t_list: list of tensors of one floating dtype; None stays None.
        clip_norm: scalar: the greatest global norm.
        use_norm: global norm, if it is known already.
    Returns:
        (tensors, norm): the scaled tensors, NaN if the norm is not finite, and the global norm.
    Raises:
        TypeError: ``t_list`` is no list or tuple, or the dtypes differ (also an
            InvalidArgumentError).
    """
    norm = global_norm(t_list) if use_norm is None else dispatch.convert(use_norm)
    limit = dispatch.convert(clip_norm, norm.dtype)
    scale = limit / maximum(norm, limit) + (norm - norm)  # infinite: inf - inf is NaN
    return [None if t is None else dispatch.convert(t) * scale for t in t_list], norm


def saturate_cast(value: TensorLike, dtype: DTypeLike, name: str | None = None) -> Any:
    """Convert numbers to another dtype, those beyond its range to its least or greatest.

    Args:
        value: tensor of a numeric dtype; of complex numbers a real dtype takes the real part.
        dtype: dtype of the result.
    Returns:
        Tensor of the shape of ``value`` and of dtype ``dtype``.
    """
    value, target = dispatch.convert(value), as_dtype(dtype)
    if value.dtype.is_complex:
        if target.is_complex:
            return cast(value, target, name=name)
        value = real(value)
    source = value.dtype
    low, high = max(source.min, target.min), min(source.max, target.max)
    if source.is_floating and target.is_integer:  # the greatest float that is still in range
        kind = source.as_numpy_dtype
        low, high = kind(low), kind(high)
        high = np.nextafter(high, kind(0)) if int(high) > target.max else high
    if (low, high) != (source.min, source.max):
        least, greatest = (np.array(end, source.as_numpy_dtype) for end in (low, high))
        value = clip_by_value(value, least, greatest)
    return cast(value, target, name=name)
