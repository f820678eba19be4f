"""Shapes, and parts of numbers, that native code knows without a kernel."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from runtime.ops.array.constants import cast
from runtime.ops.array.creation import zeros_like_op
from runtime.ops.array.indexing import getitem_op
from runtime.ops.array.shape import shape_op
from runtime.ops.math.comparison import equal, less_equal
from runtime.ops.math.logical import logical_and
from runtime.ops.rules.lowering import Guarded
from runtime.types.dtypes import int64
from runtime.types.shapes import TensorShape


def itself(x: Any) -> Any:
    """The input: the part that is all of a real number."""
    return x


def imag(x: Any) -> Any:
    """Of real numbers, zeros."""
    return zeros_like_op(x, dtype=x.dtype)


def _sizes(x: Any) -> list[Any]:
    sizes = shape_op(x, out_type=int64)
    return [getitem_op(sizes, key=(axis,)) for axis in range(len(x.shape.dims))]


def size(x: Any, *, out_type: Any) -> Any:
    """The product of the sizes; the kernel raises if it does not fit the dtype."""
    count = math.prod(_sizes(x))
    if out_type is int64:
        return count
    return Guarded(less_equal(count, np.int64(out_type.max)), cast(count, out_type))


def ensure_shape(x: Any, *, shape: TensorShape) -> Any:
    """The input, if its sizes are those that are known; the kernel raises otherwise."""
    if shape.dims is None:
        return x
    holds = None
    for size, declared, static_size in zip(_sizes(x), shape.dims, x.shape.dims, strict=True):
        if declared is not None and static_size is None:
            fits = equal(size, np.int64(declared))
            holds = fits if holds is None else logical_and(holds, fits)
    return x if holds is None else Guarded(holds, x)
