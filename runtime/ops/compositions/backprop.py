"""The adjoints of broadcasting and reductions."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.ops.array.backprop import summed_axes
from runtime.ops.array.creation import fill_op
from runtime.ops.array.shape import broadcast_to_op, reshape_op, squeeze_op
from runtime.ops.math.reduction import sum_op


def sum_to_shape(x: Any, shape: Any) -> Any:
    """A sum along the axes that are repeated, if these are known."""
    axes = summed_axes(x.spec, shape.spec)
    if axes is None:
        return None
    if not axes:
        return x
    extra = len(x.shape.dims) - shape.shape.dims[0]
    if all(axis < extra for axis in axes):
        return sum_op(x, axis=axes, keepdims=False)
    total = sum_op(x, axis=axes, keepdims=True)
    return squeeze_op(total, axis=tuple(range(extra))) if extra else total


def expand_reduced(y: Any, shape: Any, *, axis: Any, keepdims: bool) -> Any:
    """The number everywhere, or the view that repeats elements."""
    dims = shape.spec.value
    if dims is None:
        return None
    if not y.shape.dims:
        return fill_op(dims, y)
    axes = range(len(dims)) if axis is None else (axis,) if isinstance(axis, int) else axis
    kept = np.array(dims)
    kept[[one % len(dims) for one in axes]] = 1
    if y.shape.num_elements() != kept.prod():
        return None
    return broadcast_to_op(y if keepdims else reshape_op(y, kept), dims)
