"""Rules of NumPy's functions that combine elements along axes; table.py lists them."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from runtime.ops.array.shape import reshape
from runtime.ops.math.elementwise import sqrt, square
from runtime.ops.math.reduction import mean_op, sum_op
from runtime.ops.numpy_names import NumpyName
from runtime.ops.op import OpDef, lookup
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
from runtime.types.dtypes import int64


def _attrs(tensor: Any, axis: Any, keepdims: Any) -> dict[str, Any]:
    if type(keepdims) is not bool:
        raise NoEquivalentError
    return {"axis": axes_of(tensor, axis), "keepdims": keepdims}


def _has_elements(tensor: Any) -> bool:
    """Whether the sizes are known, and none is 0."""
    return tensor.shape.is_fully_defined() and 0 not in tensor.shape.as_list()


def _checked(row: NumpyName, tensor: Any) -> OpDef:
    """The op of a row, or the one that says as NumPy does that there are no elements."""
    return row.definition if _has_elements(tensor) else lookup(f"numpy_{row.numpy}")


def summed(row: NumpyName) -> Callable[..., Any]:
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
        return row.definition(as_dtype(tensor, wide), **_attrs(tensor, axis, keepdims))

    return rule


def extreme(row: NumpyName) -> Callable[..., Any]:
    """The rule of max or min."""

    def rule(a: Any, axis: Any = None, *, keepdims: Any = False) -> Any:
        tensor = as_array(a)
        if tensor.dtype.kind in "bc":
            raise NoEquivalentError
        return _checked(row, tensor)(tensor, **_attrs(tensor, axis, keepdims))

    return rule


def place(op: OpDef) -> Callable[..., Any]:
    """The rule of ``argmax`` or ``argmin``."""

    def rule(a: Any, axis: Any = None) -> Any:
        tensor = as_array(a)
        axes = axes_of(tensor, axis)
        if tensor.dtype.kind not in "iufb" or not _has_elements(tensor) or isinstance(axis, tuple):
            raise NoEquivalentError
        if axes is None:
            return op(reshape(tensor, [-1]), axis=0, output_type=int64)
        return op(tensor, axis=axes[0], output_type=int64)

    return rule


def _as_floats(a: Any, dtype: Any = None) -> Any:
    """An array in the floats, or complex numbers, in which NumPy computes its mean."""
    tensor = as_array(a)
    if dtype is None:
        return tensor if tensor.dtype.kind in "fc" else cast(tensor, FLOAT)
    if as_dtype_argument(dtype).kind not in "fc":
        raise NoEquivalentError
    return cast(tensor, as_dtype_argument(dtype))


def mean(row: NumpyName) -> Callable[..., Any]:
    """The rule of the mean, of integers in double precision."""

    def rule(a: Any, axis: Any = None, dtype: Any = None, *, keepdims: Any = False) -> Any:
        tensor = _as_floats(a, dtype)
        return _checked(row, tensor)(tensor, **_attrs(tensor, axis, keepdims))

    return rule


def variance(a: Any, axis: Any = None, *, ddof: Any = 0, keepdims: Any = False) -> Any:
    """The sum of the squared distances from the mean, over their number less ``ddof``."""
    tensor = _as_floats(a)
    attrs = _attrs(tensor, axis, keepdims)
    sizes = tensor.shape.dims
    counted = sizes if attrs["axis"] is None else [sizes[n] for n in attrs["axis"]]
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


def tested(row: NumpyName) -> Callable[..., Any]:
    """The rule of any or all."""

    def rule(a: Any, axis: Any = None, *, keepdims: Any = False) -> Any:
        tensor = as_dtype(as_array(a), BOOL)
        return row.definition(tensor, **_attrs(tensor, axis, keepdims))

    return rule


def norm(x: Any, ord: Any = None, axis: Any = None, keepdims: Any = False) -> Any:
    """The Euclidean norm of all elements, or along one axis."""
    tensor = as_array(x)
    if ord is not None or isinstance(axis, tuple):
        raise NoEquivalentError
    tensor = tensor if tensor.dtype.kind == "f" else cast(tensor, FLOAT)
    return sqrt(sum_op(square(tensor), **_attrs(tensor, axis, keepdims)))
