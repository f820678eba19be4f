"""Sums, extremes and the like along axes, with NumPy's names."""

from __future__ import annotations

from typing import Any

from runtime.keras.docstrings import documented
from runtime.keras.ops.elementwise import maximum, minimum
from runtime.keras.ops.promotion import as_float
from runtime.ops.array.constants import cast, convert_to_tensor
from runtime.ops.array.shape import expand_dims, reshape
from runtime.ops.array.sorting import argsort as argsort_op
from runtime.ops.array.sorting import sort as sort_op
from runtime.ops.math import reduction, scans
from runtime.types.dtypes import bool_, int32

_X = "tensor, array or number"
_AXIS = "an axis, several, or None for all"
_KEEPDIMS = "whether the axes stay, with size 1"
_along = documented(
    "Tensor without the axes, unless ``keepdims``", x=_X, axis=_AXIS, keepdims=_KEEPDIMS
)


def _summed(x: Any) -> Any:
    """Convert to a tensor whose elements can be added: small ints and bools become int32."""
    x = convert_to_tensor(x)
    narrow = x.dtype is bool_ or x.dtype.is_integer and x.dtype.size < 4
    return cast(x, int32) if narrow else x


@_along
def sum(x: Any, axis: Any = None, keepdims: bool = False) -> Any:
    """Add up elements."""
    return reduction.reduce_sum(_summed(x), axis, keepdims)


@_along
def prod(x: Any, axis: Any = None, keepdims: bool = False) -> Any:
    """Multiply elements."""
    return reduction.reduce_prod(_summed(x), axis, keepdims)


@_along
def mean(x: Any, axis: Any = None, keepdims: bool = False) -> Any:
    """Compute the mean; of ints, as floats."""
    return reduction.reduce_mean(as_float(x), axis, keepdims)


@_along
def std(x: Any, axis: Any = None, keepdims: bool = False) -> Any:
    """Compute the standard deviation."""
    return reduction.reduce_std(as_float(x), axis, keepdims)


@_along
def var(x: Any, axis: Any = None, keepdims: bool = False) -> Any:
    """Compute the variance."""
    return reduction.reduce_variance(as_float(x), axis, keepdims)


@documented(
    "Tensor without the axes, unless ``keepdims``", x=_X, axis=_AXIS, keepdims=_KEEPDIMS,
    initial="greatest value that a result is compared with",
)  # fmt: skip
def max(x: Any, axis: Any = None, keepdims: bool = False, initial: Any = None) -> Any:
    """Return the greatest elements."""
    found = reduction.reduce_max(convert_to_tensor(x), axis, keepdims)
    if initial is None:
        return found
    return maximum(found, initial)


@documented(
    "Tensor without the axes, unless ``keepdims``", x=_X, axis=_AXIS, keepdims=_KEEPDIMS,
    initial="least value that a result is compared with",
)  # fmt: skip
def min(x: Any, axis: Any = None, keepdims: bool = False, initial: Any = None) -> Any:
    """Return the least elements."""
    found = reduction.reduce_min(convert_to_tensor(x), axis, keepdims)
    if initial is None:
        return found
    return minimum(found, initial)


@_along
def all(x: Any, axis: Any = None, keepdims: bool = False) -> Any:
    """Test whether all elements hold."""
    return reduction.reduce_all(cast(convert_to_tensor(x), bool_), axis, keepdims)


@_along
def any(x: Any, axis: Any = None, keepdims: bool = False) -> Any:
    """Test whether some element holds."""
    return reduction.reduce_any(cast(convert_to_tensor(x), bool_), axis, keepdims)


@_along
def logsumexp(x: Any, axis: Any = None, keepdims: bool = False) -> Any:
    """Compute ``log(sum(exp(x)))``, without overflow."""
    return reduction.reduce_logsumexp(as_float(x), axis, keepdims)


@documented("Tensor of dtype int32 without the axis", x=_X, axis=_AXIS)
def count_nonzero(x: Any, axis: Any = None) -> Any:
    """Count the elements that are not zero."""
    return reduction.count_nonzero(convert_to_tensor(x), axis, dtype=int32)


_ONE = "an axis, or None: of all elements in a row"


def _placed(op: Any, x: Any, axis: int | None, keepdims: bool) -> Any:
    x = convert_to_tensor(x)
    if axis is None:
        found = op(reshape(x, [-1]), 0, output_type=int32)
        return reshape(found, [1] * (x.shape.rank or 0)) if keepdims else found
    found = op(x, axis, output_type=int32)
    return expand_dims(found, axis) if keepdims else found


@documented("Tensor of dtype int32", x=_X, axis=_ONE, keepdims=_KEEPDIMS)
def argmax(x: Any, axis: int | None = None, keepdims: bool = False) -> Any:
    """Return the positions of the greatest elements."""
    return _placed(reduction.argmax, x, axis, keepdims)


@documented("Tensor of dtype int32", x=_X, axis=_ONE, keepdims=_KEEPDIMS)
def argmin(x: Any, axis: int | None = None, keepdims: bool = False) -> Any:
    """Return the positions of the least elements."""
    return _placed(reduction.argmin, x, axis, keepdims)


@documented("Tensor", x=_X, axis=_ONE, dtype="dtype of the result; None: that of ``x``")
def cumsum(x: Any, axis: int | None = None, dtype: Any = None) -> Any:
    """Add elements up to each one."""
    return _accumulated(scans.cumsum, x, axis, dtype)


@documented("Tensor", x=_X, axis=_ONE, dtype="dtype of the result; None: that of ``x``")
def cumprod(x: Any, axis: int | None = None, dtype: Any = None) -> Any:
    """Multiply elements up to each one."""
    return _accumulated(scans.cumprod, x, axis, dtype)


def _accumulated(op: Any, x: Any, axis: int | None, dtype: Any) -> Any:
    x = _summed(x) if dtype is None else cast(convert_to_tensor(x), dtype)
    return op(reshape(x, [-1]), 0) if axis is None else op(x, axis)


@documented("Tensor of the shape of ``x``", x=_X, axis="the axis; None: all elements in a row")
def sort(x: Any, axis: int | None = -1) -> Any:
    """Sort elements in ascending order."""
    x = convert_to_tensor(x)
    return sort_op(reshape(x, [-1])) if axis is None else sort_op(x, axis)


@documented("Tensor of dtype int32", x=_X, axis="the axis; None: all elements in a row")
def argsort(x: Any, axis: int | None = -1) -> Any:
    """Return the positions of the elements in ascending order; equal ones stay in order."""
    x = convert_to_tensor(x)
    if axis is None:
        return argsort_op(reshape(x, [-1]), stable=True)
    return argsort_op(x, axis, stable=True)
