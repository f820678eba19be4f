"""Functions of ``keras.ops`` that leave out NaN: ``nansum`` and the like."""

from __future__ import annotations

import math
from typing import Any

from runtime.keras.ops import reductions
from runtime.keras.ops.creation import full_like
from runtime.keras.ops.promotion import as_float
from runtime.keras.ops.statistics import quantiles
from runtime.ops.array.constants import cast, convert_to_tensor
from runtime.ops.array.creation import ones_like, zeros_like
from runtime.ops.array.where import where
from runtime.ops.docstrings import documented
from runtime.ops.math import elementwise
from runtime.ops.math.logical import logical_not
from runtime.types.dtypes import bool_, float64

_X = "tensor, array or number"
_AXIS = "an axis, several, or None for all"
_ONE_AXIS = "an axis, or None: of all elements in a row"
_KEEPDIMS = "whether the axes stay, with size 1"
_REDUCED = "Tensor without the axes, unless ``keepdims``"
_METHOD = "between two elements: 'linear', 'lower', 'higher', 'midpoint' or 'nearest'"
_DTYPE = "dtype of the result; None: that of ``x``"


def _nans(x: Any) -> Any:
    return elementwise.is_nan(x) if x.dtype.is_floating else zeros_like(x, bool_)


def _replace_nan(x: Any, number: float) -> Any:
    """Return a tensor with a number in place of NaN."""
    x = convert_to_tensor(x)
    if not x.dtype.is_floating:
        return x
    return where(elementwise.is_nan(x), full_like(x, number), x)  # a scalar would hide the shape


@documented(_REDUCED, x=_X, axis=_AXIS, keepdims=_KEEPDIMS)
def nansum(x: Any, axis: Any = None, keepdims: bool = False) -> Any:
    """Add up elements; NaN counts as 0."""
    return reductions.sum(_replace_nan(x, 0.0), axis, keepdims)


@documented(_REDUCED, x=_X, axis=_AXIS, keepdims=_KEEPDIMS)
def nanprod(x: Any, axis: Any = None, keepdims: bool = False) -> Any:
    """Multiply elements; NaN counts as 1."""
    return reductions.prod(_replace_nan(x, 1.0), axis, keepdims)


@documented("Tensor", x=_X, axis=_ONE_AXIS, dtype=_DTYPE)
def nancumsum(x: Any, axis: int | None = None, dtype: Any = None) -> Any:
    """Add up the elements up to each one; NaN counts as 0."""
    return reductions.cumsum(_replace_nan(x, 0.0), axis, dtype)


@documented("Tensor", x=_X, axis=_ONE_AXIS, dtype=_DTYPE)
def nancumprod(x: Any, axis: int | None = None, dtype: Any = None) -> Any:
    """Multiply the elements up to each one; NaN counts as 1."""
    return reductions.cumprod(_replace_nan(x, 1.0), axis, dtype)


def _extreme(x: Any, axis: Any, keepdims: bool, reduce: Any, neutral: float) -> Any:
    x = convert_to_tensor(x)
    extremes = reduce(_replace_nan(x, neutral), axis, keepdims)
    if not x.dtype.is_floating:
        return extremes
    is_empty = reductions.all(_nans(x), axis, keepdims)
    return where(is_empty, ones_like(extremes) * math.nan, extremes)


@documented(_REDUCED, x=_X, axis=_AXIS, keepdims=_KEEPDIMS)
def nanmax(x: Any, axis: Any = None, keepdims: bool = False) -> Any:
    """Return the greatest numbers; NaN if there are none."""
    return _extreme(x, axis, keepdims, reductions.max, -math.inf)


@documented(_REDUCED, x=_X, axis=_AXIS, keepdims=_KEEPDIMS)
def nanmin(x: Any, axis: Any = None, keepdims: bool = False) -> Any:
    """Return the least numbers; NaN if there are none."""
    return _extreme(x, axis, keepdims, reductions.min, math.inf)


def _position(x: Any, axis: Any, keepdims: bool, find: Any, neutral: float) -> Any:
    x = convert_to_tensor(x)
    places = find(_replace_nan(x, neutral), axis, keepdims)
    is_empty = reductions.all(_nans(x), axis, keepdims)
    return where(is_empty, zeros_like(places) - 1, places)


@documented("Tensor of dtype int32", x=_X, axis=_ONE_AXIS, keepdims=_KEEPDIMS)
def nanargmax(x: Any, axis: int | None = None, keepdims: bool = False) -> Any:
    """Return the position of the greatest number; -1 if there is none."""
    return _position(x, axis, keepdims, reductions.argmax, -math.inf)


@documented("Tensor of dtype int32", x=_X, axis=_ONE_AXIS, keepdims=_KEEPDIMS)
def nanargmin(x: Any, axis: int | None = None, keepdims: bool = False) -> Any:
    """Return the position of the least number; -1 if there is none."""
    return _position(x, axis, keepdims, reductions.argmin, math.inf)


def _count(x: Any, axis: Any, keepdims: bool) -> Any:
    """Return how many elements are numbers, in the dtype of ``x``."""
    return reductions.sum(cast(logical_not(_nans(x)), x.dtype), axis, keepdims)


@documented(_REDUCED, x=_X, axis=_AXIS, keepdims=_KEEPDIMS)
def nanmean(x: Any, axis: Any = None, keepdims: bool = False) -> Any:
    """Compute the means of numbers; NaN if there are none."""
    x = as_float(x)
    return nansum(x, axis, keepdims) / _count(x, axis, keepdims)


@documented(_REDUCED, x=_X, axis=_AXIS, keepdims=_KEEPDIMS)
def nanvar(x: Any, axis: Any = None, keepdims: bool = False) -> Any:
    """Compute the variances of numbers; NaN if there are none."""
    x = as_float(x)
    return nanmean(elementwise.square(x - nanmean(x, axis, keepdims=True)), axis, keepdims)


@documented(_REDUCED, x=_X, axis=_AXIS, keepdims=_KEEPDIMS)
def nanstd(x: Any, axis: Any = None, keepdims: bool = False) -> Any:
    """Compute the standard deviations of numbers; NaN if there are none."""
    return elementwise.sqrt(nanvar(x, axis, keepdims))


@documented(f"{_REDUCED}; a vector ``q`` makes a first axis",
            "ValueError: the method is another one", x=_X, q="from 0 to 1, or several", axis=_AXIS,
            method=_METHOD, keepdims=_KEEPDIMS)  # fmt: skip
def nanquantile(
    x: Any, q: Any, axis: Any = None, method: str = "linear", keepdims: bool = False
) -> Any:
    """Compute quantiles of numbers; NaN if there are none."""
    return quantiles(x, q, axis, method, keepdims, is_nan_left_out=True)


@documented(f"{_REDUCED}; a vector ``q`` makes a first axis",
            "ValueError: the method is another one", x=_X, q="from 0 to 100, or several",
            axis=_AXIS, method=_METHOD, keepdims=_KEEPDIMS)  # fmt: skip
def nanpercentile(
    x: Any, q: Any, axis: Any = None, method: str = "linear", keepdims: bool = False
) -> Any:
    """Compute percentiles of numbers; NaN if there are none."""
    shares = cast(convert_to_tensor(q), float64) / 100.0
    return quantiles(x, shares, axis, method, keepdims, is_nan_left_out=True)


@documented(_REDUCED, x=_X, axis=_AXIS, keepdims=_KEEPDIMS)
def nanmedian(x: Any, axis: Any = None, keepdims: bool = False) -> Any:
    """Compute the medians of numbers; NaN if there are none."""
    return quantiles(x, 0.5, axis, "linear", keepdims, is_nan_left_out=True)
