"""Rules of NumPy's functions that combine elements along axes; table.py lists them."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from runtime.ops.math.elementwise import sqrt, square
from runtime.ops.math.reduction import mean_op, sum_op
from runtime.ops.op import lookup
from runtime.staging.numpy_arrays.rules.operands import (
    BOOL,
    FLOAT,
    NoEquivalentError,
    as_array,
    as_dtype,
    as_dtype_argument,
    axes_of,
    cast,
    given_type,
)


def _attrs(tensor: Any, axis: Any, keepdims: Any) -> dict[str, Any]:
    if type(keepdims) is not bool:
        raise NoEquivalentError
    return {"axis": axes_of(tensor, axis), "keepdims": keepdims}


def _has_elements(tensor: Any) -> bool:
    """Whether the sizes are known, and none is 0."""
    return tensor.shape.is_fully_defined() and 0 not in tensor.shape.as_list()


def summed(op_name: str) -> Callable[..., Any]:
    """The rule of a sum or product, of integers in 64 bits."""

    def rule(a: Any, axis: Any = None, dtype: Any = None, *, keepdims: Any = False) -> Any:
        tensor = as_array(a)
        if dtype is not None:
            wide = as_dtype_argument(dtype)
        elif tensor.dtype.kind in "fc":
            wide = given_type(tensor)
        else:
            wide = np.dtype(np.uint64 if tensor.dtype.kind == "u" else np.int64)
        if wide == BOOL or not np.can_cast(given_type(tensor), wide, "same_kind"):
            raise NoEquivalentError
        return lookup(op_name)(as_dtype(tensor, wide), **_attrs(tensor, axis, keepdims))

    return rule


def extreme(op_name: str, checked_name: str) -> Callable[..., Any]:
    """The rule of max or min."""

    def rule(a: Any, axis: Any = None, *, keepdims: Any = False) -> Any:
        tensor = as_array(a)
        if tensor.dtype.kind in "bc":
            raise NoEquivalentError
        name = op_name if _has_elements(tensor) else checked_name
        return lookup(name)(tensor, **_attrs(tensor, axis, keepdims))

    return rule


def _as_floats(a: Any, dtype: Any = None) -> Any:
    """An array in the floats, or complex numbers, in which NumPy computes its mean."""
    tensor = as_array(a)
    if dtype is None:
        return tensor if tensor.dtype.kind in "fc" else cast(tensor, FLOAT)
    if as_dtype_argument(dtype).kind not in "fc":
        raise NoEquivalentError
    return cast(tensor, as_dtype_argument(dtype))


def mean(a: Any, axis: Any = None, dtype: Any = None, *, keepdims: Any = False) -> Any:
    """The mean, of integers in double precision."""
    tensor = _as_floats(a, dtype)
    name = "reduce_mean" if _has_elements(tensor) else "numpy_mean"
    return lookup(name)(tensor, **_attrs(tensor, axis, keepdims))


def variance(a: Any, axis: Any = None, *, ddof: Any = 0, keepdims: Any = False) -> Any:
    """The sum of the squared distances from the mean, over their number less ``ddof``."""
    tensor = _as_floats(a)
    attrs = _attrs(tensor, axis, keepdims)
    sizes = tensor.shape.dims
    counted = sizes if attrs["axis"] is None else [sizes[one] for one in attrs["axis"]]
    if type(ddof) is not int or not _has_elements(tensor) or math.prod(counted) <= ddof:
        raise NoEquivalentError
    if tensor.dtype.is_complex:
        raise NoEquivalentError
    centre = mean_op(tensor, axis=attrs["axis"], keepdims=True)
    squares = square(tensor - centre)
    if not ddof:
        return mean_op(squares, **attrs)
    return sum_op(squares, **attrs) / float(math.prod(counted) - ddof)


def deviation(a: Any, axis: Any = None, *, ddof: Any = 0, keepdims: Any = False) -> Any:
    """The square root of the variance."""
    return sqrt(variance(a, axis, ddof=ddof, keepdims=keepdims))


def tested(op_name: str) -> Callable[..., Any]:
    """The rule of any or all."""

    def rule(a: Any, axis: Any = None, *, keepdims: Any = False) -> Any:
        tensor = as_dtype(as_array(a), BOOL)
        return lookup(op_name)(tensor, **_attrs(tensor, axis, keepdims))

    return rule


def norm(x: Any, ord: Any = None, axis: Any = None, keepdims: Any = False) -> Any:
    """The Euclidean norm of all elements, or along one axis."""
    tensor = as_array(x)
    if ord is not None or isinstance(axis, tuple):
        raise NoEquivalentError
    tensor = tensor if tensor.dtype.kind == "f" else cast(tensor, FLOAT)
    return sqrt(sum_op(square(tensor), **_attrs(tensor, axis, keepdims)))
