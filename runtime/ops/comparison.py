"""Rows that compare element-wise and give bool."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.dtypes import Array, bool_
from runtime.errors import IncompatibleShapesError
from runtime.facets.infer import broadcast_as, broadcast_shapes
from runtime.op import COMMUTATIVE, COMPARISON, ELEMENTWISE, define
from runtime.types import SCALAR_SHAPE, UNKNOWN_SHAPE, TensorSpec

__all__ = ["equal", "less", "not_equal"]

less = define(
    "less",
    inputs="x y",
    kernel=np.less,
    infer=broadcast_as(bool_),
    kinds="iuf",
    grad=None,
    label="Less",
    spells=("__lt__", np.less),
    traits=(ELEMENTWISE, COMPARISON),
    doc="``x < y`` element-wise, with broadcasting.",
)


def _equal(x: Array, y: Array, *, incompatible_shape_error: bool = True) -> Any:
    if incompatible_shape_error:
        return np.equal(x, y).astype(bool)
    try:
        return np.equal(x, y).astype(bool)
    except ValueError:  # TensorFlow: shapes that do not broadcast are simply not equal
        return np.False_


def _equal_infer(
    x: TensorSpec, y: TensorSpec, *, incompatible_shape_error: bool = True
) -> TensorSpec:
    try:
        shape = broadcast_shapes(x.shape, y.shape)
    except IncompatibleShapesError:
        if incompatible_shape_error:
            raise
        return TensorSpec(SCALAR_SHAPE, bool_)
    known = x.shape.is_fully_defined() and y.shape.is_fully_defined()
    return TensorSpec(shape if known or incompatible_shape_error else UNKNOWN_SHAPE, bool_)


equal = define(
    "equal",
    inputs="x y",
    kernel=_equal,
    infer=_equal_infer,
    grad=None,
    label="Equal",
    spells=(np.equal,),  # __eq__ is in eager.py: it lets shapes differ
    traits=(ELEMENTWISE, COMPARISON, COMMUTATIVE),
    doc="``x == y`` element-wise, with broadcasting.",
)


def _not_equal(x: Array, y: Array, *, incompatible_shape_error: bool = True) -> Any:
    return np.logical_not(_equal(x, y, incompatible_shape_error=incompatible_shape_error))


not_equal = define(
    "not_equal",
    inputs="x y",
    kernel=_not_equal,
    infer=_equal_infer,
    grad=None,
    label="NotEqual",
    spells=(np.not_equal,),
    traits=(ELEMENTWISE, COMPARISON, COMMUTATIVE),
    doc="``x != y`` element-wise, with broadcasting.",
)
