"""Derivatives of reductions along axes."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.ops.array.constants import cast, stop_gradient
from runtime.ops.array.shape import reshape_op
from runtime.ops.gradients.dynamic_shapes import count, expanded, shaped_as
from runtime.ops.math.comparison import equal
from runtime.ops.math.elementary import exp
from runtime.ops.math.elementwise import maximum, multiply_no_nan, realdiv
from runtime.ops.math.reduction import mean_op, prod_op, sum_op
from runtime.ops.math.scans import cumprod_op


def sum(x: Any, y: Any, dy: Any, *, axis: Any, keepdims: bool) -> tuple[Any, ...]:
    """Each element gets the gradient of its sum."""
    return (expanded(dy, x, axis, keepdims),)


def _share(x: Any, y: Any) -> Any:
    """How many elements of ``x`` went into one of ``y``, as a number of the dtype of ``x``."""
    size, reduced_size = x.shape.num_elements(), y.shape.num_elements()
    if size is not None and reduced_size is not None:
        return float(size // max(reduced_size, 1))
    return cast(count(x) // maximum(count(y), np.int64(1)), x.dtype)


def mean(x: Any, y: Any, dy: Any, *, axis: Any, keepdims: bool) -> tuple[Any, ...]:
    """As of a sum, divided by how many they were."""
    return (expanded(dy, x, axis, keepdims) / _share(x, y),)


def extreme(x: Any, y: Any, dy: Any, *, axis: Any, keepdims: bool) -> tuple[Any, ...]:
    """The elements that are the greatest (least) share the gradient equally."""
    top = cast(equal(x, expanded(y, x, axis, keepdims)), x.dtype)
    number = sum_op(top, axis=axis, keepdims=True)  # 0 where there is a NaN: so is the gradient
    return (top / number * expanded(dy, x, axis, keepdims),)


def _others(x: Any, axis: int) -> Any:
    """For each element the product of the others along an axis; exact, whatever is zero."""
    before = cumprod_op(x, axis=axis, exclusive=True, reverse=False)
    return before * cumprod_op(x, axis=axis, exclusive=True, reverse=True)


def prod(x: Any, y: Any, dy: Any, *, axis: Any, keepdims: bool) -> tuple[Any, ...]:
    """The product of all other elements."""
    dx = expanded(dy, x, axis, keepdims)
    if axis is None:
        return (dx * shaped_as(_others(reshape_op(x, np.array([-1])), 0), x),)
    product = x
    for number in (axis,) if isinstance(axis, int) else axis:
        dx = dx * _others(product, number)
        product = prod_op(product, axis=number, keepdims=True)
    return (dx,)


def logsumexp(x: Any, y: Any, dy: Any, *, axis: Any, keepdims: bool) -> tuple[Any, ...]:
    """The softmax; weighed once more, as ``y`` is rounded."""
    weights = exp(x - stop_gradient(expanded(y, x, axis, keepdims)))
    total = sum_op(weights, axis=axis, keepdims=True)
    return (weights / total * expanded(dy, x, axis, keepdims),)


def euclidean_norm(x: Any, y: Any, dy: Any, *, axis: Any, keepdims: bool) -> tuple[Any, ...]:
    """The direction: ``x / norm``; at norm 0 there is none, so it is NaN."""
    unit = realdiv(x, cast(expanded(y, x, axis, keepdims), x.dtype))
    return (unit * cast(expanded(dy, x, axis, keepdims), x.dtype),)


def variance(x: Any, y: Any, dy: Any, *, axis: Any, keepdims: bool) -> tuple[Any, ...]:
    """Twice the distance from the mean, divided by how many they are."""
    distance = x - mean_op(x, axis=axis, keepdims=True)
    return (cast(expanded(dy, x, axis, keepdims), x.dtype) * distance * 2 / _share(x, y),)


def std(x: Any, y: Any, dy: Any, *, axis: Any, keepdims: bool) -> tuple[Any, ...]:
    """As of the square root of the variance."""
    return variance(x, y, multiply_no_nan(0.5 / y, dy), axis=axis, keepdims=keepdims)
