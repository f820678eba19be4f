"""Reductions along axes that are made of sums and extremes."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.ops.array.constants import cast
from runtime.ops.array.shape import squeeze_op
from runtime.ops.array.where import where_op
from runtime.ops.math.comparison import not_equal
from runtime.ops.math.elementary import exp, log
from runtime.ops.math.elementwise import abs as modulus
from runtime.ops.math.elementwise import is_finite, sqrt, square
from runtime.ops.math.reduction import max_op, mean_op, sum_op
from runtime.types.dtypes import bool_


def zero(x: Any) -> Any:
    """The number 0 in the dtype of a tensor."""
    return np.zeros((), x.dtype.as_numpy_dtype)


def axes_of(x: Any, axis: Any) -> tuple[int, ...]:
    """The axes that ``axis`` names, counted from the front."""
    rank = len(x.shape.dims)
    named = range(rank) if axis is None else (axis,) if isinstance(axis, int) else axis
    return tuple([number % rank for number in named])


def top_of(x: Any, axis: Any, keepdims: bool = True) -> Any:
    """The greatest element along axes, or 0 where that is not finite: exp of the rest is finite."""
    top = max_op(x, axis=axis, keepdims=keepdims)
    return where_op(is_finite(top), top, zero(x))


def logsumexp(x: Any, *, axis: Any, keepdims: bool) -> Any:
    """The greatest element is taken out of the sum."""
    axes = axes_of(x, axis)
    gives_number = not keepdims and len(axes) == len(x.shape.dims)  # numbers then, no arrays
    top = top_of(x, axes, not gives_number)
    total = log(sum_op(exp(x - top), axis=axes, keepdims=not gives_number)) + top
    return total if keepdims or gives_number else squeeze_op(total, axis=axes)


def variance(x: Any, *, axis: Any, keepdims: bool) -> Any:
    """The mean of the squared distances from the mean."""
    distance = x - mean_op(x, axis=axis, keepdims=True)
    distance = modulus(distance) if x.dtype.is_complex else distance
    return mean_op(square(distance), axis=axis, keepdims=keepdims)


def std(x: Any, **attrs: Any) -> Any:
    """The square root of the variance."""
    return sqrt(variance(x, **attrs))


def euclidean_norm(x: Any, *, axis: Any, keepdims: bool) -> Any:
    """The root of the sum of squares; NumPy has roots of integers in floats of several sizes."""
    if not x.dtype.is_floating:
        return None
    return sqrt(sum_op(square(x), axis=axis, keepdims=keepdims))


def count_nonzero(x: Any, *, axis: Any, keepdims: bool, dtype: Any) -> Any:
    """The sum of ones where an element is not zero."""
    if dtype is bool_:
        return None
    filled = x if x.dtype is bool_ else not_equal(x, zero(x))
    return sum_op(cast(filled, dtype), axis=axis, keepdims=keepdims)
