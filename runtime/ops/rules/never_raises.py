"""Rules for the field ``never_raises``: when a kernel cannot raise, by its inputs' specs.

Passes move, share and drop only operations that cannot raise.  A rule holds for specs that
``infer`` has accepted, and for every array of these dtypes and shapes.  Names no op.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.types.shapes import TensorShape, TensorSpec


def fitting(*specs: TensorSpec, **attrs: Any) -> bool:
    """The inputs certainly broadcast together, and hold numbers or truth values."""
    if any(spec.dtype.as_numpy_dtype is object for spec in specs):
        return False
    shapes = [spec.shape.dims for spec in specs if spec.shape.dims != ()]
    if len(shapes) < 2:
        return True
    if None in shapes:
        return False
    rank = max(len(dims) for dims in shapes if dims is not None)
    for axis in range(1, rank + 1):
        sizes = [d[-axis] for d in shapes if d is not None and len(d) >= axis]
        sizes = [size for size in sizes if size != 1]
        if len(set(sizes)) > 1 or (len(sizes) > 1 and None in sizes):
            return False
    return True


def known(*specs: TensorSpec, **attrs: Any) -> bool:
    """All shapes are known: what could be wrong with them, ``infer`` has seen."""
    return all(spec.shape.is_fully_defined() for spec in specs)


def ranked(x: TensorSpec, *_: TensorSpec, **attrs: Any) -> bool:
    """The rank of the first input is known: its axes are."""
    return x.shape.dims is not None


def known_values(x: TensorSpec, *sizes: TensorSpec, **attrs: Any) -> bool:
    """The shape of the first input is known, and the values of the others are."""
    return x.shape.is_fully_defined() and all(s.value is not None for s in sizes)


def alike(*specs: TensorSpec, **attrs: Any) -> bool:
    """All shapes are known and equal."""
    return known(*specs) and len({spec.shape.dims for spec in specs}) == 1


def one_axis_each(x: TensorSpec, *, axis: Any, **attrs: Any) -> bool:
    """The rank is known, and ``axis`` (None: all of them) names no axis twice."""
    if x.shape.dims is None:
        return False
    axes = () if axis is None else (axis,) if isinstance(axis, int) else axis
    return len({a % max(len(x.shape.dims), 1) for a in axes}) == len(axes)


def shaped(x: TensorSpec, *, shape: TensorShape) -> bool:
    """The input is known to have all sizes that the attribute asks for."""
    if shape.dims is None:
        return True
    return x.shape.dims is not None and all(
        declared is None or declared == size
        for declared, size in zip(shape.dims, x.shape.dims, strict=True)
    )


def over_no_zero(x: TensorSpec, y: TensorSpec) -> bool:
    """A division of floats, or by whole numbers that are known and not zero."""
    if not fitting(x, y):
        return False
    return not y.dtype.is_integer or (y.value is not None and bool(np.all(y.value)))


def by_no_negative(x: TensorSpec, y: TensorSpec) -> bool:
    """The second input holds no whole numbers below zero."""
    if not fitting(x, y):
        return False
    if not y.dtype.is_integer or y.dtype.is_unsigned:
        return True
    return y.value is not None and bool(np.all(np.asarray(y.value) >= 0))
