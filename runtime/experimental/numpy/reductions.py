"""Functions of ``experimental.numpy`` along axes: sums, means, extremes, scans, places."""

from __future__ import annotations

from typing import Any

from runtime.experimental.numpy.promotion import array, floats, wide
from runtime.ops.array.constants import cast
from runtime.ops.array.shape import reshape
from runtime.ops.math import reduction, scans
from runtime.ops.math.reduction import argmax as argmax_op
from runtime.ops.math.reduction import argmin as argmin_op
from runtime.ops.numpy_functions import position_along
from runtime.types.dtypes import bool_, int64

__all__ = [
    "all", "amax", "amin", "any", "argmax", "argmin", "average", "cumprod", "cumsum", "max", "mean",
    "min", "prod", "std", "sum", "var",
]  # fmt: skip


def _truths(a: Any) -> Any:
    return cast(array(a), bool_)


def all(a: Any, axis: Any = None, keepdims: bool | None = None) -> Any:
    """Return whether all elements along axes are true."""
    return reduction.reduce_all(_truths(a), axis, bool(keepdims))


def any(a: Any, axis: Any = None, keepdims: bool | None = None) -> Any:
    """Return whether any element along axes is true."""
    return reduction.reduce_any(_truths(a), axis, bool(keepdims))


def max(a: Any, axis: Any = None, keepdims: bool | None = None) -> Any:
    """Return the largest elements along axes."""
    return reduction.reduce_max(array(a), axis, bool(keepdims))


def min(a: Any, axis: Any = None, keepdims: bool | None = None) -> Any:
    """Return the smallest elements along axes."""
    return reduction.reduce_min(array(a), axis, bool(keepdims))


def amax(a: Any, axis: Any = None, out: None = None, keepdims: bool | None = None) -> Any:
    """Return the largest elements along axes."""
    return max(a, axis, keepdims)


def amin(a: Any, axis: Any = None, out: None = None, keepdims: bool | None = None) -> Any:
    """Return the smallest elements along axes."""
    return min(a, axis, keepdims)


def sum(a: Any, axis: Any = None, dtype: Any = None, keepdims: bool | None = None) -> Any:
    """Return the sums along axes; bools and narrow ints are int64."""
    return reduction.reduce_sum(_summed(a, dtype), axis, bool(keepdims))


def prod(a: Any, axis: Any = None, dtype: Any = None, keepdims: bool | None = None) -> Any:
    """Return the products along axes; bools and narrow ints are int64."""
    return reduction.reduce_prod(_summed(a, dtype), axis, bool(keepdims))


def _summed(a: Any, dtype: Any) -> Any:
    return wide(a) if dtype is None else array(a, dtype)


def cumsum(a: Any, axis: int | None = None, dtype: Any = None) -> Any:
    """Return the running sums along an axis, or of all elements in a row."""
    return scans.cumsum(*_scanned(a, axis, dtype))


def cumprod(a: Any, axis: int | None = None, dtype: Any = None) -> Any:
    """Return the running products along an axis, or of all elements in a row."""
    return scans.cumprod(*_scanned(a, axis, dtype))


def _scanned(a: Any, axis: int | None, dtype: Any) -> tuple[Any, int]:
    tensor = _summed(a, dtype)
    return (reshape(tensor, [-1]), 0) if axis is None else (tensor, axis)


def _floating(a: Any, dtype: Any = None) -> Any:
    return floats(a)[0] if dtype is None else array(a, dtype)


def mean(
    a: Any, axis: Any = None, dtype: Any = None, out: None = None, keepdims: bool | None = None
) -> Any:
    """Return the means along axes; ints are floats."""
    return reduction.reduce_mean(_floating(a, dtype), axis, bool(keepdims))


def std(a: Any, axis: Any = None, keepdims: bool | None = None) -> Any:
    """Return the standard deviations along axes."""
    return reduction.reduce_std(_floating(a), axis, bool(keepdims))


def var(
    a: Any, axis: Any = None, dtype: Any = None, out: None = None, ddof: int = 0,
    keepdims: bool | None = None,
) -> Any:  # fmt: skip
    """Return the variances along axes: squares are divided by their number minus ``ddof``."""
    tensor = _floating(a, dtype)
    result = reduction.reduce_variance(tensor, axis, bool(keepdims))
    if not ddof:
        return result
    ones = reduction.reduce_sum(cast(tensor == tensor, tensor.dtype), axis, bool(keepdims))
    return result * ones / (ones - ddof)


def average(a: Any, axis: Any = None, weights: Any = None, returned: bool = False) -> Any:
    """Return averages along an axis, weighted, and with ``returned`` the sums of the weights.

    ValueError: weights have another shape, and are no vector along an axis.
    """
    tensor = floats(a)[0] if weights is None else floats(a, weights)[0]
    if weights is None:
        averages = mean(tensor, axis)
        count = tensor.shape.num_elements() // (averages.shape.num_elements() or 1)
        return (averages, averages * 0 + count) if returned else averages
    factors = array(weights, tensor.dtype)
    if factors.shape.rank != tensor.shape.rank:
        if axis is None or factors.shape.rank != 1:
            raise ValueError("average: weights must have the shape of a, or be 1-D with an axis")
        sizes = [1] * tensor.shape.rank
        sizes[axis] = -1
        factors = reshape(factors, sizes) + tensor * 0
    totals = reduction.reduce_sum(factors, axis)
    averages = reduction.reduce_sum(tensor * factors, axis) / totals
    return (averages, totals) if returned else averages


def argmax(a: Any, axis: int | None = None) -> Any:
    """Return the places of the largest elements, int64."""
    return position_along(argmax_op, array(a), axis, False, int64)


def argmin(a: Any, axis: int | None = None) -> Any:
    """Return the places of the smallest elements, int64."""
    return position_along(argmin_op, array(a), axis, False, int64)

