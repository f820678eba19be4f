"""Rows that combine the elements along axes: sums, extremes, means."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime import interpreter
from runtime.facets.infer import reduction
from runtime.facets.kernels import reducing
from runtime.op import NUMERIC, REDUCTION, define

__all__ = ["reduce_sum"]


def static_axis(axis: Any) -> int | tuple[int, ...] | None:
    """The axis argument of a reduction as an int, a tuple of ints, or None for all axes.

    TypeError for anything else, also for a tensor whose value is not known yet.
    """
    if axis is None:
        return None
    if isinstance(axis, interpreter.Value):
        axis = np.asarray(axis)
    array = np.asarray(axis)
    if array.size == 0:
        return ()
    if array.dtype.kind not in "iu" or array.ndim > 1:
        raise TypeError(f"axis must be None, an int or a list of ints, got {axis!r}")
    return int(array) if array.ndim == 0 else tuple(int(a) for a in array)


sum_op = define(
    "reduce_sum",
    inputs="input_tensor",
    kernel=reducing(np.sum),
    infer=reduction,
    kinds=NUMERIC,
    label="Sum",
    spells=(np.sum,),
    traits=(REDUCTION,),
)


def reduce_sum(
    input_tensor: Any, axis: Any = None, keepdims: bool = False, name: str | None = None
) -> Any:
    """The sum of the elements along ``axis`` (all axes by default), in the same dtype."""
    return sum_op(input_tensor, axis=static_axis(axis), keepdims=bool(keepdims), name=name)
